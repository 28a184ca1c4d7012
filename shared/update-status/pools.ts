import type { ClusterFacts, PoolFacts } from '../cluster/facts.ts';
import { CONTROL_PLANE_POOL, poolOfNodes } from '../cluster/pools.ts';
import { groupBy } from '../collection/group-by.ts';
import { maxUnavailableOf } from '../safety/evidence/pools.ts';
import type { NodeCounts, NodeStatus, PoolStatus } from './answer.ts';
import { compareNodes, type NodeProgress, nodeProgress, type Rollout } from './nodes.ts';
import { percentOf } from './operators.ts';

/** A pool with its nodes in the order of the documents. */
export interface PoolProgress {
  readonly pool: PoolFacts;
  readonly nodes: readonly NodeProgress[];
  readonly status: PoolStatus;
}

export interface PoolsProgress {
  readonly pools: readonly PoolProgress[];
  readonly nodesWithoutPool: number;
}

export function poolsProgress({ nodes, pools }: ClusterFacts, rollout: Rollout, at: number): PoolsProgress {
  const names = poolOfNodes(nodes ?? [], pools ?? []);
  const byPool = groupBy(nodes ?? [], ({ name }) => names.get(name) ?? null);
  return {
    pools: (pools ?? []).map((pool) => {
      const members = (byPool.get(pool.name) ?? []).map((node) => nodeProgress(node, pool, rollout, at));
      return { pool, nodes: members, status: poolStatus(pool, members) };
    }),
    nodesWithoutPool: byPool.get(null)?.length ?? 0,
  };
}

/** A worker pool with a node that does not run the target yet. */
export function isBehind({ pool, status: { counts } }: PoolProgress): boolean {
  return pool.name !== CONTROL_PLANE_POOL && counts.outdated > 0;
}

function poolStatus({ name, paused, maxUnavailable }: PoolFacts, nodes: readonly NodeProgress[]): PoolStatus {
  const counts = countNodes(nodes.map(({ status }) => status));
  return {
    name,
    role: name === CONTROL_PLANE_POOL ? 'control-plane' : 'worker',
    assessment: assessmentOf(counts, nodes),
    paused,
    maxUnavailable,
    completion: { percent: percentOf(counts.updated, counts.total) },
    counts,
    nodes: nodes.toSorted(compareNodes).map(({ status }) => status),
  };
}

const IN_PROGRESS: ReadonlySet<NodeStatus['phase']> = new Set(['Draining', 'Updating', 'Rebooting']);

export function isInProgress({ phase }: Pick<NodeStatus, 'phase'>): boolean {
  return IN_PROGRESS.has(phase);
}

export function countNodes(nodes: readonly NodeStatus[]): NodeCounts {
  const count = (isMeant: (node: NodeStatus) => boolean) => nodes.filter(isMeant).length;
  return {
    total: nodes.length,
    updated: count(({ phase }) => phase === 'Updated'),
    outdated: count(({ phase }) => phase !== 'Updated'),
    available: count(({ unavailable }) => !unavailable),
    progressing: count((node) => isInProgress(node) && !node.degraded),
    draining: count(({ phase }) => phase === 'Draining'),
    excluded: count(({ phase }) => phase === 'Paused'),
    degraded: count(({ degraded }) => degraded),
  };
}

function assessmentOf(counts: NodeCounts, nodes: readonly NodeProgress[]): PoolStatus['assessment'] {
  if (counts.total === 0) return 'Empty';
  if (counts.outdated === 0) return 'Completed';
  if (nodes.every(({ status }) => status.phase === 'Pending')) return 'Pending';
  if (counts.degraded > 0) return 'Degraded';
  return counts.excluded > 0 ? 'Excluded' : 'Progressing';
}

/** The Machine Config Operator updates no further node while this many are unavailable. */
export function isBlocked({ pool, nodes }: PoolProgress): boolean {
  if (pool.paused || !nodes.some(({ status }) => status.phase === 'Pending')) return false;
  const broken = nodes.filter(
    ({ status, isUpdating }) => status.degraded || (status.unavailable && !isUpdating),
  );
  return broken.length >= maxUnavailableOf(pool.maxUnavailable, nodes.length);
}
