import type { ClusterCondition, ClusterVersionFacts, HistoryEntry } from '../version-facts.ts';

/** Part of a ClusterVersion that a HostedCluster copies into `status.version`. */
export type VersionStatus = Pick<
  ClusterVersionFacts,
  'desired' | 'history' | 'availableUpdates' | 'conditionalUpdates' | 'knownRisks'
>;

export interface HostedClusterFacts {
  readonly namespace: string;
  readonly name: string;
  readonly clusterId: string | null;
  readonly createdAt: string | null;
  readonly platform: string | null;
  readonly networkType: string | null;
  readonly channel: string | null;
  readonly updateService: string | null;
  /** Release that the HostedCluster asks for, and the one of its control plane alone; empty if unset. */
  readonly image: string;
  readonly controlPlaneImage: string;
  /** Image that an administrator forced; empty without the annotation. */
  readonly forcedImage: string;
  /** Time or `true`; empty if reconciliation is not paused. */
  readonly pausedUntil: string;
  readonly version: VersionStatus;
  /** Updates of the control plane alone, newest first; null before the field exists. */
  readonly controlPlaneHistory: readonly HistoryEntry[] | null;
  readonly conditions: readonly ClusterCondition[];
}

export interface NodePoolFacts {
  readonly namespace: string;
  readonly name: string;
  /** Name of its HostedCluster, in the same namespace. */
  readonly cluster: string;
  readonly replicas: number | null;
  /** `Replace` or `InPlace`. */
  readonly upgradeType: string;
  /** Nodes that are replaced or rebooted at once: a number, or a share such as `10%`. */
  readonly atOnce: number | string;
  readonly arch: string;
  readonly pausedUntil: string;
  /** Release of the pool; empty until its first nodes are there. */
  readonly version: string;
  /** Releases of its nodes, which differ during a rollout. */
  readonly nodeVersions: readonly {
    readonly version: string;
    readonly ready: number;
    readonly unready: number;
  }[];
  readonly conditions: readonly ClusterCondition[];
}
