import { Random } from '../random.ts';
import { drawMeasured } from './measured.ts';
import type { TrueSeries } from './true-series.ts';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
}

export interface WorldNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface WorldOperator {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly phase: string;
  readonly isCopy: boolean;
}

export interface WorldPod {
  readonly namespace: string;
  readonly name: string;
  readonly phase: string;
  /** Image that runs, and the one of the spec; a pending pod has no status of its containers. */
  readonly image: string | null;
  readonly wantedImage: string;
}

/** All of a drawn cluster that a risk can ask for. */
export interface World {
  readonly seed: number;
  /** Null without `platformStatus`. */
  readonly platform: string | null;
  readonly topology: 'HighlyAvailable' | 'SingleReplica' | 'External';
  /** Newest first. */
  readonly history: readonly { readonly version: string; readonly state: 'Completed' | 'Partial' }[];
  readonly desired: string;
  readonly capabilities: { readonly known: readonly string[]; readonly enabled: readonly string[] } | null;
  readonly conditions: readonly Condition[];
  readonly clusterOperators: readonly { readonly name: string; readonly conditions: readonly Condition[] }[];
  readonly operators: readonly WorldOperator[];
  readonly hasLifecycleManager: boolean;
  readonly nodes: readonly WorldNode[];
  /** Releases before 4.14 may export only some labels of nodes. */
  readonly exportsAllLabels: boolean;
  readonly installer: {
    readonly type: 'openshift-install' | 'other' | null;
    readonly version?: string;
    readonly invoker?: string;
  };
  readonly featureSet: string;
  readonly proxy: { readonly http: boolean; readonly https: boolean; readonly trustedCa: boolean };
  readonly credentialsMode: string;
  /** Number of objects of each resource that is served. */
  readonly objects: Readonly<Record<string, number>>;
  readonly cloudConfigMaps: readonly string[];
  readonly registryReplicas: number | null;
  readonly pods: readonly WorldPod[];
  /** Metrics that no document shows. */
  readonly measured: readonly TrueSeries[];
  /** Metrics of a hosted cluster that another store has. */
  readonly gone: readonly string[];
}

export const PLATFORMS = [
  ...['AWS', 'AWS', 'Azure', 'Azure', 'GCP', 'VSphere', 'VSphere', 'OpenStack', 'BareMetal', 'BareMetal'],
  ...['None', 'None', 'Nutanix', 'oVirt', 'Libvirt', 'External', 'KubeVirt', 'IBMCloud', 'PowerVS'],
  ...['AlibabaCloud', 'EquinixMetal'],
];
const CAPABILITIES = [
  ...['Build', 'CSISnapshot', 'Console', 'ImageRegistry', 'NodeTuning', 'OperatorLifecycleManager'],
  ...['Storage', 'baremetal', 'marketplace', 'openshift-samples'],
];
const OPERATOR_NAMES = [
  ...['sriov-network-operator.v4.14.0-202401151553', 'numaresources-operator.v4.15.2'],
  ...['kernel-module-management.v2.0.1', 'kernel-module-management-hub.v2.0.1'],
  ...['kernel-module-management.hub.v2.1.0', 'nvidia-gpu-addon-operator.v0.4', 'amd-gpu-operator.v1.1.0'],
  ...['operator-for-ai-chips-on-aws.v0.1', 'gpu-operator-certified.v23.9.1', 'habana-ai-operator.v1.10.0'],
  ...['habana-ai-operator', 'intel-device-plugins-operator.v0.29.0', 'intel-device-plugins-operator'],
  ...['kubevirt-hyperconverged-operator.v4.14.3', 'metallb-operator.v4.14.0-202310201027'],
  ...['ptp-operator.v4.16.0-202409051837', 'ptp-operator.v4.16.0-202604020000'],
  ...['ptp-operator.v4.20.0-20261105', 'ptp-operator.v4.16.0-x', 'local-storage-operator.v4.14.0-2023'],
  ...['my-sriov-network-operator.v1.0.0', 'sriov-network-operator', 'xgpu-operator-certified.v1'],
  ...['metallb-operatorXv4', 'cluster-logging.v5.8.1', 'elasticsearch-operator.v5.8.1'],
];
const PHASES = ['Succeeded', 'Succeeded', 'Succeeded', 'Failed', 'Installing', 'Pending', 'Replacing', ''];
const CLUSTER_OPERATORS = ['dns', 'etcd', 'image-registry', 'kube-apiserver', 'machine-config', 'network'];
const ARCHES = ['amd64', 'amd64', 'amd64', 'arm64', 's390x', 'ppc64le'];
const IMAGES = [
  ...['quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0a', 'registry.redhat.io/ubi9/ubi:latest'],
  ...['123456789012.dkr.ecr.us-east-1.amazonaws.com/shop/cart:v1', 'docker.io/library/nginx'],
  ...['123456789012.dkr.ecr-fips.us-gov-west-1.amazonaws.com.cn/shop@sha256:0b', 'ecr.example/a:1'],
  ...['1.dkr.ecr.us-isob-east-1.sc2s.sgov.gov/a:1', '123456789012.dkr.ecr.eu-west-1.amazonaws.com'],
];

