import type { ClusterFacts } from '../../cluster/facts.ts';
import type { ClusterRecord } from '../../cluster/record.ts';
import type { Insight, PoolStatus, REGRESSED_KINDS, UPDATE_STATES, UpdateStatus } from '../answer.ts';
import { STALLED_AFTER, type StalledAfter } from '../answer.ts';
import type { FleetDurations } from '../forecast/fleet.ts';
import { updateForecast } from '../forecast/forecast.ts';
import { statusInput } from '../input.ts';
import { inOrder } from '../insights/insights.ts';
import type { StalledReason } from '../insights/stalled.ts';
import { rankOf } from '../nodes.ts';
import { isoTime } from '../times.ts';
import { type AssessedUpdate, describeUpdate } from '../update-status.ts';
import { skewInsights, withoutSkew } from './clock-skew.ts';
import { summarizeRun } from './past.ts';
import { courseOf, type CoursePoint } from './points.ts';
import { progressOf, type RunProgress } from './progress.ts';
import { assessReported } from './report.ts';
import { type PastRun, runOf, type UpdateRun } from './run.ts';
import { silentAfter } from './silence.ts';
import { stalledReasonsOfRun } from './stalled-run.ts';
import { degradedReports, phaseSince, stuckInsights, type StuckNode, stuckNodes } from './stuck-nodes.ts';

/** States of a cluster that reports; the first that applies counts. */
export type RunState = (typeof UPDATE_STATES)[number];

/** Status of a stored cluster: of its documents, with what its reports prove. */
export interface ClusterUpdateStatus extends Omit<UpdateStatus, 'state' | 'pools'> {
  readonly state: RunState;
  /** Oldest collection of the kinds that the status needs. */
  readonly collectedAt: string;
  readonly pools: readonly TrackedPool[];
  readonly run: RunStatus | null;
}

export interface TrackedPool extends Omit<PoolStatus, 'nodes'> {
  readonly pausedSince: string | null;
  readonly lastProgressAt: string | null;
  readonly nodes: readonly (PoolStatus['nodes'][number] & {
    readonly phaseSince: string | null;
    readonly stuck: boolean;
  })[];
}

export interface RunStatus {
  readonly startedAt: string;
  readonly controlPlaneCompletedAt: string | null;
  readonly lastProgressAt: string | null;
  readonly completedAt: string | null;
  readonly stalled: readonly Pick<StalledReason, 'reason' | 'pool' | 'since'>[];
  readonly reports: number;
  /** Oldest first. */
  readonly points: readonly CoursePoint[];
  /** Operators that are not updated any more, and nodes that went back to an earlier phase. */
  readonly regressed: readonly { readonly kind: (typeof REGRESSED_KINDS)[number]; readonly name: string }[];
  readonly clockSkewSeconds: number;
}

export interface Moment {
  /** Moment to assess. */
  readonly at: number;
  /** Clock of the service, for the age of the last report. */
  readonly now: number;
}

export type ClusterStatusResult =
  | { readonly ok: true; readonly status: ClusterUpdateStatus }
  | { readonly ok: false; readonly problem: string };

const DAY_MS = 24 * 3600_000;

export function clusterUpdateStatus(
  record: ClusterRecord,
  moment: Moment,
  stalledAfter: StalledAfter = STALLED_AFTER,
  fleet: FleetDurations | null = null,
): ClusterStatusResult {
  const facts = withoutSkew(record.facts, record.clockSkewMs);
  const input = statusInput(facts);
  if (!input.ok) return input;
  const assessed = assessReported(input.facts, moment.at);
  const run = runOf(record.runs, record.facts.clusterVersion?.history[0]);
  const collectedAt = isoTime(Math.min(...collectionTimes(record)));
  const status =
    run === null || !assessed.isUpdating
      ? untracked(assessed, record, run, { ...moment, fleet })
      : tracked({ assessed, record, facts, run, moment, stalledAfter, fleet });
  return { ok: true, status: { ...status, collectedAt } };
}

/** Kinds that change during an update. */
const STATUS_KINDS = ['clusterVersion', 'clusterOperators', 'nodes', 'pools'] as const;

/** Collection times of the kinds that the status needs. */
export function collectionTimes({ collected }: ClusterRecord): number[] {
  return STATUS_KINDS.flatMap((kind) => (collected[kind] === undefined ? [] : Date.parse(collected[kind])));
}

/** An old report says nothing about now. */
const LONGEST_VALID_MS = 10 * 60_000;

/** Moment to assess a stored cluster at: now, but not long after its last report. */
export function momentOf(record: ClusterRecord, now: number): Moment {
  return { at: Math.min(now, Math.max(...collectionTimes(record)) + LONGEST_VALID_MS), now };
}

/** All runs but this one. */
function formerRuns({ runs }: ClusterRecord, run: UpdateRun): PastRun[] {
  const others = runs.recent.filter((one) => one !== run && one.openedAt !== null);
  return [...others.map(summarizeRun), ...runs.past];
}

type WithoutTime = Omit<ClusterUpdateStatus, 'collectedAt'>;

/** Without an update, and of an update whose reports prove nothing. */
function untracked(
  assessed: AssessedUpdate,
  record: ClusterRecord,
  run: UpdateRun | null,
  { now, fleet }: Moment & { readonly fleet: FleetDurations | null },
): WithoutTime {
  const facts = withoutSkew(record.facts, record.clockSkewMs);
  const status = describeUpdate(assessed, {
    stalled: [],
    forecast: updateForecast(assessed.evidence, facts, { run: null, past: record.runs.past, fleet }),
  });
  const ended = run?.completedAt ?? null;
  const isRecent = !status.updating && ended !== null && now - ended <= DAY_MS;
  return {
    ...status,
    state: isRecent ? 'completed' : status.state,
    pools: trackedPools(assessed, record, { run, progress: null, stuck: [] }),
    run: null,
  };
}

