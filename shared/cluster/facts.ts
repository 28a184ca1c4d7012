import type { Minor } from '../version/minor.ts';

/**
 * Facts from the output of `oc get … -o json`, as stored. A kind that was not sent is null; a kind without objects is
 * an empty list.
 */
export interface ClusterFacts {
  /** As sent by the client, else the newest time in the documents. */
  readonly collectedAt: string | null;
  readonly clusterVersion: ClusterVersionFacts | null;
  readonly clusterOperators: readonly ClusterOperatorFacts[] | null;
  readonly nodes: readonly NodeFacts[] | null;
  readonly pools: readonly PoolFacts[] | null;
  /** ClusterServiceVersions without copies. */
  readonly operators: readonly OperatorFacts[] | null;
  /** Subscriptions of OLM only; other APIs have a kind of that name. */
  readonly subscriptions: readonly SubscriptionFacts[] | null;
  /** Only removed APIs, by `removedInRelease` or by Cairn's table. */
  readonly apiUse: readonly ApiUseFacts[] | null;
  /** ConfigMap `admin-gates`, sorted by key. */
  readonly adminGates: readonly ConfigEntry[] | null;
  /** ConfigMap `admin-acks`, sorted by key. */
  readonly adminAcks: readonly ConfigEntry[] | null;
  readonly infrastructure: InfrastructureFacts | null;
  /** `OVNKubernetes`, `OpenShiftSDN`, …; null if the Network was not sent or has no type. */
  readonly networkType: string | null;
  /** Sorted by node; null if no pods were sent. */
  readonly podsPerNode: readonly NodePods[] | null;
}

export interface ClusterCondition {
  readonly type: string;
  /** `True`, `False`, `Unknown`, or any other text. */
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
  /** Components with `unmanaged: true`. */
  readonly unmanagedOverrides: readonly {
    readonly kind: string;
    readonly group: string;
    readonly namespace: string;
    readonly name: string;
  }[];
  /** Release being reconciled, which can differ from the last completed one. */
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
    readonly recommended: ClusterCondition | null;
  }[];
}

export interface ClusterOperatorFacts {
  readonly name: string;
  /** Part of the release. */
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
  /** Conditions of an unhealthy node: `Ready` not `True`, or a pressure or network condition that is `True`. */
  readonly problems: readonly ClusterCondition[];
  /** As reported: `v1.31.6`, `v1.21.0-rc.0+6143dea`, or any text. */
  readonly kubeletVersion: string;
  readonly containerRuntimeVersion: string;
  readonly osImage: string;
  readonly architecture: string;
  /** Annotations of the Machine Config Operator. */
  readonly machineConfig: {
    readonly current: string;
    readonly desired: string;
    readonly state: string;
    readonly reason: string;
  };
}

export interface NodePods {
  readonly node: string;
  /** Pods that a drain evicts. */
  readonly pods: number;
  /** Readiness of the etcd member on the node; absent without one. */
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
  /** A number, or a share such as `10%`; default 1. */
  readonly maxUnavailable: number | string;
  readonly nodeSelector: {
    readonly matchLabels: Readonly<Record<string, string>>;
    readonly matchExpressions: readonly LabelExpression[];
  };
  /** Rendered configuration that is desired, and that all machines have. */
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

/** Version limit of an operator, as written: `4.10`, not 4.1. */
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
  /** From labels, as `<package>.<namespace>`; truncated at 63 characters. */
  readonly components: readonly string[];
  /** Recorded by OLM, or the reason why it is unreadable; null if absent. */
  readonly properties: readonly DeclaredProperty[] | { readonly unreadable: string } | null;
  readonly declaredProperties: readonly DeclaredProperty[] | { readonly unreadable: string } | null;
}

export interface SubscriptionFacts {
  readonly namespace: string;
  readonly name: string;
  readonly package: string;
  /** Empty for the default channel of the package. */
  readonly channel: string;
  readonly source: string;
  readonly sourceNamespace: string;
  /** ClusterServiceVersion to start with; the following are the installed and the pending one. */
  readonly startingCsv: string;
  readonly installedCsv: string;
  readonly currentCsv: string;
}

export interface ApiUser {
  readonly username: string;
  readonly userAgent: string;
  readonly requests: number;
  readonly verbs: readonly string[];
  /** Hour of the day, 0 to 23, of the last request; null if the document has no hours. */
  readonly lastHour: number | null;
}

export interface ApiUseFacts {
  /** `ingresses.v1beta1.extensions` */
  readonly name: string;
  /** Kubernetes minor such as `1.22`; null if absent. */
  readonly removedInRelease: Minor | null;
  /** In the last 24 hours. */
  readonly requests: number;
  /** Summed over nodes and hours, most requests first; the cluster reports only the busiest users. */
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

/** Each kind can be reported separately. */
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
