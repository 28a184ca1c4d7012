import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** A clock that a test sets, and random values that repeat. */
export interface FixedTime {
  readonly now: () => number;
  set(time: number): void;
  /** Gives the process its own clock and its random values back. */
  restore(): void;
}

/**
 * Replaces `Date` and the random functions of `node:crypto` in this process. The S3 server stamps objects by `Date`, and a
 * registry object must keep its age when a dump is loaded.
 */
export function fixTime(start: number, seed: string): FixedTime {
  const { Date: RealDate } = globalThis;
  const { randomUUID, randomBytes } = crypto;
  let now = start;
  let drawn = 0;
  const draw = (size: number): Buffer =>
    crypto.createHash('shake256', { outputLength: size }).update(`${seed}/${drawn++}`).digest();
  class FixedDate extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [now] : given) as [number]));
    }
    static override now(): number {
      return now;
    }
  }
  globalThis.Date = FixedDate as DateConstructor;
  crypto.randomBytes = ((size: number) => draw(size)) as typeof crypto.randomBytes;
  crypto.randomUUID = () => {
    const hex = draw(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  syncBuiltinESMExports();
  return {
    now: () => now,
    set(time) {
      now = time;
    },
    restore() {
      globalThis.Date = RealDate;
      Object.assign(crypto, { randomUUID, randomBytes });
      syncBuiltinESMExports();
    },
  };
}
