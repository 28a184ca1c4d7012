import { createHash } from 'node:crypto';

const SEED = 'cairn demo 1';

/**
 * A number in [0, 1) that depends on nothing but the label: the demo world is the same on every machine, and a draw
 * added in one place changes no other. `draw('weekday 4.14.3')` is the same number for ever.
 */
export function draw(label: string): number {
  return createHash('sha256').update(`${SEED}\n${label}`).digest().readUInt32BE() / 2 ** 32;
}

/** A whole number from `low` to `high`, both included. */
export function drawBetween(low: number, high: number, label: string): number {
  return low + Math.floor(draw(label) * (high - low + 1));
}
