import type { ClusterFacts, NodeFacts, PoolFacts } from '@cairn/shared/cluster/facts';
import {
  aClusterOperator,
  aCondition,
  anOperator,
  aPool,
  configurationsWith,
  historyOf,
  minutesAgo,
} from './clusters.ts';
import {
  isMaster,
  isMember,
  isTrue,
  kubeletOf,
  minorName,
  openGatesOf,
  ordinalOfCluster,
  VOLUME_ON_OLD_VCENTER,
} from './release-reports.ts';

export const TOPOLOGIES = ['HighlyAvailable', 'SingleReplica', 'Compact', 'Arbiter', 'External'] as const;
export type Topology = (typeof TOPOLOGIES)[number];
export const PLATFORMS = ['AWS', 'GCP', 'Azure', 'VSphere', 'BareMetal', 'None'] as const;

/** Cluster before its flaws. */
export interface BareShape {
  /** Position of its minor: 14 for 4.14, 23 for 5.0. */
  readonly ordinal: number;
  readonly patch: number;
  readonly platform: (typeof PLATFORMS)[number];
  readonly topology: Topology;
  readonly workers: number;
}

interface Flaw {
  /** Health is about now and can be repaired; the rest is configuration. */
  readonly isHealth?: true;
  /** False if such a cluster cannot have it. */
  readonly fits?: (shape: BareShape) => boolean;
  readonly change: (facts: ClusterFacts) => Partial<ClusterFacts>;
}

const isStandalone = ({ topology }: BareShape) => topology !== 'External';
const isOneOf =
  (...topologies: readonly Topology[]) =>
  ({ topology }: BareShape) =>
    topologies.includes(topology);
const hasMajority = isOneOf('HighlyAvailable', 'Compact', 'Arbiter');
const hasWorkers = isOneOf('HighlyAvailable', 'Arbiter', 'External');
const hasWorkerPool = (shape: BareShape) => hasWorkers(shape) && isStandalone(shape);
const upTo = (ordinal: number) => (shape: BareShape) => shape.ordinal <= ordinal;

/** Changes the first nodes of a role. */
function changeNodes(
  { nodes }: ClusterFacts,
  isMeant: (node: NodeFacts) => boolean,
  count: number,
  change: (node: NodeFacts) => Partial<NodeFacts>,
): Pick<ClusterFacts, 'nodes'> {
  const meant = new Set((nodes ?? []).filter(isMeant).slice(0, count));
  return { nodes: (nodes ?? []).map((node) => (meant.has(node) ? { ...node, ...change(node) } : node)) };
}

const isWorker = (node: NodeFacts) => !isMember(node);
const notReady = ({ problems }: NodeFacts): Partial<NodeFacts> => ({
  ready: 'Unknown',
  problems: [...problems, aCondition('Ready', 'Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting.')],
});
const shortOf =
  (pressure: string) =>
  ({ problems }: NodeFacts): Partial<NodeFacts> => ({
    problems: [...problems, aCondition(pressure, 'True')],
  });

export function changePool(
  { pools }: ClusterFacts,
  name: string,
  change: (pool: PoolFacts) => Partial<PoolFacts>,
): Pick<ClusterFacts, 'pools'> {
  return { pools: pools && pools.map((pool) => (pool.name === name ? { ...pool, ...change(pool) } : pool)) };
}

/** Sets conditions of a pool; the others stay as they are. */
export function setConditions(
  { conditions }: Pick<PoolFacts, 'conditions'>,
  statuses: Readonly<Record<string, 'True' | 'False'>>,
): Pick<PoolFacts, 'conditions'> {
  return {
    conditions: [
      ...conditions.filter(({ type }) => !(type in statuses)),
      ...Object.entries(statuses).map(([type, status]) => aCondition(type, status)),
    ],
  };
}

const degraded = (pool: PoolFacts): Partial<PoolFacts> => ({
  ...setConditions(pool, { Updated: 'False', Degraded: 'True' }),
  machines: {
    ...pool.machines,
    degraded: 1,
    updated: pool.machines.total - 1,
    ready: pool.machines.total - 1,
  },
});

/** A rendered configuration that its machines do not have. */
const nextConfiguration = ({ name }: PoolFacts) => ({
  configuration: { wanted: `rendered-${name}-2`, current: `rendered-${name}-1` },
});

