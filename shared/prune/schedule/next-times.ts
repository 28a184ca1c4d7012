import { clocksOf } from '../../time/local-time.ts';
import { offsetsOf } from '../../time/time-zone.ts';

export type Schedule = CronSchedule | IntervalSchedule;

/**
 * Lists ascend; only months, hours and minutes are never empty. Fires on days in `dates` or in `weekdays`.
 * `0 0 1,15 * 5` has dates 1 and 15 and weekday 5; `0 0 * * 5` has no dates; `0 0 * * *` has all 31 dates and no
 * weekdays.
 */
export interface CronSchedule {
  readonly kind: 'cron';
  /** As given, with single spaces. */
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
  /** At least 1: EventBridge Scheduler supports whole minutes only. */
  readonly minutes: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Upper bound: the longest known pause is 8 years, for 29 February around 2100. */
const LONGEST_PAUSE = 40 * 366 * DAY;

/**
 * Follows EventBridge Scheduler: a skipped local time does not fire, a repeated one fires the first time. After noon of
 * 28 March 2026, `0 2 * * *` in Europe/Berlin fires on 30 March, 00:00 UTC: the 29th had no 2:00. Intervals count from
 * `since`.
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
  // Calendar days, each as its start in UTC.
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

/** Ascending. */
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
