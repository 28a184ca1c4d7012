import type { ClusterFacts, ClusterOperatorFacts, PoolFacts } from '@cairn/shared/cluster/facts';
import { clusterOperators } from '@cairn/shared/safety/checks/health/cluster-operators';
import { type Finding, settleFinding } from '@cairn/shared/safety/condition';
import { corroborations } from '@cairn/shared/safety/evidence/operator-health';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aCondition,
  aNode,
  anOperator,
  aPool,
  context,
  minutesAgo,
} from '../../../../../helpers/cluster/clusters.ts';
import { evaluate, evaluateHop, findingsOf } from '../../../../../helpers/cluster/evaluations.ts';

function check(
  operators: readonly ClusterOperatorFacts[],
  changes: Partial<ClusterFacts> = {},
  path: readonly string[] = ['4.14.8', '4.15.3'],
): readonly Finding[] {
  return clusterOperators(context(aCluster({ clusterOperators: operators, ...changes }), path));
}

function refusing(name: string, reason: string, message = 'because'): ClusterOperatorFacts {
  return aClusterOperator(name, [aCondition('Upgradeable', 'False', reason, message)]);
}

function inShort({ status, reason, effect }: Finding): string {
  return `${status} ${reason} ${effect}`;
}

describe('the Upgradeable condition of operators', () => {
  it.each(['True', 'Unknown', 'Nonsense'])('does not block the hop: %s', (status) => {
    const operator = aClusterOperator('etcd', [aCondition('Upgradeable', status)]);
    expect(check([operator]).map(inShort)).toEqual(['True AsExpected ok']);
  });

  it('does not block the hop when it is missing', () => {
    expect(check([aClusterOperator('etcd', [], { conditions: [] })]).map(inShort)).toEqual([
      'True AsExpected ok',
    ]);
  });

  it('is quoted word for word', () => {
    const since = minutesAgo(24 * 60);
    expect(check([refusing('service-ca', 'Unwilling', 'Not today'), aClusterOperator('etcd')])).toEqual([
      {
        type: 'ClusterOperatorsUpgradeable',
        status: 'False',
        reason: 'Unwilling',
        message: 'A cluster operator is not upgradeable: service-ca: Unwilling: Not today',
        effect: 'block',
        origin: 'reported',
        objects: [
          {
            kind: 'ClusterOperator',
            name: 'service-ca',
            detail: { reason: 'Unwilling', message: 'Not today', since },
          },
        ],
        remediation: ['oc describe clusteroperator service-ca'],
        since,
      },
    ]);
  });

  it('is a list when several refuse, sorted, ten of them in the message', () => {
    const [two] = check([refusing('b', 'Why', 'so'), refusing('a', 'Because')]);
    expect(two).toMatchObject({
      reason: 'ClusterOperatorsNotUpgradeable',
      message: '2 cluster operators are not upgradeable:\n* a: Because: because\n* b: Why: so',
    });
    const many = Array.from({ length: 12 }, (_, index) => refusing(`operator-${index}`, 'Why'));
    const [twelve] = check(many);
    expect(twelve?.message.split('\n')).toHaveLength(12);
    expect(twelve?.message).toMatch(/\n\* and 2 more$/);
    expect(twelve?.objects).toHaveLength(12);
  });

  it('is quoted up to 500 characters, with its line breaks inside the list', () => {
    const [two] = check([refusing('a', 'Why', 'one\ntwo'), refusing('b', 'Why', 'x'.repeat(600))]);
    expect(two!.message).toBe(
      `2 cluster operators are not upgradeable:\n* a: Why: one\n  two\n* b: Why: ${'x'.repeat(500)}`,
    );
    const [half] = check([refusing('a', 'Why', `${'x'.repeat(499)}\u{1F600}`)]);
    expect(half!.message).toBe(`A cluster operator is not upgradeable: a: Why: ${'x'.repeat(499)}`);
  });

  it('has a reason even if the operator gives none', () => {
    expect(check([refusing('etcd', '', '')])).toMatchObject([
      {
        reason: 'ClusterOperatorsNotUpgradeable',
        message: 'A cluster operator is not upgradeable: etcd',
      },
    ]);
  });

  const hops: readonly (readonly [readonly string[], string])[] = [
    [['4.14.8', '4.14.9'], 'warn'],
    [['4.14.8', '4.15.3'], 'block'],
    [['4.14.8', '4.15.3', '4.16.1'], 'inform'],
  ];
  it.each(hops)('weighs on %j: %s', (path, effect) => {
    const given = context(aCluster({ clusterOperators: [refusing('etcd', 'Why')] }), path);
    expect(settleFinding(clusterOperators(given)[0]!, given.hop, given.options).effect).toBe(effect);
  });

  const hints: readonly (readonly [string, RegExp, readonly string[]])[] = [
    [
      'Other_Thing::MissingUpgradeableAnnotation',
      /cloud credentials that 4\.15 requests/,
      [
        'oc annotate cloudcredential.operator.openshift.io cluster --overwrite cloudcredential.openshift.io/upgradeable-to=4.15',
      ],
    ],
    ['Other_Thing::OpenShiftSDNConfigured', /OVN-Kubernetes/, []],
    ['MissingRootCredential', /kube-system/, []],
    ['VSphereOlderVersionDetected', /Update vCenter, ESXi/, ['oc describe clusteroperator storage']],
    ['Other_Thing::Pool_PoolUpdating', /all pools are updated/, ['oc get machineconfigpools']],
  ];
  it.each(hints)('%s gets a hint in plain words', (reason, hint, commands) => {
    const [found] = check([refusing('some-operator', reason)]);
    expect(found?.remediation).toEqual([expect.stringMatching(hint), ...commands]);
  });

  it('shows no command with an invalid name', () => {
    expect(check([refusing('etcd; reboot', 'Why')])[0]?.remediation).toEqual([
      'oc describe clusteroperators',
    ]);
  });
});

