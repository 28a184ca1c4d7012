import { type ClusterFacts, NO_FACTS } from '@cairn/shared/cluster/facts';
import type { ReadOptions, DocumentReading } from '@cairn/shared/cluster/kinds';
import { describe, expect, it } from 'vitest';
import {
  readDocuments,
  readDocumentStream,
  readParsedDocuments,
} from '../../../helpers/cluster/cluster-documents.ts';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  listOf,
  node,
  operator,
  pod,
  pool,
  requestCount,
  typedListOf,
} from '../../../helpers/cluster/objects.ts';

const OPTIONS: ReadOptions = { isRemovedApi: (name) => name === 'ingresses.v1beta1.extensions' };

function factsOf(...documents: readonly unknown[]): ClusterFacts {
  return accepted(readDocuments(documents.map((document) => JSON.stringify(document)).join('\n'), OPTIONS))
    .facts;
}

function accepted(reading: DocumentReading): Extract<DocumentReading, { ok: true }> {
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading;
}

/** Whether other objects can exist depends on the shape. */
function objectsIn(reading: DocumentReading): ClusterFacts {
  return { ...accepted(reading).facts, completeLists: [] };
}

/** What is wrong with a text is told by its line. */
function withoutDetails(reading: DocumentReading) {
  return reading.ok ? reading : reading.mistakes.map(({ pointer }) => pointer).toSorted();
}

/** As `/items/3: detail`, or `1/items/3: detail` in a later document. */
function mistakesIn(text: string | Uint8Array): string[] {
  const reading = readDocuments(text, OPTIONS);
  if (reading.ok) throw new Error('there is no mistake');
  return reading.mistakes.map(({ document, pointer, detail }) => {
    const place = `${document || ''}${pointer}`;
    return place === '' ? detail : `${place}: ${detail}`;
  });
}

const NODES = [node('a'), node('b')];
const NOTHING: ClusterFacts = NO_FACTS;

