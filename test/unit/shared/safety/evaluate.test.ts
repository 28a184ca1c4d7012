import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { hopsOfSteps } from '@cairn/shared/safety/hop';
import { parseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  anExtension,
  anOperator,
  anUpdate,
  aPool,
  minutesAgo,
  NOW,
  withHistory,
} from '../../../helpers/cluster/clusters.ts';
import { conditionOf, evaluate, evaluateHop, findingsOf } from '../../../helpers/cluster/evaluations.ts';
import { aHostedCluster, aNodePool, hostedFacts } from '../../../helpers/cluster/hosted.ts';
import { anAlert } from '../../../helpers/cluster/workloads.ts';
import { aRisk } from '../../../helpers/path/answers.ts';

const NEXT = ['4.14.8', '4.15.3'];

const TYPES = [
  'HopSizeSupported',
  'NotRollback',
  'NoUpdateInProgress',
  'KubeletMinorVersionUpgradeable',
  'OperatorsCompatible',
  'APIRemovals',
  'AdminAcksCompleted',
  'OverridesUnset',
  'ClusterOperatorsUpgradeable',
  'PoolsReady',
  'NodeComponentsAligned',
  'PathRecommended',
  'SupportedTarget',
];
/** Of now, so of the first hop only. */
const HEALTH_TYPES = [
  'NodesHealthy',
  'EtcdHealthy',
  'ClusterOperatorsHealthy',
  'CertificateRequestsApproved',
  'DrainsPossible',
  'MachineHealthChecks',
  'AlertsQuiet',
];

describe('messages of a cluster', () => {
  // The first half of a surrogate pair is the 500th character.
  const LONG = `${'x'.repeat(499)}😀${'x'.repeat(1000)}`;
  const said = (type: string, status: string, reason = 'Why') => aCondition(type, status, reason, LONG);
  const standalone = aCluster({
    clusterVersion: aClusterVersion({
      conditions: [
        said('Upgradeable', 'False'),
        said('Failing', 'True'),
        said('ReleaseAccepted', 'False', 'UnacceptedRisks'),
        said('RetrievedUpdates', 'False', 'RemoteFailed'),
      ],
      knownRisks: [{ name: 'A', message: LONG, url: '', applies: aCondition('Applies', 'True') }],
      conditionalUpdates: [{ version: '4.15.3', risks: ['A'], recommended: said('Recommended', 'False') }],
    }),
    clusterOperators: [
      aClusterOperator('etcd', [said('Available', 'False'), said('Degraded', 'True')]),
      aClusterOperator('network', [said('Available', 'False'), said('Upgradeable', 'False')]),
      aClusterOperator('dns', [said('Degraded', 'True'), said('Upgradeable', 'False')]),
      aClusterOperator('storage', [said('Available', 'Unknown'), said('Progressing', 'True')]),
    ],
    nodes: [
      aNode('master-0', {}, 'master'),
      aNode('worker-0', {
        ready: 'False',
        problems: [said('Ready', 'False')],
        machineConfig: { current: 'a', desired: 'b', state: 'Degraded', reason: LONG },
      }),
    ],
    pools: [
      aPool('master', { conditions: [said('Degraded', 'True')] }),
      aPool('worker', { conditions: [said('Degraded', 'True')] }),
    ],
    networkMigration: { isInProgress: true, message: LONG },
    extensions: [anExtension('x', { problems: [said('Installed', 'False', 'Failed')] })],
    unservableRoutes: [{ namespace: 'shop', name: 'old', router: 'default', message: LONG }],
    virtualMachines: [{ namespace: 'shop', name: 'vm', node: 'worker-0', message: LONG }],
    alerts: [anAlert('Full', { severity: 'critical', summary: LONG, description: LONG })],
  });
  const deleting = aCluster({
    clusterVersion: aClusterVersion({
      channel: 'stable-4.15',
      conditions: [
        said('Upgradeable', 'False', 'ResourceDeletesInProgress'),
        said('RetrievedUpdates', 'False'),
      ],
    }),
  });
  const unknown = aCluster({
    clusterVersion: aClusterVersion({ conditions: [said('Upgradeable', 'False')] }),
  });
  const hosted = hostedFacts(
    aHostedCluster({
      conditions: ['Available', 'ClusterVersionUpgradeable', 'EtcdAvailable', 'ValidReleaseImage'].map(
        (type) => said(type, 'False'),
      ),
    }),
    [
      aNodePool('workers', '4.18.10', {
        conditions: [said('SupportedVersionSkew', 'False'), said('AllNodesHealthy', 'False')],
      }),
    ],
  );

  it.each([
    ['a cluster', standalone, [...NEXT, '4.16.1']],
    ['a cluster that deletes objects', deleting, NEXT],
    ['a cluster that reports a cause that no check knows', unknown, NEXT],
    ['a hosted cluster', hosted, ['4.18.10', '4.19.1']],
  ])('are their first 500 characters everywhere, for %s', (_name, facts, versions) => {
    const answered = JSON.stringify(
      evaluate(facts, versions).map(({ conditions, upgradeable }) => [conditions, upgradeable]),
    );
    expect(answered).toMatch(/[^x]x{499}[^x]/);
    expect(answered).not.toMatch(/x{500}|\\ud83d/);
  });
});

