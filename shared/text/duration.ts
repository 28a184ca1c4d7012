/** Text that `parseDuration` accepts, or milliseconds. */
export type Duration = string | number;

const UNITS = [
  ['d', 24 * 3600_000],
  ['h', 3600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

const SHORT = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;
const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** What {@link parseDuration} accepts, and texts without a number. Many clients do not know look-ahead. */
export const DURATION = new RegExp(`${SHORT.source}|${ISO.source.replace('(?=\\d)', '')}`);

/**
 * Returns milliseconds, or null if invalid: `90s`, `60m`, `1h30m`, `7d`, `2w`, and ISO 8601 `P7D`, `PT1H30M`. Larger
 * units come first, each once. Rejects years and months because their length varies.
 */
export function parseDuration(text: string): number | null {
  const counts = (SHORT.exec(text) ?? ISO.exec(text))?.slice(1);
  if (counts === undefined || counts.every((count) => count === undefined)) return null;
  const [weeks, ...others] = counts.map((count) => Number(count ?? 0));
  const days = weeks! * 7 * 24 * 3600_000;
  const milliseconds = others.reduce((sum, count, index) => sum + count * UNITS[index]![1], days);
  return Number.isSafeInteger(milliseconds) ? milliseconds : null;
}

/** Returns null if invalid or negative. */
export function durationInMilliseconds(duration: Duration): number | null {
  if (typeof duration === 'string') return parseDuration(duration);
  return Number.isFinite(duration) && duration >= 0 ? duration : null;
}

/**
 * `parseDuration` reads it back: 604,800,000 is `7d`, 5,400,000 is `1h30m`, 0 is `0s`. Truncates after `units` units:
 * with one, 41 days and 3 hours are `41d`.
 */
export function durationText(milliseconds: number, units: number = UNITS.length): string {
  if (milliseconds < 0) return `-${durationText(-milliseconds, units)}`;
  let rest = Math.floor(milliseconds);
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0 && parts.length < units) parts.push(`${count}${unit}`);
  }
  return parts.join('') || '0s';
}

const AGO = /^[0-9]{1,5}[mhdw]$/;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Form of what {@link parseSince} accepts. */
export const SINCE = new RegExp(`${AGO.source}|${TIME.source}`);

/**
 * Returns ISO 8601 in UTC, or null: accepts a time, a day, or a duration before `now`. At noon, `36h` is midnight of
 * the day before; `2026-11-01` is its midnight.
 */
export function parseSince(text: string, now: number): string | null {
  if (AGO.test(text)) return new Date(now - parseDuration(text)!).toISOString();
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