describe('documents', () => {
  const typed = typedListOf('Node', 'v1', NODES);
  const { kind, ...withoutKind } = typed;
  it.each<[string, string]>([
    ['a List', JSON.stringify(listOf(...NODES))],
    ['a List, printed for people', JSON.stringify(listOf(...NODES), null, 4)],
    ['the list of one kind, whose items do not say what they are', JSON.stringify(typed)],
    ['such a list that says its kind last', JSON.stringify({ ...withoutKind, kind })],
    ['an array', JSON.stringify(NODES)],
    ['documents one after the other', NODES.map((object) => JSON.stringify(object)).join('')],
    ['documents on lines', NODES.map((object) => JSON.stringify(object)).join('\n\n')],
    [
      'lists gathered in an array',
      JSON.stringify([listOf(NODES[0]), typedListOf('Node', 'v1', [NODES[1]!])]),
    ],
    ['a list in a list', JSON.stringify(listOf(listOf(...NODES)))],
    ['an object that is replaced later', JSON.stringify([node('a', { status: {} }), ...NODES])],
    [
      'objects without an apiVersion',
      JSON.stringify(NODES.map((object) => ({ ...object, apiVersion: undefined }))),
    ],
    ['text with a mark before it', `\uFEFF${JSON.stringify(NODES)}`],
  ])('may come as %s', async (_title, text) => {
    const expected = objectsIn(readDocuments(JSON.stringify(listOf(...NODES)), OPTIONS));
    expect(expected.nodes?.map(({ name }) => name)).toEqual(['a', 'b']);
    const bytes = new TextEncoder().encode(text);
    expect(objectsIn(readDocuments(text, OPTIONS))).toEqual(expected);
    expect(objectsIn(readDocuments(bytes, OPTIONS))).toEqual(expected);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
      bytes.slice(at * 7, at * 7 + 7),
    );
    expect(objectsIn(await readDocumentStream(pieces, OPTIONS))).toEqual(expected);
  });

  it('may come in another order, which nodes keep', () => {
    const { nodes } = accepted(readDocuments(JSON.stringify(NODES.toReversed()), OPTIONS)).facts;
    const expected = accepted(readDocuments(JSON.stringify(NODES), OPTIONS)).facts.nodes!;
    expect(nodes).toEqual(expected.toReversed());
  });

  it.each<[string, unknown[]]>([
    ['a List', [listOf(...NODES, { kind: 'Foo' })]],
    ['the list of one kind', [typed]],
    ['an array', [NODES]],
    ['several', NODES],
    ['lists in a list', [[listOf(NODES[0]), NODES[1]]]],
    ['a mistake', [listOf(NODES[0], 5, { kind: 'Node' }, {})]],
    ['a list without items', [{ kind: 'NodeList', apiVersion: 'v1' }]],
    ['a scalar', [5]],
  ])('may be parsed already: %s', (_title, documents) => {
    const text = documents.map((document) => JSON.stringify(document)).join('\n');
    const reading = readDocuments(text, OPTIONS);
    const parsed = readParsedDocuments(documents, OPTIONS);
    expect(withoutDetails(parsed)).toEqual(withoutDetails(reading));
  });

  it('of several kinds come in one list', () => {
    const facts = factsOf(
      listOf(clusterVersion, node('a'), clusterOperator('etcd'), pool('worker'), operator('ns', 'csv.v1')),
      configMap('openshift-config', 'admin-acks', { 'ack-4.13': 'true' }),
    );
    expect(facts.clusterVersion?.desired.version).toBe('4.14.8');
    expect(facts).toMatchObject({
      nodes: [{ name: 'a' }],
      clusterOperators: [{ name: 'etcd' }],
      pools: [{ name: 'worker' }],
      operators: [{ name: 'csv.v1' }],
      adminAcks: [{ key: 'ack-4.13', value: 'true' }],
      adminGates: null,
      apiUse: null,
    });
  });

  it.each<[string, Json, Partial<ClusterFacts>, number]>([
    ['nodes', { kind: 'NodeList', apiVersion: 'v1', items: [] }, { nodes: [] }, 0],
    ['nodes, as null', { kind: 'NodeList', apiVersion: 'v1', items: null }, { nodes: [] }, 0],
    ['nodes, left out', { kind: 'NodeList', apiVersion: 'v1' }, { nodes: [] }, 0],
    ['operators', { kind: 'ClusterServiceVersionList', items: [] }, { operators: [] }, 0],
    [
      'subscriptions',
      { kind: 'SubscriptionList', apiVersion: 'operators.coreos.com/v1alpha1', items: [] },
      { subscriptions: [] },
      0,
    ],
    [
      'subscriptions of something else',
      { kind: 'SubscriptionList', apiVersion: 'messaging.knative.dev/v1', items: [] },
      {},
      0,
    ],
    ['pods', { kind: 'PodList', items: [] }, { podsPerNode: [] }, 0],
    ['maps, which are not the ones asked for', { kind: 'ConfigMapList', items: [] }, {}, 0],
    ['who knows what', listOf(), {}, 1],
    ['who knows what, without items', { kind: 'List' }, {}, 1],
    ['another kind', { kind: 'FooList', items: [] }, {}, 0],
  ])('may hold no %s', (_title, document, facts, emptyLists) => {
    const reading = accepted(readDocuments(JSON.stringify(document), OPTIONS));
    expect(objectsIn(reading)).toEqual({ ...NOTHING, ...facts });
    expect(reading.input).toEqual({ documents: 1, objects: 0, emptyLists, ignored: [] });
  });

  describe('that are pages of a list', () => {
    const page = (next: string, ...items: readonly Json[]) => ({
      ...typedListOf('Node', 'v1', items),
      metadata: { continue: next },
    });
    const first = page('next', node('a'));
    const cutOff = (document: number, kind = 'NodeList') => [
      {
        document,
        pointer: '/metadata/continue',
        detail: `expected the other pages of this ${kind} too: its token says that it goes on`,
      },
    ];
    const read = (...documents: readonly unknown[]) =>
      readDocuments(documents.map((document) => JSON.stringify(document)).join('\n'), OPTIONS);

    it.each([
      ['at the end', [first, page('', node('b'))]],
      ['at the start', [page('', node('b')), page('more', node('c')), first]],
    ])('are read with the last one %s', (_, documents) => {
      expect(accepted(read(...documents)).facts.nodes!.map(({ name }) => name)).toContain('b');
    });

    it('are refused without the last one', () => {
      expect(read(page('', node('b')))).toMatchObject({ ok: true });
      expect(read(listOf(), first)).toEqual({ ok: false, mistakes: cutOff(1) });
      expect(read(page('', node('b')), { ...listOf(node('a')), metadata: { continue: 'x' } })).toEqual({
        ok: false,
        mistakes: cutOff(1, 'List'),
      });
      expect(read({ kind: 'FooList', metadata: { continue: 'x' }, items: [] })).toMatchObject({ ok: true });
    });
  });

  it('of other kinds are counted', () => {
    const others = [
      { kind: 'Foo', items: [1, 2] },
      { items: [1, 2, {}], kind: 'Foo' },
      { kind: 'AllowList', items: { a: 1 } },
      { kind: 'Network', apiVersion: 'example.com/v1', status: { networkType: 'Other' } },
      { kind: 'Node', apiVersion: 'example.com/v1', metadata: 5 },
      { kind: '__proto__' },
      configMap('default', 'admin-acks', { a: 'true' }),
      configMap('openshift-config', 'other', {}),
      { ...clusterVersion, metadata: { name: 'another' } },
    ];
    const reading = accepted(readDocuments(JSON.stringify(listOf(...others)), OPTIONS));
    expect(reading.facts).toEqual(NOTHING);
    expect(reading.input).toEqual({
      documents: 1,
      objects: 9,
      emptyLists: 0,
      ignored: [
        { kind: 'ConfigMap', count: 2 },
        { kind: 'Foo', count: 2 },
        { kind: 'AllowList', count: 1 },
        { kind: 'ClusterVersion', count: 1 },
        { kind: 'Network', count: 1 },
        { kind: 'Node', count: 1 },
        { kind: '__proto__', count: 1 },
      ],
    });
  });

  it('list at most fifty other kinds', () => {
    const kinds = Array.from({ length: 60 }, (_, number) => ({ kind: `Kind${number + 10}` }));
    const { ignored } = accepted(readDocuments(JSON.stringify(kinds), OPTIONS)).input;
    expect(ignored).toHaveLength(51);
    expect(ignored.at(-1)).toEqual({ kind: 'other kinds', count: 10 });
  });

  it('are collected when it is said, or else at the newest time in them', () => {
    const documents = JSON.stringify([
      clusterVersion,
      clusterOperator('etcd'),
      node('a', {
        status: { conditions: [{ type: 'Ready', lastHeartbeatTime: '2026-03-01T12:00:00+02:00' }] },
      }),
    ]);
    expect(accepted(readDocuments(documents, OPTIONS)).facts.collectedAt).toBe('2026-03-01T10:00:00.000Z');
    const collectedAt = '2026-03-02T00:00:00Z';
    expect(accepted(readDocuments(documents, { ...OPTIONS, collectedAt })).facts.collectedAt).toBe(
      collectedAt,
    );
  });

  it('are the last of those with the same name', () => {
    const copy = operator('ns', 'csv.v1', { 'olm.operatorNamespace': 'elsewhere' });
    const unused = requestCount('foos.v1.example.com', {});
    const used = requestCount('foos.v1.example.com', { removedInRelease: '1.30' });
    expect(factsOf(operator('ns', 'csv.v1'), copy).operators).toEqual([]);
    expect(factsOf(copy, operator('ns', 'csv.v1')).operators).toHaveLength(1);
    expect(factsOf(operator('ns', 'csv.v1'), operator('other', 'csv.v1')).operators).toHaveLength(2);
    expect(factsOf(used, unused).apiUse).toEqual([]);
    expect(factsOf(unused, used).apiUse).toHaveLength(1);
    expect(factsOf(pod('p', 'a'), pod('p', 'b')).podsPerNode).toEqual([{ node: 'b', pods: 1 }]);
    expect(factsOf(node('a'), node('a', { spec: { unschedulable: true } })).nodes).toMatchObject([
      { unschedulable: true },
    ]);
  });
});

