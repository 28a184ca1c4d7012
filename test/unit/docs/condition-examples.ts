import type {
  ClusterFacts,
  ClusterOperatorFacts,
  ClusterVersionFacts,
  NodeFacts,
  PoolFacts,
} from '@cairn/shared/cluster/facts';
import type { HostedClusterFacts, NodePoolFacts } from '@cairn/shared/cluster/hosted/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import type { SupportCalendar } from '@cairn/shared/releases/lifecycle';
import { invalidDesiredVersion } from '@cairn/shared/safety/checks/compatibility/hop-size';
import type { Condition } from '@cairn/shared/safety/condition';
import { CHECKS, evaluateHops } from '@cairn/shared/safety/evaluate';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { using } from '../../helpers/cluster/api-use.ts';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  anExtension,
  anObjectSet,
  anOperator,
  anUpdate,
  aPool,
  context,
  minutesAgo,
  NOW,
  withHistory,
} from '../../helpers/cluster/clusters.ts';
import { aHostedCluster, aNodePool, hostedFacts } from '../../helpers/cluster/hosted.ts';
import {
  aBudget,
  aHealthCheck,
  anAlert,
  aPodGroup,
  aRequest,
  labelled,
} from '../../helpers/cluster/workloads.ts';
import { CALENDAR } from '../../helpers/path/builders.ts';
import { REPORTS } from '../../helpers/plan/report-cases.ts';

interface More {
  readonly options?: Partial<SafetyOptions>;
  readonly updates?: readonly PathHop[];
  readonly now?: number;
  readonly isCurrentExcluded?: boolean;
  readonly calendar?: SupportCalendar;
}

const NEXT = ['4.14.8', '4.15.3'];

function after(facts: ClusterFacts, path: readonly string[] = NEXT, more: More = {}): readonly Condition[] {
  const { isCurrentExcluded = false } = more;
  return evaluateHops({ ...context(facts, path, more), checks: CHECKS, isCurrentExcluded }).flatMap(
    ({ conditions }) => conditions,
  );
}

const cluster = (changes: Partial<ClusterFacts>, path = NEXT, more: More = {}) =>
  after(aCluster(changes, path[0]), path, more);
const version = (changes: Partial<ClusterVersionFacts>, path = NEXT) =>
  cluster({ clusterVersion: aClusterVersion(changes, path[0]) }, path);
const history = (entries: readonly string[], ...path: readonly string[]) =>
  cluster({ clusterVersion: withHistory(entries) }, [entries[0]!.split(' ')[0]!, ...path]);
const worker = (changes: Partial<PoolFacts>) =>
  cluster({ pools: [aPool('master'), aPool('worker', changes)] });
const masters = (...ready: readonly string[]) =>
  cluster({
    nodes: [
      ...ready.map((each, number) => aNode(`master-${number}`, { ready: each }, 'master')),
      aNode('worker-0'),
    ],
  });
const workers = (...changes: readonly Partial<NodeFacts>[]) =>
  cluster({
    nodes: [
      aNode('master-0', {}, 'master'),
      ...changes.map((each, number) => aNode(`worker-${number}`, each)),
    ],
  });
const clusterOperators = (...operators: readonly ClusterOperatorFacts[]) =>
  cluster({ clusterOperators: operators });
const kubelets = (versions: readonly string[], path = NEXT, more: More = {}, pool: Partial<PoolFacts> = {}) =>
  cluster(
    {
      nodes: versions.map((kubeletVersion, index) => aNode(`worker-${index}`, { kubeletVersion })),
      pools: [aPool('master'), aPool('worker', pool)],
    },
    path,
    more,
  );
const nodes = (...changes: readonly Partial<NodeFacts>[]) =>
  cluster({ nodes: changes.map((change, index) => aNode(`worker-${index}`, change)) });
const operator = (name: string, changes: Parameters<typeof anOperator>[1], path = NEXT) =>
  cluster({ operators: [anOperator(name, changes)] }, path);
