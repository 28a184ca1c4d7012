const SHARE = /^([0-9]{1,3})%$/;

/**
 * How many machines of a pool may be away at once: a number as it is, a share rounded down, never less than 1 or
 * more than there are. Of 25 machines `10%` is 2, of 5 it is 1.
 */
export function maxUnavailableOf(declared: number | string, machines: number): number {
  const share = SHARE.exec(String(declared))?.[1];
  // Multiplied before it is divided: 0.07 × 100 is more than 7.
  const count =
    share === undefined ? Math.floor(Number(declared)) : Math.floor((machines * Number(share)) / 100);
  return count >= 1 ? Math.min(count, Math.max(machines, 1)) : 1;
}