describe('all checks', () => {
  it('run for every hop, in their order', () => {
    const hops = evaluate(aCluster(), ['4.14.8', '4.14.9', '4.15.3', '4.16.1', '4.16.2']);
    const told = hops.map(({ conditions }) => [...new Set(conditions.map(({ type }) => type))]);
    expect(told).toEqual(
      hops.map((_, index) => [...TYPES, ...(index === 0 ? HEALTH_TYPES : []), 'ForwardGuards']),
    );
  });

  it('keep their order when they have much to say', () => {
    const refusing = aCondition('Upgradeable', 'False', 'Some', 'why');
    const facts = aCluster(
      {
        clusterVersion: withHistory(['4.14.8 P', '4.13.9 C'], {
          unmanagedOverrides: [{ kind: 'Deployment', group: 'apps', namespace: 'a', name: 'b' }],
        }),
        nodes: [aNode('n', { kubeletVersion: 'v1.20.0', containerRuntimeVersion: 'cri-o://1.21.0' })],
        operators: [anOperator('x', { properties: { unreadable: 'not JSON' }, minKubeVersion: '1.99.0' })],
        apiUse: [
          {
            name: 'flowschemas.v1beta2.flowcontrol.apiserver.k8s.io',
            removedInRelease: '1.28',
            requests: 3,
            users: [],
          },
        ],
        adminGates: [{ key: 'ack-4.14-subject', value: 'why' }],
        clusterOperators: [
          aClusterOperator('etcd', [refusing, aCondition('Degraded', 'True')]),
          aClusterOperator('dns', [aCondition('Degraded', 'True')]),
        ],
        pools: [aPool('worker', { paused: true })],
        certificateRequests: null,
        budgets: null,
        healthChecks: null,
        alerts: null,
        collectedAt: minutesAgo(60 * 25),
      },
      '4.14.8',
    );
    const conditional = anUpdate({
      conditional: true,
      risks: [aRisk('Risk')],
    });
    const hop = evaluateHop(facts, NEXT, {}, { updates: [conditional] });
    const told = hop.conditions.map(({ type }) => type);
    const inOrder = [...TYPES, ...HEALTH_TYPES, 'ForwardGuards', 'SnapshotFresh'];
    expect([...new Set(told)]).toEqual(inOrder);
    const ranks = told.map((type) => inOrder.indexOf(type));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(hop.conditions.filter(({ effect }) => effect === 'ok').map(({ type }) => type)).toEqual([
      'HopSizeSupported',
      'NotRollback',
      'SupportedTarget',
      'ForwardGuards',
    ]);
  });

  it('list components that differ only in their group in one order', () => {
    const component = { kind: 'ClusterRole', namespace: '', name: 'admin' };
    const unmanagedOverrides = ['b', 'a'].map((group) => ({ ...component, group }));
    const told = [unmanagedOverrides, unmanagedOverrides.toReversed()].map((overrides) => {
      const clusterVersion = aClusterVersion({ unmanagedOverrides: overrides });
      return conditionOf(evaluateHop(aCluster({ clusterVersion }), NEXT), 'OverridesUnset').objects;
    });
    const sorted = ['a', 'b'].map((group) => ({ kind: 'ClusterRole', name: 'admin', detail: { group } }));
    expect(told).toEqual([sorted, sorted]);
  });

  it('a blocker waits for the minor behind the patch', () => {
    const facts = aCluster({ adminGates: [{ key: 'ack-4.4-subject', value: 'why' }] }, '4.4.3');
    const hops = evaluate(facts, ['4.4.3', '4.4.29', '4.5.24']);
    expect(hops.map(({ verdict }) => verdict)).toEqual(['allowed-with-warnings', 'blocked']);
  });

  it('a limit of an operator is announced two minors ahead, and blocks one minor ahead', () => {
    const operators = [anOperator('x', { properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.8' }] })];
    const path = ['4.6.1', '4.7.1', '4.8.1', '4.9.1'];
    const verdictsFrom = (start: number) =>
      evaluate(aCluster({ operators }, path[start]), path.slice(start), {
        accept: ['AdminAcksCompleted'],
      }).map(({ verdict }) => verdict);
    expect([0, 1, 2].map(verdictsFrom)).toEqual([
      ['allowed', 'allowed', 'will-block'],
      ['allowed', 'will-block'],
      ['blocked'],
    ]);
  });
});

describe('hops of a path', () => {
  const hopsOf = (current: string | null, ...path: string[]) =>
    hopsOfSteps(
      path.map((version) => ({ version, hop: null })),
      current === null ? null : parseVersion(current),
    ).map(({ index, updateType, kubeFrom, kubeTo, minorDistance }) => [
      index,
      updateType,
      kubeFrom,
      kubeTo,
      minorDistance,
    ]);

  it('are measured from where the cluster is', () => {
    expect(hopsOf('4.21.3', '4.21.3', '4.21.9', '4.22.1', '5.0.1', '5.1.0')).toEqual([
      [0, 'patch', 34, 34, 0],
      [1, 'minor', 34, 35, 1],
      [2, 'major', 35, 36, 2],
      [3, 'minor', 36, 37, 3],
    ]);
  });

  it('or from the first version, if the cluster has none', () => {
    expect(hopsOf(null, '4.2.1', '4.3.1')).toEqual([[0, 'minor', 14, 16, 1]]);
  });

  it.each([[['4.14.8']], [[]]])('are none for %j', (path) => {
    expect(hopsOf('4.14.8', ...path)).toEqual([]);
  });

  it.each([
    [aClusterVersion(), '4.14.8'],
    [aClusterVersion({}, 'latest'), undefined],
    [null, undefined],
  ])('the current version is what the cluster reconciles', (clusterVersion, version) => {
    expect(currentVersion(aCluster({ clusterVersion }))?.raw).toBe(version);
  });
});

describe('what was not supplied', () => {
  const kinds: readonly (readonly [keyof ClusterFacts, readonly string[]])[] = [
    ['clusterVersion', ['NoUpdateInProgress', 'OverridesUnset']],
    ['nodes', ['KubeletMinorVersionUpgradeable', 'NodeComponentsAligned', 'NodesHealthy']],
    ['operators', ['OperatorsCompatible']],
    ['apiUse', ['APIRemovals']],
    ['adminGates', ['AdminAcksCompleted']],
    ['clusterOperators', ['ClusterOperatorsUpgradeable', 'EtcdHealthy', 'ClusterOperatorsHealthy']],
    ['pools', ['PoolsReady']],
  ];

  it.each(kinds)('%s leaves %j open', (kind, types) => {
    const facts = aCluster({ [kind]: null });
    const hop = evaluateHop(facts, NEXT);
    const missing = hop.conditions.filter(({ reason }) => reason === 'InputMissing');
    expect(missing.map(({ type, status, effect }) => [type, status, effect])).toEqual(
      types.map((type) => [type, 'Unknown', 'warn']),
    );
    expect(missing.every(({ remediation = [] }) => remediation.length > 0)).toBe(true);
    expect(hop.verdict).toBe('unknown');
  });

  it.each(kinds)('%s blocks when strict, but no patch', (kind) => {
    const facts = aCluster({ [kind]: null });
    const hops = evaluate(facts, ['4.14.8', '4.14.9', '4.15.3', '4.16.1'], { strict: true });
    expect(hops[0]!.verdict).toBe('allowed-with-warnings');
    expect(hops[1]!.verdict).toBe('blocked');
  });

  it.each(kinds)('%s may be accepted', (kind) => {
    const accept = ['InputMissing', 'ErrorCheckingOperatorCompatibility'];
    const hop = evaluateHop(aCluster({ [kind]: null }), NEXT, { strict: true, accept });
    expect(hop.verdict).toBe('allowed');
  });

  it.each([
    ['infrastructure'],
    ['networkType'],
    ['podsPerNode'],
    ['adminAcks'],
    ['subscriptions'],
    ['collectedAt'],
  ] as const)('%s is not missed', (kind) => {
    expect(evaluateHop(aCluster({ [kind]: null }), NEXT, { strict: true }).verdict).toBe('allowed');
  });

  it.each([
    ['nodes', 'unknown', ['NoNodes warn', 'NoNodes warn', 'NoNodes warn']],
    [
      'clusterOperators',
      'unknown',
      ['NoClusterOperators warn', 'EtcdNotReported warn', 'NoClusterOperators warn'],
    ],
    ['operators', 'allowed', []],
    ['apiUse', 'allowed', []],
    ['adminGates', 'allowed', []],
    ['adminAcks', 'allowed', []],
    ['pools', 'unknown', ['NoPools warn']],
  ] as const)('is not the same as an empty list of %s: %s', (kind, verdict, findings) => {
    const hop = evaluateHop(aCluster({ [kind]: [] }), NEXT, { strict: true });
    expect([hop.verdict, findingsOf(hop)]).toEqual([verdict, findings]);
  });
});

describe('the guard of the cluster, as it is in the cluster itself', () => {
  const unmanagedOverrides = [{ kind: 'Deployment', group: 'apps', namespace: 'dns', name: 'dns' }];
  const refusal = aCondition('Upgradeable', 'False', 'Refused', 'no');

  function cluster(
    history: readonly string[],
    reported: string | null,
    more: { readonly overrides?: boolean } = {},
  ): ClusterFacts {
    const version = history[0]!.split(' ')[0]!;
    const conditions = [
      aCondition('Progressing', history[0]!.endsWith('P') ? 'True' : 'False'),
      ...(reported === null ? [] : [reported === 'False' ? refusal : aCondition('Upgradeable', reported)]),
    ];
    const clusterVersion = withHistory(history, {
      conditions,
      ...(more.overrides && { unmanagedOverrides }),
    });
    return aCluster({ clusterVersion }, version);
  }

  it.each([null, 'True', 'Unknown'])('lets every move pass when it says %s', (reported) => {
    for (const target of ['4.1.4', '4.2.1']) {
      const hop = evaluateHop(cluster(['4.1.3 C'], reported), ['4.1.3', target]);
      expect([hop.verdict, findingsOf(hop)]).toEqual(['allowed', []]);
    }
  });

  it.each([
    ['y', '4.1.1', '4.2.1', false, 'blocked', ['Refused block']],
    ['z', '4.1.3', '4.1.4', false, 'allowed', []],
    [
      'z with overrides',
      '4.1.3',
      '4.1.4',
      true,
      'allowed-with-warnings',
      ['ClusterVersionOverridesSet warn', 'PeerBlocksPatchWithOverrides warn'],
    ],
    [
      'z with overrides, from 4.22 on',
      '4.22.3',
      '4.22.4',
      true,
      'allowed-with-warnings',
      ['ClusterVersionOverridesSet warn'],
    ],
    ['y with overrides', '4.1.1', '4.2.1', true, 'blocked', ['ClusterVersionOverridesSet block']],
    [
      'two y',
      '4.1.1',
      '4.3.1',
      false,
      'blocked',
      ['MultipleMinorVersionsUpdate block', 'KubeletMinorVersionUnsupportedNextUpgrade inform'],
    ],
    ['back one z', '4.1.4', '4.1.3', false, 'blocked', ['LowDesiredVersion block']],
    ['back one y', '4.2.1', '4.1.1', false, 'blocked', ['LowDesiredVersion block']],
    [
      'a CI build to a candidate of its minor',
      '4.17.0-0.test-2024-10-07-173400-ci-ln-pwn9ngk-latest',
      '4.17.0-rc.6',
      false,
      'allowed',
      [],
    ],
    ['x', '4.22.1', '5.0.1', false, 'blocked', ['Refused block']],
    ['the same minor under another name', '4.23.1', '5.0.1', false, 'allowed', []],
  ] as const)('saying no, of %s: %s to %s', (_name, from, to, overrides, verdict, findings) => {
    const hop = evaluateHop(cluster([`${from} C`], 'False', { overrides }), [from, to]);
    expect([hop.verdict, findingsOf(hop)]).toEqual([verdict, findings]);
  });

  it.each([
    [['4.2.1 P', '4.1.1 C'], '4.2.3', ['MinorVersionClusterUpdateInProgress warn']],
    [['5.0.1 P', '4.22.1 C'], '5.0.3', ['MajorVersionClusterUpdateInProgress warn']],
    [['4.2.2 P', '4.2.1 C'], '4.2.3', []],
  ])('lets another patch take over from %j: %s', (history, target, findings) => {
    const [from = ''] = history[0]!.split(' ');
    const facts = cluster(history, 'False');
    const hop = evaluateHop(facts, [from, target]);
    expect(hop.verdict).toBe(findings.length > 0 ? 'allowed-with-warnings' : 'allowed');
    expect(findingsOf(hop).filter((found) => found.includes('Cluster'))).toEqual(findings);
  });

  it('only warns when the cluster runs what is no version', () => {
    const clusterVersion = aClusterVersion({ desired: { version: 'custom', image: 'a', channels: [] } });
    const hop = evaluateHop(aCluster({ clusterVersion }), NEXT);
    expect(hop.verdict).toBe('allowed-with-warnings');
    expect(new Set(findingsOf(hop))).toContain('InvalidCurrentVersion warn');
  });
});

describe('histories', () => {
  it('the way through a patch is open where the minor is not', () => {
    const facts = aCluster({ clusterVersion: withHistory(['4.7.16 P', '4.7.10 P', '4.6.40 C']) }, '4.7.16');
    const hops = evaluate(facts, ['4.7.16', '4.7.20', '4.8.1']);
    expect(hops.map(({ verdict }) => verdict)).toEqual(['allowed-with-warnings', 'blocked']);
  });
});

describe('what was accepted', () => {
  it('stays in the list and holds nothing', () => {
    const facts = aCluster({ adminGates: [{ key: 'ack-4.14-subject', value: 'why' }] });
    const hop = evaluateHop(facts, NEXT, { accept: ['AdminAckRequired'] });
    expect(conditionOf(hop, 'AdminAcksCompleted')).toMatchObject({ effect: 'block', accepted: true });
    expect(hop.verdict).toBe('allowed');
  });

  it.each([
    [
      'MinorUpdateIncomplete',
      'NoUpdateInProgress',
      aCluster({ clusterVersion: withHistory(['4.14.8 P', '4.13.9 C']) }),
    ],
    [
      'KubeletMinorVersionUnsupportedNextUpgrade',
      'KubeletMinorVersionUpgradeable',
      aCluster({ nodes: [aNode('n', { kubeletVersion: 'v1.26.1' })] }),
    ],
    [
      'KubeletMinorVersionUnsupported',
      'KubeletMinorVersionUpgradeable',
      aCluster({ nodes: [aNode('n', { kubeletVersion: 'v1.24.1' })] }),
    ],
  ])('is never %s', (reason, type, facts) => {
    const hop = evaluateHop(facts, NEXT, { accept: [reason, type] });
    expect(hop.verdict).toBe('blocked');
    expect(conditionOf(hop, type)).toMatchObject({ reason, effect: 'block' });
    expect(conditionOf(hop, type)).not.toHaveProperty('accepted');
  });
});

describe('documents of yesterday', () => {
  const hours = (age: number) => aCluster({ collectedAt: minutesAgo(age * 60) });

  it.each([
    [0, []],
    [24, []],
    [25, ['SnapshotStale info']],
    [24 * 40, ['SnapshotStale info']],
    [-5, []],
  ])('%d hours old: %j', (age, findings) => {
    const hop = evaluateHop(hours(age), NEXT);
    expect([hop.verdict, findingsOf(hop)]).toEqual(['allowed', findings]);
  });

  it('are reported once, with their age', () => {
    const hops = evaluate(hours(30), ['4.14.8', '4.14.9', '4.15.3'], {}, { now: NOW });
    const told = hops.flatMap(({ conditions }) => conditions.filter(({ type }) => type === 'SnapshotFresh'));
    expect(told.map(({ message }) => message)).toEqual([
      `The documents are from ${minutesAgo(30 * 60)}, 30 hours ago; collect them again before the update`,
    ]);
  });

  it.each([null, 'yesterday'])('nothing is said when the time is %s', (collectedAt) => {
    expect(findingsOf(evaluateHop(aCluster({ collectedAt }), NEXT))).toEqual([]);
  });
});
