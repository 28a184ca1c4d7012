import type { ExtensionFacts, ObjectSetFacts } from '@cairn/shared/cluster/extension-facts';
import {
  type ClusterCondition,
  type ClusterFacts,
  type ClusterOperatorFacts,
  type ClusterVersionFacts,
  type HistoryEntry,
  LISTED_KINDS,
  type NodeFacts,
  type OperatorFacts,
  type PoolFacts,
} from '@cairn/shared/cluster/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import { simulatePools } from '@cairn/shared/plan/pools';
import { listedCalendar, type SupportCalendar } from '@cairn/shared/releases/lifecycle';
import { unsentConfigurations } from '@cairn/shared/safety/evidence/guarded-settings';
import { hopRisks, type RiskSources } from '@cairn/shared/safety/evidence/risks';
import { type Hop, type HopContext, type SafetyOptions, hopsOfSteps } from '@cairn/shared/safety/hop';
import { kubernetesMinorOf } from '@cairn/shared/version/release-line';
import { parseVersion } from '@cairn/shared/version/release-version';

export const NOW = Date.parse('2026-06-01T12:00:00Z');

/** Keeps the end of support out of tests about something else. */
export const ALL_SUPPORTED = listedCalendar([]);

export function minutesAgo(minutes: number): string {
  return new Date(NOW - minutes * 60_000).toISOString();
}

/** A healthy cluster with three control plane nodes, three workers, all kinds reported and no findings. */
/** All operator configurations, with unsupported overrides by kind. */
export function configurationsWith(
  overrides: Readonly<Record<string, readonly string[]>>,
): NonNullable<ClusterFacts['operatorConfigs']> {
  const kinds = unsentConfigurations({ operatorConfigs: null });
  return kinds.map((kind) => ({ kind, name: 'cluster', overrides: overrides[kind] ?? [] }));
}

export function aCluster(changes: Partial<ClusterFacts> = {}, version = '4.14.8'): ClusterFacts {
  const kubelet = `v1.${kubernetesMinorOf(parseVersion(version) ?? { major: 4, minor: 14 }).minor}.6`;
  return {
    collectedAt: minutesAgo(0),
    completeLists: LISTED_KINDS,
    clusterVersion: aClusterVersion({}, version),
    clusterOperators: ['etcd', 'kube-apiserver', 'machine-config', 'operator-lifecycle-manager'].map((name) =>
      aClusterOperator(name),
    ),
    nodes: [
      ...[0, 1, 2].map((number) => aNode(`master-${number}`, { kubeletVersion: kubelet }, 'master')),
      ...[0, 1, 2].map((number) => aNode(`worker-${number}`, { kubeletVersion: kubelet })),
    ],
    pools: [aPool('master'), aPool('worker')],
    operators: [],
    subscriptions: [],
    extensions: [],
    catalogs: [],
    objectSets: [],
    apiUse: [],
    adminGates: [],
    adminAcks: [],
    infrastructure: { platform: 'AWS', controlPlaneTopology: 'HighlyAvailable' },
    networkType: 'OVNKubernetes',
    podsPerNode: null,
    digestMirrorSets: [],
    tagMirrorSets: [],
    contentSourcePolicies: [],
    machineConfiguration: { bootImageManagers: [], bootImageSkew: null },
    customResources: [],
    unservableRoutes: [],
    vsphereVolumes: [],
    cgroupMode: '',
    featureSet: '',
    cloudCredential: { mode: '', upgradeableTo: '' },
    installer: { version: 'v4.14.8', invoker: 'user' },
    installerManifests: null,
    proxy: { http: false, https: false, trustedCa: false },
    registryReplicas: 2,
    objectCounts: null,
    containerImages: null,
    riskAnswers: null,
    configuredNetwork: 'OVNKubernetes',
    networkMigration: { isInProgress: false, message: '' },
    runtimeConfigs: [],
    machineConfigs: [],
    configReleases: [],
    machineConfigImage: '',
    selinuxConflicts: 'False',
    certRotationBase: '',
    imagePolicies: [],
    operatorConfigs: configurationsWith({}),
    budgets: [],
    drainedPods: [],
    singleReplicas: [],
    virtualMachines: [],
    healthChecks: [],
    certificateRequests: [],
    alerts: [],
    hostedClusters: [],
    nodePools: [],
    hostedVersions: null,
    microshiftVersion: null,
    ...changes,
  };
}

