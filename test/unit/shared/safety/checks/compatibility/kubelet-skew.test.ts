import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import { kubeletSkew } from '@cairn/shared/safety/checks/compatibility/kubelet-skew';
import type { Finding } from '@cairn/shared/safety/condition';
import type { SkewPolicy, Strategy } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aCondition,
  aNode,
  aPool,
  context,
  withHistory,
} from '../../../../../helpers/cluster/clusters.ts';
import { hopOf, verify, namesOf, nodesOf, type Kubelets } from '../../../../../helpers/cluster/kubelets.ts';

describe('kubelet skew, as the guard of the API server judges it', () => {
  it.each<[string, string, Kubelets, Finding['status'], string, string[] | undefined]>([
    ['5.0.1', '5.1.0', [0, 0, 0], 'True', 'KubeletMinorVersionsSynced', undefined],
    ['5.0.1', '5.1.0', ['Invalid', 0, 0], 'Unknown', 'KubeletVersionUnknown', ['test000']],
    ['5.1.1', '5.2.0', [-1, 0, 0], 'True', 'KubeletMinorVersionSupportedNextUpgrade', ['test000']],
    ['5.1.1', '5.2.0', [0, -2, 0], 'True', 'KubeletMinorVersionSupportedNextUpgrade', ['test001']],
    ['5.1.1', '5.2.0', [0, -3, 0], 'False', 'KubeletMinorVersionUnsupported', ['test001']],
    ['5.1.1', '5.2.0', [-3, 0, -3], 'False', 'KubeletMinorVersionUnsupported', ['test000', 'test002']],
    [
      '5.1.1',
      '5.2.0',
      [-3, -3, -3],
      'False',
      'KubeletMinorVersionUnsupported',
      ['test000', 'test001', 'test002'],
    ],
    ['5.1.1', '5.2.0', [0, -1, 1], 'Unknown', 'KubeletMinorVersionAhead', ['test002']],
    ['5.2.1', '5.3.0', [0, -2, 0], 'False', 'KubeletMinorVersionUnsupportedNextUpgrade', ['test001']],
    ['4.8.1', '4.9.0', [0, -1, 0], 'False', 'KubeletMinorVersionUnsupportedNextUpgrade', ['test001']],
    [
      '4.8.1',
      '4.9.0',
      [0, -1, -1],
      'False',
      'KubeletMinorVersionUnsupportedNextUpgrade',
      ['test001', 'test002'],
    ],
    ['4.8.1', '4.9.0', [0, -3, 0], 'False', 'KubeletMinorVersionUnsupported', ['test001']],
  ])('%s → %s with %j: %s %s', (from, to, kubelets, status, reason, nodes) => {
    const finding = verify(from, to, kubelets);
    expect([finding.status, finding.reason, namesOf(finding)]).toEqual([status, reason, nodes]);
    expect(finding.effect).toBe({ True: 'ok', Unknown: 'warn', False: 'block' }[status]);
  });

  it.each<[number, string[]]>([
    [3, ['test001', 'test002', 'test003']],
    [5, ['test001', 'test002', 'test003', 'test004', 'test005']],
  ])('names all of %i nodes at the limit', (count, names) => {
    const finding = verify('4.8.1', '4.9.0', [0, ...Array<number>(count).fill(-1)]);
    expect(namesOf(finding)).toEqual(names);
    expect(finding.message).toContain(`${count} nodes would be 2 Kubernetes minors behind 4.9`);
    expect(finding.message).toContain(names.join(', '));
  });

  it.each<[Kubelets, string]>([
    [['v1.21.0', 'v1.19.0', 'v1.21.0'], 'KubeletMinorVersionUnsupported'],
    [['v1.20.0', 'v1.21.0', 'v1.21.0'], 'KubeletMinorVersionSupportedNextUpgrade'],
    [['Invalid', 'v1.21.0', 'v1.20.0'], 'KubeletVersionUnknown'],
  ])('4.9 on Kubernetes 1.21, which is only in the tests of the guard, with %j: %s', (kubelets, reason) => {
    const odd = hopOf('4.9.1', '4.10.0', kubelets);
    const [finding] = kubeletSkew({ ...odd, hop: { ...odd.hop, kubeFrom: 21, kubeTo: 22 } });
    expect(finding!.reason).toBe(reason);
  });
});

