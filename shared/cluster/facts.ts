import type { Minor } from '../version/minor.ts';

/**
 * What is read of a cluster from the documents that `oc get … -o json` prints, and what is stored of it. A kind that was
 * not supplied is null; one that was supplied and holds nothing is an empty list.
 */
export interface ClusterFacts {
  /** When the documents were collected, as said by who sent them or else the newest time in them. */
  readonly collectedAt: string | null;
  readonly clusterVersion: ClusterVersionFacts | null;
  readonly clusterOperators: readonly ClusterOperatorFacts[] | null;
  readonly nodes: readonly NodeFacts[] | null;
  readonly pools: readonly PoolFacts[] | null;
  /** ClusterServiceVersions without copies. */
  readonly operators: readonly OperatorFacts[] | null;
  /** Of the operator lifecycle manager; other things that are called Subscription are not read. */
  readonly subscriptions: readonly SubscriptionFacts[] | null;
  /** Only APIs that go away: by `removedInRelease`, or by our table. */
  readonly apiUse: readonly ApiUseFacts[] | null;
  /** Of the ConfigMap `admin-gates`, in key order. */
  readonly adminGates: readonly ConfigEntry[] | null;
  /** Of the ConfigMap `admin-acks`, in key order. */
  readonly adminAcks: readonly ConfigEntry[] | null;
  readonly infrastructure: InfrastructureFacts | null;
  /** `OVNKubernetes`, `OpenShiftSDN`, …; null when the Network was not supplied or does not say. */
  readonly networkType: string | null;
  /** Per node, sorted by name; null when no pods were supplied. */
  readonly podsPerNode: readonly NodePods[] | null;
}

export interface ClusterCondition {
  readonly type: string;
  /** `True`, `False`, `Unknown`, or what else the cluster says. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string | null;
}

export const HISTORY_STATES = ['Completed', 'Partial'] as const;

export interface HistoryEntry {
  readonly state: (typeof HISTORY_STATES)[number];
  /** Empty for an image without a version. */
  readonly version: string;
  readonly image: string;
  readonly startedTime: string | null;
  readonly completionTime: string | null;
  readonly verified: boolean;
  readonly acceptedRisks: string;
}

export interface ClusterVersionFacts {
  readonly clusterId: string | null;
  readonly createdAt: string | null;
  readonly channel: string | null;
  readonly upstream: string | null;
  readonly desiredUpdate: {
    readonly version: string;
    readonly image: string;
    readonly force: boolean;
  } | null;
  /** Components that the cluster was told not to manage. */
  readonly unmanagedOverrides: readonly {
    readonly kind: string;
    readonly group: string;
    readonly namespace: string;
    readonly name: string;
  }[];
  /** What is being reconciled, which is not always what was last completed. */
  readonly desired: {
    readonly version: string;
    readonly image: string;
    readonly channels: readonly string[];
  };
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
  readonly conditions: readonly ClusterCondition[];
  readonly availableUpdates: readonly string[];
  readonly conditionalUpdates: readonly {
    readonly version: string;
    readonly risks: readonly string[];
    /** The condition `Recommended`; null when it is not there. */
    readonly recommended: ClusterCondition | null;
  }[];
}

export interface ClusterOperatorFacts {
  readonly name: string;
  /** Whether it is part of the release. */
  readonly platform: boolean;
  readonly conditions: readonly ClusterCondition[];
  readonly versions: readonly { readonly name: string; readonly version: string }[];
}

export interface NodeFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: string | null;
  readonly unschedulable: boolean;
  readonly ready: string | null;
  /** Conditions of an unhealthy node: `Ready` that is not `True`, and pressure or a missing network that is. */
  readonly problems: readonly ClusterCondition[];
  /** As the node says it: `v1.31.6`, `v1.21.0-rc.0+6143dea`, or anything. */
  readonly kubeletVersion: string;
  readonly containerRuntimeVersion: string;
  readonly osImage: string;
  readonly architecture: string;
  /** What the machine-config operator notes on the node. */
  readonly machineConfig: {
    readonly current: string;
    readonly desired: string;
    readonly state: string;
    readonly reason: string;
  };
}

