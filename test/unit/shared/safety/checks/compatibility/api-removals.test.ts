import type { ApiUseFacts } from '@cairn/shared/cluster/facts';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import { GARBAGE_COLLECTOR, INGRESSES, verify, user, using } from '../../../../../helpers/cluster/api-use.ts';

const TO_4_10 = ['4.6.1', '4.7.1', '4.8.1', '4.9.1', '4.10.1'];

describe('removed APIs', () => {
  it('block the hop that removes them, and no other hop of the path', () => {
    const conditions = [0, 1, 2, 3].map((index) => verify([INGRESSES], TO_4_10, { index })[0]!);
    expect(conditions.map(({ status, reason }) => [status, reason])).toEqual([
      ['True', 'NoRemovedAPIsInUse'],
      ['True', 'NoRemovedAPIsInUse'],
      ['False', 'APIRemovedInLaterReleaseInUse'],
      ['True', 'NoRemovedAPIsInUse'],
    ]);
    expect(conditions[2]!.objects).toMatchObject([{ detail: { nextEUS: false } }]);
  });

  it('say so when it is the next one', () => {
    expect(verify([INGRESSES], ['4.8.1', '4.9.1'])).toMatchObject([
      { type: 'APIRemovals', status: 'False', reason: 'APIRemovedInNextReleaseInUse', effect: 'block' },
    ]);
  });

  it.each([
    ['4.6.1', ['4.7.1', '4.8.1'], '1.21', true],
    ['4.7.1', ['4.8.1', '4.9.1'], '1.22', false],
    ['4.20.1', ['4.21.1', '4.22.1'], '1.35', true],
    ['4.22.1', ['5.0.1', '5.1.1', '5.2.1'], '1.38', true],
    ['4.22.1', ['5.0.1', '5.1.1', '5.2.1', '5.3.1'], '1.39', false],
    ['5.0.1', ['5.1.1', '5.2.1'], '1.38', true],
  ] as const)('from %s on %j: %s is by the next extended support: %s', (from, rest, removed, isBy) => {
    const [condition] = verify([using('things.v1beta1.apps', removed, 1)], [from, ...rest]);
    expect(condition).toMatchObject({
      reason: 'APIRemovedInLaterReleaseInUse',
      objects: [{ detail: { nextEUS: isBy } }],
    });
  });

  it.each<[string, ApiUseFacts, string[], string[]]>([
    [
      'beyond the target',
      using('cronjobs.v1beta1.batch', '1.25', 5),
      TO_4_10,
      ['NoRemovedAPIsInUse', 'APIRemovedBeyondTarget'],
    ],
    [
      'long gone',
      using('things.v1beta1.apps', '1.18', 5),
      ['4.6.1', '4.7.1'],
      ['NoRemovedAPIsInUse', 'AlreadyRemoved'],
    ],
    [
      'gone since the minor at hand',
      using('things.v1beta1.apps', '1.19', 5),
      ['4.6.1', '4.7.1'],
      ['NoRemovedAPIsInUse', 'AlreadyRemoved'],
    ],
    [
      'of a Kubernetes that nobody knows',
      using('things.v1beta1.apps', '2.20', 5),
      ['4.6.1', '4.7.1'],
      ['NoRemovedAPIsInUse'],
    ],
    [
      'asked for by nobody',
      using('ingresses.v1beta1.extensions', '1.22', 0, []),
      ['4.8.1', '4.9.1'],
      ['NoRemovedAPIsInUse'],
    ],
    [
      'asked for only by the garbage collector',
      using('ingresses.v1beta1.extensions', '1.22', 5, [user(GARBAGE_COLLECTOR, 5)]),
      ['4.8.1', '4.9.1'],
      ['NoRemovedAPIsInUse'],
    ],
    [
      'of the next minor, on a patch',
      INGRESSES,
      ['4.8.1', '4.8.9'],
      ['NoRemovedAPIsInUse', 'APIRemovedBeyondTarget'],
    ],
  ])('are only mentioned when %s', (_, use, path, reasons) => {
    const findings = verify([use], path);
    expect(findings.map(({ reason }) => reason)).toEqual(reasons);
    expect(findings.every(({ status }) => status === 'True')).toBe(true);
    expect(findings.slice(1).every(({ effect }) => effect === 'info')).toBe(true);
  });

  it('are mentioned once on the way: what is gone at its start, what goes later at its end', () => {
    const apiUse = [using('a.v1beta1.apps', '1.18', 1), using('b.v1beta1.apps', '1.30', 1)];
    const reasons = [0, 1, 2, 3].map((index) =>
      verify(apiUse, TO_4_10, { index })
        .slice(1)
        .map(({ reason }) => reason),
    );
    expect(reasons).toEqual([['AlreadyRemoved'], [], [], ['APIRemovedBeyondTarget']]);
  });

  it('are known from the table when the cluster does not say, but what it says counts for more', () => {
    const unsaid = using('ingresses.v1beta1.extensions', null, 5);
    expect(verify([unsaid], ['4.8.1', '4.9.1'])[0]!.effect).toBe('block');
    expect(verify([using('ingresses.v1beta1.extensions', '1.24', 5)], ['4.8.1', '4.9.1'])[0]!.effect).toBe(
      'ok',
    );
    expect(verify([using('pods.v1', null, 5)], ['4.8.1', '4.9.1'])).toHaveLength(1);
  });

  it.each<[string, ApiUseFacts, string, 'warn' | 'block']>([
    [
      'only announced in the table',
      using('resourceslices.v1beta1.resource.k8s.io', null, 5),
      'announced',
      'warn',
    ],
    ['announced by the cluster', using('resourceslices.v1beta1.resource.k8s.io', '1.38', 5), '1.38', 'block'],
    [
      'custom resources',
      using('kubedeschedulers.v1beta1.operator.openshift.io', '1.38', 5),
      'custom',
      'warn',
    ],
  ])('that are %s: %s', (_, use, words, effect) => {
    const [condition] = verify([use], ['5.1.1', '5.2.1']);
    expect(condition).toMatchObject({ status: 'False', effect });
    expect(condition!.message).toContain(words);
  });
});

