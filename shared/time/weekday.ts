/** In the order of `getUTCDay`. */
export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** Of a day that is told as any instant of it in UTC. */
export function weekdayOf(day: number): Weekday {
  return WEEKDAYS[new Date(day).getUTCDay()]!;
}
