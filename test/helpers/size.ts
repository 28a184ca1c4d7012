/** CI sets it: everything at the size that the specification asks for, which takes twice as long. */
export const isThorough = process.env['CAIRN_THOROUGH'] === '1';

/** How many of something a test draws or tries: `sized(1000, 10_000)` is the first for `npm test`, the second in CI. */
export function sized(quick: number, thorough: number): number {
  return isThorough ? thorough : quick;
}

/** Why a test of recorded data that takes minutes is left to CI; null when it runs. */
export const leftToCi = isThorough ? null : 'CAIRN_THOROUGH is not 1, CI runs it';
