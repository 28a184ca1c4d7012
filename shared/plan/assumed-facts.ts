import { type ClusterFacts, NO_FACTS, type PoolFacts } from '../cluster/facts.ts';
import { listedChannels } from '../path/mirror-list.ts';
import type { PathStep } from '../path/solver/solve.ts';

/** Builds a healthy cluster without operators; up to three nodes are control plane nodes, the rest are workers. */
export function assumedFacts([source]: readonly PathStep[], nodes: number): ClusterFacts {
  if (!Number.isInteger(nodes) || nodes < 1) {
    throw new RangeError(`${nodes} is not a number of nodes, which is a whole one from 1 on`);
  }
  const controlPlane = Math.min(nodes, 3);
  return {
    ...NO_FACTS,
    clusterVersion: source ? versionFacts(source) : null,
    pools: [assumedPool('master', controlPlane), assumedPool('worker', nodes - controlPlane)],
    operators: [],
  };
}

function versionFacts({ version, payload, node }: PathStep): ClusterFacts['clusterVersion'] {
  return {
    clusterId: null,
    createdAt: null,
    channel: null,
    upstream: null,
    desiredUpdate: null,
    unmanagedOverrides: [],
    desired: { version, image: payload, channels: listedChannels(node) },
    history: [],
    conditions: [],
    availableUpdates: [],
    conditionalUpdates: [],
    acceptedRisks: null,
    knownRisks: null,
  };
}

function assumedPool(name: string, total: number): PoolFacts {
  return {
    name,
    labels: {},
    paused: false,
    maxUnavailable: 1,
    nodeSelector: { matchLabels: {}, matchExpressions: [] },
    configuration: { wanted: '', current: '' },
    machines: { total, updated: total, ready: total, unavailable: 0, degraded: 0 },
    conditions: [],
  };
}