/** The same cluster for the same seed. */
export function drawWorld(seed: number): World {
  const random = new Random(seed);
  const history = drawHistory(random);
  const desired = history[0]?.version ?? '4.15.3';
  const minor = Number(desired.split('.')[1]);
  const platform = random.chance(0.04) ? null : random.pick(PLATFORMS);
  const isHosted = random.chance(0.1);
  const capabilities = drawCapabilities(random, minor);
  // Clusters without the field may have it or not.
  const hasLifecycleManager =
    capabilities === null ? random.chance(0.9) : !isOff(capabilities, 'OperatorLifecycleManager');
  const nodes = drawNodes(random);
  const gone = isHosted && random.chance(0.6) ? GONE.filter(() => random.chance(0.5)) : [];
  const hasOvn = random.chance(0.7);
  return {
    seed,
    platform,
    topology: isHosted ? 'External' : random.chance(0.1) ? 'SingleReplica' : 'HighlyAvailable',
    history,
    desired,
    capabilities,
    conditions: drawConditions(random, ['Available', 'Failing', 'Progressing', 'RetrievedUpdates']),
    clusterOperators: drawClusterOperators(random, platform),
    operators: hasLifecycleManager ? drawOperators(random) : [],
    hasLifecycleManager,
    nodes,
    exportsAllLabels: minor >= 14 || random.chance(0.5),
    installer: drawInstaller(random, isHosted, history.at(-1)?.version ?? desired),
    featureSet: random.pick(['', '', '', 'TechPreviewNoUpgrade', 'CustomNoUpgrade']),
    proxy: { http: random.chance(0.2), https: random.chance(0.2), trustedCa: random.chance(0.2) },
    credentialsMode: random.pick(['', '', 'Mint', 'Passthrough', 'Manual']),
    objects: drawObjects(random, { nodes: nodes.length, hasOvn, minor }),
    cloudConfigMaps: ['cloud-conf', 'cloud-provider-config', 'kube-root-ca.crt'].filter(() =>
      random.chance(0.6),
    ),
    registryReplicas: random.pick([null, 0, 1, 1, 2]),
    pods: drawPods(random),
    measured: drawMeasured(random, { minor, hasOvn, nodes: nodes.map(({ name }) => name) }),
    gone,
  };
}

/** Metrics that another store may have for a hosted cluster. */
const GONE = [
  'apiserver_storage_objects',
  'kube_configmap_info',
  'kube_secret_info',
  'kube_deployment_spec_replicas',
  'kube_pod_container_info',
];

function isOff({ known, enabled }: NonNullable<World['capabilities']>, name: string): boolean {
  return known.includes(name) && !enabled.includes(name);
}

function drawVersion(random: Random, minor: number): string {
  const patch = random.chance(0.3) ? random.pick([0, 1, 9, 10, 19, 49, 52, 53, 54, 55]) : random.below(70);
  return random.chance(0.12)
    ? `4.${minor}.0-${random.pick(['rc.3', 'fc.0', 'ec.4'])}`
    : `4.${minor}.${patch}`;
}

function drawHistory(random: Random): World['history'] {
  if (random.chance(0.02)) return [];
  const birth = 1 + random.below(19);
  const length = 1 + random.below(5);
  const entries = Array.from({ length }, (_, at) => ({
    version: drawVersion(random, Math.min(birth + at, 21)),
    state: random.chance(at === 0 ? 0.08 : 0.15) ? ('Partial' as const) : ('Completed' as const),
  })).toReversed();
  const [newest, ...others] = entries;
  return random.chance(0.2) ? [{ ...newest!, state: 'Partial' }, ...others] : entries;
}

function drawCapabilities(random: Random, minor: number): World['capabilities'] {
  if (minor < 11 || random.chance(0.1)) return null;
  const isNew = (name: string) => name === 'Console' || name === 'OperatorLifecycleManager';
  const known = CAPABILITIES.filter((name) => !isNew(name) || !random.chance(0.1));
  return { known, enabled: known.filter(() => random.chance(0.85)) };
}

function drawConditions(random: Random, types: readonly string[]): readonly Condition[] {
  return types
    .filter(() => random.chance(0.85))
    .map((type) => ({
      type,
      status: random.pick(['True', 'False', 'False', 'Unknown'] as const),
      reason: random.pick(['', 'AsExpected', 'Some_Reason']),
    }));
}

