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

const DAY = 24 * 3600_000;

export interface ClockTime {
  /** First instant with this local time; for a skipped time, the instant of the clock change. */
  readonly instant: number;
  readonly isSkipped: boolean;
}

/**
 * Converts local times of a zone, given its offsets. A day is its start in UTC, a time is milliseconds since midnight.
 * In Europe/Berlin 2:30 on 29 March 2026 is skipped at 01:00 UTC; on 25 October it is 00:30 UTC, the first of two.
 * Later times never give earlier instants.
 */
export function clocksOf(
  offsetAt: (instant: number) => number,
): (day: number) => (time: number) => ClockTime {
  return (day) => {
    // Wide enough for zones from UTC-12 to UTC+14. The larger offset gives the earlier instant.
    const offsets = [offsetAt(day - DAY), offsetAt(day + 2 * DAY)];
    const [earlier, later] = [Math.max(...offsets), Math.min(...offsets)] as const;
    if (earlier === later) return (time) => ({ instant: day + time - earlier, isSkipped: false });
    return (time) => {
      const shown = day + time;
      const isShownAt = (instant: number) => instant + offsetAt(instant) === shown;
      const instant = [shown - earlier, shown - later].find(isShownAt);
      if (instant !== undefined) return { instant, isSkipped: false };
      return { instant: changeBetween(shown - earlier, shown - later, offsetAt), isSkipped: true };
    };
  };
}

/** First instant with the offset of `end`, which differs from that of `begin`. */
function changeBetween(begin: number, end: number, offsetAt: (instant: number) => number): number {
  const after = offsetAt(end);
  let [before, since] = [begin, end];
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (offsetAt(middle) === after) since = middle;
    else before = middle;
  }
  return since;
}