/** Installed with this version, without later updates. */
export function aClusterVersion(
  changes: Partial<ClusterVersionFacts> = {},
  version = '4.14.8',
): ClusterVersionFacts {
  const minor = /^\d+\.\d+/.exec(version)?.[0] ?? '4.14';
  return {
    clusterId: '00000000-0000-4000-8000-000000000001',
    createdAt: minutesAgo(400 * 24 * 60),
    channel: `stable-${minor}`,
    upstream: null,
    desiredUpdate: null,
    unmanagedOverrides: [],
    desired: { version, image: imageOf(version), channels: [`stable-${minor}`] },
    history: historyOf(`${version} C`),
    conditions: [aCondition('Progressing', 'False'), aCondition('RetrievedUpdates', 'True')],
    availableUpdates: [],
    conditionalUpdates: [],
    acceptedRisks: null,
    knownRisks: null,
    ...changes,
  };
}

/** The newest entry comes first and is the desired version. */
export function withHistory(
  entries: readonly string[],
  changes: Partial<ClusterVersionFacts> = {},
): ClusterVersionFacts {
  const history = historyOf(...entries);
  const { version, image } = history[0] ?? { version: '4.14.8', image: imageOf('4.14.8') };
  return aClusterVersion({ history, desired: { version, image, channels: [] }, ...changes }, version);
}

/**
 * Reads `4.7.10 P` and `4.6.40 C`, newest first, a day apart. `4.7.10@b C` has another image of the same version.
 * Partial entries end where the next one starts, as in a cluster.
 */
export function historyOf(...entries: readonly string[]): HistoryEntry[] {
  return entries.map((entry, index) => {
    const [release = '', state = ''] = entry.split(' ');
    const [version = '', variant] = release.split('@');
    const startedTime = minutesAgo((index + 1) * 24 * 60);
    const completed = state === 'C';
    return {
      state: completed ? 'Completed' : 'Partial',
      version,
      image: imageOf(variant === undefined ? version : `${version}-${variant}`),
      startedTime,
      completionTime: completed
        ? minutesAgo((index + 1) * 24 * 60 - 75)
        : index === 0
          ? null
          : minutesAgo(index * 24 * 60),
      verified: true,
      acceptedRisks: '',
    };
  });
}

export function imageOf(name: string): string {
  return `registry.example/release:${name}`;
}

export function aCondition(
  type: string,
  status: string,
  reason = 'AsExpected',
  message = '',
  since: string | null = minutesAgo(24 * 60),
): ClusterCondition {
  return { type, status, reason, message, since };
}

/** A cluster operator, such as `etcd`. Given conditions replace the healthy ones of the same type. */
export function aClusterOperator(
  name: string,
  conditions: readonly ClusterCondition[] = [],
  changes: Partial<ClusterOperatorFacts> = {},
): ClusterOperatorFacts {
  const healthy = [
    aCondition('Available', 'True'),
    aCondition('Degraded', 'False'),
    aCondition('Progressing', 'False'),
    aCondition('Upgradeable', 'True'),
  ];
  const given = new Set(conditions.map(({ type }) => type));
  return {
    name,
    platform: true,
    conditions: [...healthy.filter(({ type }) => !given.has(type)), ...conditions],
    versions: [],
    ...changes,
  };
}