describe('kubelet skew, as we verify it', () => {
  it.each<[SkewPolicy, Kubelets, Finding['status']]>([
    ['n-1', [0, 0], 'True'],
    ['n-1', [0, -1], 'False'],
    ['n-2', [0, -1], 'True'],
    ['n-2', [0, -2], 'False'],
    ['n-3', [0, -2], 'True'],
    ['n-3', [0, -3], 'False'],
    ['upstream', [0, -2], 'True'],
    ['upstream', [0, -3], 'False'],
  ])('policy %s with %j: %s', (policy, kubelets, status) => {
    expect(verify('4.16.1', '4.17.0', kubelets, { policy }).status).toBe(status);
  });

  it('upstream stops at two minors for kubelets before 1.25', () => {
    const statuses = [-1, -2].map((lag) => verify('4.10.1', '4.11.0', [lag], { policy: 'upstream' }).status);
    expect(statuses).toEqual(['True', 'False']);
  });

  it('says when a fixed number of minors goes further than Kubernetes', () => {
    const [condition, note] = kubeletSkew(hopOf('4.8.1', '4.9.0', [0, -2], { policy: 'n-3' }));
    expect([condition!.status, note!.reason, note!.effect]).toEqual([
      'True',
      'KubeletBeyondKubernetesPolicy',
      'warn',
    ]);
    expect(namesOf(note!)).toEqual(['test001']);
    expect(kubeletSkew(hopOf('4.15.1', '4.16.0', [0, -2], { policy: 'n-3' }))).toHaveLength(1);
  });

  it('lets no unreadable kubelet hide one at the limit, and reports both', () => {
    const finding = verify('4.8.1', '4.9.0', ['Invalid', -1, 0]);
    expect([finding.status, finding.reason]).toEqual(['False', 'KubeletMinorVersionUnsupportedNextUpgrade']);
    expect(namesOf(finding)).toEqual(['test000', 'test001']);
    expect(finding.message).toContain(
      'The kubelet version of 1 node cannot be read: pool worker "Invalid": test000',
    );
    expect(finding.remediation).toContain(
      'oc get nodes -o custom-columns=NAME:.metadata.name,KUBELET:.status.nodeInfo.kubeletVersion',
    );
  });

  it('holds no patch back for nodes at the limit', () => {
    expect(verify('4.8.1', '4.8.9', [0, -2]).status).toBe('True');
  });

  it.each([
    ['4.2.1', '4.3.0', [0], 'KubeletMinorVersionsSynced', 'that moves two minors of Kubernetes'],
    [
      '4.2.1',
      '4.3.0',
      [-1],
      'KubeletMinorVersionUnsupportedNextUpgrade',
      'and is three for a kubelet behind',
    ],
    ['4.23.1', '5.0.0', [-1], 'KubeletMinorVersionSupportedNextUpgrade', 'that moves none'],
  ])('%s → %s with %j: %s, %s', (from, to, kubelets, reason) => {
    expect(verify(from, to, kubelets).reason).toBe(reason);
  });

  it('knows nothing without nodes, and says what to send', () => {
    const missing = verify('4.8.1', '4.9.0', [], { facts: { nodes: null } });
    expect([missing.status, missing.reason, missing.effect]).toEqual(['Unknown', 'InputMissing', 'warn']);
    expect(missing.message).toContain('oc get nodes -o json');
    expect(verify('4.8.1', '4.9.0', []).reason).toBe('NoNodes');
  });

  it('cannot be accepted', () => {
    expect(verify('4.8.1', '4.9.0', [-1]).notAcceptable).toBe(true);
    expect(verify('4.8.1', '4.9.0', [1]).notAcceptable).toBe(true);
  });
});

