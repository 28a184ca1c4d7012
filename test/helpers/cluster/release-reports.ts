import type {
  ClusterCondition,
  ClusterFacts,
  ClusterOperatorFacts,
  ConfigEntry,
  NodeFacts,
  NodePods,
} from '@cairn/shared/cluster/facts';
import { aClusterOperator, aCondition } from './clusters.ts';

/*
 * What the operators of a release report about the other documents of a cluster. Written from the specification, not
 * from the tables of the product, so that the two check each other.
 */

/** Position of the cluster's minor: 14 for 4.14, 23 for 5.0. */
export function ordinalOfCluster({ clusterVersion }: ClusterFacts): number {
  return ordinalOfVersion(clusterVersion!.desired.version);
}

export function ordinalOfVersion(version: string): number {
  const [major = 4, minor = 0] = version.split('.').map(Number);
  return major === 4 ? minor : 23 + minor;
}

/** `4.14` for 14, `5.0` for 23. */
export function minorName(ordinal: number): string {
  return ordinal < 23 ? `4.${ordinal}` : `5.${ordinal - 23}`;
}

/** All minors from 4.3 on. */
export function kubeletOf(ordinal: number): string {
  return `v1.${ordinal + 13}.6`;
}

export function isHostedCluster({ infrastructure }: ClusterFacts): boolean {
  return infrastructure?.controlPlaneTopology === 'External';
}

export function isMaster({ labels }: NodeFacts): boolean {
  return 'node-role.kubernetes.io/master' in labels;
}

/** Has a member of etcd. */
export function isMember(node: NodeFacts): boolean {
  return isMaster(node) || 'node-role.kubernetes.io/arbiter' in node.labels;
}

/** The build of vCenter is in no document; here the name of a volume says that it is old. */
export const VOLUME_ON_OLD_VCENTER = 'volume-on-old-vcenter';

interface Gate {
  readonly key: string;
  readonly holds: (facts: ClusterFacts) => boolean;
  /** Added by the Machine Config Operator, which hosted clusters do not have. */
  readonly isStandalone?: true;
}

const always = () => true;
const isOn = (facts: ClusterFacts, ...platforms: readonly string[]) =>
  platforms.includes(facts.infrastructure?.platform ?? '');
const hasOldVcenter = (facts: ClusterFacts) =>
  isOn(facts, 'VSphere') &&
  (facts.vsphereVolumes ?? []).some((name) => name.startsWith(VOLUME_ON_OLD_VCENTER));
const managers = (facts: ClusterFacts) => facts.machineConfiguration?.bootImageManagers ?? null;

/** The minor in a key is the one that cannot be left without it. */
const GATES: readonly Gate[] = [
  { key: 'ack-4.8-kube-1.22-api-removals-in-4.9', holds: always },
  { key: 'ack-4.11-kube-1.25-api-removals-in-4.12', holds: always },
  { key: 'ack-4.12-kube-1.26-api-removals-in-4.13', holds: always },
  { key: 'ack-4.12-kube-126-vsphere-migration-in-4.14', holds: hasOldVcenter },
  { key: 'ack-4.13-kube-1.27-api-removals-in-4.14', holds: always },
  { key: 'ack-4.13-kube-127-vsphere-migration-in-4.14', holds: hasOldVcenter },
  { key: 'ack-4.15-kube-1.29-api-removals-in-4.16', holds: always },
  {
    key: 'ack-4.15-route-config-not-supported-in-4.16',
    holds: ({ unservableRoutes }) => (unservableRoutes ?? []).length > 0,
  },
  { key: 'ack-4.18-kube-1.32-api-removals-in-4.19', holds: always },
  {
    key: 'ack-4.18-boot-image-opt-out-in-4.19',
    holds: (facts) => isOn(facts, 'AWS', 'GCP') && managers(facts) === null,
    isStandalone: true,
  },
  {
    key: 'ack-4.18-aarch64-bootloader-4.19',
    holds: ({ nodes }) => (nodes ?? []).some(({ architecture }) => architecture === 'arm64'),
    isStandalone: true,
  },
  {
    key: 'ack-4.18-gateway-api-management-in-4.19',
    holds: ({ customResources }) =>
      (customResources ?? []).some(({ group }) => /^gateway\.networking\.(x-)?k8s\.io$/.test(group)),
  },
  { key: 'ack-4.19-admissionregistration-v1beta1-api-removals-in-4.20', holds: always },
  {
    key: 'ack-4.20-sigstore-in-4.21',
    holds: ({ digestMirrorSets, contentSourcePolicies }) =>
      (digestMirrorSets ?? []).length + (contentSourcePolicies ?? []).length > 0,
    isStandalone: true,
  },
  {
    key: 'ack-4.21-boot-image-opt-out-in-4.22',
    holds: (facts) =>
      (isOn(facts, 'VSphere') ||
        (isOn(facts, 'Azure') && facts.infrastructure?.azureCloud !== 'AzureStackCloud')) &&
      !(managers(facts) ?? []).some(
        ({ resource, apiGroup }) => resource === 'machinesets' && apiGroup === 'machine.openshift.io',
      ),
    isStandalone: true,
  },
];

