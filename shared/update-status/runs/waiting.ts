import type { RunPoint, UpdateRun } from './run.ts';

/** The clock of pools begins anew when they are unpaused: the first report after the last one with the pause. */
export function unpausedAt({ points }: Pick<UpdateRun, 'points'>, pool: string): number | null {
  const reports = reportsOfPool(points, pool);
  const last = reports.findLastIndex(({ paused }) => paused);
  return last === -1 ? null : (reports[last + 1]?.at ?? null);
}

/** Reports in a row, up to the newest one, in which something of a pool holds; oldest first. */
export function streakOf(
  { points }: Pick<UpdateRun, 'points'>,
  pool: string,
  holds: (report: ReturnType<typeof reportsOfPool>[number]) => boolean,
): readonly number[] {
  const reports = reportsOfPool(points, pool);
  const last = reports.findLastIndex((report) => !holds(report));
  return reports.slice(last + 1).map(({ at }) => at);
}

function reportsOfPool(points: readonly RunPoint[], name: string) {
  return points.flatMap(({ at, pools }) =>
    (pools ?? []).filter((pool) => pool.name === name).map((pool) => ({ ...pool, at })),
  );
}
