import type { RouteThrottle } from './deployed-api.ts';

/** Token bucket with `rate` per second up to `burst`, shared by all callers of a route. */
export class TokenBucket {
  readonly #throttle: RouteThrottle;
  #tokens: number;
  #filledAt: number;

  constructor(throttle: RouteThrottle, now: number) {
    this.#throttle = throttle;
    this.#tokens = throttle.burst;
    this.#filledAt = now;
  }

  take(now: number): boolean {
    const { rate, burst } = this.#throttle;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * rate);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