/** ConfigMap `admin-gates` of the release that the cluster runs. */
function gatesOf(facts: ClusterFacts): ConfigEntry[] {
  const prefix = `ack-${minorName(ordinalOfCluster(facts))}-`;
  return GATES.filter(
    ({ key, holds, isStandalone }) =>
      key.startsWith(prefix) && holds(facts) && !(isStandalone && isHostedCluster(facts)),
  )
    .map(({ key }) => ({ key, value: `Read https://example.com/${key}, then acknowledge.` }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Listed gates that nobody acknowledged. */
export function openGatesOf(facts: ClusterFacts): string[] {
  const acknowledged = new Set(
    (facts.adminAcks ?? []).filter(({ value }) => value === 'true').map(({ key }) => key),
  );
  return gatesOf(facts)
    .map(({ key }) => key)
    .filter((key) => !acknowledged.has(key));
}

/** Reason with which an operator refuses the next minor. */
export interface Refusal {
  readonly operator: string;
  readonly reason: string;
  readonly message: string;
}

const CONFIGURED_BY: Readonly<Record<string, string>> = {
  Authentication: 'authentication',
  Console: 'console',
  Etcd: 'etcd',
  KubeAPIServer: 'kube-apiserver',
  KubeControllerManager: 'kube-controller-manager',
  KubeScheduler: 'kube-scheduler',
};

export function isTrue(conditions: readonly ClusterCondition[], type: string): boolean {
  return conditions.some((each) => each.type === type && each.status === 'True');
}

/** One reason at a time, the first of these. */
function machineConfigReason(facts: ClusterFacts): string | null {
  const ordinal = ordinalOfCluster(facts);
  const { pools, nodes, imagePolicies, machineConfiguration, cgroupMode } = facts;
  if ((pools ?? []).some(({ conditions }) => isTrue(conditions, 'Degraded'))) return 'DegradedPool';
  if ((pools ?? []).some(({ conditions }) => isTrue(conditions, 'BuildInterrupted')))
    return 'InterruptedBuild';
  if (ordinal === 18 && cgroupMode === 'v1') return 'ClusterOnCgroupV1';
  if (ordinal === 18 && (nodes ?? []).some(({ labels }) => labels['node.openshift.io/os_id'] === 'rhel')) {
    return 'RHELNodes';
  }
  const isDefault = (facts.featureSet ?? '') === '';
  if (ordinal === 20 && isDefault && (imagePolicies ?? []).includes('openshift')) {
    return 'ConflictingClusterImagePolicy';
  }
  const skew = machineConfiguration?.bootImageSkew;
  const isOld = skew && skew.mode !== 'None' && ordinalOfVersion(skew.ocpVersion) < 13;
  return ordinal >= 22 && isOld ? 'ClusterBootImageSkewError' : null;
}

function networkReason(
  { configuredNetwork, networkMigration }: ClusterFacts,
  ordinal: number,
): string | null {
  if (ordinal >= 16 && ordinal <= 21 && configuredNetwork === 'OpenShiftSDN') return 'OpenShiftSDNConfigured';
  if (ordinal === 14 && configuredNetwork === 'Kuryr') return 'KuryrConfigured';
  return ordinal === 16 && networkMigration?.isInProgress ? 'NetworkMigrationInProgress' : null;
}

/** Most minors that a kubelet may be behind the API server of a release. */
function skewLimit(ordinal: number): number {
  return ordinal >= 23 ? [1, 2, 3][(ordinal - 23) % 3]! : ordinal % 2 === 0 ? 2 : 1;
}

export function kubeletMinor({ kubeletVersion }: NodeFacts): number {
  return Number(kubeletVersion.split('.')[1]);
}

function kubeletReason(facts: ClusterFacts): string | null {
  const ordinal = ordinalOfCluster(facts);
  const lags = (facts.nodes ?? []).map((node) => ordinal + 13 - kubeletMinor(node));
  const most = Math.max(0, ...lags);
  if (most > skewLimit(ordinal)) return 'KubeletMinorVersion_KubeletMinorVersionUnsupported';
  return most > 0 && most + 1 > skewLimit(ordinal + 1)
    ? 'KubeletMinorVersion_KubeletMinorVersionUnsupportedNextUpgrade'
    : null;
}

/** Credentials have to be prepared for the next minor. */
function credentialReason({ cloudCredential }: ClusterFacts, ordinal: number): string | null {
  if (cloudCredential?.mode !== 'Manual') return null;
  const prepared = cloudCredential.upgradeableTo.replace(/^v/, '');
  return prepared !== '' && ordinalOfVersion(prepared) > ordinal ? null : 'MissingUpgradeableAnnotation';
}

function isOutgrown({ operators }: ClusterFacts, ordinal: number): boolean {
  return (operators ?? []).some(({ properties }) =>
    (properties as readonly { readonly type: string; readonly value: string }[]).some(
      ({ type, value }) => type === 'olm.maxOpenShiftVersion' && ordinalOfVersion(value) <= ordinal,
    ),
  );
}

/** Everything that operators of the current release report against the next minor. */
export function refusalsOf(facts: ClusterFacts): Refusal[] {
  const ordinal = ordinalOfCluster(facts);
  const isStandalone = !isHostedCluster(facts);
  const hasAlphaSnapshots = (facts.customResources ?? []).some(
    ({ group, versions }) => group === 'snapshot.storage.k8s.io' && versions.includes('v1alpha1'),
  );
  const rows: readonly (readonly [operator: string, reason: string | null])[] = [
    ['config-operator', facts.featureSet === '' ? null : 'FeatureGates_RestrictedFeatureGates'],
    ...(facts.operatorConfigs ?? [])
      .filter(({ overrides }) => overrides.length > 0)
      .map(
        ({ kind }) =>
          [CONFIGURED_BY[kind]!, 'UnsupportedConfigOverrides_UnsupportedConfigOverridesSet'] as const,
      ),
    ['kube-apiserver', isStandalone ? kubeletReason(facts) : null],
    ['kube-apiserver', facts.certRotationBase === '' ? null : 'CertRotation_CertRotationBaseOverridden'],
    ['machine-config', isStandalone ? machineConfigReason(facts) : null],
    ['network', networkReason(facts, ordinal)],
    ['cloud-credential', isStandalone ? credentialReason(facts, ordinal) : null],
    ['storage', hasAlphaSnapshots && ordinal <= 13 ? 'VolumeSnapshotAlphaCRDs' : null],
    ['operator-lifecycle-manager', isOutgrown(facts, ordinal) ? 'IncompatibleOperatorsInstalled' : null],
  ];
  return rows.flatMap(([operator, reason]) =>
    reason === null ? [] : [{ operator, reason, message: `${operator} reports ${reason}` }],
  );
}

const STANDALONE = ['etcd', 'machine-config', 'machine-api', 'cloud-credential'];
const EVERYWHERE = [
  'authentication',
  'config-operator',
  'console',
  'image-registry',
  'ingress',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'monitoring',
  'network',
  'operator-lifecycle-manager',
  'storage',
];

function namesOf(facts: ClusterFacts): string[] {
  return [...EVERYWHERE, ...(isHostedCluster(facts) ? [] : STANDALONE)].toSorted();
}

/** No update completes without them. */
export const REQUIRED_POOLS = ['master', 'arbiter'];

/** Health that follows from nodes and pools: of etcd and of the Machine Config Operator. */
function derivedHealth(name: string, { nodes, pools }: ClusterFacts): ClusterCondition[] | null {
  const members = (nodes ?? []).filter(isMember);
  const ready = members.filter((node) => node.ready === 'True').length;
  if (name === 'etcd') {
    if (ready === members.length) return null;
    const message = `EtcdMembersDegraded: ${ready} of ${members.length} members are available`;
    const isLost = ready * 2 <= members.length;
    return [
      aCondition('Degraded', 'True', 'EtcdMembers_UnhealthyMembers', message),
      ...(isLost ? [aCondition('Available', 'False', 'EtcdMembers_NoQuorum', message)] : []),
    ];
  }
  if (name !== 'machine-config') return null;
  const isStuck = (pools ?? []).some(
    (pool) => REQUIRED_POOLS.includes(pool.name) && isTrue(pool.conditions, 'Degraded'),
  );
  return isStuck ? [aCondition('Degraded', 'True', 'RequiredPoolsFailed', 'a pool is degraded')] : [];
}

function operatorsOf(facts: ClusterFacts): ClusterOperatorFacts[] {
  const { version } = facts.clusterVersion!.desired;
  const refusals = refusalsOf(facts);
  return namesOf(facts).map((name) => {
    const own = facts.clusterOperators?.find((operator) => operator.name === name);
    const health =
      derivedHealth(name, facts) ??
      (own?.conditions ?? []).filter(({ type }) => type === 'Available' || type === 'Degraded');
    const against = refusals.filter(({ operator }) => operator === name);
    const upgradeable =
      against.length === 0
        ? []
        : [
            aCondition(
              'Upgradeable',
              'False',
              against.map(({ reason }) => reason).join('::'),
              against.map(({ message }) => message).join('\n'),
            ),
          ];
    const kubernetes = { name: 'kube-apiserver', version: kubeletOf(ordinalOfVersion(version)).slice(1) };
    const versions = [{ name: 'operator', version }, ...(name === 'kube-apiserver' ? [kubernetes] : [])];
    const made = aClusterOperator(name, [...health, ...upgradeable], { versions });
    const isSilent = own?.conditions.length === 0 && health.length === 0;
    return isSilent ? { ...made, conditions: upgradeable } : made;
  });
}

/** Reasons with which the cluster version refuses the next minor. */
export function reasonsAgainstMinor(facts: ClusterFacts): string[] {
  return [
    ...(facts.clusterVersion!.unmanagedOverrides.length > 0 ? ['ClusterVersionOverridesSet'] : []),
    ...openGatesOf(facts).map(() => 'AdminAckRequired'),
    ...refusalsOf(facts).map(({ reason }) => reason),
  ];
}

/** Pods of each node; the etcd member of a node is ready as the node is. */
function podsOf({ nodes }: ClusterFacts): NodePods[] {
  return (nodes ?? []).map((node) => ({
    node: node.name,
    pods: 20,
    ...(isMember(node) && { etcdReady: node.ready === 'True' }),
  }));
}

/** The same cluster with the ClusterOperators, gates and `Upgradeable` that its release reports for it. */
export function withReports(facts: ClusterFacts): ClusterFacts {
  const clusterVersion = facts.clusterVersion!;
  const [reason, second] = reasonsAgainstMinor(facts);
  const others = clusterVersion.conditions.filter(({ type }) => type !== 'Upgradeable' && type !== 'Failing');
  const upgradeable =
    reason === undefined
      ? []
      : [aCondition('Upgradeable', 'False', second === undefined ? reason : 'MultipleReasons', 'refused')];
  const operators = operatorsOf(facts);
  const broken = operators.filter(
    ({ conditions }) => !isTrue(conditions, 'Available') || isTrue(conditions, 'Degraded'),
  );
  // An update over a broken operator does not proceed.
  const isFailing = isTrue(others, 'Progressing') && broken.length > 0;
  const failing = isFailing
    ? [aCondition('Failing', 'True', 'ClusterOperatorDegraded', `${broken[0]!.name} is broken`)]
    : [];
  return {
    ...facts,
    clusterVersion: { ...clusterVersion, conditions: [...others, ...upgradeable, ...failing] },
    clusterOperators: operators,
    adminGates: gatesOf(facts),
    podsPerNode: facts.podsPerNode && podsOf(facts),
  };
}
