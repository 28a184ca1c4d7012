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