describe('kubelet skew of the API servers that really run', () => {
  const reporting = (version: string) => [
    aClusterOperator('kube-apiserver', [], { versions: [{ name: 'kube-apiserver', version }] }),
  ];

  it('takes what the API server reports for what its release is built on', () => {
    const facts = { clusterOperators: reporting('1.22.3') };
    expect(verify('4.8.1', '4.9.0', [-2, 0], { facts, policy: 'n-2' }).reason).toBe(
      'KubeletMinorVersionUnsupported',
    );
    expect(verify('4.8.1', '4.9.0', [-2, 0], { policy: 'n-2' }).reason).toBe(
      'KubeletMinorVersionUnsupportedNextUpgrade',
    );
  });

  it('but not for a later hop', () => {
    const nodes = nodesOf(20, [0]);
    const pools = [aPool('worker', { paused: true })];
    const facts = aCluster({ nodes, pools, clusterOperators: reporting('1.24.3') }, '4.7.5');
    const [finding] = kubeletSkew(
      context(facts, ['4.7.5', '4.8.2', '4.9.1'], { options: { policy: 'n-2' } }),
    );
    expect(finding!.reason).toBe('KubeletMinorVersionSupportedNextUpgrade');
  });

  it('takes the word of a cluster that says it is updating', () => {
    const clusterVersion = withHistory(['4.9.2 C', '4.8.9 C'], {
      conditions: [aCondition('Progressing', 'True')],
    });
    const facts = { clusterVersion, clusterOperators: reporting('1.21.3') };
    expect(verify('4.9.2', '4.10.0', [-2], { facts }).reason).toBe('KubeletMinorVersionUnsupported');
  });

  const updating = withHistory(['4.9.2 P', '4.8.9 C'], { conditions: [aCondition('Progressing', 'True')] });
  it.each<[string, string | null, Kubelets, string]>([
    ['a kubelet of the new minor is too new for the old API server', null, [0], 'KubeletMinorVersionAhead'],
    ['also where the operator still reports the old one', '1.21.5', [0], 'KubeletMinorVersionAhead'],
    ['but not when all API servers are new', '1.22.1', [0], 'KubeletMinorVersionsSynced'],
    ['one of the old minor suits both', null, [-1], 'KubeletMinorVersionSupportedNextUpgrade'],
    ['an older one is too old for the new', null, [-2], 'KubeletMinorVersionUnsupported'],
  ])('while an update runs: %s', (_, version, kubelets, reason) => {
    const facts = {
      clusterVersion: updating,
      clusterOperators: version === null ? null : reporting(version),
    };
    expect(verify('4.9.2', '4.10.0', kubelets, { facts }).reason).toBe(reason);
  });
});

