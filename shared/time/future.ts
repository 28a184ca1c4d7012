/**
 * Tolerated clock drift. Lambda clocks differ by less than a second, S3 rejects signatures more than 15 minutes off,
 * and Lambda drops events after 15 minutes. A time further ahead comes from a wrong clock.
 */
export const CLOCK_SKEW_MS = 15 * 60_000;

/** Accepts ISO 8601 or milliseconds. */
export function isInFuture(time: string | number, now: number): boolean {
  return (typeof time === 'string' ? Date.parse(time) : time) > now + CLOCK_SKEW_MS;
}