describe('what other checks compute', () => {
  const kubelets = refusing(
    'kube-apiserver',
    'KubeletMinorVersion_KubeletMinorVersionUnsupportedNextUpgrade',
  );
  const installed = refusing('operator-lifecycle-manager', 'IncompatibleOperatorsInstalled');

  /** What the reports are about. */
  const old = { nodes: [aNode('worker-0', { kubeletVersion: 'v1.25.1' })] };
  const limited = {
    operators: [anOperator('a', { properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.14' }] })],
  };

  it('is evidence for them, and counts for nothing here', () => {
    const found = check([kubelets, installed], { ...old, ...limited });
    expect(found.map(inShort)).toEqual([
      'True AsExpected ok',
      'True KubeletMinorVersion_KubeletMinorVersionUnsupportedNextUpgrade info',
      'True IncompatibleOperatorsInstalled info',
    ]);
    expect(found.slice(1)).toMatchObject([
      { origin: 'reported', objects: [{ detail: { corroborates: 'KubeletMinorVersionUpgradeable' } }] },
      { origin: 'reported', objects: [{ detail: { corroborates: 'OperatorsCompatible' } }] },
    ]);
  });

  it.each([
    ['kubelets', kubelets, old],
    ['installed operators', installed, limited],
  ])('counts here before the next minor when our check of %s finds nothing', (_, operator, cause) => {
    const effects = (changes: Partial<ClusterFacts>) =>
      evaluate(aCluster({ clusterOperators: [operator, aClusterOperator('etcd')], ...changes }), [
        '4.14.8',
        '4.14.20',
        '4.15.3',
        '4.16.1',
      ]).map(
        ({ conditions }) => conditions.find(({ type }) => type === 'ClusterOperatorsUpgradeable')?.effect,
      );
    // The plan updates kubelets with its patch.
    expect(effects({})).toEqual(['ok', operator === kubelets ? 'ok' : 'block', 'ok']);
    expect(effects(cause)).toEqual(['ok', 'ok', 'ok']);
    expect(check([operator]).map(inShort)).toEqual([expect.stringMatching(/^False .+ block$/)]);
  });

  it('is counted once if an operator joins reasons of several checks', () => {
    const reasons = [
      'KubeletMinorVersion_KubeletMinorVersionUnsupportedNextUpgrade',
      'X_UnsupportedConfigOverridesSet',
    ];
    const clusterOperators = [refusing('kube-apiserver', reasons.join('::')), aClusterOperator('etcd')];
    const hop = evaluateHop(aCluster({ clusterOperators, ...old }), ['4.14.8', '4.15.3']);
    expect(findingsOf(hop).filter((found) => found.endsWith('block'))).toEqual([
      'KubeletMinorVersionUnsupportedNextUpgrade block',
      'UnsupportedConfigOverridesSet block',
    ]);
    const evidence = hop.conditions.find(
      ({ type, effect }) => type === 'ClusterOperatorsUpgradeable' && effect === 'info',
    );
    expect(evidence!.objects).toMatchObject([
      { detail: { corroborates: 'KubeletMinorVersionUpgradeable and ForwardGuards' } },
    ]);
  });

  it('is a degraded pool on the first hop, where the pool itself counts', () => {
    const clusterOperators = [refusing('machine-config', 'DegradedPool'), aClusterOperator('etcd')];
    const found = (pool: PoolFacts | null) =>
      evaluate(aCluster({ clusterOperators, pools: pool && [pool] }), ['4.14.8', '4.15.3', '4.16.1']).map(
        (hop) => findingsOf(hop).filter((each) => /DegradedPool|PoolDegraded/.test(each)),
      );
    const degraded = aPool('worker', { conditions: [aCondition('Degraded', 'True')] });
    expect(found(degraded)).toEqual([['DegradedPool info', 'PoolDegraded block'], ['DegradedPool inform']]);
    for (const pool of [aPool('worker'), null]) {
      expect(found(pool)).toEqual([['DegradedPool block'], ['DegradedPool inform']]);
    }
  });

  const notElsewhere: readonly (readonly [string, ClusterOperatorFacts, Partial<ClusterFacts>])[] = [
    ['nodes were not supplied', kubelets, { nodes: null }],
    ['there are no nodes', kubelets, { nodes: [] }],
    ['installed operators were not supplied', installed, { operators: null }],
    [
      'the operator has another reason too',
      refusing(
        'kube-apiserver',
        'KubeletMinorVersion_KubeletMinorVersionUnsupported::PodSecurity_Violations',
      ),
      {},
    ],
    ['another operator says it', refusing('etcd', 'IncompatibleOperatorsInstalled'), {}],
  ];
  it.each(notElsewhere)('counts here when %s', (_, operator, changes) => {
    const facts = aCluster({ clusterOperators: [operator], ...changes });
    expect(corroborations(facts)).toEqual([]);
    expect(check([operator], changes)).toMatchObject([{ status: 'False', effect: 'block' }]);
  });

  it('is not there while the operator agrees', () => {
    const agreeing = aClusterOperator('kube-apiserver', [
      aCondition('Upgradeable', 'True', 'KubeletMinorVersion_KubeletMinorVersionsSynced'),
    ]);
    expect(check([agreeing]).map(inShort)).toEqual(['True AsExpected ok']);
  });
});

describe('what was not supplied', () => {
  it('is unknown', () => {
    const missing = clusterOperators(context(aCluster({ clusterOperators: null }), ['4.14.8', '4.15.3']));
    expect(missing).toMatchObject([
      {
        status: 'Unknown',
        reason: 'InputMissing',
        effect: 'warn',
        remediation: ['oc get clusteroperators -o json'],
      },
    ]);
    expect(check([]).map(inShort)).toEqual(['Unknown NoClusterOperators warn']);
  });
});
