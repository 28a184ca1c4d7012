import type { Random } from '../../../helpers/random.ts';

interface Seat {
  /** Lets its calls go on, which are several when it calls table and bucket side by side; none while it computes. */
  readonly calls: (() => void)[];
  pausedUntil: number;
}

/**
 * Lets programs that run side by side make their calls in an order that the dice alone decide: none goes on before all
 * of them wait with a call, and then one does, until it waits again.
 */
export class Turns {
  readonly #seats = new Map<string, Seat>();
  readonly #random: Random;
  #changed: () => void = () => {};

  constructor(random: Random) {
    this.#random = random;
  }

  /** Whoever has begun and is not over yet. */
  get present(): readonly string[] {
    return [...this.#seats.keys()];
  }

  begin(name: string, work: () => Promise<void>): void {
    this.#seats.set(name, { calls: [], pausedUntil: 0 });
    const over = () => {
      this.#seats.delete(name);
      this.#changed();
    };
    work().then(over, over);
  }

  /** Waits for the turn of this call; whoever has not begun here need not wait. */
  async wait(name: string): Promise<void> {
    const seat = this.#seats.get(name);
    if (!seat) return;
    await new Promise<void>((resolve) => {
      seat.calls.push(resolve);
      this.#changed();
    });
  }

  /** It makes no further call before this time. */
  pause(name: string, until: number): void {
    const seat = this.#seats.get(name);
    if (seat) seat.pausedUntil = until;
  }

  /** The earliest time at which one of the paused goes on. */
  get nextWake(): number | null {
    const times = [...this.#seats.values()].map(({ pausedUntil }) => pausedUntil);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Lets them go on, one call at a time, until all are over or paused. */
  async play(between: () => Promise<void>): Promise<void> {
    for (;;) {
      await this.#allWait();
      const ready = [...this.#seats].filter(([, { pausedUntil }]) => pausedUntil <= Date.now());
      if (ready.length === 0) return;
      await between();
      const [, seat] = this.#random.pick(ready.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      seat.calls.shift()!();
    }
  }

  async #allWait(): Promise<void> {
    while ([...this.#seats.values()].some(({ calls }) => calls.length === 0)) {
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }
}
