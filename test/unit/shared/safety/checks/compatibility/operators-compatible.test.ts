import type { DeclaredProperty } from '@cairn/shared/cluster/extension-facts';
import type { OperatorFacts } from '@cairn/shared/cluster/facts';
import { operatorsCompatible } from '@cairn/shared/safety/checks/compatibility/operators-compatible';
import { parseLimit } from '@cairn/shared/safety/evidence/operator-limits';
import { describe, expect, it } from 'vitest';
import { aCluster, anOperator, context } from '../../../../../helpers/cluster/clusters.ts';

const max = (value: string): DeclaredProperty => ({ type: 'olm.maxOpenShiftVersion', value });
const maxKube = (value: string): DeclaredProperty => ({ type: 'olm.maxKubeVersion', value });

function withMax(name: string, ...values: readonly string[]): OperatorFacts {
  return anOperator(name, { namespace: 'ns', properties: values.map(max) });
}

function verify(operators: readonly OperatorFacts[] | null, path: readonly string[], index?: number) {
  return operatorsCompatible(
    context(aCluster({ operators }, path[0]), path, index === undefined ? {} : { index }),
  );
}

describe('operators with a newest release', () => {
  it.each([
    ['1.0.0', '1.1.0', '1.1.0'],
    ['1.0.0', '1.1.0', '1.1.0+build'],
    ['1.0.0', '1.1.0', '2.0.0'],
    ['1.0.1', '1.1.0', '1.1'],
    ['4.22.1', '4.23.0', '4.23'],
    ['4.22.1', '5.0.0', '4.23'],
    ['4.22.1', '5.0.0', '5.0'],
    ['4.22.1', '5.0.0', '5.1'],
    ['4.23.1', '5.1.0', '5.1'],
    ['5.0.1', '5.1.0', '5.1'],
    ['4.7.1', '4.8.0', '4.8'],
    ['4.9.1', '4.10.0', '4.10'],
  ])('%s → %s is open with a limit of %s', (from, to, value) => {
    const [condition] = verify([withMax('op', value)], [from, to]);
    expect(condition).toMatchObject({ status: 'True', reason: 'AsExpected', effect: 'ok' });
  });

  it.each([
    ['1.0.0', '1.1.0', '1.0.0', 'newest supported OpenShift is 1.0'],
    ['1.0.0', '1.1.0', '1.0.0+build', 'newest supported OpenShift is 1.0'],
    ['1.0.0', '1.1.0', '0.1.0', 'newest supported OpenShift is 0.1'],
    ['1.0.0', '1.1.0', '1.1.0-pre', 'property invalid'],
    ['1.0.0', '1.1.0', '1.1.0-pre+build', 'property invalid'],
    ['1.1.0-pre', '1.2.0', '1.1.0', 'newest supported OpenShift is 1.1'],
    ['4.23.1', '5.1.0', '4.23', 'newest supported OpenShift is 4.23'],
    ['4.23.1', '5.1.0', '5.0', 'newest supported OpenShift is 5.0'],
    ['5.0.1', '5.1.0', '4.23', 'newest supported OpenShift is 4.23'],
    ['5.0.1', '5.1.0', '5.0', 'newest supported OpenShift is 5.0'],
    ['5.1.1', '5.2.0', '4.23', 'newest supported OpenShift is 4.23'],
    ['5.1.1', '5.2.0', '5.0', 'newest supported OpenShift is 5.0'],
    ['5.1.1', '5.2.0', '5.1', 'newest supported OpenShift is 5.1'],
    ['4.8.1', '4.9.0', '4.8', 'newest supported OpenShift is 4.8'],
    ['4.9.1', '4.10.0', '4.1', 'newest supported OpenShift is 4.1'],
  ])('%s → %s is blocked with a limit of %s: %s', (from, to, value, against) => {
    const [condition] = verify([withMax('op', value)], [from, to]);
    expect(condition).toMatchObject({
      type: 'OperatorsCompatible',
      status: 'False',
      reason: 'IncompatibleOperatorsInstalled',
      effect: 'block',
    });
    expect(condition!.message).toContain(`\nns/op: ${against}`);
  });

  it('holds no patch back that stays in a minor that works', () => {
    expect(verify([withMax('op', '4.8')], ['4.8.1', '4.8.9'])[0]!.status).toBe('True');
  });

  it('reports for every hop of the path, and where the first one is blocked', () => {
    const path = ['4.6.1', '4.7.1', '4.8.1', '4.9.1', '4.10.1'];
    const conditions = [0, 1, 2, 3].map((index) => verify([withMax('op', '4.8')], path, index)[0]!);
    expect(conditions.map(({ status }) => status)).toEqual(['True', 'True', 'False', 'False']);
    expect(conditions[3]!.objects).toEqual([
      {
        kind: 'ClusterServiceVersion',
        namespace: 'ns',
        name: 'op',
        detail: { max: '4.8', source: 'installed', firstBlockedMinor: '4.9' },
      },
    ]);
  });

  it('names errors first, then by namespace and name, and all in the objects', () => {
    const operators = [
      withMax('b', '4.8'),
      withMax('c', 'bad_version'),
      withMax('a', '4.7'),
      anOperator('d', { namespace: 'another', properties: [max('4.8')] }),
      withMax('e', '4.9'),
    ];
    const [condition] = verify(operators, ['4.8.1', '4.9.0']);
    expect(condition!.message).toBe(
      [
        '4 operators do not support OpenShift 4.9:',
        'ns/c: property invalid: olm.maxOpenShiftVersion is "bad_version", expected a minor such as "4.8"',
        'another/d: newest supported OpenShift is 4.8',
        'ns/a: newest supported OpenShift is 4.7',
        'ns/b: newest supported OpenShift is 4.8',
      ].join('\n'),
    );
    expect(condition!.objects!.map(({ name }) => name)).toEqual(['c', 'd', 'a', 'b']);
    expect(condition!.remediation).toEqual([
      'oc -n ns get subscription,installplan',
      'oc -n another get subscription,installplan',
      expect.stringContaining('install plan'),
    ]);
  });

  it('shows ten lines at most', () => {
    const operators = Array.from({ length: 12 }, (_, n) =>
      withMax(`op-${String(n).padStart(2, '0')}`, '4.8'),
    );
    const [condition] = verify(operators, ['4.8.1', '4.9.0']);
    const lines = condition!.message.split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([12, 'and 2 more']);
    expect(condition!.objects).toHaveLength(12);
  });
});