describe('mistakes', () => {
  const json = (value: unknown) => JSON.stringify(value);
  it.each<[string, ...string[]]>([
    ['', 'expected at least one document, there is nothing'],
    [' \n', 'expected at least one document, there is nothing'],
    [
      'error: You must be logged in',
      'line 1, column 1: expected an object or an array, as `oc get … -o json` prints them',
    ],
    [
      '{"kind": "Node"}\n{"kind": "Node"',

      '/metadata/name: expected the name of the object',
      '1: line 2, column 16: the text ends before "," or "}"',
    ],
    [
      '{"kind":"List","items":[\n {"kind": "Node",\n  "metadata": {"é": 01}}]}',
      '/items/0: line 3, column 22: expected "," or "}"',
    ],
    ['[{"kind":"Node","metadata":{"a":[}]}]', '/0: line 1, column 34: expected a value or "]"'],
    [
      json(listOf(node('a'), node('b', { status: { nodeInfo: 5 } }))),
      '/items/1/status/nodeInfo: expected an object, found 5',
    ],
    [json([node('a', { status: 'up' })]), '/0/status: expected an object, found "up"'],
    [
      json([node('a', { metadata: [] })]),

      '/0/metadata: expected an object, found an array',
      '/0/metadata/name: expected the name of the object',
    ],
    [json(node('a', { metadata: { name: 7 } })), '/metadata/name: expected a string, found 7'],
    [
      json(node('x'.repeat(4097))),
      `/metadata/name: expected at most 4096 characters, found "${'x'.repeat(80)}…"`,
    ],
    [
      json(node('a', { metadata: { name: 'a', labels: { 'a/b~c': 1 } } })),
      '/metadata/labels/a~1b~0c: expected a string, found 1',
    ],
    [
      json(node('a', { spec: { unschedulable: 'yes' } })),
      '/spec/unschedulable: expected true or false, found "yes"',
    ],
    [
      json([{ metadata: {} }]),
      '/0/kind: expected the kind of the object, which neither it nor its list says',
    ],
    [
      json({ kind: 'List', items: [{}] }),
      '/items/0/kind: expected the kind of the object, which neither it nor its list says',
    ],
    [
      json([{ kind: 5 }]),
      '/0/kind: expected the kind of the object, which neither it nor its list says, found 5',
    ],
    [json(listOf(null, 4)), '/items/0: expected an object', '/items/1: expected an object'],
    [json({ kind: 'NodeList', apiVersion: 'v1', items: ['a'] }), '/items/0: expected an object'],
    [json({ kind: 'NodeList', items: {} }), '/items: expected an array, found an object'],
    ['{"items":[],"kind":"Node"}', '/items: expected no items in a Node'],
    [
      json({ ...clusterVersion, status: { history: {} } }),
      '/status/history: expected an array, found an object',
    ],
    [
      json({ ...clusterVersion, status: { history: [{ state: 'completed' }] } }),
      '/status/history/0/state: expected Completed or Partial, found "completed"',
    ],
    [
      json({ ...clusterVersion, status: { history: [{ startedTime: 'yesterday' }] } }),

      '/status/history/0/startedTime: expected a time such as 2026-06-01T12:00:00Z, found "yesterday"',
    ],
    [
      json({ ...clusterVersion, status: { history: [{ startedTime: '+275760-09-13T00:00:00Z' }] } }),

      '/status/history/0/startedTime: expected a time such as 2026-06-01T12:00:00Z, found "+275760-09-13T00:00:00Z"',
    ],
    [
      json(pool('a', { maxUnavailable: 'many' })),
      '/spec/maxUnavailable: expected a whole number or a share such as 10%, found "many"',
    ],
    [
      json(pool('a', { maxUnavailable: 1.5 })),
      '/spec/maxUnavailable: expected a whole number or a share such as 10%, found 1.5',
    ],
    [
      '{"kind":"MachineConfigPool","metadata":{"name":"a"},"status":{"machineCount":1e400}}',
      '/status/machineCount: expected a whole number from 0 on, found Infinity',
    ],
    [
      json(pool('a', {}, { machineCount: -1 })),
      '/status/machineCount: expected a whole number from 0 on, found -1',
    ],
    [
      json(requestCount('a.v1', { removedInRelease: 'soon' })),
      '/status/removedInRelease: expected a Kubernetes minor such as 1.22, found "soon"',
    ],
    [
      json(requestCount('a.v1', { removedInRelease: '1.22', last24h: Array(25).fill({}) })),
      '/status/last24h: expected at most 24 hours, found an array',
    ],
    [
      json(configMap('openshift-config', 'admin-acks', { a: true })),
      '/data/a: expected a string, found true',
    ],
  ])('in %j', (text, ...mistakes) => {
    expect(mistakesIn(text)).toEqual(mistakes);
  });

  it('are reported for text that is not UTF-8', () => {
    const [before, after] = ['{"kind":"Node","metadata":{"name":"a', '"}}'].map((text) =>
      new TextEncoder().encode(text),
    );
    expect(mistakesIn(Uint8Array.of(...before!, 0xff, ...after!))).toEqual([
      'line 1, column 1: expected UTF-8 in the object that begins here',
    ]);
    expect(mistakesIn(new Uint8Array(Buffer.from('\uFEFF{}', 'utf16le')))).toEqual([
      'line 1, column 1: expected UTF-8, this looks like UTF-16',
    ]);
  });

  it('are placed by bytes where the beginning of the text is gone', async () => {
    const pieces = ['{"kind":"Foo"}\n', '{"kind":"Node","metadata":{"é":}}'].map((text) =>
      new TextEncoder().encode(text),
    );
    expect(await readDocumentStream(pieces, OPTIONS)).toEqual({
      ok: false,
      mistakes: [{ document: 1, pointer: '', detail: 'byte 47: expected a value' }],
    });
  });

  it('end the reading of a stream', async () => {
    let pieces = 0;
    const endless = function* () {
      for (;;) {
        pieces++;
        yield new TextEncoder().encode('{"kind":"Node",}');
      }
    };
    expect((await readDocumentStream(endless(), OPTIONS)).ok).toBe(false);
    expect(pieces).toBe(1);
  });

  it('are not more than one can read', () => {
    expect(mistakesIn(JSON.stringify(Array(1000).fill({})))).toHaveLength(20);
  });
});

