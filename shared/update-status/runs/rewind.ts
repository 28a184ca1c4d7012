import type {
  ClusterCondition,
  ClusterFacts,
  ClusterOperatorFacts,
  ClusterVersionFacts,
  NodeFacts,
} from '../../cluster/facts.ts';
import type { ClusterRecord } from '../../cluster/record.ts';
import { inOrder } from '../insights/insights.ts';
import { withDefaults } from '../insights/references.ts';
import type { ClusterUpdateStatus } from './cluster-status.ts';
import { runUpTo } from './merge.ts';
import { type NodeTimes, runOf, type UnusualCondition, type UpdateRun, USUAL_STATUS } from './run.ts';
import { streakOf } from './waiting.ts';

/** Configuration and release of nodes that had not begun; any that no cluster has. */
const FORMER = 'before-the-update';

/**
 * The record as it was at a moment of its run. Documents of earlier reports are not kept, so what was updated later is
 * put back: phases, milestones and conditions are those of the reports, texts that have changed since are lost. Null
 * before the first report of the update.
 */
export function recordAt(record: ClusterRecord, at: number): ClusterRecord | null {
  const whole = runOf(record.runs, record.facts.clusterVersion?.history[0]);
  if (whole === null || whole.openedAt === null || at < whole.openedAt) return null;
  const run = runUpTo(whole, at);
  const until = run.points.at(-1)?.at ?? whole.openedAt;
  const last = new Date(until).toISOString();
  const { clusterVersion, clusterOperators, nodes, pools, configReleases, alerts } = record.facts;
  const begin = new Date(run.beganAt).toISOString();
  const paused = new Map(
    run.points.findLast((point) => point.pools !== null)?.pools?.map((pool) => [pool.name, pool.paused]),
  );
  const ranks: NodeRanks = new Map(
    run.pools.flatMap(({ name: pool, nodes: own }) =>
      own.map((node) => [node.name, { pool, ...node }] as const),
    ),
  );
  const facts: ClusterFacts = {
    ...record.facts,
    clusterVersion: versionAt(clusterVersion!, run, { until, begin }),
    clusterOperators:
      clusterOperators?.map((operator) => operatorAt(operator, run, { until, begin })) ?? null,
    nodes: nodes?.flatMap((node) => nodeAt(node, record.facts, { run, ranks, until }) ?? []) ?? null,
    pools: pools?.map((pool) => ({ ...pool, paused: paused.get(pool.name) ?? pool.paused })) ?? null,
    configReleases: configReleases && [...configReleases, { name: FORMER, version: run.previous ?? FORMER }],
    alerts: alerts?.filter(({ since }) => since === null || Date.parse(since) <= until) ?? null,
    collectedAt: last,
  };
  const isLater = (time: string) => Date.parse(time) > Date.parse(last);
  const collected = Object.entries(record.collected).map(([kind, time]) => [
    kind,
    isLater(time) ? last : time,
  ]);
  return {
    ...record,
    facts,
    collected: Object.fromEntries(collected) as ClusterRecord['collected'],
    pausedSince: [
      ...record.pausedSince.filter(({ since }) => Date.parse(since) <= at),
      ...[...paused.keys()].flatMap((pool) =>
        streakOf(run, pool, (report) => report.paused)
          .slice(0, 1)
          .map((since) => ({ pool, since: new Date(since).toISOString() })),
      ),
    ],
    runs: { ...record.runs, recent: record.runs.recent.map((one) => (one === whole ? run : one)) },
  };
}

interface Moment {
  /** The last report before the moment. */
  readonly until: number;
  /** Start of the update. */
  readonly begin: string;
}

const isProgressing = ({ type }: ClusterCondition): boolean => type === 'Progressing';
const isOther = (condition: ClusterCondition): boolean => !isProgressing(condition);

/** A condition that has changed since was in another status. */
function conditionAt(condition: ClusterCondition, then: string, { until, begin }: Moment): ClusterCondition {
  return isKnown(condition, until)
    ? condition
    : { ...condition, status: then, since: begin, reason: '', message: '' };
}

function isKnown({ since }: ClusterCondition, until: number): boolean {
  return since === null || Date.parse(since) <= until;
}

/** Those that have changed since are as the last report showed them, from the first report in a row that did. */
function conditionsAt(
  conditions: readonly ClusterCondition[],
  operator: string | null,
  { points }: UpdateRun,
  moment: Moment,
): ClusterCondition[] {
  const reports = points.flatMap(({ at, operators }) => (operators === null ? [] : [{ at, ...operators }]));
  const isSame = (a: UnusualCondition, b: UnusualCondition) =>
    a.operator === b.operator && a.type === b.type && a.status === b.status;
  const unusual = (reports.at(-1)?.unusual ?? [])
    .filter((one) => one.operator === operator)
    .map((one): ClusterCondition => {
      const before = reports.findLastIndex((report) => !report.unusual?.some((each) => isSame(each, one)));
      const since = new Date(reports[before + 1]!.at).toISOString();
      return { type: one.type, status: one.status, since, reason: '', message: '' };
    });
  return [
    ...conditions.map((condition) => {
      const { type } = condition;
      const then = isKnown(condition, moment.until) ? condition : unusual.find((one) => one.type === type);
      return then ?? conditionAt(condition, USUAL_STATUS[type] ?? 'False', moment);
    }),
    // The newest report can lack a condition.
    ...unusual.filter((one) => !conditions.some(({ type }) => type === one.type)),
  ];
}

