/** Offset in milliseconds ahead of UTC; result in ISO 8601: `2026-06-06T22:00:00+02:00`. */
export function localIso(instant: number, offset: number): string {
  return new Date(instant + offset).toISOString().slice(0, 19) + offsetText(offset);
}

/** `Sat 2026-06-06 22:00 +02:00` */
export function localInWords(instant: number, offset: number): string {
  return `${clockInWords(instant + offset)} ${offsetText(offset)}`;
}

/** `Sat 2026-06-06 22:00 to Sun 2026-06-07 04:00 +02:00`; both ends show their offset if it changes in between. */
export function spanInWords(
  { start, end }: { readonly start: number; readonly end: number },
  offsetAt: (instant: number) => number,
): string {
  const [before, after] = [offsetAt(start), offsetAt(end)];
  const from = before === after ? clockInWords(start + before) : localInWords(start, before);
  return `${from} to ${localInWords(end, after)}`;
}

function clockInWords(local: number): string {
  return `${weekdayOf(local)} ${new Date(local).toISOString().slice(0, 16).replace('T', ' ')}`;
}

/** `+02:00`, `-03:30`; seconds, used only before 1972, are dropped. */
function offsetText(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${hours}:${rest}`;
}

/** In the order of `getUTCDay`. */
export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** Accepts any instant of the day in UTC. */
export function weekdayOf(day: number): Weekday {
  return WEEKDAYS[new Date(day).getUTCDay()]!;
}