interface Tracking {
  readonly assessed: AssessedUpdate;
  readonly record: ClusterRecord;
  readonly facts: ClusterFacts;
  readonly run: UpdateRun;
  readonly moment: Moment;
  readonly stalledAfter: StalledAfter;
  readonly fleet: FleetDurations | null;
}

function tracked({ assessed, record, facts, run, moment, stalledAfter, fleet }: Tracking): WithoutTime {
  const { evidence, controlPlane } = assessed;
  const progress = progressOf(run);
  const past = formerRuns(record, run);
  const silent = moment.now > (silentAfter(run, facts) ?? Infinity);
  // Without MachineConfigs no node can be seen to progress.
  const seen = facts.configReleases === null ? { ...evidence, pools: [] } : evidence;
  const reasons = silent ? [] : stalledReasonsOfRun(seen, controlPlane, { run, progress, stalledAfter });
  const stuck = silent ? [] : stuckNodes(evidence.pools, run, past, moment.at);
  const status = describeUpdate(assessed, {
    stalled: reasons,
    forecast: updateForecast(evidence, facts, { run, past, fleet }),
  });
  return {
    ...status,
    state: silent ? 'silent' : status.state,
    insights: inOrder([
      ...status.insights.map((insight) => withFirstReport(insight, record, run)),
      ...stuckInsights(stuck, facts, moment.at),
      ...skewInsights(record.clockSkewMs),
    ]),
    pools: trackedPools(assessed, record, { run, progress, stuck }),
    run: runStatus({ assessed, record, run, progress, reasons }),
  };
}

/** Documents do not show since when a node is degraded or a pool paused, but reports do. */
function withFirstReport(insight: Insight, { pausedSince }: ClusterRecord, run: UpdateRun): Insight {
  const name = insight.resources[0]?.name ?? '';
  if (insight.type === 'PoolPaused') {
    return { ...insight, since: pausedSince.find(({ pool }) => pool === name)?.since ?? null };
  }
  if (insight.type !== 'NodeDegraded') return insight;
  const since = run.pools.flatMap((pool) => degradedReports(run, pool.name, name).slice(0, 1));
  return { ...insight, since: since.length === 0 ? null : isoTime(Math.max(...since)) };
}

function trackedPools(
  { evidence }: AssessedUpdate,
  { pausedSince }: ClusterRecord,
  known: {
    readonly run: UpdateRun | null;
    readonly progress: RunProgress | null;
    readonly stuck: readonly StuckNode[];
  },
): TrackedPool[] {
  const { run, progress, stuck } = known;
  const isStuck = new Set(stuck.map(({ node }) => node.status.name));
  return evidence.pools.map((pool) => {
    const { name, paused } = pool.pool;
    const byName = new Map(pool.nodes.map((node) => [node.status.name, node]));
    const last = name === 'master' ? progress?.controlPlane : progress?.pools.get(name);
    return {
      ...pool.status,
      pausedSince: paused ? (pausedSince.find((pause) => pause.pool === name)?.since ?? null) : null,
      lastProgressAt: timeOrNull(last ?? null),
      nodes: pool.status.nodes.map((node) => ({
        ...node,
        phaseSince: timeOrNull(run && phaseSince(run, name, byName.get(node.name)!)),
        stuck: isStuck.has(node.name),
      })),
    };
  });
}

function runStatus({
  assessed,
  record,
  run,
  progress,
  reasons,
}: Pick<Tracking, 'assessed' | 'record' | 'run'> & {
  readonly progress: RunProgress;
  readonly reasons: readonly StalledReason[];
}): RunStatus {
  const { evidence } = assessed;
  return {
    startedAt: evidence.update.startedAt,
    controlPlaneCompletedAt: timeOrNull(run.controlPlaneCompletedAt),
    lastProgressAt: timeOrNull(progress.last),
    completedAt: timeOrNull(run.completedAt),
    stalled: reasons.map(({ reason, pool, since }) => ({ reason, pool, since })),
    reports: run.points.length,
    points: courseOf(run),
    regressed: regressedOf(assessed, run),
    clockSkewSeconds: Math.round(record.clockSkewMs / 1000),
  };
}

function regressedOf({ evidence }: AssessedUpdate, run: UpdateRun): RunStatus['regressed'] {
  const wasUpdated = new Set(run.operators.filter(({ updated }) => updated !== null).map(({ name }) => name));
  const operators = evidence.operators.outdated.filter(({ name }) => wasUpdated.has(name));
  const nodes = evidence.pools.flatMap(({ pool, nodes }) => {
    const known = run.pools.find(({ name }) => name === pool.name)?.nodes ?? [];
    const reached = new Map(
      known.map(({ name, ranks }) => [name, ranks.findLastIndex((time) => time !== null)]),
    );
    return nodes.filter(({ status }) => rankOf(status) < (reached.get(status.name) ?? 0));
  });
  return [
    ...operators.map(({ name }) => ({ kind: 'ClusterOperator' as const, name })),
    ...nodes.map(({ status }) => ({ kind: 'Node' as const, name: status.name })),
  ];
}

function timeOrNull(moment: number | null): string | null {
  return moment === null ? null : isoTime(moment);
}
