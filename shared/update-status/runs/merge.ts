import { NODE_RANKS } from '../nodes.ts';
import { thinned } from './points.ts';
import { type PoolReport, type RunReport } from './report.ts';
import type {
  MadeForecast,
  NodeTimes,
  OperatorTimes,
  PastRun,
  PoolTimes,
  RunForecasts,
  RunPoint,
  UpdateRun,
  UpdateRuns,
} from './run.ts';

/** Runs with all details; late reports of former ones no longer count. */
const MOST_RECENT = 3;
const MOST_RUNS = 50;
const MOST_NODES = 5000;
const MOST_OPERATORS = 1000;
const MOST_NAMES = 100;
/** Reports of an update can be late by less than this. */
const LATEST_MS = 24 * 3600_000;

/** Adds a report to its run. The result is the same in any order of the reports. */
export function runsAfter(
  { recent, past }: UpdateRuns,
  report: RunReport,
  summarize: (run: UpdateRun) => PastRun,
): UpdateRuns {
  const { startedAt, image } = report.identity;
  const isSame = (run: { readonly startedAt: string; readonly image: string }): boolean =>
    run.startedAt === startedAt && run.image === image;
  if (past.some(isSame)) return { recent, past };
  const former = recent.find(isSame) ?? null;
  const run = former === null && isLongOver(report) ? null : withReport(former ?? newRun(report), report);
  const runs = [...recent.filter((one) => !isSame(one)), ...(run === null ? [] : [run])]
    // A completed update that no report showed in progress waits a day for late reports.
    .filter((one) => one.openedAt !== null || !isSame(one) || !isLongOver(report))
    .toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt) || (a.image < b.image ? -1 : 1));
  return {
    recent: runs.slice(0, MOST_RECENT),
    past: [
      ...runs
        .slice(MOST_RECENT)
        .filter(({ openedAt }) => openedAt !== null)
        .map(summarize),
      ...past,
    ].slice(0, MOST_RUNS - MOST_RECENT),
  };
}

function isLongOver({ isUpdating, controlPlaneCompletedAt, at }: RunReport): boolean {
  return !isUpdating && (controlPlaneCompletedAt === null || at - controlPlaneCompletedAt > LATEST_MS);
}

function newRun({ identity, beganAt }: RunReport): UpdateRun {
  return {
    ...identity,
    beganAt,
    openedAt: null,
    controlPlaneCompletedAt: null,
    completedAt: null,
    points: [],
    operators: [],
    pools: [],
  };
}

function withReport(run: UpdateRun, report: RunReport): UpdateRun {
  const { at, operators, pools } = report;
  const completedAt = report.isComplete ? earlier(run.completedAt, at) : run.completedAt;
  return withoutLater({
    ...run,
    beganAt: Math.min(run.beganAt, report.beganAt),
    openedAt: report.isUpdating ? earlier(run.openedAt, at) : run.openedAt,
    controlPlaneCompletedAt: earlier(run.controlPlaneCompletedAt, report.controlPlaneCompletedAt),
    completedAt,
    forecasts: forecastsAfter(run.forecasts, report),
    points: pointsAfter(run.points, pointOf(report)),
    operators: operators === null ? run.operators : operatorsAfter(run.operators, operators, at),
    pools: pools === null ? run.pools : poolsAfter(run.pools, pools, at),
  });
}

function forecastsAfter(
  { begin, half }: RunForecasts = { begin: null, half: null },
  { forecast, operators }: RunReport,
): RunForecasts {
  if (forecast === null || operators === null) return { begin, half };
  const isHalf = 2 * operators.updated.length >= operators.total;
  return { begin: earlierForecast(begin, forecast), half: isHalf ? earlierForecast(half, forecast) : half };
}

/** Two of one time that differ: any one, but always the same. */
function earlierForecast(a: MadeForecast | null, b: MadeForecast): MadeForecast {
  if (a === null || a.at !== b.at) return a === null || b.at < a.at ? b : a;
  return oneOf(a, b)!;
}

/** Reports after the end are not part of the run, whenever the end becomes known. */
function withoutLater(run: UpdateRun): UpdateRun {
  return run.completedAt === null ? run : runUpTo(run, run.completedAt);
}