const updating = (pool: PoolFacts): Partial<PoolFacts> => ({
  ...setConditions(pool, { Updated: 'False', Updating: 'True' }),
  ...nextConfiguration(pool),
  machines: { ...pool.machines, updated: pool.machines.total - 1 },
});

/** Paused with workers of an earlier minor. */
function behind(facts: ClusterFacts, minors: number): Partial<ClusterFacts> {
  const kubeletVersion = kubeletOf(ordinalOfCluster(facts) - minors);
  const old = { kubeletVersion, containerRuntimeVersion: `cri-o://${kubeletVersion.slice(1)}` };
  return {
    ...changeNodes(facts, isWorker, Infinity, () => old),
    ...changePool(facts, 'worker', (pool) => ({
      paused: true,
      ...setConditions(pool, { Updated: 'False', Updating: 'False' }),
      ...nextConfiguration(pool),
      machines: { ...pool.machines, updated: 0 },
    })),
  };
}

/** Takes the last worker into a pool of its own, which is behind by so many minors. */
function ownPool(facts: ClusterFacts, minors: number): Partial<ClusterFacts> {
  const kubeletVersion = kubeletOf(ordinalOfCluster(facts) - minors);
  const last = facts.nodes!.findLast(isWorker)!;
  const taken = {
    ...last,
    labels: { ...last.labels, 'node-role.kubernetes.io/infra': '' },
    kubeletVersion,
    containerRuntimeVersion: `cri-o://${kubeletVersion.slice(1)}`,
  };
  const isBehind = minors > 0;
  const machines = { total: 1, updated: isBehind ? 0 : 1, ready: 1, unavailable: 0, degraded: 0 };
  const infra = aPool('infra', { machines, paused: isBehind });
  const old = { ...setConditions(infra, { Updated: 'False' }), ...nextConfiguration(infra) };
  const { pools } = changePool(facts, 'worker', (pool) => ({
    machines: {
      ...pool.machines,
      total: pool.machines.total - 1,
      ready: pool.machines.ready - 1,
      updated: Math.max(0, pool.machines.updated - 1),
    },
  }));
  return {
    nodes: facts.nodes!.map((node) => (node === last ? taken : node)),
    pools: [...pools!, { ...infra, ...(isBehind && old) }],
  };
}

const isReported = ({ clusterVersion }: ClusterFacts, condition: ReturnType<typeof aCondition>) => ({
  clusterVersion: {
    ...clusterVersion!,
    conditions: [...clusterVersion!.conditions.filter(({ type }) => type !== condition.type), condition],
  },
});

/** A pod of a namespace on the first worker. */
function podOnWorker(facts: ClusterFacts, namespace: string, owner: string | null): Partial<ClusterFacts> {
  const node = facts.nodes!.find(isWorker)!.name;
  const group = {
    namespace,
    labels: { app: namespace },
    owner: owner === null ? null : { kind: owner, name: namespace },
    pods: [{ name: `${namespace}-0`, node, ready: true }],
  };
  return { drainedPods: [...(facts.drainedPods ?? []), group] };
}

/** A budget with room, as there are two of for one pod. */
const roomy = (name: string) => ({
  namespace: 'two',
  name,
  selector: { matchLabels: { app: 'two' }, matchExpressions: [] },
  evictsUnhealthy: false,
  disruptionsAllowed: 1,
  currentHealthy: 1,
  desiredHealthy: 0,
  expectedPods: 1,
});

function operatorFlaw({ clusterOperators }: ClusterFacts, name: string, type: string, status: string) {
  const isOther = (each: { readonly name: string }): boolean => each.name !== name;
  const all = clusterOperators ?? [];
  const known = all.find((each) => !isOther(each)) ?? aClusterOperator(name);
  // Another flaw of the operator stays.
  const kept = known.conditions.filter((condition) => condition.type !== type);
  const conditions = [...kept, aCondition(type, status, 'Broken', `${name} is broken`)];
  return { clusterOperators: [...all.filter(isOther), { ...known, conditions }] };
}

