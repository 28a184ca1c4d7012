import {
  type ClusterCondition,
  type ClusterFacts,
  type ClusterVersionFacts,
  type HistoryEntry,
  NO_FACTS,
} from '../cluster/facts.ts';
import type { HostedClusterFacts, NodePoolFacts } from '../cluster/hosted/facts.ts';
import { HOSTED_TOPOLOGY, hostedClusterOf, hostedName, isHosted } from '../safety/evidence/hosted.ts';

export type ClusterSelection =
  | { readonly kind: 'selected'; readonly facts: ClusterFacts }
  /** Several hosted clusters and no name, or a name that none has. */
  | { readonly kind: 'unnamed' | 'unknown'; readonly hosted: readonly string[] }
  | { readonly kind: 'microshift'; readonly version: string };

/**
 * Selects the cluster to plan for. Documents of a management cluster have its own ClusterVersion and its hosted
 * clusters: `hosted` names one of those as `namespace/name`. Documents from inside a hosted cluster are about the
 * HostedCluster with their cluster ID.
 */
export function selectCluster(facts: ClusterFacts, hosted: string | undefined): ClusterSelection {
  const { clusterVersion, hostedClusters, microshiftVersion } = facts;
  const all = hostedClusters ?? [];
  const named = all.find((cluster) => hostedName(cluster) === hosted);
  const own = ownCluster(facts);
  if (hosted !== undefined && (named === undefined || named !== own)) {
    return named ? selected(facts, named) : { kind: 'unknown', hosted: all.map(hostedName) };
  }
  if (own && clusterVersion) {
    const inside = { ...clusterVersion, history: withControlPlane(clusterVersion.history, own) };
    return { kind: 'selected', facts: { ...facts, clusterVersion: inside, ...onlyOf(own, facts) } };
  }
  if (clusterVersion !== null) return { kind: 'selected', facts };
  const [first, second] = all;
  if (second) return { kind: 'unnamed', hosted: all.map(hostedName) };
  if (first) return selected(facts, first);
  return microshiftVersion === null
    ? { kind: 'selected', facts }
    : { kind: 'microshift', version: microshiftVersion };
}

function ownCluster(facts: ClusterFacts): HostedClusterFacts | undefined {
  const id = facts.clusterVersion?.clusterId ?? null;
  if (!isHosted(facts)) return undefined;
  if (id === null) return hostedClusterOf(facts) ?? undefined;
  return facts.hostedClusters?.find(({ clusterId }) => clusterId === id);
}

/** The HostedCluster and its node pools, without those of others. */
function onlyOf(
  hosted: HostedClusterFacts,
  { nodePools }: Pick<ClusterFacts, 'nodePools'>,
): Pick<ClusterFacts, 'hostedClusters' | 'nodePools'> {
  const { namespace, name } = hosted;
  const isOwn = (pool: NodePoolFacts) => pool.namespace === namespace && pool.cluster === name;
  return { hostedClusters: [hosted], nodePools: nodePools && nodePools.filter(isOwn) };
}

/** Everything else in the documents belongs to the management cluster. */
function selected(facts: ClusterFacts, hosted: HostedClusterFacts): ClusterSelection {
  const { collectedAt, hostedVersions } = facts;
  const { platform, networkType } = hosted;
  return {
    kind: 'selected',
    facts: {
      ...NO_FACTS,
      collectedAt,
      clusterVersion: clusterVersionOf(hosted),
      infrastructure: { platform, controlPlaneTopology: HOSTED_TOPOLOGY },
      networkType,
      ...onlyOf(hosted, facts),
      hostedVersions,
    },
  };
}

/** The ClusterVersion of the hosted cluster, as far as its HostedCluster shows it. */
function clusterVersionOf(hosted: HostedClusterFacts): ClusterVersionFacts {
  const { clusterId, createdAt, channel, updateService, version, conditions } = hosted;
  return {
    clusterId,
    createdAt,
    channel,
    upstream: updateService,
    desiredUpdate: desiredUpdateOf(hosted),
    unmanagedOverrides: [],
    acceptedRisks: null,
    ...version,
    history: withControlPlane(version.history, hosted),
    conditions: conditions.flatMap(ownCondition),
  };
}

/** The nodes can be done with a release before the control plane is. */
function withControlPlane(
  history: readonly HistoryEntry[],
  { controlPlaneHistory }: HostedClusterFacts,
): readonly HistoryEntry[] {
  const [newest] = controlPlaneHistory ?? [];
  return newest?.state === 'Partial' ? [newest, ...history] : history;
}

/** HyperShift copies conditions of the ClusterVersion under names with this prefix. */
const COPIED = /^ClusterVersion(?=.)/;

function ownCondition(condition: ClusterCondition): ClusterCondition[] {
  return COPIED.test(condition.type) ? [{ ...condition, type: condition.type.replace(COPIED, '') }] : [];
}

/** A release of the control plane alone counts as forced. Only digests are compared: a tag can name the same release. */
function desiredUpdateOf(hosted: HostedClusterFacts): ClusterVersionFacts['desiredUpdate'] {
  const { image, controlPlaneImage, forcedImage, version } = hosted;
  const { desired } = version;
  const digests = [image, desired.image].map((each) => /@(sha256:.+)$/.exec(each)?.[1]);
  const isPending = digests.every((digest) => digest !== undefined) && digests[0] !== digests[1];
  const isForced = forcedImage !== '' || controlPlaneImage !== '';
  if (isPending) return { version: '', image, force: isForced };
  return isForced ? { version: desired.version, image: desired.image, force: true } : null;
}
