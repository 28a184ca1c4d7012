import type { ClusterCondition, ClusterFacts, ClusterOperatorFacts } from '@cairn/shared/cluster/facts';
import { clusterOperators } from '@cairn/shared/safety/checks/cluster-operators';
import { type Finding, settleFinding } from '@cairn/shared/safety/condition';
import { corroborations } from '@cairn/shared/safety/evidence/operator-health';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  anOperator,
  context,
  minutesAgo,
  withHistory,
} from '../../../../helpers/cluster/clusters.ts';

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
        message:
          'An operator of the platform is not ready for the next minor: service-ca: Unwilling: Not today',
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
      message:
        '2 operators of the platform are not ready for the next minor:\n* a: Because: because\n* b: Why: so',
    });
    const many = Array.from({ length: 12 }, (_, index) => refusing(`operator-${index}`, 'Why'));
    const [twelve] = check(many);
    expect(twelve?.message.split('\n')).toHaveLength(12);
    expect(twelve?.message).toMatch(/\n\* and 2 more$/);
    expect(twelve?.objects).toHaveLength(12);
  });

  it('has a reason even if the operator gives none', () => {
    expect(check([refusing('etcd', '', '')])).toMatchObject([
      {
        reason: 'ClusterOperatorsNotUpgradeable',
        message: 'An operator of the platform is not ready for the next minor: etcd',
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
      'MissingUpgradeableAnnotation',
      /cloud credentials that 4\.15\.3 requests/,
      [
        'oc annotate cloudcredential.operator.openshift.io cluster --overwrite cloudcredential.openshift.io/upgradeable-to=4.15.3',
      ],
    ],
    ['UnsupportedConfigOverrides_UnsupportedConfigOverridesSet', /spec\.unsupportedConfigOverrides/, []],
    [
      'FeatureGates_RestrictedFeatureGates_TechPreviewNoUpgrade',
      /feature set/,
      ['oc get featuregate cluster -o yaml'],
    ],
    ['OpenShiftSDNConfigured', /OVN-Kubernetes/, []],
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

  it('is evidence for them, and counts for nothing here', () => {
    const found = check([kubelets, installed], { operators: [anOperator('a')] });
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

describe('operators that are not well', () => {
  const degraded = (minutes: number): ClusterCondition =>
    aCondition('Degraded', 'True', 'Bad', 'It is bad', minutesAgo(minutes));
  const unavailable = (minutes: number): ClusterCondition =>
    aCondition('Available', 'False', 'Gone', 'It is gone', minutesAgo(minutes));
  const ages: readonly (readonly [string, ClusterCondition, string, string])[] = [
    ['degraded for 4 minutes', degraded(4), 'info', 'info'],
    ['degraded for 5 minutes', degraded(5), 'warning', 'warn'],
    ['degraded for 39 minutes', degraded(39), 'warning', 'warn'],
    ['degraded for 40 minutes', degraded(40), 'error', 'warn'],
    ['unavailable for 4 minutes', unavailable(4), 'info', 'info'],
    ['unavailable for 5 minutes', unavailable(5), 'warning', 'warn'],
    ['unavailable for 20 minutes', unavailable(20), 'error', 'warn'],
    ['degraded nobody knows how long', { ...degraded(0), since: null }, 'warning', 'warn'],
  ];
  it.each(ages)('%s', (_, condition, severity, effect) => {
    const [first, note, ...others] = check([aClusterOperator('dns', [condition])]);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ status: 'True', effect: 'ok' });
    expect(note).toMatchObject({
      reason: condition.type === 'Degraded' ? 'ClusterOperatorsDegraded' : 'ClusterOperatorsUnavailable',
      effect,
      objects: [{ name: 'dns', detail: { severity } }],
    });
  });

  it.each([
    ['True', 'Stuck', 'it is stuck', 'The cluster does not get to 4.14.8: it is stuck'],
    ['Unknown', 'Stuck', '', 'The cluster does not get to 4.14.8: Stuck'],
  ])('a cluster with Failing=%s is quoted', (status, reason, message, told) => {
    const conditions = [aCondition('Failing', status, reason, message)];
    const facts = aCluster({ clusterVersion: aClusterVersion({ conditions }) });
    const [, note] = clusterOperators(context(facts, ['4.14.8', '4.15.3']));
    expect(note).toMatchObject({ reason: 'Failing', message: told, effect: 'warn', origin: 'reported' });
  });

  it('a cluster with Failing=False is not reported', () => {
    const conditions = [aCondition('Failing', 'False')];
    const facts = aCluster({ clusterVersion: aClusterVersion({ conditions }) });
    expect(clusterOperators(context(facts, ['4.14.8', '4.15.3']))).toHaveLength(1);
  });

  it('are reported on the first hop only', () => {
    expect(check([aClusterOperator('dns', [degraded(9)])], {}, ['4.14.8', '4.15.3', '4.16.1'])).toHaveLength(
      1,
    );
  });

  const slow: readonly (readonly [string, number, boolean])[] = [
    ['dns', 30, false],
    ['dns', 31, true],
    ['machine-config', 90, false],
    ['machine-config', 91, true],
  ];
  it.each(slow)('%s takes %i minutes in an update: slow %s', (name, minutes, isSlow) => {
    const operators = [
      aClusterOperator(name, [aCondition('Progressing', 'True', 'Busy', '', minutesAgo(minutes))]),
    ];
    const updating = check(operators, { clusterVersion: withHistory(['4.14.8 P', '4.14.2 C']) });
    expect(updating.slice(1).map(inShort)).toEqual(isSlow ? ['True ClusterOperatorsSlow warn'] : []);
    expect(check(operators)).toHaveLength(1);
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