const extension = (changes: Partial<ClusterFacts>) =>
  cluster({ extensions: [anExtension('quay')], ...changes }, ['4.20.3', '4.21.1']);
const says = (name: string, ...conditions: readonly Parameters<typeof aCondition>[]) =>
  aClusterOperator(
    name,
    conditions.map((parameters) => aCondition(...parameters)),
  );
const max = (value: string) => [{ type: 'olm.maxOpenShiftVersion', value }];
const gates = (...keys: readonly (readonly [string, string])[]) =>
  cluster({ adminGates: keys.map(([key, value]) => ({ key, value })) }, ['4.14.8', '4.15.3']);

const RISK = {
  name: 'KernelNvmeResetPanic',
  url: 'https://issues.example.com/OCPBUGS-1',
  message: 'Nodes with some disks may crash.',
  matchingRules: [{ type: 'Always' as const }],
};
const conditionalUpdate = (
  applies: string,
  acceptedRisks: readonly string[] = [],
  name: string = RISK.name,
): Partial<ClusterVersionFacts> => ({
  conditionalUpdates: [{ version: '4.15.3', risks: [name], recommended: null }],
  knownRisks: [{ name, url: '', message: '', applies: aCondition('Applies', applies) }],
  acceptedRisks,
});
const OVERRIDE = { kind: 'Deployment', group: 'apps', namespace: 'openshift-etcd', name: 'etcd' };
const MANUAL_CREDENTIALS: Parameters<typeof aCondition> = [
  'Upgradeable',
  'False',
  'MissingUpgradeableAnnotation',
  'the annotation upgradeable-to is missing',
];
const UNREADABLE_EXTENSION: Parameters<typeof aCondition> = [
  'Upgradeable',
  'False',
  'InstalledOLMOperators_FailureGettingExtensionMetadata',
  'error returning the last deployed release for quay',
];
const ROOT_CREDENTIAL: Parameters<typeof aCondition> = [
  'Upgradeable',
  'False',
  'MissingRootCredential',
  'the credential of the installation is missing',
];
const ACKNOWLEDGED = { key: 'ack-4.18-kube-1.32-api-removals-in-4.19', value: 'true' };
const GATE_TEXT = 'Read https://access.example.com/articles/1 before the update.';
const FLOWSCHEMAS = 'flowschemas.v1beta3.flowcontrol.apiserver.k8s.io';
const TO_419 = ['4.18.11', '4.19.2'];

const hosted = (
  changes: Partial<HostedClusterFacts>,
  pools: readonly NodePoolFacts[] | null = [],
  path = ['4.18.10', '4.19.5'],
  facts: Partial<ClusterFacts> = {},
) =>
  after(hostedFacts(aHostedCluster(changes, path[0]), pools, facts), path, { options: { policy: 'hosted' } });
const hostedReporting = (status: string, ...types: readonly string[]) =>
  hosted({ conditions: types.map((type) => aCondition(type, status)) });
const workersReporting = (type: string, status: string) =>
  hosted({}, [aNodePool('workers', '4.18.10', { conditions: [aCondition(type, status)] })]);