function drawClusterOperators(random: Random, platform: string | null): World['clusterOperators'] {
  const aro = random.chance(platform === 'Azure' ? 0.4 : 0.02) ? ['aro'] : [];
  const isSilent = random.chance(0.2);
  return [...aro, ...CLUSTER_OPERATORS].map((name) => ({
    name,
    conditions:
      name === 'aro' && isSilent
        ? [{ type: 'Available', status: 'Unknown', reason: 'NoData' }]
        : drawConditions(random, ['Available', 'Degraded', 'Progressing', 'Upgradeable']),
  }));
}

function drawOperators(random: Random): readonly WorldOperator[] {
  const density = random.pick([0, 0.03, 0.1, 0.3]);
  return OPERATOR_NAMES.filter(() => random.chance(density)).flatMap((name) => {
    const operator = {
      namespace: 'openshift-operators',
      name,
      version: name.split(/[.]v/)[1] ?? '0.0.1',
      phase: random.pick(PHASES),
      isCopy: random.chance(0.1),
    };
    const other = { ...operator, namespace: 'shop', isCopy: random.chance(0.7) };
    return random.chance(0.2) ? [operator, other] : [operator];
  });
}

function drawNodes(random: Random): readonly WorldNode[] {
  const arch = random.pick(ARCHES);
  const roles = random.pick([
    ['master'],
    ['master', 'control-plane'],
    ['master', 'control-plane'],
    ['control-plane'],
    ['custom'],
  ]);
  const workers = random.below(5);
  const label = (role: string): [string, string] => [`node-role.kubernetes.io/${role}`, ''];
  return Array.from({ length: 3 + workers }, (_, at) => {
    const isMaster = at < 3;
    const hasOs = !random.chance(0.15);
    const os = !isMaster && random.chance(0.1) ? 'rhel' : 'rhcos';
    const own = random.chance(0.1) ? random.pick(ARCHES) : arch;
    const name = isMaster ? `m${at}` : `w${at - 3}`;
    return {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': own,
        'beta.kubernetes.io/arch': own,
        ...(hasOs && { 'node.openshift.io/os_id': os }),
        ...Object.fromEntries((isMaster ? roles : ['worker']).map(label)),
        ...(random.chance(0.1) && { 'node.openshift.io/os-id': 'rhel', 'a-b/c': '1', 'a.b/c': '2' }),
      },
    };
  });
}

function drawInstaller(random: Random, isHosted: boolean, birth: string): World['installer'] {
  if (isHosted) return { type: 'other', invoker: 'hypershift', version: birth };
  if (random.chance(0.1)) return { type: null };
  const type = random.chance(0.9) ? 'openshift-install' : 'other';
  return {
    type,
    ...(random.chance(0.9) && { version: birth }),
    ...(random.chance(0.9) && { invoker: random.pick(['user', 'hive', 'ARO', 'hypershiftx', '']) }),
  };
}

interface Served {
  readonly nodes: number;
  readonly hasOvn: boolean;
  readonly minor: number;
}

function drawObjects(random: Random, { nodes, hasOvn, minor }: Served): World['objects'] {
  const some = () => random.pick([0, 0, 1, 3]);
  const served: Readonly<Record<string, number | null>> = {
    nodes: random.chance(0.1) ? random.pick([120, 121, 300]) : nodes,
    pods: 200,
    secrets: 900,
    'egressips.k8s.ovn.org': hasOvn ? some() : null,
    'network-attachment-definitions.k8s.cni.cncf.io': random.chance(0.9) ? some() : null,
    'containerruntimeconfigs.machineconfiguration.openshift.io': some(),
    'kubeletconfigs.machineconfiguration.openshift.io': some(),
    'machineconfigpools.machineconfiguration.openshift.io': random.pick([2, 2, 3, 5]),
    'performanceprofiles.performance.openshift.io': random.chance(0.8) ? some() : null,
    'networkpolicies.networking.k8s.io': some(),
    'imagedigestmirrorsets.config.openshift.io': minor >= 13 ? some() : null,
    'imagecontentsourcepolicies.operator.openshift.io': random.chance(0.9) ? some() : null,
  };
  return Object.fromEntries(
    Object.entries(served).filter((entry): entry is [string, number] => entry[1] !== null),
  );
}

function drawPods(random: Random): readonly WorldPod[] {
  const usesEcr = random.chance(0.3);
  const image = () => random.pick(usesEcr ? IMAGES : IMAGES.slice(0, 2));
  return Array.from({ length: 2 + random.below(8) }, (_, at) => {
    const isPending = at > 0 && random.chance(0.15);
    const runs = isPending ? null : image();
    return {
      namespace: random.pick(['openshift-etcd', 'shop']),
      name: `pod-${at}`,
      phase: isPending ? 'Pending' : random.pick(['Running', 'Succeeded', 'Failed']),
      image: runs,
      wantedImage: runs !== null && random.chance(0.9) ? runs : random.pick(IMAGES),
    };
  });
}