function versionAt(clusterVersion: ClusterVersionFacts, run: UpdateRun, moment: Moment): ClusterVersionFacts {
  const [entry, ...former] = clusterVersion.history;
  const isRunning = run.controlPlaneCompletedAt === null;
  return {
    ...clusterVersion,
    history: isRunning
      ? [{ ...entry!, state: 'Partial', completionTime: null }, ...former]
      : clusterVersion.history,
    conditions: [
      ...clusterVersion.conditions
        .filter(isProgressing)
        .map((condition) => conditionAt(condition, isRunning ? 'True' : 'False', moment)),
      ...conditionsAt(clusterVersion.conditions.filter(isOther), null, run, moment),
    ],
  };
}

function operatorAt(operator: ClusterOperatorFacts, run: UpdateRun, moment: Moment): ClusterOperatorFacts {
  const { operators, previous } = run;
  const times = operators.find(({ name }) => name === operator.name);
  const updated = times?.updated ?? null;
  const updating = updated === null ? (times?.updating ?? null) : null;
  const former = { operator: previous ?? FORMER, 'operator-image': FORMER };
  return {
    ...operator,
    versions:
      updated !== null
        ? operator.versions
        : operator.versions.map((one) => ({
            ...one,
            ...(one.name in former && { version: former[one.name as keyof typeof former] }),
          })),
    conditions: [
      ...operator.conditions.filter(isProgressing).map((condition) => {
        if (updating !== null) {
          const since = new Date(updating.since).toISOString();
          return condition.status === 'True'
            ? { ...condition, since }
            : { ...condition, status: 'True', since, reason: '', message: '' };
        }
        const begin = updated === null ? moment.begin : new Date(updated).toISOString();
        return conditionAt(condition, 'False', { ...moment, begin });
      }),
      ...conditionsAt(operator.conditions.filter(isOther), operator.name, run, moment),
    ],
  };
}

type NodeRanks = ReadonlyMap<string, NodeTimes & { readonly pool: string }>;

/** Null for a node that no report showed yet. */
function nodeAt(
  node: NodeFacts,
  { pools }: ClusterFacts,
  { run, ranks, until }: { readonly run: UpdateRun; readonly ranks: NodeRanks; readonly until: number },
): NodeFacts | null {
  const times = ranks.get(node.name);
  if (times === undefined) return run.pools.length === 0 ? node : null;
  // The newest time, and of equal ones the highest rank.
  const rank = times.ranks.reduce<number>(
    (best, time, one) => (time !== null && time >= (times.ranks[best] ?? 0) ? one : best),
    0,
  );
  const wanted = pools?.find(({ name }) => name === times.pool)?.configuration.wanted ?? '';
  const report = run.points
    .findLast((point) => point.pools !== null)
    ?.pools?.find(({ name }) => name === times.pool);
  const isDegraded = report?.degraded.includes(node.name) === true;
  const isMoving = rank > 0 && rank < times.ranks.length - 1;
  const states = ['Done', 'Working', 'Working', 'Rebooting', 'Done'];
  return {
    ...node,
    unschedulable: isMoving,
    problems: node.problems.filter(({ since }) => since !== null && Date.parse(since) <= until),
    machineConfig: {
      current: rank === times.ranks.length - 1 ? wanted : FORMER,
      desired: rank === 0 ? FORMER : wanted,
      state: isDegraded ? 'Degraded' : states[rank]!,
      reason: isDegraded ? node.machineConfig.reason : '',
      ...(isMoving && { desiredDrain: 'drain-', lastAppliedDrain: rank === 1 ? 'uncordon-' : 'drain-' }),
    },
  };
}

/** Status of a record of an earlier moment: of what reports did not keep, it claims nothing. */
export function withoutUnknown(status: ClusterUpdateStatus, record: ClusterRecord): ClusterUpdateStatus {
  const run = runOf(record.runs, record.facts.clusterVersion?.history[0]);
  const reported = run?.points.findLast((point) => point.pools !== null)?.pools ?? [];
  const available = new Map(reported.map((pool) => [pool.name, pool.available]));
  return {
    ...status,
    pools: status.pools.map((pool) => ({
      ...pool,
      counts: { ...pool.counts, available: available.get(pool.name) ?? pool.counts.available },
    })),
    insights: inOrder([
      ...status.insights.filter(({ type }) => type !== 'ProceedingWell'),
      ...(status.updating ? [EARLIER_MOMENT] : []),
    ]),
  };
}

const EARLIER_MOMENT = withDefaults({
  origin: 'cairn',
  type: 'EarlierMoment',
  level: 'Info',
  impact: 'Unknown',
  scope: 'Cluster',
  since: null,
  message: 'This is an earlier moment, of which not everything is known',
  description:
    'Cairn keeps the course of an update, not the documents of each report. Conditions of nodes and alerts that have ended since, and removed nodes, are not known. Reasons and messages are those of the newest report, or empty if the condition has changed.',
  reason: null,
  resources: [],
});