export interface NodePods {
  readonly node: string;
  /** Pods that a drain moves. */
  readonly pods: number;
  /** Whether the etcd member on the node is ready; missing where none runs. */
  readonly etcdReady?: boolean;
}

export interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface PoolFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly paused: boolean;
  /** A number, or a share such as `10%`; 1 when the pool does not say. */
  readonly maxUnavailable: number | string;
  readonly nodeSelector: {
    readonly matchLabels: Readonly<Record<string, string>>;
    readonly matchExpressions: readonly LabelExpression[];
  };
  /** Names of the rendered configuration that is wanted and that all machines have. */
  readonly configuration: { readonly wanted: string; readonly current: string };
  readonly machines: {
    readonly total: number;
    readonly updated: number;
    readonly ready: number;
    readonly unavailable: number;
    readonly degraded: number;
  };
  readonly conditions: readonly ClusterCondition[];
}

/** A version limit that an operator declares: as written, with numbers as they stand in the text (`4.10`, not 4.1). */
export interface DeclaredProperty {
  readonly type: string;
  readonly value: string;
}

export interface OperatorFacts {
  readonly namespace: string;
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly minKubeVersion: string;
  readonly phase: string;
  /** What it is labelled to be part of, as `<package>.<namespace>`; cut at 63 characters. */
  readonly components: readonly string[];
  /** What the installer of operators wrote down, or why it cannot be read; null when it is not there. */
  readonly properties: readonly DeclaredProperty[] | { readonly unreadable: string } | null;
  /** What the author declared. */
  readonly declaredProperties: readonly DeclaredProperty[] | { readonly unreadable: string } | null;
}

/** What keeps an operator installed, and from which catalog. */
export interface SubscriptionFacts {
  readonly namespace: string;
  readonly name: string;
  readonly package: string;
  /** Empty for the default channel of the package. */
  readonly channel: string;
  /** The CatalogSource. */
  readonly source: string;
  readonly sourceNamespace: string;
  /** Names of ClusterServiceVersions: the first to install, the one that is, and the one that is to be. */
  readonly startingCsv: string;
  readonly installedCsv: string;
  readonly currentCsv: string;
}

export interface ApiUser {
  readonly username: string;
  readonly userAgent: string;
  readonly requests: number;
  readonly verbs: readonly string[];
  /** The hour of the day, 0 to 23, in which it was last seen; null when the document does not tell hours. */
  readonly lastHour: number | null;
}

export interface ApiUseFacts {
  /** `ingresses.v1beta1.extensions` */
  readonly name: string;
  /** A Kubernetes minor such as `1.22`; null when the document does not say. */
  readonly removedInRelease: Minor | null;
  /** Of the last 24 hours. */
  readonly requests: number;
  /** Summed over nodes and hours, the most requests first; the cluster reports only the busiest. */
  readonly users: readonly ApiUser[];
}

export interface ConfigEntry {
  readonly key: string;
  readonly value: string;
}

export interface InfrastructureFacts {
  readonly platform: string | null;
  /** `HighlyAvailable`, `SingleReplica`, `External`, … */
  readonly controlPlaneTopology: string | null;
}

/** What is read of a cluster, by kind: each may be reported on its own. */
export const REPORTED_KINDS = [
  'clusterVersion',
  'clusterOperators',
  'nodes',
  'pools',
  'operators',
  'subscriptions',
  'apiUse',
  'adminGates',
  'adminAcks',
  'infrastructure',
  'networkType',
  'podsPerNode',
] as const satisfies readonly Exclude<keyof ClusterFacts, 'collectedAt'>[];
export type ReportedKind = (typeof REPORTED_KINDS)[number];
