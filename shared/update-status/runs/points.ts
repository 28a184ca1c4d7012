import { isoTime } from '../times.ts';
import type { RunPoint, UpdateRun } from './run.ts';

const MOST_POINTS = 300;
/** The newest points show the usual gap, and what holds in two reports in a row. */
const NEWEST = 12;
const FIRST_STEP_MS = 15 * 60_000;

/**
 * At most 300 points: the first of every 15 minutes, those with progress, and the newest. If these are too many, the
 * first of a longer step.
 */
export function thinned(points: readonly RunPoint[]): readonly RunPoint[] {
  let kept = points;
  for (let step = FIRST_STEP_MS; kept.length > MOST_POINTS; step *= 2) {
    const older = kept.slice(0, -NEWEST);
    const steps = older.map(({ at }) => Math.floor(at / step));
    const isKept = (point: RunPoint, index: number): boolean =>
      steps[index] !== steps[index - 1] ||
      (step === FIRST_STEP_MS && progressIn(point) !== progressIn(older[index - 1]!));
    kept = [...older.filter(isKept), ...kept.slice(-NEWEST)];
  }
  return kept;
}

/** Differs between two points if something has progressed. */
function progressIn({ operators, pools }: RunPoint): string {
  return JSON.stringify([operators?.updated, pools?.map(({ ranks }) => ranks)]);
}

/** How many operators and nodes were updated at a time. */
export interface CoursePoint {
  readonly at: string;
  readonly operators: number;
  readonly nodes: number;
}

const MOST_SHOWN = 200;

/** The whole run in at most 200 points, with the first and the last. */
export function courseOf({ points }: Pick<UpdateRun, 'points'>): CoursePoint[] {
  let [operators, nodes] = [0, 0];
  const course = points.map((point) => {
    // A report can lack a part, which then is as before.
    operators = point.operators?.updated ?? operators;
    nodes = point.pools?.reduce((sum, { ranks }) => sum + ranks.at(-1)!, 0) ?? nodes;
    return { at: isoTime(point.at), operators, nodes };
  });
  return evenly(course, MOST_SHOWN);
}

/** At most so many, evenly chosen, with the first and the last. */
export function evenly<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from(
    { length: most },
    (_, index) => all[Math.round((index * (all.length - 1)) / (most - 1))]!,
  );
}
