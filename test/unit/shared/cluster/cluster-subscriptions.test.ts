import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import { type Json, listOf, subscription, typedListOf } from '../../../helpers/cluster/objects.ts';

const read = (...documents: readonly Json[]) =>
  readDocuments(JSON.stringify(documents), { isRemovedApi: () => false });

function subscriptionsIn(...documents: readonly Json[]) {
  const reading = read(...documents);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return { subscriptions: reading.facts.subscriptions, ignored: reading.input.ignored };
}

describe('Subscriptions', () => {
  it('are read whole', () => {
    const whole = subscription('logging', {
      channel: 'stable-5.8',
      startingCSV: 'logging.v0',
      installPlanApproval: 'Manual',
    });
    expect(subscriptionsIn(whole).subscriptions).toEqual([
      {
        namespace: 'openshift-logging',
        name: 'logging',
        package: 'logging',
        channel: 'stable-5.8',
        source: 'redhat-operators',
        sourceNamespace: 'openshift-marketplace',
        startingCsv: 'logging.v0',
        installedCsv: 'logging.v1',
        currentCsv: 'logging.v1',
      },
    ]);
  });

  it('may say nothing but their name', () => {
    expect(subscriptionsIn({ kind: 'Subscription', metadata: { name: 'x' } }).subscriptions).toEqual([
      {
        namespace: '',
        name: 'x',
        package: '',
        channel: '',
        source: '',
        sourceNamespace: '',
        startingCsv: '',
        installedCsv: '',
        currentCsv: '',
      },
    ]);
  });

  it.each(['messaging.knative.dev/v1', 'apps.open-cluster-management.io/v1', 'v1', 'operators.coreos.com'])(
    'are not those of %s',
    (apiVersion) => {
      const other = { ...subscription('x'), apiVersion, spec: 7 };
      const typed = typedListOf('Subscription', apiVersion, [{ metadata: 7 }]);
      const { subscriptions, ignored } = subscriptionsIn(listOf(other), typed, subscription('own'));
      expect(subscriptions).toMatchObject([{ name: 'own' }]);
      expect(ignored).toEqual([{ kind: 'Subscription', count: 2 }]);
    },
  );

  it('come in the order of their namespaces and names, and of two the last counts', () => {
    const { subscriptions } = subscriptionsIn(
      subscription('b'),
      subscription('a'),
      subscription('b', { channel: 'newer' }),
    );
    expect(subscriptions).toMatchObject([{ name: 'a' }, { name: 'b', channel: 'newer' }]);
  });

  it.each<[Json, string]>([
    [subscription('x', {}, { spec: [] }), '/0/spec'],
    [subscription('x', { channel: 4.1 }), '/0/spec/channel'],
    [subscription('x', { name: { a: 1 } }), '/0/spec/name'],
    [subscription('x', { source: 'y'.repeat(4097) }), '/0/spec/source'],
    [subscription('x', {}, { status: 'x' }), '/0/status'],
    [subscription('x', {}, { metadata: { namespace: 'a' } }), '/0/metadata/name'],
  ])('that are none are refused with the place: %#', (document, pointer) => {
    const reading = read(document);
    expect(reading.ok ? [] : reading.mistakes).toMatchObject([{ document: 0, pointer }]);
  });
});
