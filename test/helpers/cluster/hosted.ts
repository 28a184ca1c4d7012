import { type ClusterFacts, NO_FACTS, REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import type { HostedClusterFacts, NodePoolFacts } from '@cairn/shared/cluster/hosted/facts';
import { reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { selectCluster } from '@cairn/shared/plan/select-cluster';
import { aClusterVersion, aCondition, historyOf, minutesAgo } from './clusters.ts';

/** A healthy hosted cluster `clusters/guest` that its management cluster reports. */
export function aHostedCluster(
  changes: Partial<HostedClusterFacts> = {},
  version = '4.18.10',
): HostedClusterFacts {
  const { clusterId, createdAt, channel, desired, history } = aClusterVersion({}, version);
  return {
    namespace: 'clusters',
    name: 'guest',
    clusterId,
    createdAt,
    platform: 'AWS',
    networkType: 'OVNKubernetes',
    channel,
    updateService: null,
    image: desired.image,
    controlPlaneImage: '',
    forcedImage: '',
    pausedUntil: '',
    version: { desired, history, availableUpdates: [], conditionalUpdates: [], knownRisks: null },
    controlPlaneHistory: null,
    conditions: [
      aCondition('Available', 'True'),
      aCondition('ClusterVersionUpgradeable', 'True'),
      aCondition('ReconciliationActive', 'True'),
    ],
    ...changes,
  };
}

export function aNodePool(
  name: string,
  version: string,
  changes: Partial<NodePoolFacts> = {},
): NodePoolFacts {
  return {
    namespace: 'clusters',
    name,
    cluster: 'guest',
    replicas: 3,
    upgradeType: 'Replace',
    atOnce: 1,
    arch: 'amd64',
    pausedUntil: '',
    version,
    nodeVersions: [{ version, ready: 3, unready: 0 }],
    conditions: [aCondition('SupportedVersionSkew', 'True'), aCondition('AllNodesHealthy', 'True')],
    ...changes,
  };
}

/** Control plane history such as `4.20.1 P`, newest first. */
export function withControlPlane(...entries: readonly string[]): HostedClusterFacts {
  const [newest = ''] = entries;
  return aHostedCluster({ controlPlaneHistory: historyOf(...entries) }, newest.split(' ')[0]);
}

/** Minors that the HyperShift operator of the tests supports. */
const SUPPORTED = ['4.18', '4.19', '4.20', '4.21', '4.22', '4.23', '5.0', '5.1'];

/** Facts of the hosted cluster, as a plan uses them. */
export function hostedFacts(
  hosted: HostedClusterFacts,
  nodePools: readonly NodePoolFacts[] | null,
  changes: Partial<ClusterFacts> = {},
): ClusterFacts {
  const documents = {
    ...NO_FACTS,
    collectedAt: minutesAgo(0),
    hostedClusters: [hosted],
    nodePools,
    hostedVersions: SUPPORTED,
    ...changes,
  };
  const selection = selectCluster(documents, undefined);
  if (selection.kind !== 'selected') throw new Error(selection.kind);
  return selection.facts;
}

/** As `oc get … -o json` prints them on the management cluster. */
export function hostedDocuments(
  hostedClusters: readonly HostedClusterFacts[],
  nodePools: readonly NodePoolFacts[],
): readonly object[] {
  return reducedDocuments({ ...NO_FACTS, hostedClusters, nodePools }, REPORTED_KINDS);
}
