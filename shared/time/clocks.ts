const DAY = 24 * 3600_000;

/** A time of day on a date, in a place. */
export interface ClockTime {
  /** The first instant at which clocks show it; of a time that they skip, the one at which they do. */
  readonly instant: number;
  readonly isSkipped: boolean;
}

/**
 * What the clocks of a time zone, known by its offsets, make of dates and times of day: a day is the instant at which it
 * begins in UTC, a time the milliseconds since midnight. In Europe/Berlin 2:30 on 29 March 2026 is skipped at 01:00 UTC;
 * on 25 October it is 00:30 UTC, an hour before clocks show it again. A later time is never an earlier instant.
 */
export function clocksOf(
  offsetAt: (instant: number) => number,
): (day: number) => (time: number) => ClockTime {
  return (day) => {
    // Far enough apart for a zone 14 hours ahead of UTC or 12 behind. The larger offset makes the earlier instant.
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

/** The first instant that has the offset of the end, which is not that of the begin. */
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
