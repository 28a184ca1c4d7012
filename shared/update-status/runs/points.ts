import type { RunPoint } from './run.ts';

const MOST_POINTS = 300;
/** The newest points show the usual gap, and what holds in two reports in a row. */
const NEWEST = 12;
const FIRST_STEP_MS = 15 * 60_000;

/** At most 300 points: the first of every 15 minutes, or of a longer step, and the newest. */
export function thinned(points: readonly RunPoint[]): readonly RunPoint[] {
  let kept = points;
  for (let step = FIRST_STEP_MS; kept.length > MOST_POINTS; step *= 2) {
    const older = kept.slice(0, -NEWEST);
    const steps = older.map(({ at }) => Math.floor(at / step));
    kept = [...older.filter((_, index) => steps[index] !== steps[index - 1]), ...kept.slice(-NEWEST)];
  }
  return kept;
}
