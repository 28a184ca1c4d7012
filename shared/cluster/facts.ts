import type { Minor } from '../version/minor.ts';
import type {
  CloudCredentialFacts,
  ConfigEntry,
  ConfigReleaseFacts,
  CustomResourceFacts,
  InfrastructureFacts,
  MachineConfigFacts,
  MachineConfigurationFacts,
  MirrorSetFacts,
  NetworkMigrationFacts,
  OperatorConfigFacts,
  RouteFacts,
  RuntimeConfigFacts,
} from './configuration.ts';
import type { CatalogFacts, DeclaredProperties, ExtensionFacts, ObjectSetFacts } from './extension-facts.ts';
import type { HostedClusterFacts, NodePoolFacts } from './hosted/facts.ts';
import type { Labels, LabelSelector } from './labels.ts';
import type {
  ContainerImagesFacts,
  InstallerFacts,
  ObjectCountsFacts,
  ProxyFacts,
  RiskAnswerFacts,
} from './risk-inputs/facts.ts';
import type { ClusterCondition, ClusterVersionFacts, HistoryEntry } from './version-facts.ts';
import type {
  AlertFacts,
  BudgetFacts,
  CertificateRequestFacts,
  HealthCheckFacts,
  PodGroupFacts,
  VirtualMachineFacts,
  WorkloadFacts,
} from './workloads.ts';

export type { ConfigEntry, InfrastructureFacts } from './configuration.ts';
export type { ClusterCondition, ClusterVersionFacts, HistoryEntry, KnownRisk } from './version-facts.ts';

/**
 * Facts from the output of `oc get … -o json`, as stored. A kind that was not sent is null; a kind without objects is
 * an empty list.
 */
export interface ClusterFacts {
  /** As sent by the client, else the newest time in the documents. */
  readonly collectedAt: string | null;
  /** Lists that have all objects of the cluster: a list of one namespace, or one page of a list, has not. */
  readonly completeLists: readonly ListedKind[];
  readonly clusterVersion: ClusterVersionFacts | null;
  /** ClusterOperators, nodes, pools and alerts are in the order of the documents, other kinds by name. */
  readonly clusterOperators: readonly ClusterOperatorFacts[] | null;
  readonly nodes: readonly NodeFacts[] | null;
  readonly pools: readonly PoolFacts[] | null;
  /** ClusterServiceVersions without copies. */
  readonly operators: readonly OperatorFacts[] | null;
  /** Subscriptions of OLM only; other APIs have a kind of that name. */
  readonly subscriptions: readonly SubscriptionFacts[] | null;
  /** ClusterExtensions and ClusterCatalogs of OLM v1. */
  readonly extensions: readonly ExtensionFacts[] | null;
  readonly catalogs: readonly CatalogFacts[] | null;
  /** Only active ClusterObjectSets of ClusterExtensions. */
  readonly objectSets: readonly ObjectSetFacts[] | null;
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
  /** ImageDigestMirrorSets, ImageTagMirrorSets and the older ImageContentSourcePolicies. */
  readonly digestMirrorSets: readonly MirrorSetFacts[] | null;
  readonly tagMirrorSets: readonly MirrorSetFacts[] | null;
  readonly contentSourcePolicies: readonly MirrorSetFacts[] | null;
  readonly machineConfiguration: MachineConfigurationFacts | null;
  /** Only of the API groups in `WATCHED_GROUPS`. */
  readonly customResources: readonly CustomResourceFacts[] | null;
  /** Only routes that a router of the next minor rejects. */
  readonly unservableRoutes: readonly RouteFacts[] | null;
  /** Names of PersistentVolumes of the in-tree vSphere plugin. */
  readonly vsphereVolumes: readonly string[] | null;
  /** `v1`, `v2`, or empty for the default. */
  readonly cgroupMode: string | null;
  /** `TechPreviewNoUpgrade`, …; empty for the default. */
  readonly featureSet: string | null;
  readonly cloudCredential: CloudCredentialFacts | null;
  /** ConfigMap `openshift-install`, and the one of an installation from manifests. */
  readonly installer: InstallerFacts | null;
  readonly installerManifests: InstallerFacts | null;
  readonly proxy: ProxyFacts | null;
  /** Of the Deployment `image-registry`. */
  readonly registryReplicas: number | null;
  readonly objectCounts: ObjectCountsFacts | null;
  readonly containerImages: ContainerImagesFacts | null;
  /** Sorted by query. */
  readonly riskAnswers: readonly RiskAnswerFacts[] | null;
  /** Network type that the network operator is configured for. */
  readonly configuredNetwork: string | null;
  readonly networkMigration: NetworkMigrationFacts | null;
  readonly runtimeConfigs: readonly RuntimeConfigFacts[] | null;
  /** Only MachineConfigs that set the container runtime. */
  readonly machineConfigs: readonly MachineConfigFacts[] | null;
  /** Only rendered MachineConfigs, which name their release. */
  readonly configReleases: readonly ConfigReleaseFacts[] | null;
  /** Image of the Machine Config Operator, from its Deployment. */
  readonly machineConfigImage: string | null;
  /** `True`, `False`, `Unknown`; empty if the ConfigMap does not exist. */
  readonly selinuxConflicts: string | null;
  /** Overridden base of certificate rotation; empty if it is not overridden. */
  readonly certRotationBase: string | null;
  /** Names of ClusterImagePolicies. */
  readonly imagePolicies: readonly string[] | null;
  /** One for each kind of operator configuration that was sent. */
  readonly operatorConfigs: readonly OperatorConfigFacts[] | null;
  readonly budgets: readonly BudgetFacts[] | null;
  /** Pods that a drain evicts, grouped by labels and owner. */
  readonly drainedPods: readonly PodGroupFacts[] | null;
  /** Deployments and StatefulSets with one replica, without those of the platform. */
  readonly singleReplicas: readonly WorkloadFacts[] | null;
  /** Only virtual machines that block the drain of their node. */
  readonly virtualMachines: readonly VirtualMachineFacts[] | null;
  readonly healthChecks: readonly HealthCheckFacts[] | null;
  /** Only pending requests. */
  readonly certificateRequests: readonly CertificateRequestFacts[] | null;
  /** Without pending alerts. */
  readonly alerts: readonly AlertFacts[] | null;
  /** Of a management cluster. */
  readonly hostedClusters: readonly HostedClusterFacts[] | null;
  readonly nodePools: readonly NodePoolFacts[] | null;
  /** Minors of hosted clusters that the HyperShift operator supports. */
  readonly hostedVersions: readonly string[] | null;
  /** Only MicroShift has it. */
  readonly microshiftVersion: string | null;
}

