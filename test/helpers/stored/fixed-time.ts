import crypto from 'node:crypto';
import { replaceTime } from '../replace-time.ts';

/** A settable clock and repeatable random values. */
export interface FixedTime {
  readonly now: () => number;
  set(time: number): void;
  /** Restores the real clock and random values. */
  restore(): void;
}

/**
 * Fixes time and random values in this process. The S3 server stamps objects by `Date`, and a registry object must
 * keep its age when a dump is loaded.
 */
export function fixTime(start: number, seed: string): FixedTime {
  let now = start;
  let drawn = 0;
  const restore = replaceTime(
    () => now,
    (_kind, size) =>
      crypto.createHash('shake256', { outputLength: size }).update(`${seed}/${drawn++}`).digest(),
  );
  return {
    now: () => now,
    set(time) {
      now = time;
    },
    restore,
  };
}