const VOLUMES = { infrastructure: { platform: 'VSphere', controlPlaneTopology: 'HighlyAvailable' } };
/** Clusters with every gate and forward guard. */
const GUARDED: readonly Condition[] = [
  ...cluster({ ...VOLUMES, vsphereVolumes: ['pv-1'] }, ['4.13.8', '4.14.3']),
  ...cluster({ adminGates: [] }, ['4.15.8', '4.15.20', '4.16.3']),
  ...cluster({ featureSet: 'TechPreviewNoUpgrade' }),
  ...cluster({ operatorConfigs: [{ kind: 'Etcd', name: 'cluster', overrides: ['useUnsupported'] }] }),
  ...cluster({ certRotationBase: '30m' }),
  ...cluster({ cloudCredential: { mode: 'Manual', upgradeableTo: '' } }),
  ...cluster({ digestMirrorSets: [{ name: 'releases', mirrors: [] }] }, ['4.21.1', '4.22.3']),
  ...cluster({ imagePolicies: ['openshift'] }, ['4.20.1', '4.21.3']),
  ...cluster({ cgroupMode: 'v1' }, ['4.18.11', '4.19.2']),
  ...cluster({ nodes: [aNode('rhel-0', { osImage: 'Red Hat Enterprise Linux 8.10' })] }, TO_419),
  ...cluster({ networkType: 'OpenShiftSDN' }, ['4.16.5', '4.17.1']),
  ...cluster({ networkType: 'Kuryr' }),
  ...cluster({ networkMigration: { isInProgress: true, message: '' } }, ['4.16.5', '4.17.1']),
  ...cluster(
    {
      machineConfiguration: {
        bootImageManagers: [],
        bootImageSkew: { mode: 'Manual', ocpVersion: '4.12.30', rhcosVersion: '' },
      },
    },
    ['4.22.1', '5.0.2'],
  ),
  ...cluster({ clusterVersion: withHistory(['4.22.1 C', '4.12.30 C']) }, ['4.22.1', '5.0.2']),
  ...cluster(
    {
      runtimeConfigs: [
        { name: 'slow', runtime: 'runc', poolSelector: { matchLabels: {}, matchExpressions: [] } },
      ],
    },
    ['4.22.1', '5.0.2'],
  ),
  ...cluster({ selinuxConflicts: 'True' }, ['5.0.2', '5.1.0']),
  ...worker({ conditions: [aCondition('BuildInterrupted', 'True')] }),
  ...cluster(
    {
      customResources: [
        {
          name: 'volumesnapshots.snapshot.storage.k8s.io',
          group: 'snapshot.storage.k8s.io',
          versions: ['v1alpha1'],
        },
      ],
    },
    ['4.13.8', '4.14.3'],
  ),
  ...version({ baselineCapabilitySet: 'v4.11' }),
  ...cluster({ featureSet: null }),
];

