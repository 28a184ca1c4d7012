import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import type { NodeTimes, OperatorTimes, RunPoint, UpdateRun } from './run.ts';

/** When something in a run happened for the first time, in milliseconds. Sorted by time. */
export interface ProgressEvent {
  readonly at: number;
  /** Null for an operator. */
  readonly pool: string | null;
  readonly name: string;
}

export interface RunProgress {
  readonly events: readonly ProgressEvent[];
  /** Of operators and of nodes of the control plane; null before the first report of operators. */
  readonly controlPlane: number | null;
  /** Last progress of each worker pool; null for a pool that has not begun. */
  readonly pools: ReadonlyMap<string, number | null>;
  readonly last: number | null;
}

export function progressOf(run: UpdateRun): RunProgress {
  const events = eventsOf(run);
  const begin = run.points.find(({ operators }) => operators !== null)?.operators?.lastTransition ?? null;
  const lastOf = (isMeant: (event: ProgressEvent) => boolean): number | null =>
    events.findLast(isMeant)?.at ?? null;
  const controlPlane = later(
    begin,
    lastOf(({ pool }) => pool === null || pool === CONTROL_PLANE_POOL),
  );
  const start = run.points.find(({ pools }) => pools !== null);
  const pools = new Map(
    run.pools
      .filter(({ name }) => name !== CONTROL_PLANE_POOL)
      .map(({ name }) => [
        name,
        later(
          beginOf(start, name),
          lastOf(({ pool }) => pool === name),
        ),
      ]),
  );
  return { events, controlPlane, pools, last: [...pools.values()].reduce(later, controlPlane) };
}

/** The first report is where the run starts: a pool whose nodes had begun then counts from there. */
function beginOf(start: RunPoint | undefined, name: string): number | null {
  const pool = start?.pools?.find((one) => one.name === name);
  return pool?.ranks.slice(1).some((nodes) => nodes > 0) ? start!.at : null;
}

function eventsOf({ points, operators, pools }: UpdateRun): ProgressEvent[] {
  const operatorTimes = points.filter((point) => point.operators !== null).map(({ at }) => at);
  const nodesStart = points.find((point) => point.pools !== null)?.at ?? 0;
  return [
    ...operators.flatMap((operator) =>
      operatorProgressTimes(operator, operatorTimes).map((at) => ({ at, pool: null, name: operator.name })),
    ),
    ...pools.flatMap(({ name: pool, nodes }) =>
      nodes.flatMap((node) =>
        nodeProgressTimes(node)
          .filter((at) => at > nodesStart)
          .map((at) => ({ at, pool, name: node.name })),
      ),
    ),
  ].toSorted((a, b) => a.at - b.at);
}

/** An operator progresses when it begins and when it is updated, but not when it goes back. */
function operatorProgressTimes({ updating, updated }: OperatorTimes, reports: readonly number[]): number[] {
  const start = reports[0] ?? 0;
  const began =
    updating !== null && (updated === null || updating.at < updated) ? [beginTime(updating, reports)] : [];
  return [...began, ...(updated === null ? [] : [updated])].filter((at) => at > start);
}

/** The transition, if it lies between the report before and this one. */
function beginTime(
  { at, since }: NonNullable<OperatorTimes['updating']>,
  reports: readonly number[],
): number {
  const before = reports.findLast((time) => time < at);
  return before !== undefined && before < since && since <= at ? since : at;
}

/** When a node reached a higher rank than ever before. */
export function nodeProgressTimes({ ranks }: Pick<NodeTimes, 'ranks'>): number[] {
  return ranks.flatMap((time, rank) => {
    const isHighest = ranks.slice(rank + 1).every((higher) => higher === null || higher > time!);
    return time !== null && rank > 0 && isHighest ? [time] : [];
  });
}

export function later(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
