import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import { STALLED_AFTER } from '../answer.ts';
import { NODE_RANKS } from '../nodes.ts';
import { evenly } from './points.ts';
import { type ProgressEvent, progressOf, type RunProgress } from './progress.ts';
import type { PastPool, PastRun, RunStall, UpdateRun } from './run.ts';
import { nodeMinutes, phaseMinutes } from './samples.ts';

const SLOWEST = 5;
const MOST_SAMPLES = 100;
const MOST_STALLS = 20;
const MINUTE_MS = 60_000;

/** What stays of a run: milestones, durations and stalls. */
export function summarizeRun(run: UpdateRun): PastRun {
  const { startedAt, image, version, previous, kind, beganAt, controlPlaneCompletedAt, completedAt } = run;
  const { forecasts } = run;
  return {
    startedAt,
    image,
    version,
    previous,
    kind,
    beganAt,
    controlPlaneCompletedAt,
    completedAt,
    ...(forecasts && { forecasts }),
    reports: run.points.length,
    pools: run.pools.map(({ name }) => pastPool(run, name)),
    slowestOperators: slowestOperators(run),
    slowestNodes: run.pools
      .flatMap(({ name: pool }) => nodeMinutes(run, pool).map((node) => ({ pool, ...node })))
      .toSorted((a, b) => b.minutes - a.minutes || (a.name < b.name ? -1 : 1))
      .slice(0, SLOWEST),
    stalls: stallsOf(run, progressOf(run)),
  };
}

function pastPool(run: UpdateRun, name: string): PastPool {
  const { nodes } = run.pools.find((pool) => pool.name === name)!;
  const began = nodes.flatMap(({ ranks }) => ranks.slice(1).filter((time) => time !== null));
  const ends = nodes.map(({ ranks }) => ranks.at(-1) ?? null);
  const isWhole = ends.every((time) => time !== null);
  return {
    name,
    nodes: nodes.length,
    startedAt: began.length === 0 ? null : began.reduce((a, b) => Math.min(a, b)),
    completedAt: isWhole ? ends.reduce<number>((a, b) => Math.max(a, b), 0) : null,
    nodeMinutes: sampled(nodeMinutes(run, name).map(({ minutes }) => minutes)),
    phaseMinutes: NODE_RANKS.map((_, rank) => sampled(phaseMinutes(run, name, rank))),
  };
}

/** Ascending. */
function sampled(minutes: readonly number[]): number[] {
  return evenly(
    minutes.toSorted((a, b) => a - b),
    MOST_SAMPLES,
  );
}

/** From the first report with an operator updating to the first with it updated. */
function slowestOperators({ operators }: UpdateRun): PastRun['slowestOperators'] {
  return operators
    .flatMap(({ name, updating, updated }) =>
      updating !== null && updated !== null && updating.at < updated
        ? [{ name, minutes: (updated - Math.min(updating.since, updating.at)) / MINUTE_MS }]
        : [],
    )
    .toSorted((a, b) => b.minutes - a.minutes || (a.name < b.name ? -1 : 1))
    .slice(0, SLOWEST);
}

/** Times without progress while something should have moved; oldest first. */
function stallsOf(run: UpdateRun, { events }: RunProgress): RunStall[] {
  const [begin, end] = [run.points[0]?.at ?? 0, run.points.at(-1)?.at ?? 0];
  const isControlPlane = ({ pool }: ProgressEvent) => pool === null || pool === CONTROL_PLANE_POOL;
  const pools = run.pools.filter(({ name }) => name !== CONTROL_PLANE_POOL);
  return [
    ...gapsBetween(
      [begin, ...events.filter(isControlPlane).map(({ at }) => at), run.controlPlaneCompletedAt ?? end],
      STALLED_AFTER.operators,
    ).map((gap) => ({ reason: 'NoOperatorProgress', pool: null, ...gap })),
    ...pools.flatMap(({ name }) => {
      const { startedAt, completedAt } = pastPool(run, name);
      if (startedAt === null) return [];
      const times = events.filter(({ pool }) => pool === name).map(({ at }) => at);
      const gaps = gapsBetween([startedAt, ...times, completedAt ?? end], STALLED_AFTER.workers);
      return unpausedGaps(run, name, gaps).map((gap) => ({ reason: 'NoNodeProgress', pool: name, ...gap }));
    }),
  ]
    .toSorted((a, b) => a.since - b.since)
    .slice(0, MOST_STALLS);
}

type Gap = Pick<RunStall, 'since' | 'until'>;

/** Gaps of so many minutes between the times, from the first to the last one. */
function gapsBetween(marks: readonly number[], minutes: number): Gap[] {
  const [from, to] = [marks[0]!, marks.at(-1)!];
  const times = marks.filter((at) => at >= from && at <= to).toSorted((a, b) => a - b);
  return times.slice(1).flatMap((until, index) => {
    const since = times[index]!;
    return until - since >= minutes * MINUTE_MS ? [{ since, until }] : [];
  });
}

/** A paused pool has no progress, and is not stalled. */
function unpausedGaps({ points }: UpdateRun, name: string, gaps: readonly Gap[]): Gap[] {
  const paused = points
    .filter(({ pools }) => pools?.some((pool) => pool.name === name && pool.paused))
    .map(({ at }) => at);
  return gaps.filter(({ since, until }) => !paused.some((at) => at > since && at < until));
}