export const HISTORY_STATES = ['Completed', 'Partial'] as const satisfies readonly HistoryEntry['state'][];

export interface ClusterOperatorFacts {
  readonly name: string;
  /** Part of the release. */
  readonly platform: boolean;
  readonly conditions: readonly ClusterCondition[];
  readonly versions: readonly { readonly name: string; readonly version: string }[];
}

export interface NodeFacts {
  readonly name: string;
  readonly labels: Labels;
  readonly createdAt: string | null;
  readonly unschedulable: boolean;
  readonly ready: string | null;
  /**
   * Conditions of an unhealthy node, in the order of the document: `Ready` not `True`, `DiskPressure` or
   * `NetworkUnavailable` not `False`, another pressure `True`.
   */
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
  } & RolloutFacts;
}

/** Annotations of a node during a rollout; absent without the annotation. */
export const ROLLOUT_KEYS = ['desiredDrain', 'lastAppliedDrain', 'currentImage', 'desiredImage'] as const;
export type RolloutFacts = { readonly [Key in (typeof ROLLOUT_KEYS)[number]]?: string };

export interface NodePods {
  readonly node: string;
  /** Pods that a drain evicts. */
  readonly pods: number;
  /** Readiness of the etcd member on the node; absent without one. */
  readonly etcdReady?: boolean;
}

export interface PoolFacts {
  readonly name: string;
  readonly labels: Labels;
  readonly paused: boolean;
  /** A number, or a share such as `10%`; default 1. */
  readonly maxUnavailable: number | string;
  readonly nodeSelector: LabelSelector;
  /** Operating system stream, such as `rhel-10`; absent for the default. */
  readonly osImageStream?: string;
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

export interface OperatorFacts {
  readonly namespace: string;
  readonly name: string;
  readonly displayName: string;
  readonly version: string;
  readonly minKubeVersion: string;
  readonly phase: string;
  /** Why it has this phase; absent if the operator does not say. */
  readonly reason?: string;
  /** From labels, as `<package>.<namespace>`; truncated at 63 characters. */
  readonly components: readonly string[];
  /** Recorded by OLM. */
  readonly properties: DeclaredProperties;
  readonly declaredProperties: DeclaredProperties;
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

/** Each kind can be reported separately. */
export const REPORTED_KINDS = [
  'clusterVersion',
  'clusterOperators',
  'nodes',
  'pools',
  'operators',
  'subscriptions',
  'extensions',
  'catalogs',
  'objectSets',
  'apiUse',
  'adminGates',
  'adminAcks',
  'infrastructure',
  'networkType',
  'podsPerNode',
  'digestMirrorSets',
  'tagMirrorSets',
  'contentSourcePolicies',
  'machineConfiguration',
  'customResources',
  'unservableRoutes',
  'vsphereVolumes',
  'cgroupMode',
  'featureSet',
  'cloudCredential',
  'installer',
  'installerManifests',
  'proxy',
  'registryReplicas',
  'objectCounts',
  'containerImages',
  'riskAnswers',
  'configuredNetwork',
  'networkMigration',
  'runtimeConfigs',
  'machineConfigs',
  'configReleases',
  'machineConfigImage',
  'selinuxConflicts',
  'certRotationBase',
  'imagePolicies',
  'operatorConfigs',
  'budgets',
  'drainedPods',
  'singleReplicas',
  'virtualMachines',
  'healthChecks',
  'certificateRequests',
  'alerts',
  'hostedClusters',
  'nodePools',
  'hostedVersions',
  'microshiftVersion',
] as const satisfies readonly Exclude<keyof ClusterFacts, 'collectedAt' | 'completeLists'>[];
export type ReportedKind = (typeof REPORTED_KINDS)[number];

/** Kinds of which it matters whether there are others. */
export const LISTED_KINDS = [
  'clusterOperators',
  'nodes',
  'operators',
] as const satisfies readonly ReportedKind[];
export type ListedKind = (typeof LISTED_KINDS)[number];

/** Facts of a cluster that sent no documents. */
export const NO_FACTS: ClusterFacts = {
  collectedAt: null,
  completeLists: [],
  ...(Object.fromEntries(REPORTED_KINDS.map((kind) => [kind, null])) as Readonly<Record<ReportedKind, null>>),
};
