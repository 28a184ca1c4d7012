/**
 * How far a stored time may lie ahead of a clock and still count. Clocks of Lambdas differ by less than a second, S3 refuses
 * a request that was signed 15 minutes off, and Lambda drops an event after 15 minutes: whatever is further ahead was
 * written by a wrong clock.
 */
export const CLOCK_SKEW_MS = 15 * 60_000;

/** Whether a stored time, in ISO 8601 or milliseconds, is further ahead than clocks differ. */
export function isInFuture(time: string | number, now: number): boolean {
  return (typeof time === 'string' ? Date.parse(time) : time) > now + CLOCK_SKEW_MS;
}
