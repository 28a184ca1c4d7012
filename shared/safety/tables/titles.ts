import type { Condition } from '../condition.ts';

/** What a type is about, and its title if all is well. */
export const TYPE_TITLES: Readonly<Record<string, readonly [subject: string, expected: string]>> = {
  PathExists: ['Update path', 'An update path exists'],
  HopSizeSupported: ['Size of the hop', 'The hop has a supported size'],
  NotRollback: ['Direction of the hop', 'The hop leads to a newer version'],
  NoUpdateInProgress: ['Current update', 'No other update is in progress'],
  KubeletMinorVersionUpgradeable: ['Kubelet versions', 'Kubelets are recent enough'],
  OperatorsCompatible: ['Installed operators', 'Installed operators support the target'],
  APIRemovals: ['Removed APIs', 'No removed API is in use'],
  AdminAcksCompleted: ['Acknowledgements', 'Nothing is left to acknowledge'],
  OverridesUnset: ['Overrides', 'No overrides are set'],
  ForwardGuards: ['Configuration', 'The configuration fits later minors'],
  ClusterOperatorsUpgradeable: ['Cluster operators', 'Cluster operators allow the update'],
  ClusterOperatorsHealthy: ['Operator health', 'Cluster operators are healthy'],
  PoolsReady: ['Machine config pools', 'Machine config pools are ready'],
  NodeComponentsAligned: ['Node components', 'Nodes run the same components'],
  PathRecommended: ['Recommendation', 'The update is recommended'],
  SupportedTarget: ['Support of the target', 'The target is supported'],
  NodesHealthy: ['Nodes', 'Nodes are healthy'],
  EtcdHealthy: ['etcd', 'etcd is healthy'],
  CertificateRequestsApproved: ['Certificate requests', 'No certificate request is pending'],
  DrainsPossible: ['Node drains', 'Nodes can be drained'],
  MachineHealthChecks: ['Machine health checks', 'No health check interferes'],
  AlertsQuiet: ['Alerts', 'No relevant alert is firing'],
  ExtensionsCompatible: ['Extensions', 'Extensions support the target'],
  CurrentVersionAllowed: ['Current version', 'The current version is allowed'],
  HostedSkew: ['Node pool versions', 'Node pools are recent enough'],
  HostedClusterReady: ['Hosted cluster', 'The hosted cluster is ready'],
  ReportedUpgradeable: ['Report of the cluster', 'The cluster allows the update'],
  SnapshotFresh: ['Age of the documents', 'The documents are recent'],
  Upgradeable: ['Next minor', 'The update is allowed'],
};

/** Of types whose reasons are written by operators or clusters. */
const REFUSALS: Readonly<Record<string, string>> = {
  ClusterOperatorsUpgradeable: 'An operator blocks minor updates',
  ReportedUpgradeable: 'The cluster blocks minor updates',
  ClusterOperatorsHealthy: 'The cluster refused the update',
  HostedClusterReady: 'The hosted cluster reports a problem',
};

/** Reasons of several types: the title starts with the subject. */
export const SHARED_REASONS: Readonly<Record<string, string>> = {
  InputMissing: 'documents are missing',
  NotChecked: 'not checked',
  NoNodes: 'the list of nodes is empty',
  InvalidCurrentVersion: 'current version is not readable',
  AfterPreviousHop: 'check again after the previous hop',
  NotApplicableHosted: 'does not apply to hosted clusters',
  MultipleReasons: 'several findings',
};

