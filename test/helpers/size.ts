/** CI sets it: full sizes of the specification, in twice the time. */
export const isThorough = process.env['CAIRN_THOROUGH'] === '1';

/** `sized(1000, 10_000)` is 1000 for `npm test` and 10,000 in CI. */
export function sized(quick: number, thorough: number): number {
  return isThorough ? thorough : quick;
}

/** Reason for leaving a slow test of recorded data to CI; null if it runs. */
export const leftToCi = isThorough ? null : 'CAIRN_THOROUGH is not 1, CI runs it';