describe('operators that cannot be read', () => {
  it.each<[string, Partial<OperatorFacts>, string]>([
    ['two limits', { properties: [max('4.9'), max('4.10')] }, 'is given 2 times, expected at most once'],
    ['an empty limit', { properties: [max('')] }, 'olm.maxOpenShiftVersion is ""'],
    ['a patch', { properties: [max('4.9.1')] }, 'olm.maxOpenShiftVersion is "4.9.1"'],
    [
      'an annotation that is no JSON',
      { properties: { unreadable: 'the text ends before a value' } },
      'the annotation operatorframework.io/properties cannot be read, the text ends before a value',
    ],
    [
      'a declaration that is no JSON, and nothing else',
      { properties: null, declaredProperties: { unreadable: 'expected a value' } },
      'the annotation olm.properties cannot be read, expected a value',
    ],
    ['a limit of Kubernetes that is none', { properties: [maxKube('soon')] }, 'olm.maxKubeVersion is "soon"'],
  ])('%s: block', (_, changes, problem) => {
    const [condition] = verify([anOperator('op', changes)], ['4.8.1', '4.9.0']);
    expect(condition).toMatchObject({ status: 'False', effect: 'block' });
    expect(condition!.message).toContain(problem);
    expect(condition!.objects).toMatchObject([{ detail: { firstBlockedMinor: '4.9' } }]);
  });

  it.each([
    ['4.8', '4.8'],
    ['"4.8"', '4.8'],
    ['4.8.0', '4.8'],
    ['4.8.0+build', '4.8'],
    ['v4.8', '4.8'],
    [' 4.08 ', '4.8'],
    ['4.10', '4.10'],
    ['4', '4.0'],
    ['4.8.1', null],
    ['4.8.0-rc1', null],
    ['4.8+build', null],
    ['bad_version', null],
    ['', null],
    ['""', null],
    ['4.8.', null],
    [`${'"'.repeat(10_000)}4.8`, null],
  ])('reads %j as %s', (value, expected) => {
    const limit = parseLimit(value);
    expect(limit && `${limit.major}.${limit.minor}`).toBe(expected);
  });
});