/** By reason. Identifiers are for programs; people read these. */
export const REASON_TITLES: Readonly<Record<string, string>> = {
  // Path
  invalid_order: 'The target is older than the cluster',
  channel_unknown: 'The channel is not known',
  channel_empty: 'The channel has no releases',
  arch_unavailable: 'No releases for this architecture',
  source_not_in_channel: 'The current version is not in the channel',
  target_not_in_channel: 'The target is not in the channel',
  no_recommended_path: 'No recommended path',
  risks_not_accepted: 'The only paths have risks',
  source_has_no_updates: 'The current version has no updates',
  disconnected: 'No path leads to the target',
  ConditionalUpdateRisk: 'The update has known risks',
  RiskApplies: 'A known risk applies to the cluster',
  UnknownUpdate: 'The update is not in the graph',
  NoChannel: 'The cluster has no channel',
  CannotRetrieveUpdates: 'The cluster cannot retrieve updates',
  NotReachedYet: 'To be checked when the cluster gets there',
  // Versions
  MultipleMinorVersionsUpdate: 'The hop skips a minor',
  MajorVersionUpdate: 'The hop skips a major version',
  PeerWouldRefuse: 'The cluster may refuse this hop',
  InvalidDesiredVersion: 'The target is not a version',
  RollbackToPrevious: 'The hop returns to the previous version',
  LowDesiredVersion: 'The target is older than the cluster',
  MinorUpdateIncomplete: 'The last minor update never completed',
  UpdateInProgress: 'An update is in progress',
  MinorVersionClusterUpdateInProgress: 'A minor update is in progress',
  MajorVersionClusterUpdateInProgress: 'A major update is in progress',
  NoHistory: 'The update history is empty',
  PartialSuperseded: 'A past update did not complete',
  MinorSkippedIncomplete: 'A past minor never completed',
  PastForcedUpdate: 'A past update was forced',
  TargetUnsupported: 'Target is out of support',
  StopAtUnsupportedMinor: 'Passes through an unsupported minor',
  CurrentVersionExcluded: 'The current version is excluded',
  SnapshotStale: 'The documents are old',
  // Kubelets and nodes
  KubeletMinorVersionsSynced: 'Kubelets are at the version of the cluster',
  KubeletMinorVersionSupportedNextUpgrade: 'Kubelets are recent enough',
  KubeletMinorVersionPlannedRoll: 'Workers are rolled first, as planned',
  KubeletMinorVersionUnsupportedNextUpgrade: 'Kubelets are too old for the hop',
  KubeletMinorVersionUnsupported: 'Kubelets are too old',
  KubeletMinorVersionAhead: 'Kubelets are newer than the cluster',
  KubeletVersionUnknown: 'A kubelet version is not readable',
  KubeletBeyondKubernetesPolicy: 'Kubelets are older than Kubernetes allows',
  RuntimeSkew: 'Nodes run different container runtimes',
  OSImageDrift: 'Nodes run different operating systems',
  ControlPlaneMajorityNotReady: 'Most control plane nodes are not ready',
  ControlPlaneNodeNotReady: 'A control plane node is not ready',
  NoControlPlaneNodes: 'No control plane node was sent',
  ControlPlaneCountUnusual: 'Unusual number of control plane nodes',
  NodeNotReady: 'Worker nodes are not ready',
  NodePressure: 'Nodes are short of memory or disk',
  NodeCordoned: 'Nodes are cordoned',
  PendingNodeCertificates: 'Nodes wait for certificates',
  PendingCertificates: 'Other certificate requests are pending',
  // Control plane and pools
  EtcdUnavailable: 'etcd is not healthy',
  EtcdDegraded: 'etcd is not healthy',
  EtcdMembersNotReady: 'etcd is not healthy',
  EtcdNotReported: 'The state of etcd is not known',
  EtcdUnknown: 'The state of etcd is not known',
  CoreOperatorUnavailable: 'A core operator is unavailable',
  ClusterOperatorsNotUpgradeable: 'Operators block minor updates',
  ClusterOperatorsUnavailable: 'Operators are unavailable',
  ClusterOperatorsUnknown: 'The state of operators is not known',
  ClusterOperatorsDegraded: 'Operators are degraded',
  ClusterOperatorsSlow: 'Operators are slow to update',
  NoPools: 'The list of machine config pools is empty',
  NoControlPlanePool: 'No control plane pool was sent',
  NoClusterOperators: 'The list of cluster operators is empty',
  Failing: 'The current update is failing',
  UpdateFailing: 'The current update is failing',
  UpdateInvalid: 'The requested update is not valid',
  UpdateRefused: 'The cluster refused the update',
  InvalidClusterVersion: 'The cluster version is invalid',
  NotUpgradeable: 'The cluster blocks minor updates',
  PoolDegraded: 'Machine config pool is degraded',
  ControlPlanePoolPaused: 'The control plane pool is paused',
  PoolPausedOutdated: 'A paused pool is outdated',
  PoolUpdating: 'Pool is still updating',
  PoolPaused: 'A pool is paused',
  // Drains, health checks, alerts
  BudgetNeverAllows: 'A disruption budget blocks draining',
  BudgetAllowsNoneNow: 'A disruption budget has no room now',
  BudgetAllowsNone: 'A disruption budget may block draining',
  PodInTwoBudgets: 'Pods under two budgets cannot be evicted',
  VirtualMachineCannotMigrate: 'Virtual machines cannot migrate',
  UnownedPods: 'Pods without an owner are lost on drain',
  SingleReplica: 'Workloads with one replica',
  SingleNodeOutage: 'The only node is down while it reboots',
  HealthChecksActive: 'Pause machine health checks',
  HealthCheckLeftPaused: 'A health check was left paused',
  CriticalAlertsFiring: 'Critical alerts are firing',
  BudgetAlertsFiring: 'Disruption budget alerts are firing',
  ImagePullAlertsFiring: 'Alerts about waiting containers are firing',
  NodeAlertsFiring: 'Node alerts are firing',
  PrecheckAlertsFiring: 'Alerts to check before updates are firing',
  VirtualizationAlertsFiring: 'Virtualization alerts are firing',
  // Operators and APIs
  IncompatibleOperatorsInstalled: 'Installed operators do not fit',
  MinKubeVersionNotMet: 'An operator needs a newer Kubernetes',
  OperatorsUnverified: 'Operators declare no limit',
  DeclaredMaxDiffers: 'Declared limits of an operator differ',
  OperatorsSkipped: 'Operators are being replaced',
  ErrorCheckingOperatorCompatibility: 'Limits of an operator are not readable',
  ExtensionLimitsUnknown: 'Extension limits are not known',
  ExtensionDeprecated: 'An extension is deprecated',
  ExtensionNotReady: 'An extension is not ready',
  FailureGettingExtensionMetadata: 'Extension limits cannot be read',
  NoRemovedAPIsInUse: 'No removed API is in use',
  APIRemovedInNextReleaseInUse: 'Clients use an API that the hop removes',
  APIRemovedInLaterReleaseInUse: 'Clients use an API that is removed later',
  AcknowledgedButInUse: 'A removed API is acknowledged, but in use',
  AlreadyRemoved: 'Clients use an API that is gone',
  APIRemovedBeyondTarget: 'Clients use an API that goes after the target',
  RemovalsOnPath: 'The path removes APIs',
  // Gates and guards
  AdminAckRequired: 'Acknowledgement required',
  AdminAckExpected: 'Acknowledgement expected',
  AdminAckCannotTell: 'Acknowledgement may be required',
  AdminAckConfigMapGateNameError: 'The name of a gate is not valid',
  AdminAckConfigMapGateValueError: 'A gate has no description',
  ClusterVersionOverridesSet: 'Components are unmanaged',
  PeerBlocksPatchWithOverrides: 'Overrides may block patches',
  RestrictedFeatureGates: 'Feature set rules out minor updates',
  UnsupportedConfigOverridesSet: 'Unsupported overrides are set',
  CertRotationBaseOverridden: 'Certificate rotation is overridden',
  ResourceDeletesInProgress: 'Resources are being deleted',
  MissingUpgradeableAnnotation: 'Manual credentials not prepared',
  SigstoreSignaturesNeeded: 'Mirror needs release signatures',
  ConflictingClusterImagePolicy: 'Image policy "openshift" conflicts',
  ClusterOnCgroupV1: 'Nodes use cgroup v1',
  RHELNodes: 'RHEL workers are not supported from 4.19',
  OpenShiftSDNConfigured: 'OpenShift SDN is removed',
  KuryrConfigured: 'Kuryr is removed',
  NetworkMigrationInProgress: 'A network migration is in progress',
  ClusterBootImageSkewError: 'Boot images are too old',
  BootImageSkewExpected: 'Boot images may be too old',
  RuncConfigured: 'runc is gone in RHEL 10',
  SELinuxMountIncompatibleWorkloads: 'Workloads conflict with SELinuxMount',
  VSphereOlderVersionDetected: 'vSphere is too old',
  DegradedPool: 'Machine config pool is degraded',
  InterruptedBuild: 'A layered image build was interrupted',
  VolumeSnapshotAlphaCRDs: 'Alpha volume snapshots are installed',
  EtcdRecentBackup: 'The cluster backs up etcd first',
  CapabilitiesImplicitlyEnabled: 'More components become optional',
  // Hosted control planes
  NodePoolTooOld: 'Node pool version does not fit',
  NodePoolTooOldAfterHop: 'Node pool version does not fit',
  NodePoolNewer: 'Node pool version does not fit',
  SupportedVersionSkew: 'Node pool version does not fit',
  TargetNotSupportedByOperator: 'The hosting operator lacks the target',
  ReconciliationPaused: 'Reconciliation is paused',
  EtcdAvailable: 'etcd is not available',
  KubeAPIServerAvailable: 'The API server is not available',
  ValidReleaseImage: 'The release image is not valid',
  ValidConfiguration: 'The configuration is not valid',
  SupportedHostedCluster: 'The hosted cluster is not supported',
  ClusterVersionFailing: 'The current update is failing',
  AllMachinesReady: 'Machines of node pools are not ready',
  AllNodesHealthy: 'Nodes of node pools are not healthy',
  UpdatingVersion: 'Node pools are still updating',
  SpareCapacityNeeded: 'Node pools need spare capacity',
};

/** What a condition type is about. */
export function subjectOf(type: string): string {
  return own(TYPE_TITLES, type)?.[0] ?? type;
}

/** At most 60 characters, without identifiers. A reason of an operator gets the title of the type. */
export function titleOf({ type, reason, status }: Pick<Condition, 'type' | 'reason' | 'status'>): string {
  const subject = subjectOf(type);
  if (reason === 'AsExpected' && status === 'True') return own(TYPE_TITLES, type)?.[1] ?? subject;
  const shared = own(SHARED_REASONS, reason);
  if (shared !== undefined) return `${subject}: ${shared}`;
  // A setting that is not known is not yet a problem.
  if (type === 'ForwardGuards' && status === 'Unknown')
    return `${subject}: ${SHARED_REASONS['InputMissing']}`;
  const refusal = status === 'True' ? undefined : own(REFUSALS, type);
  return own(REASON_TITLES, reason) ?? refusal ?? subject;
}

/** Reasons are untrusted: `constructor` has no title. */
function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
