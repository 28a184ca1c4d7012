import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import { maxUnavailableOf } from '../../safety/evidence/pools.ts';
import { listInWords } from '../../text/words.ts';
import type { ControlPlaneStatus, NodeStatus } from '../answer.ts';
import type { StalledAfter } from '../answer.ts';
import type { UpdateEvidence } from '../insights/insights.ts';
import { type StalledReason, stalledReasons } from '../insights/stalled.ts';
import { isOnlyMachineConfig } from '../operators.ts';
import { isBehind, isInProgress, type PoolProgress, isBlocked } from '../pools.ts';
import { isoTime } from '../times.ts';
import { later, type RunProgress } from './progress.ts';
import type { UpdateRun } from './run.ts';
import { streakOf, unpausedAt } from './waiting.ts';

const BLOCKED_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

/** A run with what its reports prove. */
export interface KnownRun {
  readonly run: UpdateRun;
  readonly progress: RunProgress;
  readonly stalledAfter: StalledAfter;
}

/** Reasons of a cluster that reports. What has not moved needs two reports. */
export function stalledReasonsOfRun(
  evidence: UpdateEvidence,
  controlPlane: ControlPlaneStatus,
  known: KnownRun,
): StalledReason[] {
  const last = known.progress.controlPlane ?? evidence.at;
  const isComparable = known.run.points.length > 1;
  return [
    ...stalledReasons(evidence, controlPlane, last),
    ...(isComparable ? withoutProgress(evidence, controlPlane, known) : []),
    ...evidence.pools.flatMap((pool) => blocked(pool, known)),
  ];
}

function withoutProgress(
  evidence: UpdateEvidence,
  { assessment }: ControlPlaneStatus,
  known: KnownRun,
): StalledReason[] {
  const isDone = assessment === 'Completed' || assessment === 'Unknown';
  return [
    ...(isDone ? [] : withoutControlPlaneProgress(evidence, known)),
    ...evidence.pools
      .filter((pool) => isBehind(pool) && !pool.pool.paused)
      .flatMap((pool) => withoutNodeProgress(pool, evidence, known)),
  ];
}

function withoutControlPlaneProgress(
  { operators, pools, at }: UpdateEvidence,
  { progress, stalledAfter }: KnownRun,
): StalledReason[] {
  const { controlPlane: last } = progress;
  const isNodes = isOnlyMachineConfig(operators);
  const minutes = isNodes ? stalledAfter.controlPlaneNodes : stalledAfter.operators;
  if (last === null || at - last < minutes * MINUTE_MS) return [];
  const common = { since: isoTime(last), pool: null };
  if (isNodes) {
    const master = pools.find(({ pool }) => pool.name === CONTROL_PLANE_POOL);
    if (master === undefined) return [];
    const waiting = waitingNodes(master.status.nodes);
    return [
      {
        ...common,
        reason: 'NoControlPlaneNodeProgress',
        message: `No control plane node has progressed for ${minutes} minutes or longer: waiting for ${waiting || 'the operator machine-config'}`,
        description: 'Read the state of the nodes with: oc get nodes,machineconfigpool/master',
      },
    ];
  }
  const moving = operators.updating.length > 0 ? operators.updating : operators.outdated;
  return [
    {
      ...common,
      reason: 'NoOperatorProgress',
      message: `No operator has progressed for ${minutes} minutes or longer: waiting for ${listInWords(moving.map(({ name }) => name))}`,
      description: `Read its conditions with: oc describe clusteroperator ${moving[0]!.name}`,
    },
  ];
}

function withoutNodeProgress(
  { pool, status }: PoolProgress,
  { operators, at }: UpdateEvidence,
  { run, progress, stalledAfter }: KnownRun,
): StalledReason[] {
  const begin = clockOf(run, pool.name, operators.outdated.length === 0 && operators.all.length > 0);
  if (begin === null) return [];
  const last = later(begin, progress.pools.get(pool.name) ?? null)!;
  if (at - last < stalledAfter.workers * MINUTE_MS) return [];
  return [
    {
      reason: 'NoNodeProgress',
      pool: pool.name,
      since: isoTime(last),
      message: `No node of machine config pool ${pool.name} has progressed for ${stalledAfter.workers} minutes or longer: waiting for ${waitingNodes(status.nodes)}`,
      description: `Read the state of the pool with: oc describe machineconfigpool ${pool.name}`,
    },
  ];
}

/** When nodes of a pool are expected to progress from; null if they are not yet. */
function clockOf(run: UpdateRun, pool: string, isControlPlaneDone: boolean): number | null {
  const nodes = run.pools.find(({ name }) => name === pool)?.nodes ?? [];
  const left = nodes.flatMap(({ ranks }) => ranks.slice(1)).filter((time) => time !== null);
  const updated = run.operators.flatMap((operator) => operator.updated ?? []);
  const done = isControlPlaneDone
    ? (run.controlPlaneCompletedAt ?? updated.reduce<number | null>(later, null))
    : null;
  const first = [...left, ...(done === null ? [] : [done])].reduce((a, b) => Math.min(a, b), Infinity);
  return first === Infinity ? null : later(first, unpausedAt(run, pool));
}

/** Nodes that update, else those that wait. */
function waitingNodes(nodes: readonly NodeStatus[]): string {
  const moving = nodes.filter(isInProgress);
  const outdated = nodes.filter(({ phase }) => phase !== 'Updated');
  return listInWords((moving.length > 0 ? moving : outdated).map(({ name, phase }) => `${name} (${phase})`));
}

function blocked(progress: PoolProgress, { run }: KnownRun): StalledReason[] {
  const { pool, nodes } = progress;
  if (!isBlocked(progress)) return [];
  const reports = streakOf(run, pool.name, (report) => report.blocked);
  const [first, last] = [reports[0], reports.at(-1)];
  if (first === undefined || last === undefined || last - first < BLOCKED_MS) return [];
  const broken = nodes
    .filter(({ status, isUpdating }) => status.degraded || (status.unavailable && !isUpdating))
    .map(({ status }) => status.name);
  const most = maxUnavailableOf(pool.maxUnavailable, nodes.length);
  return [
    {
      reason: 'PoolBlocked',
      pool: pool.name,
      since: isoTime(first),
      message: `Machine config pool ${pool.name} updates no further node: ${listInWords(broken)} ${broken.length === 1 ? 'is' : 'are'} unavailable or degraded, and maxUnavailable is ${most}`,
      description: `Repair the node, or read its state with: oc describe node ${broken[0]}`,
    },
  ];
}