describe('kubelet skew at later hops', () => {
  const PATH = ['4.7.5', '4.8.2', '4.9.1'];
  const clusterWith = (pools: ClusterFacts['pools'], nodes: readonly NodeFacts[]) =>
    aCluster({ pools, nodes }, '4.7.5');
  const masters = nodesOf(20, [0], 'master');
  const paused = clusterWith(
    [aPool('master'), aPool('worker', { paused: true })],
    [...masters, aNode('worker-0', { kubeletVersion: 'v1.19.0' })],
  );

  it.each<[SkewPolicy, number, Finding['effect'], string]>([
    ['n-1', 0, 'block', 'UnsupportedNextUpgrade'],
    ['openshift', 0, 'ok', 'SupportedNextUpgrade'],
    ['openshift', 1, 'ok', 'PlannedRoll'],
  ])('workers of 4.6, paused, with policy %s at hop %i: %s, %s', (policy, index, effect, reason) => {
    const finding = kubeletSkew(context(paused, PATH, { index, options: { policy } }))[0]!;
    expect([finding.effect, finding.reason]).toEqual([effect, `KubeletMinorVersion${reason}`]);
  });

  it('names the pools that the plan updates before a hop', () => {
    expect(kubeletSkew(context(paused, PATH))[0]).toMatchObject({
      status: 'True',
      reason: 'KubeletMinorVersionPlannedRoll',
      message: 'The plan updates pool worker to 4.8 before this hop',
      objects: [{ kind: 'Node', name: 'worker-0', detail: { pool: 'worker', paused: true } }],
    });
  });

  it('the same is in the way once the cluster is at 4.8', () => {
    const later = aCluster({ pools: paused.pools, nodes: paused.nodes }, '4.8.2');
    const finding = kubeletSkew(context(later, ['4.8.2', '4.9.1']))[0]!;
    expect([finding.status, finding.effect]).toEqual(['False', 'block']);
  });

  it.each<[SkewPolicy, readonly string[]]>([
    ['openshift', ['sSynced', 'SupportedNextUpgrade', 'PlannedRoll', 'SupportedNextUpgrade']],
    ['n-1', ['sSynced', 'PlannedRoll', 'PlannedRoll', 'PlannedRoll']],
    ['n-2', ['sSynced', 'SupportedNextUpgrade', 'PlannedRoll', 'SupportedNextUpgrade']],
    ['n-3', ['sSynced', 'SupportedNextUpgrade', 'SupportedNextUpgrade', 'PlannedRoll']],
  ])('a rollout before a hop counts at the next one too, with policy %s', (policy, outcomes) => {
    const path = ['4.6.1', '4.7.5', '4.8.2', '4.9.1', '4.10.1'];
    const facts = aCluster({}, '4.6.1');
    const options = { policy, strategy: 'control-plane-only' } as const;
    const reasons = outcomes.map(
      (_, index) => kubeletSkew(context(facts, path, { index, options }))[0]!.reason,
    );
    expect(reasons).toEqual(outcomes.map((outcome) => `KubeletMinorVersion${outcome}`));
  });

  const degraded = [aCondition('Degraded', 'True')];

  it.each<[string, ClusterFacts['pools'], Strategy, string]>([
    ['in a pool that is not paused follow', [aPool('master'), aPool('worker')], 'rolling', 'sSynced'],
    ['follow if no pools were sent', null, 'rolling', 'sSynced'],
    [
      'follow later if only the control plane updates',
      [aPool('master'), aPool('worker')],
      'control-plane-only',
      'PlannedRoll',
    ],
    ['follow later if no pools were sent either', null, 'control-plane-only', 'PlannedRoll'],
    [
      'in a paused pool follow later',
      [aPool('master'), aPool('worker', { paused: true })],
      'rolling',
      'PlannedRoll',
    ],
    ['without a pool block', [aPool('master')], 'rolling', 'UnsupportedNextUpgrade'],
    ['without a pool block', [aPool('master')], 'control-plane-only', 'UnsupportedNextUpgrade'],
    [
      'in a degraded pool block',
      [aPool('master'), aPool('worker', { conditions: degraded })],
      'control-plane-only',
      'UnsupportedNextUpgrade',
    ],
    [
      'in a degraded pool block, although it is to roll with every hop',
      [aPool('master'), aPool('worker', { conditions: degraded })],
      'rolling',
      'UnsupportedNextUpgrade',
    ],
    [
      'in a degraded, paused pool block',
      [aPool('master'), aPool('worker', { paused: true, conditions: degraded })],
      'rolling',
      'UnsupportedNextUpgrade',
    ],
  ])('workers %s', (_, pools, strategy, reason) => {
    const nodes = [...masters, aNode('worker-0', { kubeletVersion: 'v1.20.0' })];
    const finding = kubeletSkew(context(clusterWith(pools, nodes), PATH, { options: { strategy } }))[0]!;
    expect([finding.effect, finding.reason]).toEqual([
      reason === 'UnsupportedNextUpgrade' ? 'block' : 'ok',
      `KubeletMinorVersion${reason}`,
    ]);
    expect(namesOf(finding)).toEqual(reason === 'sSynced' ? undefined : ['worker-0']);
  });
});
