import type { Weekday } from '../../time/local-time.ts';

/** A stretch of the week in which a cluster may be worked on, by the clocks of a time zone. */
export interface WeeklyWindow {
  /** On which it begins. */
  readonly day: Weekday;
  /** `22:00` */
  readonly start: string;
  /** `04:00`, on the next day unless it is after the start; `24:00` is the end of the day. */
  readonly end: string;
}

export interface MaintenanceWindows {
  /** A name of the IANA time zone database. */
  readonly timeZone: string;
  readonly windows: readonly WeeklyWindow[];
}

/** `Sat 22:00-04:00` */
export function windowText({ day, start, end }: WeeklyWindow): string {
  return `${day} ${start}-${end}`;
}

/** Of `04:30`, 270. */
export function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}
