import { clocksOf } from '../../time/clocks.ts';
import { offsetsOf } from '../../time/time-zone.ts';

/** When a pruner fires: at times of the clock, or again and again after the same length of time. */
export type Schedule = CronSchedule | IntervalSchedule;

/**
 * Every list ascends and only months, hours and minutes are never empty. It fires on a day that is among the dates or
 * among the weekdays: `0 0 1,15 * 5` has the dates 1 and 15 and the weekday 5, `0 0 * * 5` has no dates, and
 * `0 0 * * *` has all 31 dates and no weekdays.
 */
export interface CronSchedule {
  readonly kind: 'cron';
  /** As it was given, with single spaces between the fields. */
  readonly text: string;
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly dates: readonly number[];
  /** 1 for January. */
  readonly months: readonly number[];
  /** 0 for Sunday. */
  readonly weekdays: readonly number[];
}

export interface IntervalSchedule {
  readonly kind: 'interval';
  readonly text: string;
  /** At least 1: EventBridge Scheduler knows nothing shorter than a minute. */
  readonly minutes: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** No schedule that fires at all pauses so long: the longest known pause, of 29 February around 2100, is 8 years. */
const LONGEST_PAUSE = 40 * 366 * DAY;

/**
 * The first times after an instant at which a schedule fires in a time zone, as EventBridge Scheduler does it: a time
 * that the clocks skip does not fire, one that they show twice fires the first time. `0 2 * * *` in Europe/Berlin after
 * 28 March 2026, noon, is 30 March, 00:00 UTC, since on the 29th there was no 2:00. Intervals count from `since`.
 */
export function nextTimes(
  schedule: Schedule,
  timeZone: string,
  {
    after,
    count,
    since = after,
  }: { readonly after: number; readonly count: number; readonly since?: number },
): number[] {
  if (schedule.kind === 'cron') return cronTimes(schedule, timeZone, after, count);
  const interval = schedule.minutes * MINUTE;
  const passed = Math.max(0, Math.floor((after - since) / interval));
  return Array.from({ length: count }, (_, index) => since + (passed + index + 1) * interval);
}

function cronTimes(schedule: CronSchedule, timeZone: string, after: number, count: number): number[] {
  const { months, dates, weekdays } = schedule;
  const offsetAt = offsetsOf(timeZone);
  const timesOn = timesOfDay(schedule, offsetAt);
  const times: number[] = [];
  // Days of the calendar, each as the instant at which it begins in UTC.
  let day = Math.floor((after + offsetAt(after)) / DAY) * DAY;
  let end = day + LONGEST_PAUSE;
  while (times.length < count && day <= end) {
    const date = new Date(day);
    if (!months.includes(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
      continue;
    }
    if (dates.includes(date.getUTCDate()) || weekdays.includes(date.getUTCDay())) {
      const later = timesOn(day).filter((time) => time > after);
      if (later.length > 0) end = day + LONGEST_PAUSE;
      times.push(...later.slice(0, count - times.length));
    }
    day += DAY;
  }
  return times;
}

/** The instants at which it fires on a day, ascending. */
function timesOfDay(
  schedule: CronSchedule,
  offsetAt: (instant: number) => number,
): (day: number) => number[] {
  const times = schedule.hours.flatMap((hour) =>
    schedule.minutes.map((minute) => (hour * 60 + minute) * MINUTE),
  );
  const clocksOn = clocksOf(offsetAt);
  return (day) => {
    const shown = times.map(clocksOn(day));
    return shown.filter(({ isSkipped }) => !isSkipped).map(({ instant }) => instant);
  };
}
