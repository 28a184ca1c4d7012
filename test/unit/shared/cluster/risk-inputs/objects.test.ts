import { describe, expect, it } from 'vitest';
import { readParsedDocuments } from '../../../../helpers/cluster/cluster-documents.ts';
import { type Json, pod } from '../../../../helpers/cluster/objects.ts';
import { riskInputs } from '../../../../helpers/cluster/other-objects.ts';

const OPTIONS = { isRemovedApi: () => false };

function factsOf(...documents: readonly Json[]) {
  const reading = readParsedDocuments(documents, OPTIONS);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

/** As `/counts/nodes: expected …`. */
function mistakesIn(kind: string, content: Json): readonly string[] {
  const reading = readParsedDocuments([{ apiVersion: 'cairn/v1', kind, ...content }], OPTIONS);
  if (reading.ok) throw new Error('there is no mistake');
  return reading.mistakes.map(({ pointer, detail }) => `${pointer}: ${detail}`);
}

const counts = (content: Json): Json => ({ apiVersion: 'cairn/v1', kind: 'ObjectCounts', ...content });
const answer = (promql: string, result: unknown, resultType = 'vector'): Json => ({
  apiVersion: 'cairn/v1',
  kind: 'RiskAnswers',
  answers: [{ promql, at: '2026-01-02T00:00:00Z', data: { resultType, result } }],
});

describe('risk-inputs: objects', () => {
  it('are read without what stays in the cluster', () => {
    expect(factsOf(...riskInputs)).toMatchObject({
      installer: { version: 'v4.12.3', invoker: 'hypershift' },
      installerManifests: { version: '', invoker: null },
      proxy: { http: true, https: false, trustedCa: true },
      registryReplicas: 3,
      containerImages: { images: ['quay.io/a@sha256:1'], isComplete: true },
    });
  });

  it('of the cluster do not come from another namespace', () => {
    const [installer] = riskInputs as [Json];
    const other = { ...installer, metadata: { namespace: 'shop', name: 'openshift-install' } };
    expect(factsOf(other).installer).toBeNull();
  });

  it.each([
    [{ spec: { replicas: 0 } }, 0],
    [{ spec: {} }, 1],
    [{}, null],
  ])('have the replicas of %j', (content, replicas) => {
    const metadata = { namespace: 'openshift-image-registry', name: 'image-registry' };
    const deployment = { kind: 'Deployment', apiVersion: 'apps/v1', metadata, ...content };
    expect(factsOf(deployment).registryReplicas).toBe(replicas);
  });

  it('count a Pod once, as its last document has it', () => {
    const status = (image: string) => ({ status: { containerStatuses: [{ image }] } });
    const facts = factsOf(pod('a', 'w0', status('old')), pod('a', 'w0', status('new')));
    expect(facts.containerImages?.images).toEqual(['new']);
  });
});

describe('risk-inputs: ObjectCounts', () => {
  it('are joined, and the last count of a resource stays', () => {
    const absent = { resource: 'configmaps', namespace: 'openshift-config', name: 'openshift-install' };
    const names = { resource: 'configmaps', namespace: 'a' };
    expect(
      factsOf(
        counts({ counts: { b: 1, a: null }, names: [{ ...names, names: ['x'] }], absent: [absent] }),
        counts({ counts: { b: 2 }, names: [{ ...names, names: ['z', 'y'] }], absent: [absent] }),
      ).objectCounts,
    ).toEqual({
      counts: { a: null, b: 2 },
      names: [{ resource: 'configmaps', namespace: 'a', names: ['y', 'z'] }],
      absent: [absent],
    });
  });

  it.each<[string, Json, readonly string[]]>([
    ['a list', { counts: ['nodes'] }, ['/counts: expected an object with a number for each resource']],
    [
      'a text',
      { counts: { nodes: '6' } },
      ['/counts/nodes: expected a whole number, or null for a resource that is not served, found "6"'],
    ],
    [
      'a negative number',
      { counts: { nodes: -1 } },
      ['/counts/nodes: expected a whole number, or null for a resource that is not served, found -1'],
    ],
    [
      'names without a namespace',
      { names: [{ resource: 'configmaps', names: [] }] },
      ['/names/0/namespace: expected the namespace'],
    ],
    [
      'a namespace without names',
      { names: [{ resource: 'configmaps', namespace: 'a' }] },
      ['/names/0/names: expected an array of all names'],
    ],
    [
      'an absent object without a name',
      { absent: [{ resource: 'pods' }] },
      ['/absent/0/name: expected the name'],
    ],
    [
      'absent texts',
      { absent: ['pods'] },
      [
        '/absent/0: expected an object, found "pods"',
        '/absent/0/resource: expected the resource',
        '/absent/0/name: expected the name',
      ],
    ],
  ])('are refused with %s', (_title, content, expected) => {
    const mistakes = mistakesIn('ObjectCounts', content);
    expect(mistakes.map((mistake, at) => mistake.slice(0, expected[at]?.length))).toEqual(expected);
  });
});

describe('risk-inputs: RiskAnswers', () => {
  const sample = (value: unknown) => [{ metric: { a: 'b' }, value: [1, value] }];

  it.each<[string, unknown, string, string]>([
    ['one sample of 1', sample('1'), 'vector', 'yes'],
    ['one sample of 1, written otherwise', sample('1e0'), 'vector', 'yes'],
    ['one sample of 0', sample('0'), 'vector', 'no'],
    ['one of 2', sample('2'), 'vector', 'fails'],
    ['one of −1', sample('-1'), 'vector', 'fails'],
    ['NaN', sample('NaN'), 'vector', 'fails'],
    ['infinity', sample('+Inf'), 'vector', 'fails'],
    ['two samples', [...sample('0'), ...sample('0')], 'vector', 'fails'],
    ['nothing', [], 'vector', 'fails'],
    ['a scalar', [1, '1'], 'scalar', 'fails'],
    ['a number as no text', sample(1), 'vector', 'fails'],
    ['no list', {}, 'vector', 'fails'],
  ])('take %s as a cluster does', (_title, result, resultType, outcome) => {
    expect(factsOf(answer('a', result, resultType)).riskAnswers).toEqual([
      { promql: 'a', at: '2026-01-02T00:00:00Z', outcome },
    ]);
  });

  it('keep the text of a query byte for byte, and the last answer to it', () => {
    const facts = factsOf(
      answer('group(a)\n', sample('1')),
      answer('group(a)\n', sample('0')),
      answer('b', []),
    );
    expect(facts.riskAnswers).toMatchObject([
      { promql: 'b', outcome: 'fails' },
      { promql: 'group(a)\n', outcome: 'no' },
    ]);
    expect(facts.collectedAt).toBe('2026-01-02T00:00:00.000Z');
  });

  it.each<[string, Json, readonly string[]]>([
    [
      'nothing',
      {},
      [
        '/answers/0/data: expected the data of the answer, or its error',
        '/answers/0/promql: expected the text of the query',
        '/answers/0/at: expected the time of the answer',
      ],
    ],
    ['no time', { promql: 'a', at: 'today', error: 'x' }, ['/answers/0/at: expected a time']],
    [
      'no text of an error',
      { promql: 'a', at: '2026-01-02T00:00:00Z', error: 5 },
      ['/answers/0/error: expected a string'],
    ],
    [
      'a query that is too long',
      { promql: 'a'.repeat(16_385), at: '2026-01-02T00:00:00Z', error: 'x' },
      ['/answers/0/promql: expected at most 16384 characters'],
    ],
  ])('are refused with %s', (_title, content, expected) => {
    const mistakes = mistakesIn('RiskAnswers', { answers: [content] });
    expect(mistakes.map((mistake, at) => mistake.slice(0, expected[at]?.length))).toEqual(expected);
  });
});
