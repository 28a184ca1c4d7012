import type {
  ClusterCondition,
  ClusterFacts,
  ClusterVersionFacts,
  NodeFacts,
  PoolFacts,
} from '@cairn/shared/cluster/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import { invalidDesiredVersion } from '@cairn/shared/safety/checks/hop-size';
import type { Condition } from '@cairn/shared/safety/condition';
import { CHECKS, evaluateHops } from '@cairn/shared/safety/evaluate';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import type { Effect } from '@cairn/shared/safety/values';
import { using } from '../../helpers/cluster/api-use.ts';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  anOperator,
  anUpdate,
  aPool,
  context,
  minutesAgo,
  NOW,
  withHistory,
} from '../../helpers/cluster/clusters.ts';
import { REPORTS } from '../../helpers/plan/report-cases.ts';

/** A reason that the code gives, with the effect that it has on the next minor, and how it comes about. */
export interface ConditionExample {
  readonly type: string;
  readonly reason: string;
  readonly effect: Effect;
  readonly conditions: () => readonly Condition[];
}

interface More {
  readonly options?: Partial<SafetyOptions>;
  readonly updates?: readonly PathHop[];
  readonly now?: number;
}

const NEXT = ['4.14.8', '4.15.3'];

function after(facts: ClusterFacts, path: readonly string[] = NEXT, more: More = {}): readonly Condition[] {
  const { hops, options, now } = context(facts, path, more);
  return evaluateHops({ checks: CHECKS, facts, hops, options, now }).flatMap(({ conditions }) => conditions);
}

const cluster = (changes: Partial<ClusterFacts>, path = NEXT, more: More = {}) =>
  after(aCluster(changes, path[0]), path, more);
const version = (changes: Partial<ClusterVersionFacts>, path = NEXT) =>
  cluster({ clusterVersion: aClusterVersion(changes, path[0]) }, path);
const history = (entries: readonly string[], ...path: readonly string[]) =>
  cluster({ clusterVersion: withHistory(entries) }, [entries[0]!.split(' ')[0]!, ...path]);
const noVersion = () =>
  version({ desired: { version: 'mine', image: 'registry.example/mine', channels: [] } });
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
const etcd = (condition: ClusterCondition) =>
  cluster({ clusterOperators: [aClusterOperator('etcd', [condition])] });
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
const OVERRIDE = { kind: 'Deployment', group: 'apps', namespace: 'openshift-etcd', name: 'etcd' };
const MANUAL_CREDENTIALS: Parameters<typeof aCondition> = [
  'Upgradeable',
  'False',
  'MissingUpgradeableAnnotation',
  'the annotation upgradeable-to is missing',
];
const GATE_TEXT = 'Read https://access.example.com/articles/1 before the update.';
const FLOWSCHEMAS = 'flowschemas.v1beta3.flowcontrol.apiserver.k8s.io';
const TO_419 = ['4.18.11', '4.19.2'];

function examples(
  type: string,
  reasons: Readonly<Record<string, readonly [Effect, () => readonly Condition[]]>>,
): readonly ConditionExample[] {
  return Object.entries(reasons).map(([reason, [effect, conditions]]) => ({
    type,
    reason,
    effect,
    conditions,
  }));
}

