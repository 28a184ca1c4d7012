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
