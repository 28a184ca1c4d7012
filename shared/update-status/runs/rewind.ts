import type {
  ClusterCondition,
  ClusterFacts,
  ClusterOperatorFacts,
  ClusterVersionFacts,
  NodeFacts,
} from '../../cluster/facts.ts';
import type { ClusterRecord } from '../../cluster/record.ts';
import { runUpTo } from './merge.ts';
import { type NodeTimes, runOf, type UpdateRun } from './run.ts';
import { streakOf } from './waiting.ts';

/** Configuration and release of nodes that had not begun; any that no cluster has. */
const FORMER = 'before-the-update';

/**
 * The record as it was at a moment of its run. Documents of earlier reports are not kept, so what was updated later is
 * put back: phases and milestones are those of the reports, texts of conditions that have changed since are lost. Null
 * before the first report of the update.
 */
export function recordAt(record: ClusterRecord, at: number): ClusterRecord | null {
  const whole = runOf(record.runs, record.facts.clusterVersion?.history[0]);
  if (whole === null || whole.openedAt === null || at < whole.openedAt) return null;
  const run = runUpTo(whole, at);
  const last = new Date(run.points.at(-1)?.at ?? whole.openedAt).toISOString();
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
    clusterVersion: versionAt(clusterVersion!, run, { at, begin }),
    clusterOperators: clusterOperators?.map((operator) => operatorAt(operator, run, { at, begin })) ?? null,
    nodes: nodes?.flatMap((node) => nodeAt(node, record.facts, { run, ranks, at }) ?? []) ?? null,
    pools: pools?.map((pool) => ({ ...pool, paused: paused.get(pool.name) ?? pool.paused })) ?? null,
    configReleases: configReleases && [...configReleases, { name: FORMER, version: run.previous ?? FORMER }],
    alerts: alerts?.filter(({ since }) => since === null || Date.parse(since) <= at) ?? null,
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
  readonly at: number;
  /** Start of the update. */
  readonly begin: string;
}

/** A condition that has changed since was in its usual status. */
function conditionAt(condition: ClusterCondition, usual: string, { at, begin }: Moment): ClusterCondition {
  const isKnown = condition.since === null || Date.parse(condition.since) <= at;
  return isKnown ? condition : { ...condition, status: usual, since: begin, reason: '', message: '' };
}

function versionAt(
  clusterVersion: ClusterVersionFacts,
  { controlPlaneCompletedAt }: UpdateRun,
  moment: Moment,
): ClusterVersionFacts {
  const [entry, ...former] = clusterVersion.history;
  const isRunning = controlPlaneCompletedAt === null;
  return {
    ...clusterVersion,
    history: isRunning
      ? [{ ...entry!, state: 'Partial', completionTime: null }, ...former]
      : clusterVersion.history,
    conditions: clusterVersion.conditions.map((condition) =>
      conditionAt(condition, condition.type === 'Progressing' && isRunning ? 'True' : 'False', moment),
    ),
  };
}

const USUAL: Readonly<Record<string, string>> = { Available: 'True', Upgradeable: 'True' };

function operatorAt(
  operator: ClusterOperatorFacts,
  { operators, previous }: UpdateRun,
  moment: Moment,
): ClusterOperatorFacts {
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
    conditions: operator.conditions.map((condition) => {
      if (condition.type !== 'Progressing') {
        return conditionAt(condition, USUAL[condition.type] ?? 'False', moment);
      }
      if (updating !== null) {
        const since = new Date(updating.since).toISOString();
        return condition.status === 'True'
          ? { ...condition, since }
          : { ...condition, status: 'True', since, reason: '', message: '' };
      }
      const begin = updated === null ? moment.begin : new Date(updated).toISOString();
      return conditionAt(condition, 'False', { ...moment, begin });
    }),
  };
}

type NodeRanks = ReadonlyMap<string, NodeTimes & { readonly pool: string }>;

/** Null for a node that no report showed yet. */
function nodeAt(
  node: NodeFacts,
  { pools }: ClusterFacts,
  { run, ranks, at }: { readonly run: UpdateRun; readonly ranks: NodeRanks; readonly at: number },
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
    problems: node.problems.filter(({ since }) => since !== null && Date.parse(since) <= at),
    machineConfig: {
      current: rank === times.ranks.length - 1 ? wanted : FORMER,
      desired: rank === 0 ? FORMER : wanted,
      state: isDegraded ? 'Degraded' : states[rank]!,
      reason: isDegraded ? node.machineConfig.reason : '',
      ...(isMoving && { desiredDrain: 'drain-', lastAppliedDrain: rank === 1 ? 'uncordon-' : 'drain-' }),
    },
  };
}