/** What the reports up to a moment showed. */
export function runUpTo(run: UpdateRun, end: number): UpdateRun {
  const upToEnd = (time: number | null): number | null => (time !== null && time > end ? null : time);
  return {
    ...run,
    controlPlaneCompletedAt: upToEnd(run.controlPlaneCompletedAt),
    completedAt: upToEnd(run.completedAt),
    points: run.points.filter(({ at }) => at <= end),
    operators: run.operators
      .map(({ name, updating, updated }) => ({
        name,
        updating: updating !== null && updating.at > end ? null : updating,
        updated: upToEnd(updated),
      }))
      .filter(({ updating, updated }) => updating !== null || updated !== null),
    pools: run.pools
      .map(({ name, nodes }) => ({
        name,
        nodes: nodes
          .map((node) => ({ ...node, ranks: node.ranks.map(upToEnd) }))
          .filter(({ ranks }) => ranks.some((time) => time !== null)),
      }))
      .filter(({ nodes }) => nodes.length > 0),
  };
}

function pointOf({ at, receivedAt, operators, pools }: RunReport): RunPoint {
  return {
    at,
    receivedAt,
    operators: operators && {
      updated: operators.updated.length,
      total: operators.total,
      lastTransition: operators.lastTransition,
      unusual: operators.unusual.slice(0, MOST_NAMES),
    },
    pools:
      pools?.map(({ name, paused, blocked, available, nodes }) => ({
        name,
        paused,
        blocked,
        available,
        ranks: NODE_RANKS.map((_, rank) => nodes.filter((node) => node.rank === rank).length),
        degraded: nodes
          .filter(({ degraded }) => degraded)
          .map((node) => node.name)
          .toSorted()
          .slice(0, MOST_NAMES),
      })) ?? null,
  };
}

/** Parts of a report with the same collection time make one point. */
function pointsAfter(points: readonly RunPoint[], point: RunPoint): readonly RunPoint[] {
  const same = points.find(({ at }) => at === point.at);
  const joined = same === undefined ? point : joinPoints(same, point);
  const others = points.filter(({ at }) => at !== point.at);
  return thinned([...others, joined].toSorted((a, b) => a.at - b.at));
}

function joinPoints(a: RunPoint, b: RunPoint): RunPoint {
  return {
    at: a.at,
    receivedAt: Math.max(a.receivedAt, b.receivedAt),
    operators: oneOf(a.operators, b.operators),
    pools: oneOf(a.pools, b.pools),
  };
}

/** Two reports of one time that differ: any one, but always the same. */
function oneOf<Part extends object>(a: Part | null, b: Part | null): Part | null {
  if (a === null || b === null) return a ?? b;
  return JSON.stringify(a) <= JSON.stringify(b) ? a : b;
}

function operatorsAfter(
  known: readonly OperatorTimes[],
  { updated, updating }: NonNullable<RunReport['operators']>,
  at: number,
): OperatorTimes[] {
  const seen: OperatorTimes[] = [
    ...updated.map((name) => ({ name, updating: null, updated: at })),
    ...updating.map(({ name, since }) => ({ name, updating: { at, since }, updated: null })),
  ];
  return joinByName(known, seen, MOST_OPERATORS, (a, b) => ({
    name: a.name,
    updating: earlierBegin(a.updating, b.updating),
    updated: earlier(a.updated, b.updated),
  }));
}

function earlierBegin(a: OperatorTimes['updating'], b: OperatorTimes['updating']): OperatorTimes['updating'] {
  if (a === null || b === null) return a ?? b;
  if (a.at !== b.at) return a.at < b.at ? a : b;
  return a.since <= b.since ? a : b;
}

function poolsAfter(known: readonly PoolTimes[], reports: readonly PoolReport[], at: number): PoolTimes[] {
  const seen = reports.map(({ name, nodes }) => ({
    name,
    nodes: nodes.map((node) => ({
      name: node.name,
      ranks: NODE_RANKS.map((_, rank) => (rank === node.rank ? at : null)),
    })),
  }));
  const none = (name: string): PoolTimes => ({ name, nodes: [] });
  const inOrder = seen.map((pool) => joinPools(none(pool.name), pool));
  return joinByName(known, inOrder, Infinity, joinPools);
}

function joinPools(a: PoolTimes, b: PoolTimes): PoolTimes {
  return { name: a.name, nodes: joinByName(a.nodes, b.nodes, MOST_NODES, joinNodes) };
}

function joinNodes(a: NodeTimes, b: NodeTimes): NodeTimes {
  return { name: a.name, ranks: a.ranks.map((time, rank) => earlier(time, b.ranks[rank]!)) };
}

/** Sorted by name. The first names stay, so that a limit gives the same result in any order. */
function joinByName<Named extends { readonly name: string }>(
  known: readonly Named[],
  seen: readonly Named[],
  most: number,
  join: (a: Named, b: Named) => Named,
): Named[] {
  const joined = new Map(known.map((one) => [one.name, one]));
  for (const one of seen) {
    const before = joined.get(one.name);
    joined.set(one.name, before === undefined ? one : join(before, one));
  }
  return [...joined.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, most);
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
