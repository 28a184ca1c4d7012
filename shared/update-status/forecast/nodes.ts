import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import { groupBy } from '../../collection/group-by.ts';
import type { MeasuredMinutes } from '../../plan/pools.ts';
import type { Minutes } from '../../plan/words.ts';
import { maxUnavailableOf, MINUTES_PER_WORKER } from '../../safety/evidence/pools.ts';
import { countInWords } from '../../text/words.ts';
import type { Forecast } from '../answer.ts';
import type { UpdateEvidence } from '../insights/insights.ts';
import { isInProgress, isBehind, type PoolProgress } from '../pools.ts';
import { summarizeRun } from '../runs/past.ts';
import type { PastRun, UpdateRun, UpdateRuns } from '../runs/run.ts';
import { nodeMinutes } from '../runs/samples.ts';
import { type Estimate, forecastFrom, medianEstimate, scaled } from './estimate.ts';
import { type FleetDurations, nodeMinutesOfFleet } from './fleet.ts';

const MINUTE_MS = 60_000;
const FEWEST_OF_RUN = 3;

/** What reports show of the durations of nodes. */
export interface KnownNodes {
  /** Null before the first report of the update. */
  readonly run: UpdateRun | null;
  readonly past: readonly PastRun[];
  /** Null if nothing is known of the fleet. */
  readonly fleet: FleetDurations | null;
}

/** Minutes of one node: of this run, else of former ones, else of the fleet, else the usual ones. */
export function nodeEstimate(
  pool: string,
  known: KnownNodes | null,
  { fewestOfRun, usual }: { readonly fewestOfRun: number; readonly usual: Minutes },
): Estimate {
  const ofRun = known?.run ? nodeMinutes(known.run, pool).map(({ minutes }) => minutes) : [];
  const ofPast =
    known?.past.flatMap((run) => run.pools.find(({ name }) => name === pool)?.nodeMinutes ?? []) ?? [];
  const few = { least: usual.min / usual.expected, most: usual.max / usual.expected };
  const estimate = (samples: readonly number[], basis: 'nodes' | 'own', when: string) =>
    medianEstimate(
      samples,
      { basis, restsOn: `${countInWords(samples.length, 'node')} of pool ${pool} ${when}` },
      few,
    );
  // Control plane nodes of other clusters are not measured apart from workers.
  const ofFleet = pool === CONTROL_PLANE_POOL ? [] : nodeMinutesOfFleet(known?.fleet ?? null);
  const others = countInWords(ofFleet.length, 'update');
  return (
    (ofRun.length >= fewestOfRun ? estimate(ofRun, 'nodes', 'in this update') : null) ??
    estimate(ofPast, 'own', 'in former updates') ??
    medianEstimate(ofFleet, { basis: 'fleet', restsOn: `the nodes of ${others} of other clusters` }, few) ?? {
      minutes: usual.expected,
      least: usual.min,
      most: usual.max,
      basis: 'model',
      samples: 0,
      restsOn: `the usual ${usual.expected} minutes of a node`,
    }
  );
}

/** Minutes since the first node in progress began. */
export function usedMinutes({ pool, nodes }: PoolProgress, known: KnownNodes | null, at: number): number {
  const times = known?.run?.pools.find(({ name }) => name === pool.name)?.nodes ?? [];
  const byName = new Map(times.map((node) => [node.name, node.ranks]));
  const began = nodes
    .filter(({ status }) => isInProgress(status))
    .flatMap(({ status }) => (byName.get(status.name) ?? []).slice(1).filter((time) => time !== null));
  return began.length === 0 ? 0 : Math.max(0, at - began.reduce((a, b) => Math.min(a, b))) / MINUTE_MS;
}

/** The longest of the pools, which update side by side; null if no pool moves. */
export function workersForecast(
  { pools, at }: UpdateEvidence,
  known: KnownNodes | null,
  start: number,
): Forecast | null {
  return pools
    .filter((pool) => isBehind(pool) && !pool.pool.paused)
    .map((pool) => {
      const left = pool.nodes.filter(({ status }) => status.phase !== 'Updated').length;
      const rounds = Math.ceil(left / maxUnavailableOf(pool.pool.maxUnavailable, pool.nodes.length));
      const perNode = nodeEstimate(pool.pool.name, known, {
        fewestOfRun: FEWEST_OF_RUN,
        usual: MINUTES_PER_WORKER,
      });
      const used = usedMinutes(pool, known, at);
      const hasBegun = pool.nodes.some(({ status }) => isInProgress(status) || status.phase === 'Updated');
      const estimate = scaled(perNode, (minutes) => Math.max(0, rounds * minutes - Math.min(used, minutes)));
      return forecastFrom(hasBegun ? at : Math.max(start, at), estimate, at);
    })
    .reduce<Forecast | null>(laterForecast, null);
}

export function laterForecast(a: Forecast | null, b: Forecast | null): Forecast | null {
  if (a === null || b === null) return a ?? b;
  const [first, last] = Date.parse(a.likelyAt) <= Date.parse(b.likelyAt) ? [a, b] : [b, a];
  const latest = (field: 'earliestAt' | 'latestAt'): string =>
    Date.parse(first[field]) > Date.parse(last[field]) ? first[field] : last[field];
  return {
    ...last,
    earliestAt: latest('earliestAt'),
    latestAt: latest('latestAt'),
    overdueSeconds: last.overdueSeconds === 0 ? 0 : Math.min(first.overdueSeconds, last.overdueSeconds),
  };
}

/** Minutes of one node by pool, where the runs of a cluster measured enough nodes. */
export function measuredNodes({ recent, past }: UpdateRuns): ReadonlyMap<string, MeasuredMinutes> {
  const pools = [...recent.map(summarizeRun), ...past].flatMap((run) => run.pools);
  const samples = groupBy(pools, ({ name }) => name);
  return new Map(
    [...samples].flatMap(([pool, runs]) => {
      const minutes = runs.flatMap((run) => run.nodeMinutes);
      const estimate = medianEstimate(minutes, { basis: 'own', restsOn: pool });
      if (estimate === null || minutes.length < FEWEST_OF_RUN) return [];
      const { least: min, minutes: expected, most: max } = estimate;
      return [[pool, { min, expected, max, measuredNodes: minutes.length }] as const];
    }),
  );
}
