import { groupBy } from '../../collection/group-by.ts';
import { clocksOf, weekdayOf, WEEKDAYS } from '../../time/local-time.ts';
import type { FITS } from '../values.ts';
import { minuteOfDay, type WeeklyWindow } from './maintenance-windows.ts';

/** Period with an open window, in milliseconds since 1970. */
export interface Opening {
  readonly start: number;
  /** Infinity if the windows never close. */
  readonly end: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
/** Exceeds every joined opening: those last less than a week, or less than two if a clock change skips the gap. */
const LONGEST = 2 * WEEK;

/**
 * Returns the openings between two instants, sorted; merges windows that overlap or touch. An opening that contains
 * `from` keeps its start, unless it never closes. Windows follow local clocks. In Europe/Berlin, Sat 22:00-04:00 lasts
 * 5 hours in the night to 29 March 2026, and 7 hours in the night to 25 October. A skipped time means the instant of
 * the skip, and a repeated time its first occurrence. Windows that touch on the clock therefore touch in time, and a
 * window within skipped time does not open.
 */
export function openingsBetween(
  windows: readonly WeeklyWindow[],
  offsetAt: (instant: number) => number,
  from: number,
  until: number,
): readonly Opening[] {
  if (neverClose(windows)) return [{ start: from, end: Infinity }];
  const byDay = groupBy(
    windows.toSorted((a, b) => minuteOfDay(a.start) - minuteOfDay(b.start)),
    ({ day }) => day,
  );
  const clocksOn = clocksOf(offsetAt);
  const openings: { start: number; end: number }[] = [];
  // Calendar days, each as its start in UTC.
  const firstDay = Math.floor((from + offsetAt(from) - LONGEST) / DAY) * DAY;
  for (let day = firstDay; day < until + LONGEST; day += DAY) {
    const ofDay = byDay.get(weekdayOf(day));
    if (!ofDay) continue;
    const [today, tomorrow] = [clocksOn(day), clocksOn(day + DAY)];
    for (const { start, end } of ofDay) {
      const [first, last] = [minuteOfDay(start) * MINUTE, minuteOfDay(end) * MINUTE];
      const opens = today(first).instant;
      const closes = (last > first ? today : tomorrow)(last).instant;
      const before = openings.at(-1);
      if (before && opens <= before.end) before.end = Math.max(before.end, closes);
      else if (closes > opens) openings.push({ start: opens, end: closes });
    }
  }
  return openings.filter(({ start, end }) => end > from && start < until);
}

/** True if the windows cover every minute of the week. */
function neverClose(windows: readonly WeeklyWindow[]): boolean {
  const spans = windows.map(({ day, start, end }) => {
    const [first, last] = [minuteOfDay(start) * MINUTE, minuteOfDay(end) * MINUTE];
    const opens = WEEKDAYS.indexOf(day) * DAY + first;
    return { opens, closes: opens + (last > first ? last - first : DAY + last - first) };
  });
  // Windows that cross the end of the week also cover the start of the next one.
  const all = [
    ...spans,
    ...spans.map(({ opens, closes }) => ({ opens: opens - WEEK, closes: closes - WEEK })),
  ];
  let covered = 0;
  for (const { opens, closes } of all.toSorted((a, b) => a.opens - b.opens)) {
    if (opens > covered) return false;
    covered = Math.max(covered, closes);
  }
  return covered >= WEEK;
}

export function minutesOf({ start, end }: Opening): number {
  return (end - start) / MINUTE;
}

/** Maximum minutes of a hop; null if unknown. */
export interface HopWork {
  /** Workers that must reboot before the hop; 0 if none. */
  readonly workersBefore: number | null;
  readonly controlPlane: number | null;
  /** Workers that reboot after the control plane; 0 if none. */
  readonly workersAfter: number | null;
}

/** Position of a hop with its maximum duration. */
export interface Placement {
  readonly window: Opening;
  readonly start: number;
  readonly end: number;
}

export interface Shortage {
  /** Only the part that is still free. */
  readonly longest: Opening;
  /** Minutes that the whole hop exceeds the longest opening. */
  readonly missing: number;
}

export type HopFit = { readonly fit: (typeof FITS)[number] } & (
  | ({ readonly fit: 'whole' } & Placement)
  /** Workers do not fit; a null shortage means that their duration is unknown. */
  | ({ readonly fit: 'control-plane'; readonly shortage: Shortage | null } & Placement)
  /** A null shortage means that no window opens. */
  | { readonly fit: 'too-long'; readonly shortage: Shortage | null }
  | { readonly fit: 'not-known' }
  /** Waits for an earlier hop with an unknown end. */
  | { readonly fit: 'waiting'; readonly waitsFor: number }
);

/** Weekly windows open five times within it. */
export const LOOK_AHEAD_WEEKS = 5;

/** Total minutes; null if a part is unknown. */
export function minutesOfWork({ workersBefore, controlPlane, workersAfter }: HopWork): number | null {
  if (workersBefore === null || controlPlane === null || workersAfter === null) return null;
  return workersBefore + controlPlane + workersAfter;
}
