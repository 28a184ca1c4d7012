import type { ClusterFacts } from '../cluster/facts.ts';
import { isControlPlanePool } from '../safety/evidence/pools.ts';
import { isControlPlane, isLinux } from '../cluster/nodes.ts';

/** What the duration of an update scales with. */
export interface ClusterSize {
  /** Linux nodes, the control plane included. */
  readonly nodes: number;
  readonly controlPlane: number;
  /** `question`: by who asks, and no cluster was looked at. */
  readonly countedFrom: 'nodes' | 'pools' | 'question';
}

export interface UnknownSize {
  readonly reason: string;
}

/** Counts the nodes, or where they were not supplied the machines of the pools: 3 masters and 3 workers → 6, 3. */
export function clusterSize({
  nodes,
  pools,
}: Pick<ClusterFacts, 'nodes' | 'pools'>): ClusterSize | UnknownSize {
  if (nodes !== null) {
    const linux = nodes.filter(isLinux);
    if (linux.length === 0) return { reason: 'there is no Linux node among the nodes that were supplied' };
    return { nodes: linux.length, controlPlane: linux.filter(isControlPlane).length, countedFrom: 'nodes' };
  }
  const machines = (pools ?? []).reduce((sum, pool) => sum + pool.machines.total, 0);
  if (machines <= 0)
    return { reason: 'the number of nodes is not known; supply the output of `oc get nodes -o json`' };
  const controlPlane = (pools ?? []).filter(isControlPlanePool);
  return {
    nodes: machines,
    controlPlane: controlPlane.reduce((sum, pool) => sum + pool.machines.total, 0),
    countedFrom: 'pools',
  };
}
