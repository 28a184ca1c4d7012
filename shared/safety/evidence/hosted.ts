import type { ClusterFacts } from '../../cluster/facts.ts';
import type { HostedClusterFacts, NodePoolFacts } from '../../cluster/hosted/facts.ts';
import { isControlPlane } from '../../cluster/nodes.ts';
import { shellWord } from '../../text/quote.ts';
import { compareVersions, parseVersion, type ReleaseVersion } from '../../version/release-version.ts';

export const HOSTED_TOPOLOGY = 'External';

/** Hosted control plane, from inside or from its management cluster, which updates it and its node pools. */
export function isHosted({ infrastructure }: Pick<ClusterFacts, 'infrastructure'>): boolean {
  return infrastructure?.controlPlaneTopology === HOSTED_TOPOLOGY;
}

/** The HostedCluster that the facts are of; null for other clusters, and for a hosted cluster seen from inside. */
export function hostedClusterOf(
  facts: Pick<ClusterFacts, 'infrastructure' | 'clusterVersion' | 'hostedClusters'>,
): HostedClusterFacts | null {
  const [hosted, other] = facts.hostedClusters ?? [];
  const isOwn = other === undefined && hosted?.clusterId === facts.clusterVersion?.clusterId;
  return isHosted(facts) && hosted && isOwn ? hosted : null;
}

export function hostedName({ namespace, name }: Pick<HostedClusterFacts, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

/** `oc -n clusters get hostedcluster guest`. Seen from inside, the names are not known. */
export function hostedCommand(hosted: Pick<HostedClusterFacts, 'namespace'> | null, command: string): string {
  return `oc -n ${hosted ? shellWord(hosted.namespace) : 'NAMESPACE'} ${command}`;
}

/**
 * The platform does not drain the nodes of a cluster with one control plane node. If the topology is not known, the
 * only node decides.
 */
export function isSingleNode({
  infrastructure,
  nodes,
}: Pick<ClusterFacts, 'infrastructure' | 'nodes'>): boolean {
  const topology = infrastructure?.controlPlaneTopology ?? null;
  if (topology !== null) return topology === 'SingleReplica';
  const [only, other] = nodes ?? [];
  return only !== undefined && other === undefined && isControlPlane(only);
}

/** Commands of standalone clusters: a hosted cluster has no machine config pools, and `oc adm upgrade` has no effect. */
const STANDALONE_ONLY = /oc adm upgrade|machineconfigpool|\bmcp\b/;

export function worksOnHosted(command: string): boolean {
  return !STANDALONE_ONLY.test(command);
}

export interface VersionSpan {
  readonly oldest: ReleaseVersion;
  readonly newest: ReleaseVersion;
}

/**
 * Versions of the control plane that can run now: the newest Completed one, and all newer ones that are not Completed.
 * `4.20.1 Partial, 4.19.19 Partial, 4.19.6 Completed` are 4.19.6 to 4.20.1.
 */
export function activeVersions(hosted: HostedClusterFacts): VersionSpan | null {
  const history = hosted.controlPlaneHistory ?? hosted.version.history;
  const completed = history.findIndex(({ state }) => state === 'Completed');
  const active = completed === -1 ? history : history.slice(0, completed + 1);
  return spanOf(active.map(({ version }) => version));
}

/** Releases of the nodes of a pool, which differ during a rollout; null if none is known. */
export function poolVersions({ version, nodeVersions }: NodePoolFacts): VersionSpan | null {
  return spanOf([version, ...nodeVersions.map((nodes) => nodes.version)]);
}

function spanOf(texts: readonly string[]): VersionSpan | null {
  const versions = texts.flatMap((text) => parseVersion(text) ?? []).toSorted(compareVersions);
  const [oldest, newest] = [versions[0], versions.at(-1)];
  return oldest && newest ? { oldest, newest } : null;
}

/** What Go reads as true. */
const PAUSED = /^(?:1|t|true)$/i;

/** `pausedUntil` is a time or `true`; HyperShift reports the effect as a condition too. */
export function isReconciliationPaused(
  { pausedUntil, conditions }: Pick<HostedClusterFacts, 'pausedUntil' | 'conditions'>,
  now: number,
): boolean {
  return (
    PAUSED.test(pausedUntil) ||
    Date.parse(pausedUntil) > now ||
    conditions.some(({ type, status }) => type === 'ReconciliationActive' && status === 'False')
  );
}