describe('the check of operators', () => {
  it('lists those without a limit and does not block the hop', () => {
    const operators = [anOperator('b'), withMax('a', '4.10'), anOperator('c', { properties: null })];
    const [condition, note] = verify(operators, ['4.8.1', '4.9.0']);
    expect(condition).toMatchObject({
      status: 'True',
      reason: 'AsExpected',
      message: '3 operators checked, none excludes 4.9; 2 declare no limit',
    });
    expect(note).toMatchObject({ status: 'True', reason: 'OperatorsUnverified', effect: 'info' });
    expect(note!.objects).toEqual([
      { kind: 'ClusterServiceVersion', namespace: 'openshift-b', name: 'b', detail: { max: null } },
      { kind: 'ClusterServiceVersion', namespace: 'openshift-c', name: 'c', detail: { max: null } },
    ]);
  });

  it('reports missing limits only once per path', () => {
    const path = ['4.8.1', '4.9.0', '4.10.0'];
    const reasons = [0, 1].map((index) =>
      verify([anOperator('op')], path, index).map(({ reason }) => reason),
    );
    expect(reasons).toEqual([['AsExpected', 'OperatorsUnverified'], ['AsExpected']]);
  });

  it('takes what the author declares when nothing was written down at the installation', () => {
    const operator = anOperator('op', { properties: null, declaredProperties: [max('4.8')] });
    const [condition] = verify([operator], ['4.8.1', '4.9.0']);
    expect(condition!.objects).toMatchObject([{ detail: { max: '4.8', source: 'declared' } }]);
  });

  it('otherwise takes what was written down, and says where the author differs', () => {
    const operator = anOperator('op', { properties: [max('4.9')], declaredProperties: [max('4.8')] });
    const [condition, note, ...rest] = verify([operator], ['4.8.1', '4.9.0']);
    expect(condition!.status).toBe('True');
    expect(note).toMatchObject({
      reason: 'DeclaredMaxDiffers',
      effect: 'info',
      objects: [{ detail: { declared: '4.8' } }],
    });
    expect(rest).toEqual([]);
  });

  it.each([[[max('4.9.0')]], [[]], [null], [{ unreadable: 'expected a value' }]])(
    'sees no difference in a declaration of %j',
    (declaredProperties) => {
      const operator = anOperator('op', { properties: [max('"4.9"')], declaredProperties });
      expect(verify([operator], ['4.8.1', '4.9.0'])).toHaveLength(1);
    },
  );

  it('warns of an operator that asks for newer Kubernetes than the hop brings', () => {
    const operators = ['1.23.0', '1.22', 'soon'].map((minKubeVersion, n) =>
      anOperator(`op${n}`, { properties: [max('4.12')], minKubeVersion }),
    );
    const [condition, note] = verify(operators, ['4.8.1', '4.9.0']);
    expect(condition!.status).toBe('True');
    expect(note).toMatchObject({ reason: 'MinKubeVersionNotMet', effect: 'warn', status: 'False' });
    expect(note!.objects!.map(({ name }) => name)).toEqual(['op0']);
  });

  it.each([
    ['1.22', 'True'],
    ['2.0', 'True'],
    ['1.21', 'False'],
  ])('a limit of Kubernetes %s for 1.22: %s', (value, status) => {
    const [condition] = verify([anOperator('op', { properties: [maxKube(value)] })], ['4.8.1', '4.9.0']);
    expect(condition!.status).toBe(status);
    expect(condition!.message.includes('newest supported Kubernetes is 1.21')).toBe(status === 'False');
  });

  it.each(['Replacing', 'Deleting'])('passes over an operator that is %s', (phase) => {
    const [condition, note] = verify([{ ...withMax('op', '4.8'), phase }], ['4.8.1', '4.9.0']);
    expect(condition!.status).toBe('True');
    expect(note).toMatchObject({ reason: 'OperatorsSkipped', effect: 'info', objects: [{ name: 'op' }] });
  });

  it.each([
    [[], 'True', 'AsExpected'],
    [null, 'Unknown', 'InputMissing'],
  ])('with the list %j: %s %s', (operators, status, reason) => {
    expect(verify(operators, ['4.8.1', '4.9.0'])).toMatchObject([{ status, reason }]);
  });

  it('is unknown for a cluster without a version', () => {
    const known = context(aCluster({ operators: [] }), ['4.14.8', '4.15.0']);
    expect(operatorsCompatible({ ...known, current: null })).toMatchObject([
      { status: 'Unknown', reason: 'ErrorCheckingOperatorCompatibility', effect: 'warn' },
    ]);
  });
});