describe('acknowledged gates', () => {
  const gate = 'ack-4.8-kube-1.22-api-removals-in-4.9';
  const acknowledging = (key: string, value = 'true') => ({ adminAcks: [{ key, value }] });

  it.each<[SafetyOptions['apiRemovals'], ReturnType<typeof acknowledging>, [string, string][]]>([
    [
      'block',
      acknowledging(gate),
      [
        ['APIRemovedInNextReleaseInUse', 'block'],
        ['AcknowledgedButInUse', 'warn'],
      ],
    ],
    [
      'ack',
      acknowledging(gate),
      [
        ['APIRemovedInNextReleaseInUse', 'warn'],
        ['AcknowledgedButInUse', 'warn'],
      ],
    ],
    ['ack', acknowledging(gate, 'True'), [['APIRemovedInNextReleaseInUse', 'block']]],
    [
      'ack',
      acknowledging('ack-4.7-kube-1.22-api-removals-in-4.9'),
      [['APIRemovedInNextReleaseInUse', 'block']],
    ],
    [
      'ack',
      acknowledging('ack-4.8-kube-1.23-api-removals-in-4.9'),
      [['APIRemovedInNextReleaseInUse', 'block']],
    ],
  ])('with apiRemovals %s and %j: %j', (mode, facts, expected) => {
    const findings = verify([INGRESSES], ['4.8.1', '4.9.1'], { facts, options: { apiRemovals: mode } });
    expect(findings.map(({ reason, effect }) => [reason, effect])).toEqual(expected);
  });

  it('may speak of one group of APIs', () => {
    const facts = acknowledging('ack-4.19-admissionregistration-v1beta1-api-removals-in-4.20');
    const apiUse = [
      using('validatingadmissionpolicies.v1beta1.admissionregistration.k8s.io', '1.33', 5),
      using('selfsubjectreviews.v1beta1.authentication.k8s.io', '1.33', 5),
    ];
    const findings = verify(apiUse, ['4.19.1', '4.20.1'], { facts, options: { apiRemovals: 'ack' } });
    expect(findings.map(({ effect, objects }) => [effect, objects![0]!.name])).toEqual([
      ['block', 'selfsubjectreviews.v1beta1.authentication.k8s.io'],
      ['warn', 'validatingadmissionpolicies.v1beta1.admissionregistration.k8s.io'],
      ['warn', 'validatingadmissionpolicies.v1beta1.admissionregistration.k8s.io'],
    ]);
  });
});

describe('counts of requests that were not supplied', () => {
  it('leave what the table knows of the hop', () => {
    const findings = verify(null, ['4.12.1', '4.13.1']);
    expect(findings).toMatchObject([
      { status: 'Unknown', reason: 'InputMissing', effect: 'warn' },
      { status: 'True', reason: 'RemovalsOnPath', effect: 'info', origin: 'catalogue' },
    ]);
    expect(findings[1]!.message).toBe(
      'Kubernetes 1.26 (OpenShift 4.13) removes 3 APIs: flowschemas.v1beta1.flowcontrol.apiserver.k8s.io, ' +
        'horizontalpodautoscalers.v2beta2.autoscaling and prioritylevelconfigurations.v1beta1.flowcontrol.apiserver.k8s.io',
    );
  });

  it.each([
    ['4.8.1', '4.8.9'],
    ['4.9.1', '4.10.1'],
    ['4.10.1', '4.11.1'],
  ])('nothing is removed from %s to %s, alpha left aside', (from, to) => {
    expect(verify(null, [from, to])).toMatchObject([{ reason: 'InputMissing' }]);
  });
});