/** Clusters that between them meet every reason of every check, with the effect it has on the next minor. */
export const CONDITIONS: readonly Condition[] = [
  REPORTS['control-plane-only']!.pathExists,
  REPORTS['no-path']!.pathExists,
  invalidDesiredVersion('4.15.x'),
  ...cluster({}, NEXT, { updates: [anUpdate()] }),
  ...cluster({ clusterVersion: null, nodes: null, operators: null, apiUse: null, adminGates: null }),
  ...cluster({ clusterOperators: null, pools: null }),
  ...cluster({ nodes: [] }),
  ...cluster({ pools: [] }),
  ...cluster({ pools: [aPool('worker')] }),
  ...cluster({ infrastructure: { platform: 'AWS', controlPlaneTopology: 'External' } }),
  ...hosted({}, [aNodePool('workers', '4.20.5')], ['4.20.5', '4.21.5']),
  ...hosted({}, null),
  ...hosted({}, [aNodePool('workers', '4.18.11')]),
  ...hosted({}, [aNodePool('workers', '4.18.10')], ['4.21.5', '4.22.5']),
  ...hosted({}, [aNodePool('workers', '4.17.10')], ['4.21.5', '4.22.5']),
  ...hosted({}, [], ['4.18.10', '4.19.5'], { hostedVersions: ['4.18'] }),
  ...hosted({ pausedUntil: 'true', networkType: 'OpenShiftSDN' }),
  ...hostedReporting('False', 'Available', 'EtcdAvailable', 'KubeAPIServerAvailable'),
  ...hostedReporting('False', 'ValidReleaseImage', 'ValidConfiguration', 'SupportedHostedCluster'),
  ...hostedReporting('True', 'Degraded', 'ClusterVersionFailing'),
  ...hostedReporting('Unknown', 'EtcdAvailable'),
  ...workersReporting('SupportedVersionSkew', 'False'),
  ...workersReporting('AllMachinesReady', 'False'),
  ...workersReporting('AllNodesHealthy', 'False'),
  ...workersReporting('UpdatingVersion', 'True'),
  ...cluster({}, ['4.14.8', '4.15.3', '4.16.5']),
  ...cluster({}, ['4.14.8', '4.16.5']),
  ...cluster({}, ['4.20.1', '5.0.2']),
  ...cluster({}, ['4.23.1', '5.1.0']),
  ...cluster({}, ['4.14.8', '4.14.2']),
  ...version({ desired: { version: 'mine', image: 'registry.example/mine', channels: [] } }),
  ...history(['4.14.8 C', '4.14.2 C'], '4.14.2'),
  ...history(['4.7.16 P', '4.7.10 P', '4.6.40 C'], '4.8.2'),
  ...history(['4.7.16 P', '4.7.10 C', '4.6.40 C'], '4.8.2'),
  ...history(['4.7.16 P', '4.6.40 C'], '4.7.20'),
  ...history(['5.0.1 P', '4.22.9 C'], '5.0.3'),
  ...history(['4.7.16 C', '4.7.10 P', '4.6.40 C'], '4.8.2'),
  ...history(['4.8.2 C', '4.7.10 P', '4.6.40 C'], '4.9.0'),
  ...version({ desiredUpdate: { version: '4.14.8', image: '', force: true } }),
  ...version({ history: [] }),
  ...kubelets(['v1.28.6'], ['4.16.5', '4.17.1'], { options: { policy: 'n-2' } }),
  ...kubelets(['v1.20.1', 'v1.20.1', 'v1.21.4'], ['4.8.14', '4.9.30'], {}, { paused: true }),
  ...kubelets(['v1.25.1'], ['4.15.3', '4.16.5']),
  ...kubelets(['v1.20.1'], ['4.7.5', '4.8.14', '4.9.30'], {}, { paused: true }),
  ...kubelets(['v1.28.1']),
  ...kubelets(['unknown']),
  ...kubelets(['v1.20.1'], ['4.9.30', '4.10.2'], { options: { policy: 'n-3' } }),
  ...operator('logging', { properties: max('4.14') }),
  ...operator('logging', { minKubeVersion: '1.31.0' }),
  ...operator('logging', {}),
  ...operator('logging', { properties: max('4.15'), declaredProperties: max('4.16') }),
  ...operator('logging', { phase: 'Replacing' }),
  ...extension({ objectSets: [anObjectSet('quay', { properties: max('4.20') })] }),
  ...extension({ objectSets: [anObjectSet('quay', { properties: max('4.22') })] }),
  ...extension({ clusterOperators: [says('olm', UNREADABLE_EXTENSION)] }).filter(
    ({ type }) => type === 'ExtensionsCompatible',
  ),
  ...extension({}),
  ...extension({
    extensions: [
      anExtension('quay', {
        problems: [aCondition('Deprecated', 'True'), aCondition('Installed', 'False', 'Failed')],
      }),
    ],
  }),
  ...extension({ extensions: null, objectSets: null }),
  ...cluster({ apiUse: [using(FLOWSCHEMAS, '1.32', 412)] }, ['4.17.9', ...TO_419]),
  ...cluster({ apiUse: [using(FLOWSCHEMAS, '1.32', 412)] }, TO_419),
  ...cluster({ apiUse: [using(FLOWSCHEMAS, '1.32', 412)], adminAcks: [ACKNOWLEDGED] }, TO_419),
  ...cluster({ apiUse: [using('cronjobs.v1beta1.batch', '1.25', 3)] }),
  ...cluster({ apiUse: [using(FLOWSCHEMAS, '1.32', 412)] }),
  ...cluster({ apiUse: null }, ['4.15.3', '4.16.5']),
  ...gates(['ack-4.14-storage-migration', GATE_TEXT]),
  ...gates(['acknowledge-4.14', GATE_TEXT]),
  ...gates(['ack-4.14-storage-migration', '']),
  ...gates(['ack-4.14-storage-migration', GATE_TEXT], ['acknowledge-4.14', GATE_TEXT]),
  ...version({ unmanagedOverrides: [OVERRIDE] }),
  ...version({ unmanagedOverrides: [OVERRIDE] }, ['4.14.8', '4.14.20']),
  ...clusterOperators(says('cloud-credential', ROOT_CREDENTIAL)),
  ...clusterOperators(says('cloud-credential', MANUAL_CREDENTIALS)),
  ...clusterOperators(
    says('cloud-credential', ROOT_CREDENTIAL),
    says('ingress', ['Upgradeable', 'False', 'IngressControllersNotUpgradeable', 'See default']),
  ),
  ...version({ conditions: [aCondition('Failing', 'True', 'X', '')] }),
  ...version({ conditions: [aCondition('Invalid', 'True', 'X', '')] }),
  ...version({ conditions: [aCondition('ReleaseAccepted', 'False', 'VerificationFailed', '')] }),
  ...version({ conditions: [aCondition('ReleaseAccepted', 'False', '', '')] }),
  ...clusterOperators(
    says('network', ['Available', 'False', 'X', 'the DaemonSet is not available', minutesAgo(45)]),
  ),
  ...clusterOperators(says('dns', ['Available', 'False', 'X', '', minutesAgo(45)])),
  ...clusterOperators(says('dns', ['Available', 'Unknown', 'X', '', minutesAgo(45)])),
  ...clusterOperators(says('dns', ['Degraded', 'True', 'X', '', minutesAgo(45)])),
  ...cluster(
    {
      clusterVersion: withHistory(['4.14.8 P', '4.14.2 C']),
      clusterOperators: [says('dns', ['Progressing', 'True', 'X', '', minutesAgo(45)])],
    },
    ['4.14.8', '4.14.20'],
  ),
  ...clusterOperators(),
  ...worker({ machines: { total: 3, updated: 2, ready: 2, unavailable: 1, degraded: 1 } }),
  ...cluster({ pools: [aPool('master', { paused: true })] }),
  ...worker({ paused: true, machines: { total: 3, updated: 1, ready: 3, unavailable: 0, degraded: 0 } }),
  ...worker({ conditions: [aCondition('Updating', 'True')] }),
  ...worker({ conditions: [] }),
  ...worker({ paused: true }),
  ...masters('Unknown', 'Unknown', 'True'),
  ...masters('Unknown', 'True', 'True'),
  ...masters('True', 'True'),
  ...workers({ ready: 'False' }, {}),
  ...workers({ problems: [aCondition('MemoryPressure', 'True')] }),
  ...workers({ unschedulable: true }),
  ...clusterOperators(says('etcd', ['Available', 'False'])),
  ...clusterOperators(says('etcd', ['Available', 'Unknown'])),
  ...clusterOperators(says('etcd', ['Degraded', 'True', 'EtcdMembers', '2 of 3 members are available'])),
  ...cluster({
    podsPerNode: [true, true, false].map((etcdReady, number) => ({
      node: `master-${number}`,
      pods: 9,
      etcdReady,
    })),
  }),
  ...clusterOperators(aClusterOperator('dns')),
  ...cluster({ certificateRequests: [aRequest('csr-8kq2f'), aRequest('csr-x', 'example.com/signer')] }),
  ...cluster({
    budgets: null,
    drainedPods: null,
    healthChecks: null,
    certificateRequests: null,
    alerts: null,
  }),
  ...cluster({
    budgets: [
      aBudget('shop', 'strict'),
      aBudget('shop', 'tight', { desiredHealthy: 2, selector: labelled('cart') }),
      aBudget('shop', 'second'),
    ],
    drainedPods: [
      aPodGroup('shop', { app: 'web' }, ['worker-1', 'worker-2', 'worker-2']),
      aPodGroup('shop', { app: 'cart' }, ['worker-0', 'worker-1']),
      { ...aPodGroup('lab', {}, ['worker-0']), owner: null },
    ],
    virtualMachines: [{ namespace: 'vms', name: 'vm-1', node: 'worker-1', message: '' }],
    singleReplicas: [{ kind: 'Deployment', namespace: 'shop', name: 'db' }],
  }),
  ...cluster({ budgets: [aBudget('shop', 'strict')], drainedPods: null }),
  ...cluster({ infrastructure: { platform: 'None', controlPlaneTopology: 'SingleReplica' } }),
  ...cluster({ healthChecks: [aHealthCheck('workers'), aHealthCheck('infra', true)] }),
  ...cluster({
    alerts: [
      anAlert('etcdMembersDown', { severity: 'critical', summary: 'etcd cluster members are down.' }),
      anAlert('PodDisruptionBudgetAtLimit', { namespace: 'shop', budget: 'strict' }),
      anAlert('KubeContainerWaiting'),
      anAlert('KubeNodeNotReady'),
      anAlert('MyCheck', { isPrecheck: true }),
      anAlert('VMCannotBeEvicted'),
    ],
  }),
  ...nodes({}, { containerRuntimeVersion: 'cri-o://1.26.3' }),
  ...nodes({}, {}, { osImage: 'Red Hat Enterprise Linux CoreOS 414.92.202402130420-0' }),
  ...cluster({}, NEXT, { updates: [anUpdate({ conditional: true, risks: [RISK] })] }),
  ...version({
    conditionalUpdates: [{ version: '4.15.3', risks: [RISK.name], recommended: null }],
    knownRisks: [{ name: RISK.name, url: '', message: '', applies: aCondition('Applies', 'True') }],
    conditions: [aCondition('ReleaseAccepted', 'False', 'UnacceptedRisks', RISK.name)],
  }),
  ...version(conditionalUpdate('False')),
  ...version(conditionalUpdate('True', [RISK.name])),
  ...version(conditionalUpdate('True', [], 'AdminAck-4.15-a')),
  ...version({
    conditionalUpdates: [{ version: '4.15.3', risks: [RISK.name, 'Unknown'], recommended: null }],
    knownRisks: [{ name: RISK.name, url: '', message: '', applies: aCondition('Applies', 'True') }],
  }),
  ...version({ channel: null }),
  ...version({
    conditions: [aCondition('RetrievedUpdates', 'False', 'RemoteFailed', 'connection refused')],
  }),
  ...version({
    conditions: [
      aCondition(
        'Upgradeable',
        'False',
        'ResourceDeletesInProgress',
        'Service openshift-dns/dns-default is being deleted',
      ),
    ],
  }),
  ...version({ conditions: [aCondition('Upgradeable', 'False', 'PoolRefused', 'Pool infra is refused')] }),
  ...GUARDED,
  ...version({ conditions: [aCondition('Upgradeable', 'False', '')] }),
  ...cluster({}, ['4.15.51', '4.16.9'], { isCurrentExcluded: true }),
  ...cluster({ collectedAt: '2026-05-29T12:00:00.000Z' }, NEXT, { now: NOW }),
  ...cluster({}, ['4.14.8', '4.15.3', '4.16.5'], { calendar: CALENDAR }),
  ...cluster({}, NEXT, { calendar: CALENDAR }),
];

/** All that stands against a hop in one, for a cluster with two blockers. */
export function aggregate(): Condition {
  const facts = aCluster({
    clusterVersion: aClusterVersion({ unmanagedOverrides: [OVERRIDE] }),
    operators: [anOperator('logging', { properties: max('4.14') })],
  });
  const question = context(facts, NEXT, { updates: [anUpdate()] });
  return evaluateHops({ ...question, checks: CHECKS })[0]!.upgradeable;
}