export const CONDITION_EXAMPLES: readonly ConditionExample[] = [
  ...examples('PathExists', {
    AsExpected: ['ok', () => [REPORTS['control-plane-only']!.pathExists]],
    source_not_in_channel: ['block', () => [REPORTS['no-path']!.pathExists]],
  }),
  ...examples('HopSizeSupported', {
    AsExpected: ['ok', () => cluster({})],
    MultipleMinorVersionsUpdate: ['block', () => cluster({}, ['4.14.8', '4.16.5'])],
    MajorVersionUpdate: ['block', () => cluster({}, ['4.20.1', '5.0.2'])],
    PeerWouldRefuse: ['warn', () => cluster({}, ['4.23.1', '5.1.0'])],
    InvalidCurrentVersion: ['warn', noVersion],
    InvalidDesiredVersion: ['block', () => [invalidDesiredVersion('4.15.x')]],
  }),
  ...examples('NotRollback', {
    AsExpected: ['ok', () => cluster({})],
    LowDesiredVersion: ['block', () => cluster({}, ['4.14.8', '4.14.2'])],
    RollbackToPrevious: ['info', () => history(['4.14.8 C', '4.14.2 C'], '4.14.2')],
    InvalidCurrentVersion: ['warn', noVersion],
  }),
  ...examples('NoUpdateInProgress', {
    AsExpected: ['ok', () => cluster({})],
    AfterPreviousHop: ['ok', () => cluster({}, ['4.14.8', '4.15.3', '4.16.5'])],
    MinorUpdateIncomplete: ['block', () => history(['4.7.16 P', '4.7.10 P', '4.6.40 C'], '4.8.2')],
    UpdateInProgress: ['block', () => history(['4.7.16 P', '4.7.10 C', '4.6.40 C'], '4.8.2')],
    MinorVersionClusterUpdateInProgress: ['warn', () => history(['4.7.16 P', '4.6.40 C'], '4.7.20')],
    MajorVersionClusterUpdateInProgress: ['warn', () => history(['5.0.1 P', '4.22.9 C'], '5.0.3')],
    PartialSuperseded: ['info', () => history(['4.7.16 C', '4.7.10 P', '4.6.40 C'], '4.8.2')],
    MinorSkippedIncomplete: ['info', () => history(['4.8.2 C', '4.7.10 P', '4.6.40 C'], '4.9.0')],
    PastForcedUpdate: [
      'info',
      () => version({ desiredUpdate: { version: '4.14.8', image: '', force: true } }),
    ],
    NoHistory: ['warn', () => version({ history: [] })],
    InvalidCurrentVersion: ['warn', noVersion],
    InputMissing: ['warn', () => cluster({ clusterVersion: null })],
  }),
  ...examples('KubeletMinorVersionUpgradeable', {
    KubeletMinorVersionsSynced: ['ok', () => cluster({})],
    KubeletMinorVersionSupportedNextUpgrade: [
      'ok',
      () => kubelets(['v1.28.6'], ['4.16.5', '4.17.1'], { options: { policy: 'n-2' } }),
    ],
    KubeletMinorVersionUnsupportedNextUpgrade: [
      'block',
      () => kubelets(['v1.20.1', 'v1.20.1', 'v1.21.4'], ['4.8.14', '4.9.30'], {}, { paused: true }),
    ],
    KubeletMinorVersionUnsupported: ['block', () => kubelets(['v1.25.1'], ['4.15.3', '4.16.5'])],
    KubeletMinorVersionAhead: ['warn', () => kubelets(['v1.28.1'])],
    KubeletVersionUnknown: ['warn', () => kubelets(['unknown'])],
    KubeletBeyondKubernetesPolicy: [
      'warn',
      () => kubelets(['v1.20.1'], ['4.9.30', '4.10.2'], { options: { policy: 'n-3' } }),
    ],
    NoNodes: ['warn', () => cluster({ nodes: [] })],
    InputMissing: ['warn', () => cluster({ nodes: null })],
  }),
  ...examples('OperatorsCompatible', {
    AsExpected: ['ok', () => cluster({})],
    IncompatibleOperatorsInstalled: ['block', () => operator('logging', { properties: max('4.14') })],
    MinKubeVersionNotMet: ['warn', () => operator('logging', { minKubeVersion: '1.31.0' })],
    OperatorsUnverified: ['info', () => operator('logging', {})],
    DeclaredMaxDiffers: [
      'info',
      () => operator('logging', { properties: max('4.15'), declaredProperties: max('4.16') }),
    ],
    OperatorsSkipped: ['info', () => operator('logging', { phase: 'Replacing' })],
    ErrorCheckingOperatorCompatibility: ['warn', noVersion],
    InputMissing: ['warn', () => cluster({ operators: null })],
  }),
  ...examples('APIRemovals', {
    NoRemovedAPIsInUse: ['ok', () => cluster({})],
    APIRemovedInNextReleaseInUse: [
      'block',
      () => cluster({ apiUse: [using(FLOWSCHEMAS, '1.32', 412)] }, TO_419),
    ],
    APIRemovedInLaterReleaseInUse: [
      'inform',
      () => cluster({ apiUse: [using(FLOWSCHEMAS, '1.32', 412)] }, ['4.17.9', ...TO_419]),
    ],
    AcknowledgedButInUse: [
      'warn',
      () =>
        cluster(
          {
            apiUse: [using(FLOWSCHEMAS, '1.32', 412)],
            adminAcks: [{ key: 'ack-4.18-kube-1.32-api-removals-in-4.19', value: 'true' }],
          },
          TO_419,
        ),
    ],
    AlreadyRemoved: ['info', () => cluster({ apiUse: [using('cronjobs.v1beta1.batch', '1.25', 3)] })],
    APIRemovedBeyondTarget: ['info', () => cluster({ apiUse: [using(FLOWSCHEMAS, '1.32', 412)] })],
    RemovalsOnPath: ['info', () => cluster({ apiUse: null }, ['4.15.3', '4.16.5'])],
    InputMissing: ['warn', () => cluster({ apiUse: null })],
  }),
  ...examples('AdminAcksCompleted', {
    AsExpected: ['ok', () => cluster({})],
    AdminAckRequired: ['block', () => gates(['ack-4.14-storage-migration', GATE_TEXT])],
    AdminAckConfigMapGateNameError: ['block', () => gates(['acknowledge-4.14', GATE_TEXT])],
    AdminAckConfigMapGateValueError: ['block', () => gates(['ack-4.14-storage-migration', ''])],
    MultipleReasons: [
      'block',
      () => gates(['ack-4.14-storage-migration', GATE_TEXT], ['acknowledge-4.14', GATE_TEXT]),
    ],
    InputMissing: ['warn', () => cluster({ adminGates: null })],
  }),
  ...examples('OverridesUnset', {
    AsExpected: ['ok', () => cluster({})],
    ClusterVersionOverridesSet: ['block', () => version({ unmanagedOverrides: [OVERRIDE] })],
    PeerBlocksPatchWithOverrides: [
      'warn',
      () => version({ unmanagedOverrides: [OVERRIDE] }, ['4.14.8', '4.14.20']),
    ],
    InputMissing: ['warn', () => cluster({ clusterVersion: null })],
  }),
  ...examples('ClusterOperatorsUpgradeable', {
    AsExpected: ['ok', () => cluster({})],
    MissingUpgradeableAnnotation: [
      'block',
      () => cluster({ clusterOperators: [says('cloud-credential', MANUAL_CREDENTIALS)] }),
    ],
    ClusterOperatorsNotUpgradeable: [
      'block',
      () =>
        cluster({
          clusterOperators: [
            says('cloud-credential', MANUAL_CREDENTIALS),
            says('ingress', ['Upgradeable', 'False', 'IngressControllersNotUpgradeable', 'See default']),
          ],
        }),
    ],
    Failing: [
      'warn',
      () =>
        cluster({
          clusterVersion: aClusterVersion({ conditions: [aCondition('Failing', 'True', 'X', '')] }),
        }),
    ],
    ClusterOperatorsUnavailable: [
      'warn',
      () => cluster({ clusterOperators: [says('dns', ['Available', 'False', 'X', '', minutesAgo(45)])] }),
    ],
    ClusterOperatorsDegraded: [
      'warn',
      () => cluster({ clusterOperators: [says('dns', ['Degraded', 'True', 'X', '', minutesAgo(45)])] }),
    ],
    ClusterOperatorsSlow: [
      'warn',
      () =>
        cluster(
          {
            clusterVersion: withHistory(['4.14.8 P', '4.14.2 C']),
            clusterOperators: [says('dns', ['Progressing', 'True', 'X', '', minutesAgo(45)])],
          },
          ['4.14.8', '4.14.20'],
        ),
    ],
    NoClusterOperators: ['warn', () => cluster({ clusterOperators: [] })],
    InputMissing: ['warn', () => cluster({ clusterOperators: null })],
  }),
  ...examples('PoolsReady', {
    AsExpected: ['ok', () => cluster({})],
    AfterPreviousHop: ['ok', () => cluster({}, ['4.14.8', '4.15.3', '4.16.5'])],
    PoolDegraded: [
      'block',
      () => worker({ machines: { total: 3, updated: 2, ready: 2, unavailable: 1, degraded: 1 } }),
    ],
    ControlPlanePoolPaused: ['block', () => cluster({ pools: [aPool('master', { paused: true })] })],
    PoolPausedOutdated: [
      'warn',
      () =>
        worker({ paused: true, machines: { total: 3, updated: 1, ready: 3, unavailable: 0, degraded: 0 } }),
    ],
    PoolUpdating: ['warn', () => worker({ conditions: [aCondition('Updating', 'True')] })],
    PoolPaused: ['info', () => worker({ paused: true })],
    InputMissing: ['warn', () => cluster({ pools: null })],
  }),
  ...examples('NodesHealthy', {
    AsExpected: ['ok', () => cluster({})],
    ControlPlaneMajorityNotReady: ['block', () => masters('Unknown', 'Unknown', 'True')],
    ControlPlaneNodeNotReady: ['block', () => masters('Unknown', 'True', 'True')],
    NodeNotReady: ['warn', () => workers({ ready: 'False' }, {})],
    NodePressure: ['warn', () => workers({ problems: [aCondition('MemoryPressure', 'True')] })],
    NodeCordoned: ['warn', () => workers({ unschedulable: true })],
    ControlPlaneCountUnusual: ['warn', () => masters('True', 'True')],
    NoNodes: ['warn', () => cluster({ nodes: [] })],
    InputMissing: ['warn', () => cluster({ nodes: null })],
  }),
  ...examples('EtcdHealthy', {
    AsExpected: ['ok', () => cluster({})],
    EtcdUnavailable: ['block', () => etcd(aCondition('Available', 'False'))],
    EtcdDegraded: [
      'block',
      () => etcd(aCondition('Degraded', 'True', 'EtcdMembers', '2 of 3 members are available')),
    ],
    EtcdMembersNotReady: [
      'warn',
      () =>
        cluster({
          podsPerNode: [true, true, false].map((etcdReady, number) => ({
            node: `master-${number}`,
            pods: 9,
            etcdReady,
          })),
        }),
    ],
    EtcdNotReported: ['info', () => cluster({ clusterOperators: [aClusterOperator('dns')] })],
    InputMissing: ['warn', () => cluster({ clusterOperators: null })],
  }),
  ...examples('NodeComponentsAligned', {
    AsExpected: ['ok', () => cluster({})],
    RuntimeSkew: ['warn', () => nodes({}, { containerRuntimeVersion: 'cri-o://1.26.3' })],
    OSImageDrift: [
      'warn',
      () => nodes({}, {}, { osImage: 'Red Hat Enterprise Linux CoreOS 414.92.202402130420-0' }),
    ],
    NoNodes: ['warn', () => cluster({ nodes: [] })],
    InputMissing: ['warn', () => cluster({ nodes: null })],
  }),
  ...examples('PathRecommended', {
    AsExpected: ['ok', () => cluster({}, NEXT, { updates: [anUpdate()] })],
    ConditionalUpdateRisk: [
      'warn',
      () => cluster({}, NEXT, { updates: [anUpdate({ conditional: true, risks: [RISK] })] }),
    ],
    UnknownUpdate: ['warn', () => cluster({})],
    NoChannel: ['warn', () => version({ channel: null })],
    CannotRetrieveUpdates: [
      'warn',
      () =>
        version({
          conditions: [aCondition('RetrievedUpdates', 'False', 'RemoteFailed', 'connection refused')],
        }),
    ],
    NotReachedYet: ['info', () => cluster({}, ['4.14.8', '4.15.3', '4.16.5'])],
    InputMissing: ['warn', () => cluster({ clusterVersion: null })],
  }),
  ...examples('ReportedUpgradeable', {
    ResourceDeletesInProgress: [
      'block',
      () =>
        version({
          conditions: [
            aCondition(
              'Upgradeable',
              'False',
              'ResourceDeletesInProgress',
              'Service openshift-dns/dns-default is being deleted',
            ),
          ],
        }),
    ],
    NotUpgradeable: ['block', () => version({ conditions: [aCondition('Upgradeable', 'False', '')] })],
  }),
  ...examples('SnapshotFresh', {
    SnapshotStale: ['info', () => cluster({ collectedAt: '2026-05-29T12:00:00.000Z' }, NEXT, { now: NOW })],
  }),
];

/** All that stands against a hop in one, for a cluster with two blockers. */
export function aggregate(): Condition {
  const facts = aCluster({
    clusterVersion: aClusterVersion({ unmanagedOverrides: [OVERRIDE] }),
    operators: [anOperator('logging', { properties: max('4.14') })],
  });
  const { hops, options, now } = context(facts, NEXT, { updates: [anUpdate()] });
  return evaluateHops({ checks: CHECKS, facts, hops, options, now })[0]!.upgradeable;
}