describe('hostile documents', () => {
  it('do no harm with keys of JavaScript', () => {
    const text =
      '{"kind":"Node","metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"spec":{"unschedulable":true}}}';
    const [first] = accepted(readDocuments(text, OPTIONS)).facts.nodes!;
    expect(Object.entries(first!.labels)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(first!.labels['toString']).toBeUndefined();
    expect(first!.unschedulable).toBe(false);
    expect(({} as Json)['x']).toBeUndefined();
  });

  it('keep control characters, and of reasons and messages a beginning', () => {
    const message = `\u001b[31m\n=cmd\t${'a'.repeat(4084)}`;
    const [etcd] = factsOf(
      clusterOperator('etcd', {
        status: {
          conditions: [{ type: 'Upgradeable', reason: 'x'.repeat(5000), message: `${message}😀😀` }],
        },
      }),
    ).clusterOperators!;
    expect(etcd!.conditions).toEqual([
      { type: 'Upgradeable', status: '', reason: 'x'.repeat(4096), message, since: null },
    ]);
  });

  it.each(['v1.27.3+abc', '', 'garbage', 'v1.99.0', '1.21.0-rc.0+6143dea'])(
    'keep the kubelet %j',
    (kubeletVersion) => {
      const nodes = Array.from({ length: 50 }, (_, number) =>
        node(`n${number}`, { status: { nodeInfo: { kubeletVersion } } }),
      );
      expect(factsOf(listOf(...nodes)).nodes!.every((read) => read.kubeletVersion === kubeletVersion)).toBe(
        true,
      );
    },
  );

  it('may be deep', () => {
    const deep = (levels: number) => `{"kind":"Foo","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(readDocuments(deep(999), OPTIONS).ok).toBe(true);
    expect(mistakesIn(deep(1000))).toEqual([expect.stringContaining('nesting is deeper than 1000 levels')]);
    expect(mistakesIn('['.repeat(100_000))).toEqual([
      expect.stringContaining('lists are nested deeper than 16 levels'),
    ]);
    let value: unknown = {};
    for (let level = 0; level < 10_000; level++) value = [value];
    expect(readParsedDocuments([value], OPTIONS).ok).toBe(false);
  });

  it('may hold a long string before a fault', () => {
    const text = `{"kind":"Node","a":"${'x'.repeat(10_000_000)}",}`;
    expect(mistakesIn(text)).toEqual([expect.stringContaining('expected a key')]);
  });
});