/** A ready 4.14 node with the labels of its pool. */
export function aNode(name: string, changes: Partial<NodeFacts> = {}, pool = 'worker'): NodeFacts {
  const role = pool === 'master' ? [] : ['worker'];
  const labels = Object.fromEntries([...role, pool].map((each) => [`node-role.kubernetes.io/${each}`, '']));
  return {
    name,
    labels,
    createdAt: minutesAgo(400 * 24 * 60),
    unschedulable: false,
    ready: 'True',
    problems: [],
    kubeletVersion: 'v1.27.6',
    containerRuntimeVersion: `cri-o://${(changes.kubeletVersion ?? 'v1.27.6').replace(/^v/, '')}`,
    osImage: 'Red Hat Enterprise Linux CoreOS',
    architecture: 'amd64',
    machineConfig: {
      current: `rendered-${pool}-1`,
      desired: `rendered-${pool}-1`,
      state: 'Done',
      reason: '',
    },
    ...changes,
  };
}

/** A pool of three updated machines, selected by the role of its name. */
export function aPool(name: string, changes: Partial<PoolFacts> = {}): PoolFacts {
  return {
    name,
    labels: {},
    paused: false,
    maxUnavailable: 1,
    nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' }, matchExpressions: [] },
    configuration: { wanted: `rendered-${name}-1`, current: `rendered-${name}-1` },
    machines: { total: 3, updated: 3, ready: 3, unavailable: 0, degraded: 0 },
    conditions: [
      aCondition('Updated', 'True'),
      aCondition('Updating', 'False'),
      aCondition('Degraded', 'False'),
    ],
    ...changes,
  };
}

/** An installed operator (ClusterServiceVersion) without declared limits. */
export function anOperator(name: string, changes: Partial<OperatorFacts> = {}): OperatorFacts {
  return {
    namespace: `openshift-${name}`,
    name,
    displayName: name,
    version: '1.0.0',
    minKubeVersion: '',
    phase: 'Succeeded',
    components: [],
    properties: [],
    declaredProperties: null,
    ...changes,
  };
}

/** An installed ClusterExtension that follows any channel of the package of its name. */
export function anExtension(name: string, changes: Partial<ExtensionFacts> = {}): ExtensionFacts {
  return {
    name,
    package: name,
    channels: [],
    version: '',
    catalogSelector: { matchLabels: {}, matchExpressions: [] },
    installed: { name: `${name}.v1`, version: '1.0.0' },
    problems: [],
    ...changes,
  };
}

/** The first revision of an extension, without declared limits. */
export function anObjectSet(extension: string, changes: Partial<ObjectSetFacts> = {}): ObjectSetFacts {
  return {
    name: `${extension}-1`,
    extension,
    revision: 1,
    bundle: `${extension}.v1`,
    version: '1.0.0',
    properties: [],
    ...changes,
  };
}

/** A hop without risks. */
export function anUpdate(changes: Partial<PathHop> = {}): PathHop {
  return { conditional: false, risks: [], crossesMinor: true, channels: ['stable-4.15'], ...changes };
}

/**
 * Input of a check for one hop, by default the last one. The path starts at the cluster: `context(aCluster(),
 * ['4.14.8', '4.15.3'])`.
 */
export function context(
  facts: ClusterFacts,
  path: readonly string[],
  more: {
    readonly index?: number;
    readonly options?: Partial<SafetyOptions>;
    readonly updates?: readonly (PathHop | null)[];
    readonly now?: number;
    readonly calendar?: SupportCalendar;
  } & RiskSources = {},
): HopContext {
  const current = parseVersion(facts.clusterVersion?.desired.version ?? path[0] ?? '');
  const hops = hopsOf(path, more.updates);
  const hop = hops.at(more.index ?? -1);
  if (hop === undefined) throw new TypeError(`no such hop on ${path.join(' ')}`);
  const options: SafetyOptions = {
    policy: 'openshift',
    strategy: 'rolling',
    strict: false,
    apiRemovals: 'block',
    accept: [],
    ...more.options,
  };
  const pools = simulatePools({ ...facts, hops, ...options });
  const { now = NOW, calendar = ALL_SUPPORTED } = more;
  const risks = hopRisks(hop, facts, more);
  return { facts, current, hop, hops, pools, options, now, calendar, risks };
}

function hopsOf(path: readonly string[], updates: readonly (PathHop | null)[] = []): Hop[] {
  const steps = path.map((version, index) => ({
    version,
    hop: updates[index - 1] ?? null,
  }));
  return hopsOfSteps(steps, null);
}
