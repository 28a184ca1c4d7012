import type { ClusterCondition, ClusterFacts } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  anOperator,
  aPool,
  minutesAgo,
} from '../../../helpers/cluster/clusters.ts';
import { conditionOf, evaluate, evaluateHop, findingsOf } from '../../../helpers/cluster/evaluations.ts';

const NEXT = ['4.14.8', '4.15.3'];
const PATCH = ['4.14.8', '4.14.9'];

const OVERRIDE = { kind: 'Deployment', group: 'apps', namespace: 'openshift-dns', name: 'dns' };
const GATE = { key: 'ack-4.14-subject', value: 'Read https://example.com/4.14' };
const LIMITED = anOperator('x', { properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.14' }] });

function overridden(conditions: readonly ClusterCondition[] = []): Partial<ClusterFacts> {
  const quiet = aClusterVersion().conditions;
  return {
    clusterVersion: aClusterVersion({
      unmanagedOverrides: [OVERRIDE],
      conditions: [...quiet, ...conditions],
    }),
  };
}

function reporting(...conditions: readonly ClusterCondition[]): Partial<ClusterFacts> {
  const quiet = aClusterVersion().conditions;
  return { clusterVersion: aClusterVersion({ conditions: [...quiet, ...conditions] }) };
}

describe('what blocks a hop, in one', () => {
  it('is nothing on a cluster that is well', () => {
    expect(evaluateHop(aCluster(), NEXT).upgradeable).toEqual({
      type: 'Upgradeable',
      status: 'True',
      reason: 'AsExpected',
      message: 'No blockers or warnings',
      effect: 'ok',
      origin: 'computed',
      objects: [],
    });
  });

  it('is the one thing that does, in its own words', () => {
    const hop = evaluateHop(aCluster(overridden()), NEXT);
    expect(hop.upgradeable).toMatchObject({
      status: 'False',
      reason: 'ClusterVersionOverridesSet',
      message: conditionOf(hop, 'OverridesUnset').message,
      effect: 'block',
    });
  });

  it('is a list in the order of the checks, each with its type and its lines kept together', () => {
    const etcd = aClusterOperator('etcd', [aCondition('Upgradeable', 'False', 'Backup', 'no backup')]);
    const dns = aClusterOperator('dns', [aCondition('Upgradeable', 'False', 'Zone', 'zone is wrong')]);
    const facts = aCluster({
      ...overridden(),
      clusterOperators: [etcd, dns],
      operators: [LIMITED],
      adminGates: [GATE],
    });
    const { status, reason, message, effect } = evaluateHop(facts, NEXT).upgradeable;
    expect({ status, reason, effect }).toEqual({
      status: 'False',
      reason: 'MultipleReasons',
      effect: 'block',
    });
    expect(message.split('\n')).toEqual([
      '* OperatorsCompatible: 1 operator does not support OpenShift 4.15:',
      '  openshift-x/x: newest supported OpenShift is 4.14',
      '* AdminAcksCompleted: An administrator has to acknowledge: ack-4.14-subject',
      expect.stringMatching(/^\* OverridesUnset: .* openshift-dns\/dns$/),
      expect.stringMatching(/^\* ClusterOperatorsUpgradeable: 2 cluster operators /),
      '  * dns: Zone: zone is wrong',
      '  * etcd: Backup: no backup',
    ]);
  });

  it('leaves out warnings beside what holds the hop', () => {
    const behind = aNode('worker-0', { kubeletVersion: 'v1.26.3' });
    const nodes = [aNode('master-0', {}, 'master'), behind];
    const facts = aCluster({ nodes, pools: [aPool('master'), aPool('worker', { paused: true })] });
    const hop = evaluateHop(facts, NEXT);
    expect(findingsOf(hop)).toEqual([
      'KubeletMinorVersionUnsupportedNextUpgrade block',
      'PoolPausedOutdated warn',
    ]);
    expect(hop.upgradeable.reason).toBe('KubeletMinorVersionUnsupportedNextUpgrade');
  });

  it('is what is announced further on, and warnings where nothing else is', () => {
    const facts = aCluster({
      operators: [LIMITED],
      pools: [aPool('master'), aPool('worker', { paused: true })],
    });
    const outdated = aCluster({
      pools: [
        aPool('worker', { paused: true, machines: { ...aPool('worker').machines, total: 5 } }),
        aPool('master'),
      ],
    });
    const hops = [
      evaluateHop(facts, PATCH),
      ...evaluate(facts, [...NEXT, '4.16.1']),
      evaluateHop(outdated, NEXT),
    ];
    expect(hops.map(({ upgradeable: { status, effect, reason } }) => [status, effect, reason])).toEqual([
      ['True', 'ok', 'AsExpected'],
      ['False', 'block', 'IncompatibleOperatorsInstalled'],
      ['False', 'inform', 'MultipleReasons'],
      ['False', 'warn', 'PoolPausedOutdated'],
    ]);
  });

  it('only warns of a patch', () => {
    const { upgradeable, verdict } = evaluateHop(aCluster(overridden()), PATCH);
    expect([upgradeable.status, upgradeable.effect, verdict]).toEqual([
      'False',
      'warn',
      'allowed-with-warnings',
    ]);
  });

  it.each([
    [false, 'Unknown', 'warn', 'unknown'],
    [true, 'Unknown', 'block', 'blocked'],
  ])('is unknown when something is missing, strict %s', (strict, status, effect, verdict) => {
    const hop = evaluateHop(aCluster({ operators: null }), NEXT, { strict });
    expect([hop.upgradeable.status, hop.upgradeable.effect, hop.verdict]).toEqual([status, effect, verdict]);
    expect(hop.upgradeable.reason).toBe('InputMissing');
  });

  it('does not count what was accepted', () => {
    const facts = aCluster({ ...overridden(), adminGates: [GATE] });
    const { upgradeable } = evaluateHop(facts, NEXT, { accept: ['OverridesUnset'] });
    expect(upgradeable.reason).toBe('AdminAckRequired');
  });
});

describe('the Upgradeable condition of the cluster', () => {
  const since = minutesAgo(90);
  const refusing = aCondition('Upgradeable', 'False', 'SomethingElse', 'deleting dns', since);

  it.each(['True', 'False', 'Unknown'])('is kept as evidence: %s', (status) => {
    const facts = aCluster(reporting(aCondition('Upgradeable', status, 'Some', 'because', since)));
    expect(evaluateHop(facts, NEXT).upgradeable.objects).toEqual([
      {
        kind: 'ClusterVersion',
        name: 'version',
        detail: { status, reason: 'Some', message: 'because', since },
      },
    ]);
  });

  it('holds the next minor when we find nothing that does', () => {
    const hop = evaluateHop(aCluster(reporting(refusing)), NEXT);
    expect(hop.conditions.at(-1)).toEqual({
      type: 'ReportedUpgradeable',
      status: 'False',
      reason: 'SomethingElse',
      message: 'deleting dns',
      effect: 'block',
      origin: 'reported',
      since,
    });
    expect([hop.verdict, hop.upgradeable.reason]).toEqual(['blocked', 'SomethingElse']);
  });

  it('is given words when it has none', () => {
    const facts = aCluster(reporting(aCondition('Upgradeable', 'False', '', '', null)));
    expect(conditionOf(evaluateHop(facts, NEXT), 'ReportedUpgradeable')).toEqual({
      type: 'ReportedUpgradeable',
      status: 'False',
      reason: 'NotUpgradeable',
      message: 'The cluster reports that it cannot be updated to the next minor',
      effect: 'block',
      origin: 'reported',
    });
  });

  it.each([
    ['a patch', PATCH, 0],
    ['the next minor, after a patch', ['4.14.8', '4.14.9', '4.15.3'], 1],
    ['the minor after the next, which the cluster does not speak of', [...NEXT, '4.16.1'], 1],
    ['a patch of the next minor', [...NEXT, '4.15.9'], 1],
  ])('and %s', (_name, path, index) => {
    const hop = evaluate(aCluster(reporting(refusing)), path)[index]!;
    const isNextMinor = hop.hop.to.raw === '4.15.3';
    expect(findingsOf(hop).includes('SomethingElse block')).toBe(isNextMinor);
    expect(hop.verdict === 'blocked').toBe(isNextMinor);
  });

  it('may be accepted by its type', () => {
    const hop = evaluateHop(aCluster(reporting(refusing)), NEXT, { accept: ['ReportedUpgradeable'] });
    expect([hop.verdict, findingsOf(hop)]).toEqual(['allowed', ['SomethingElse block accepted']]);
  });
});

describe('nothing is counted twice', () => {
  it('neither the report of the cluster of what we found', () => {
    const reported = aCondition('Upgradeable', 'False', 'ClusterVersionOverridesSet', 'overrides');
    const hop = evaluateHop(aCluster(overridden([reported])), NEXT);
    expect(findingsOf(hop)).toEqual(['ClusterVersionOverridesSet block']);
  });

  it('nor that of what we found and was accepted', () => {
    const reported = aCondition('Upgradeable', 'False', 'ClusterVersionOverridesSet', 'overrides');
    const hop = evaluateHop(aCluster(overridden([reported])), NEXT, { accept: ['OverridesUnset'] });
    expect([hop.verdict, findingsOf(hop)]).toEqual([
      'allowed',
      ['ClusterVersionOverridesSet block accepted'],
    ]);
  });

  it('but who accepts a health problem does not accept what the cluster reports', () => {
    const reported = aCondition('Upgradeable', 'False', 'SomethingElse', 'deleting dns');
    const facts = aCluster({
      ...reporting(reported),
      clusterOperators: [aClusterOperator('etcd', [aCondition('Degraded', 'True')])],
    });
    const hop = evaluateHop(facts, NEXT, { accept: ['EtcdDegraded'] });
    expect([hop.verdict, findingsOf(hop)]).toEqual([
      'blocked',
      ['EtcdDegraded block accepted', 'SomethingElse block'],
    ]);
  });

  it('nor kubelets that kube-apiserver reports', () => {
    const reason = 'KubeletMinorVersion_KubeletMinorVersionUnsupportedNextUpgrade';
    const facts = aCluster({
      nodes: [aNode('worker-0', { kubeletVersion: 'v1.26.3' })],
      clusterOperators: [
        aClusterOperator('kube-apiserver', [aCondition('Upgradeable', 'False', reason, 'old kubelets')]),
      ],
    });
    const { upgradeable, ...hop } = evaluateHop(facts, NEXT);
    expect(upgradeable.reason).toBe('KubeletMinorVersionUnsupportedNextUpgrade');
    expect(findingsOf(hop)).toContain(`${reason} info`);
    expect(findingsOf(hop).filter((found) => found.endsWith('block'))).toHaveLength(1);
  });

  it('nor operators that operator-lifecycle-manager reports', () => {
    const reason = 'IncompatibleOperatorsInstalled';
    const facts = aCluster({
      operators: [LIMITED],
      clusterOperators: [
        aClusterOperator('etcd'),
        aClusterOperator('operator-lifecycle-manager', [
          aCondition('Upgradeable', 'False', reason, 'operators'),
        ]),
      ],
    });
    const { upgradeable, ...hop } = evaluateHop(facts, NEXT);
    expect(upgradeable.reason).toBe(reason);
    expect(findingsOf(hop)).toEqual([`${reason} block`, `${reason} info`]);
  });

  it('and evidence is listed by name, however the operators are listed', () => {
    const reports = [
      ['operator-lifecycle-manager', 'IncompatibleOperatorsInstalled'],
      ['kube-apiserver', 'KubeletMinorVersion_KubeletMinorVersionUnsupported'],
    ] as const;
    const nodes = [aNode('worker-0', { kubeletVersion: 'v1.25.1' })];
    const clusterOperators = [
      aClusterOperator('etcd'),
      ...reports.map(([name, reason]) =>
        aClusterOperator(name, [aCondition('Upgradeable', 'False', reason)]),
      ),
    ];
    const told = [clusterOperators, clusterOperators.toReversed()].map((operators) =>
      findingsOf(
        evaluateHop(aCluster({ clusterOperators: operators, nodes, operators: [LIMITED] }), NEXT),
      ).filter((found) => found.endsWith('info')),
    );
    const sorted = reports.map(([, reason]) => `${reason} info`).toReversed();
    expect(told).toEqual([sorted, sorted]);
  });
});