/** The desired release is not Completed yet. */
function inProgress({ clusterVersion }: ClusterFacts): Partial<ClusterFacts> {
  const { version } = clusterVersion!.desired;
  const [newest, ...older] = clusterVersion!.history;
  return {
    clusterVersion: {
      ...clusterVersion!,
      history: [{ ...newest!, ...historyOf(`${version} P`)[0]!, image: newest!.image }, ...older],
      conditions: [
        ...clusterVersion!.conditions.filter(({ type }) => type !== 'Progressing'),
        aCondition('Progressing', 'True'),
      ],
    },
  };
}

function offline({ clusterVersion }: ClusterFacts, reason: string, channel: string): Partial<ClusterFacts> {
  const others = clusterVersion!.conditions.filter(({ type }) => type !== 'RetrievedUpdates');
  const conditions = [...others, aCondition('RetrievedUpdates', 'False', reason)];
  return { clusterVersion: { ...clusterVersion!, channel, conditions } };
}

/** Budget over pods of a namespace, of which each node has one. */
function budget(facts: ClusterFacts, name: string, desiredHealthy: number): Partial<ClusterFacts> {
  const labels = { app: name };
  const pods = (facts.nodes ?? [])
    .filter(isWorker)
    .slice(0, 2)
    .map((node, index) => ({ name: `${name}-${index}`, node: node.name, ready: index < desiredHealthy }));
  const healthy = pods.filter(({ ready }) => ready).length;
  return {
    budgets: [
      ...(facts.budgets ?? []),
      {
        namespace: 'shop',
        name,
        selector: { matchLabels: labels, matchExpressions: [] },
        evictsUnhealthy: false,
        disruptionsAllowed: 0,
        currentHealthy: healthy,
        desiredHealthy,
        expectedPods: pods.length,
      },
    ],
    drainedPods: [
      ...(facts.drainedPods ?? []),
      { namespace: 'shop', labels, owner: { kind: 'ReplicaSet', name: `${name}-1` }, pods },
    ],
  };
}

const alert = (name: string, severity: string) => ({
  name,
  severity,
  namespace: 'openshift-monitoring',
  budget: '',
  isPrecheck: false,
  summary: `${name} fires`,
  description: '',
  runbook: '',
  since: minutesAgo(60),
});

const mirror = (name: string) => ({
  name,
  mirrors: [{ source: 'quay.io/openshift-release-dev/ocp-release', mirrors: ['mirror.example/release'] }],
});

const healthCheck = (isPaused: boolean) => ({
  healthChecks: [
    { kind: 'MachineHealthCheck', namespace: 'openshift-machine-api', name: 'workers', isPaused },
  ],
});

const usedApi = (name: string, removedInRelease: `1.${number}`) => ({
  name,
  removedInRelease,
  requests: 12,
  users: [{ username: 'alice', userAgent: 'client/1', requests: 12, verbs: ['list'], lastHour: 13 }],
});

/** An operator that supports so many minors after the current one. */
function limited(facts: ClusterFacts, minors: number): Partial<ClusterFacts> {
  const value = minorName(ordinalOfCluster(facts) + minors);
  const properties = [{ type: 'olm.maxOpenShiftVersion', value }];
  const name = `cart-${minors}`;
  return { operators: [...(facts.operators ?? []), anOperator(name, { properties })] };
}

function acknowledge(facts: ClusterFacts, value: string): Partial<ClusterFacts> {
  return { adminAcks: openGatesOf(facts).map((key) => ({ key, value })) };
}

