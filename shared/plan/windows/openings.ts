import { groupBy } from '../../collection/group-by.ts';
import { clocksOf } from '../../time/clocks.ts';
import { weekdayOf, WEEKDAYS } from '../../time/local-time.ts';
import type { FITS } from '../values.ts';
import { minuteOfDay, type WeeklyWindow } from './maintenance-windows.ts';

/** A stretch of time in which some window is open, in milliseconds since 1970. */
export interface Opening {
  readonly start: number;
  /** Infinity when the windows never close. */
  readonly end: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
/** Longer than windows can be that are joined: not a week, and not two when clocks skip all that lies between. */
const LONGEST = 2 * WEEK;

/**
 * When windows are open after an instant, of what opens before another, in order; windows that overlap or touch are one.
 * What is open at the first instant has its true start, unless it never closes.
 *
 * A window lasts as long as clocks take from its start to its end: Sat 22:00-04:00 is 5 hours in Europe/Berlin in the
 * night to 29 March 2026, and 7 in the one to 25 October. A start or an end that clocks skip is the moment at which they
 * do, and one that they show twice is the first. So windows that touch on the clock touch in time, and one that lies in
 * what is skipped does not open.
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
  // Days of the calendar, each as the instant at which it begins in UTC.
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

/** Whether they leave no minute of the week out. */
function neverClose(windows: readonly WeeklyWindow[]): boolean {
  const spans = windows.map(({ day, start, end }) => {
    const [first, last] = [minuteOfDay(start) * MINUTE, minuteOfDay(end) * MINUTE];
    const opens = WEEKDAYS.indexOf(day) * DAY + first;
    return { opens, closes: opens + (last > first ? last - first : DAY + last - first) };
  });
  // What reaches into the next week began in the one before as well.
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

/** How long it is open. */
export function minutesOf({ start, end }: Opening): number {
  return (end - start) / MINUTE;
}

/** How long a hop takes at most, in minutes; null for what is not known. */
export interface HopWork {
  /** Of the workers that have to be rolled before it; 0 without any. */
  readonly workersBefore: number | null;
  readonly controlPlane: number | null;
  /** Of the workers that are rolled once the control plane is done; 0 without any. */
  readonly workersAfter: number | null;
}

/** Where a hop is when it takes its longest. */
export interface Placement {
  readonly window: Opening;
  readonly start: number;
  readonly end: number;
}

/** What a hop lacks. */
export interface Shortage {
  /** As far as it is not over or taken. */
  readonly longest: Opening;
  /** Minutes that all of the hop takes more. */
  readonly missing: number;
}

export type HopFit = { readonly fit: (typeof FITS)[number] } & (
  | ({ readonly fit: 'whole' } & Placement)
  /** Its workers do not fit with it; without a shortage nobody knows how long they take. */
  | ({ readonly fit: 'control-plane'; readonly shortage: Shortage | null } & Placement)
  /** Without a shortage no window opens at all. */
  | { readonly fit: 'too-long'; readonly shortage: Shortage | null }
  | { readonly fit: 'not-known' }
  /** For a hop before it, of which nobody knows when it is done. */
  | { readonly fit: 'waiting'; readonly waitsFor: number }
);

/** Every weekly window opens five times. */
export const LOOK_AHEAD_WEEKS = 5;

/** All of it; null when a part is not known. */
export function minutesOfWork({ workersBefore, controlPlane, workersAfter }: HopWork): number | null {
  if (workersBefore === null || controlPlane === null || workersAfter === null) return null;
  return workersBefore + controlPlane + workersAfter;
}
