import { groupBy } from '../collection/group-by.ts';
import type { ClusterFacts, NodeFacts, PoolFacts } from '../cluster/facts.ts';
import { poolOfNodes } from '../cluster/pools.ts';
import { isControlPlanePool } from '../safety/evidence/pools.ts';
import { isControlPlane } from '../cluster/nodes.ts';
import type { PoolKind } from './values.ts';

/** Nodes that move together. */
export interface PoolGroup {
  /** Null for nodes that no pool manages. */
  readonly pool: string | null;
  readonly kind: PoolKind;
  /** Null when there is no pool, or the pools were not supplied. */
  readonly facts: PoolFacts | null;
  /** In the order given; null when the nodes were not supplied. */
  readonly nodes: readonly NodeFacts[] | null;
}

/** What every cluster has, even when its pools were not supplied. */
const STANDARD_POOLS = [{ name: 'master' }, { name: 'worker' }] as const;

/**
 * The pools with their nodes: `master` first, the others by name, last the nodes that no pool manages, if any. Without
 * pools, nodes are in `master` or `worker` by their labels.
 */
export function poolGroups({ nodes, pools }: Pick<ClusterFacts, 'nodes' | 'pools'>): readonly PoolGroup[] {
  const membership = pools && poolOfNodes(nodes ?? [], pools);
  const poolOf = (node: NodeFacts) => {
    if (membership) return membership.get(node.name) ?? null;
    return isControlPlane(node) ? 'master' : 'worker';
  };
  const members = groupBy(nodes ?? [], poolOf);
  const managed = (pools ?? STANDARD_POOLS)
    .map(({ name }): PoolGroup => ({
      pool: name,
      kind: isControlPlanePool({ name }) ? 'control-plane' : 'workers',
      facts: pools?.find((pool) => pool.name === name) ?? null,
      nodes: nodes && (members.get(name) ?? []),
    }))
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const rest = members.get(null);
  return rest ? [...managed, { pool: null, kind: 'unmanaged', facts: null, nodes: rest }] : managed;
}

function sortKey({ pool, kind }: PoolGroup): string {
  return `${kind === 'control-plane' ? 0 : 1} ${pool}`;
}