/** In the order in which they are applied. */
const FLAW_TABLE = {
  'master not ready': {
    isHealth: true,
    fits: hasMajority,
    change: (facts) => changeNodes(facts, isMaster, 1, notReady),
  },
  'masters not ready': {
    isHealth: true,
    fits: isStandalone,
    change: (facts) => changeNodes(facts, isMaster, 2, notReady),
  },
  'worker not ready': {
    isHealth: true,
    fits: hasWorkers,
    change: (facts) => changeNodes(facts, isWorker, 1, notReady),
  },
  'workers not ready': {
    isHealth: true,
    fits: hasWorkers,
    change: (facts) => changeNodes(facts, isWorker, 2, notReady),
  },
  'master short of disk': {
    isHealth: true,
    fits: isStandalone,
    change: (facts) => changeNodes(facts, isMaster, 1, shortOf('DiskPressure')),
  },
  'worker short of memory': {
    isHealth: true,
    fits: hasWorkers,
    change: (facts) => changeNodes(facts, isWorker, 1, shortOf('MemoryPressure')),
  },
  'worker cordoned': {
    isHealth: true,
    fits: hasWorkers,
    change: (facts) => changeNodes(facts, isWorker, 1, () => ({ unschedulable: true })),
  },
  'master pool degraded': {
    isHealth: true,
    fits: isStandalone,
    change: (facts) => changePool(facts, 'master', degraded),
  },
  'worker pool degraded': {
    isHealth: true,
    fits: hasWorkerPool,
    change: (facts) => changePool(facts, 'worker', degraded),
  },
  'worker pool silent': {
    isHealth: true,
    fits: hasWorkerPool,
    // What a pool reports against itself would be lost.
    change: (facts) =>
      changePool(facts, 'worker', ({ conditions }) =>
        isTrue(conditions, 'Updated') ? { conditions: [] } : {},
      ),
  },
  'master pool updating': {
    isHealth: true,
    fits: isStandalone,
    change: (facts) => changePool(facts, 'master', updating),
  },
  'worker pool updating': {
    isHealth: true,
    fits: hasWorkerPool,
    change: (facts) => changePool(facts, 'worker', updating),
  },
  'master pool paused': {
    fits: isStandalone,
    change: (facts) => changePool(facts, 'master', () => ({ paused: true })),
  },
  'worker pool paused': {
    fits: hasWorkerPool,
    change: (facts) => changePool(facts, 'worker', () => ({ paused: true })),
  },
  'workers one minor behind': { fits: hasWorkerPool, change: (facts) => behind(facts, 1) },
  'workers two minors behind': {
    fits: (shape) => hasWorkerPool(shape) && shape.ordinal % 2 === 0,
    change: (facts) => behind(facts, 2),
  },
  'pool of its own': { fits: hasWorkerPool, change: (facts) => ownPool(facts, 0) },
  'pool of its own behind': {
    fits: hasWorkerPool,
    // One pool of its own is enough.
    change: (facts) => (facts.pools!.some(({ name }) => name === 'infra') ? {} : ownPool(facts, 1)),
  },
  'half of the workers at once': {
    fits: hasWorkerPool,
    change: (facts) => changePool(facts, 'worker', () => ({ maxUnavailable: '50%' })),
  },
  'etcd degraded': {
    isHealth: true,
    fits: isStandalone,
    change: (facts) => operatorFlaw(facts, 'etcd', 'Degraded', 'True'),
  },
  'etcd of unknown availability': {
    isHealth: true,
    fits: isStandalone,
    change: (facts) => operatorFlaw(facts, 'etcd', 'Available', 'Unknown'),
  },
  'cluster version invalid': {
    isHealth: true,
    fits: isStandalone,
    change: (facts) => isReported(facts, aCondition('Invalid', 'True', 'InvalidClusterVersion', 'no ID')),
  },
  'release not accepted': {
    isHealth: true,
    fits: isStandalone,
    change: (facts) =>
      isReported(facts, aCondition('ReleaseAccepted', 'False', 'VerificationFailed', 'no signature')),
  },
  'update requested': {
    fits: isStandalone,
    change: ({ clusterVersion }) => ({
      clusterVersion: {
        ...clusterVersion!,
        desiredUpdate: { version: `${clusterVersion!.desired.version}9`, image: '', force: false },
      },
    }),
  },
  'registry degraded': {
    isHealth: true,
    change: (facts) => operatorFlaw(facts, 'image-registry', 'Degraded', 'True'),
  },
  'console unavailable': {
    isHealth: true,
    change: (facts) => operatorFlaw(facts, 'console', 'Available', 'False'),
  },
  'ingress of unknown availability': {
    isHealth: true,
    change: (facts) => operatorFlaw(facts, 'ingress', 'Available', 'Unknown'),
  },
  'monitoring silent': {
    isHealth: true,
    change: ({ clusterOperators }) => ({
      clusterOperators: [...(clusterOperators ?? []), { ...aClusterOperator('monitoring'), conditions: [] }],
    }),
  },
  'network unavailable': {
    isHealth: true,
    change: (facts) => operatorFlaw(facts, 'network', 'Available', 'False'),
  },
  'request of a node pending': {
    isHealth: true,
    change: () => ({
      certificateRequests: [
        { name: 'csr-abcde', signer: 'kubernetes.io/kubelet-serving', username: 'system:node:worker-0' },
      ],
    }),
  },
  'critical alert': {
    isHealth: true,
    change: ({ alerts }) => ({ alerts: [...(alerts ?? []), alert('etcdMembersDown', 'critical')] }),
  },
  'node alert': {
    isHealth: true,
    change: ({ alerts }) => ({ alerts: [...(alerts ?? []), alert('KubeNodeNotReady', 'warning')] }),
  },
  'budget never allows': { isHealth: true, fits: hasWorkers, change: (facts) => budget(facts, 'cart', 2) },
  'budget allows none now': {
    isHealth: true,
    fits: hasWorkers,
    change: (facts) => budget(facts, 'stock', 1),
  },
  'pod in two budgets': {
    isHealth: true,
    fits: hasWorkers,
    change: (facts) => ({
      ...podOnWorker(facts, 'two', 'ReplicaSet'),
      budgets: [...(facts.budgets ?? []), roomy('one'), roomy('other')],
    }),
  },
  'pod without owner': {
    isHealth: true,
    fits: hasWorkers,
    change: (facts) => podOnWorker(facts, 'lonely', null),
  },
  'virtual machine stuck': {
    isHealth: true,
    fits: hasWorkers,
    change: ({ nodes }) => ({
      virtualMachines: [
        { namespace: 'vms', name: 'vm-1', node: nodes!.find(isWorker)!.name, message: 'local disk' },
      ],
    }),
  },
  'node health check active': {
    fits: isOneOf('External'),
    change: () => ({
      healthChecks: [{ kind: 'NodeHealthCheck', namespace: '', name: 'workers', isPaused: false }],
    }),
  },
  'health check active': { fits: isStandalone, change: () => healthCheck(false) },
  'health check paused': { fits: isStandalone, change: () => healthCheck(true) },
  'update in progress': { change: inProgress },
  'no update service': { change: (facts) => offline(facts, 'RemoteFailed', facts.clusterVersion!.channel!) },
  'no channel': { change: (facts) => offline(facts, 'NoChannel', '') },
  'technology preview': { change: () => ({ featureSet: 'TechPreviewNoUpgrade' }) },
  'component unmanaged': {
    change: ({ clusterVersion }) => ({
      clusterVersion: {
        ...clusterVersion!,
        unmanagedOverrides: [
          { kind: 'Deployment', group: 'apps', namespace: 'openshift-console', name: 'console' },
        ],
      },
    }),
  },
  'unsupported override': {
    fits: isStandalone,
    change: () => ({ operatorConfigs: configurationsWith({ KubeAPIServer: ['x'] }) }),
  },
  'certificate rotation overridden': { fits: isStandalone, change: () => ({ certRotationBase: '5m' }) },
  'manual credentials': {
    fits: isStandalone,
    change: () => ({ cloudCredential: { mode: 'Manual', upgradeableTo: '' } }),
  },
  'credentials prepared': {
    fits: isStandalone,
    change: (facts) => ({
      cloudCredential: { mode: 'Manual', upgradeableTo: `v${minorName(ordinalOfCluster(facts) + 1)}` },
    }),
  },
  'cgroup v1': { fits: upTo(18), change: () => ({ cgroupMode: 'v1' }) },
  'RHEL worker': {
    fits: (shape) => hasWorkers(shape) && upTo(18)(shape),
    change: (facts) => ({
      nodes: facts.nodes!.map((node) =>
        node.name === 'worker-0'
          ? {
              ...node,
              labels: { ...node.labels, 'node.openshift.io/os_id': 'rhel' },
              osImage: 'Red Hat Enterprise Linux 8.10',
            }
          : node,
      ),
    }),
  },
  'OpenShift SDN': {
    fits: upTo(16),
    change: () => ({ networkType: 'OpenShiftSDN', configuredNetwork: 'OpenShiftSDN' }),
  },
  Kuryr: { fits: upTo(14), change: () => ({ networkType: 'Kuryr', configuredNetwork: 'Kuryr' }) },
  'network migration': {
    fits: upTo(16),
    change: () => ({ networkMigration: { isInProgress: true, message: 'migrating' } }),
  },
  'own image policy': { fits: upTo(20), change: () => ({ imagePolicies: ['openshift'] }) },
  'old boot images': {
    fits: isStandalone,
    change: ({ machineConfiguration }) => ({
      machineConfiguration: {
        bootImageManagers: machineConfiguration?.bootImageManagers ?? null,
        bootImageSkew: { mode: 'Manual', ocpVersion: '4.12.30', rhcosVersion: '' },
      },
    }),
  },
  'container runtime runc': {
    fits: isStandalone,
    change: () => ({
      runtimeConfigs: [
        { name: 'slow', runtime: 'runc', poolSelector: { matchLabels: {}, matchExpressions: [] } },
      ],
    }),
  },
  'volumes with several SELinux labels': { change: () => ({ selinuxConflicts: 'True' }) },
  'image build interrupted': {
    fits: isStandalone,
    change: (facts) =>
      changePool(facts, 'master', (pool) => setConditions(pool, { BuildInterrupted: 'True' })),
  },
  'boot images not configured': {
    fits: isStandalone,
    change: ({ machineConfiguration }) => ({
      machineConfiguration: {
        bootImageManagers: null,
        bootImageSkew: machineConfiguration?.bootImageSkew ?? null,
      },
    }),
  },
  'alpha snapshots': {
    fits: upTo(13),
    change: ({ customResources }) => ({
      customResources: [
        ...(customResources ?? []),
        {
          name: 'volumesnapshots.snapshot.storage.k8s.io',
          group: 'snapshot.storage.k8s.io',
          versions: ['v1alpha1'],
        },
      ],
    }),
  },
  'Gateway API': {
    change: ({ customResources }) => ({
      customResources: [
        ...(customResources ?? []),
        { name: 'gateways.gateway.networking.k8s.io', group: 'gateway.networking.k8s.io', versions: ['v1'] },
      ],
    }),
  },
  'route not served': {
    fits: upTo(15),
    change: () => ({
      unservableRoutes: [{ namespace: 'shop', name: 'cart', router: 'default', message: 'SHA1' }],
    }),
  },
  'in-tree volumes': { fits: upTo(13), change: () => ({ vsphereVolumes: ['volume-1'] }) },
  'volumes on old vCenter': { fits: upTo(13), change: () => ({ vsphereVolumes: [VOLUME_ON_OLD_VCENTER] }) },
  'arm64 worker': {
    fits: hasWorkers,
    change: (facts) => changeNodes(facts, isWorker, 1, () => ({ architecture: 'arm64' })),
  },
  'digest mirrors': { change: () => ({ digestMirrorSets: [mirror('digests')] }) },
  'content source policy': { change: () => ({ contentSourcePolicies: [mirror('policy')] }) },
  'tag mirrors': { change: () => ({ tagMirrorSets: [mirror('tags')] }) },
  'operator of this minor': { change: (facts) => limited(facts, 0) },
  'operator of the next minor': { change: (facts) => limited(facts, 1) },
  'API of 1.25 in use': {
    fits: upTo(11),
    change: ({ apiUse }) => ({ apiUse: [...(apiUse ?? []), usedApi('cronjobs.v1beta1.batch', '1.25')] }),
  },
  'API of 1.29 in use': {
    fits: (shape) => shape.ordinal >= 10 && shape.ordinal <= 15,
    change: ({ apiUse }) => ({
      apiUse: [...(apiUse ?? []), usedApi('flowschemas.v1beta2.flowcontrol.apiserver.k8s.io', '1.29')],
    }),
  },
  'API of 1.32 in use': {
    fits: (shape) => shape.ordinal >= 13 && shape.ordinal <= 18,
    change: ({ apiUse }) => ({
      apiUse: [...(apiUse ?? []), usedApi('flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', '1.32')],
    }),
  },
  'single replica': {
    change: () => ({ singleReplicas: [{ kind: 'Deployment', namespace: 'shop', name: 'cart' }] }),
  },
  'pods sent': { change: () => ({ podsPerNode: [] }) },
  // After all others, because they decide which gates there are.
  'gates acknowledged': { change: (facts) => acknowledge(facts, 'true') },
  'gates acknowledged wrongly': { change: (facts) => acknowledge(facts, 'True') },
} satisfies Readonly<Record<string, Flaw>>;

export type FlawName = keyof typeof FLAW_TABLE;
export const FLAWS: Readonly<Record<FlawName, Flaw>> = FLAW_TABLE;
export const FLAW_NAMES = Object.keys(FLAW_TABLE) as readonly FlawName[];
