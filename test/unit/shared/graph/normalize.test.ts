import { serializeGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph, type NormalizeOptions } from '@cairn/shared/graph/normalize';
import { findViolations } from '@cairn/shared/graph/publishable';
import type { RepairReport } from '@cairn/shared/graph/upstream/repairs';
import { describe, expect, it } from 'vitest';
import {
  aGroup,
  anAnswer,
  aNode,
  ARCHITECTURE,
  aRisk,
  CHANNELS,
  conditionalEdges,
  graphOf,
  payloadOf,
  plainEdges,
} from '../../../helpers/path/answers.ts';

const AMD64: NormalizeOptions = { arch: 'amd64' };
const V = ['4.1.0', '4.1.1', '4.1.2'];
const PAIR = ['4.1.0', '4.1.1'] as const;

function accepted(answer: unknown, options: NormalizeOptions = AMD64) {
  const result = normalizeGraph(answer, options);
  if (!result.ok) throw new Error(`refused: ${result.code} ${result.detail}`);
  expect(findViolations(result.graph)).toEqual([]);
  return {
    versions: result.graph.nodes.map((node) => node.version),
    plain: plainEdges(result.graph),
    conditional: conditionalEdges(result.graph),
    repairs: counts(result.report),
    ...result,
  };
}

function counts(report: RepairReport): Record<string, number> {
  return Object.fromEntries(report.map(({ code, count }) => [code, count]));
}

function metadataOf(metadata: unknown, options: NormalizeOptions = AMD64) {
  const { graph, repairs } = accepted({ nodes: [aNode('4.1.0', { metadata })], edges: [] }, options);
  return { metadata: { ...graph.nodes[0]?.metadata }, repairs };
}

describe('answers refused whole', () => {
  const graph = anAnswer(V);
  const long = (length: number, item: unknown): unknown[] => Array.from({ length }, () => item);
  it.each([
    ['null', null, 'NotAnObject'],
    ['an array', [], 'NotAnObject'],
    ['text', 'x', 'NotAnObject'],
    ['an empty object', {}, 'NodesMissing'],
    ['the error body of the service', { kind: 'failed_upstream_fetch', value: 'x' }, 'NodesMissing'],
    ['nodes in the prototype key', JSON.parse('{"__proto__":{"nodes":[],"edges":[]}}'), 'NodesMissing'],
    ['nodes that are an object', { nodes: {}, edges: [] }, 'NodesMissing'],
    ['no edges', { nodes: [] }, 'EdgesMissing'],
    ['null edges', { nodes: [], edges: null }, 'EdgesMissing'],
    ['schema version 2', { ...graph, version: 2 }, 'SchemaVersion'],
    ['schema version "1"', { ...graph, version: '1' }, 'SchemaVersion'],
    ['schema version null', { ...graph, version: null }, 'SchemaVersion'],
    ['conditionalEdges that are no array', { ...graph, conditionalEdges: null }, 'BadConditionalEdges'],
    ['a group that is no object', { ...graph, conditionalEdges: [null] }, 'BadConditionalEdges'],
    ['a group without risks', { ...graph, conditionalEdges: [{ edges: [] }] }, 'BadConditionalEdges'],
    [
      'a conditional edge by index',
      { ...graph, conditionalEdges: [{ edges: [[0, 1]], risks: [aRisk('A')] }] },
      'BadConditionalEdges',
    ],
    ['C10: an edge of three', { ...graph, edges: [[0, 1, 2]] }, 'BadEdge'],
    ['an edge of one', { ...graph, edges: [[0]] }, 'BadEdge'],
    ['C10: an index equal to the length', { ...graph, edges: [[0, 3]] }, 'BadEdge'],
    ['a negative index', { ...graph, edges: [[-1, 0]] }, 'BadEdge'],
    ['a fraction', { ...graph, edges: [[0.5, 1]] }, 'BadEdge'],
    ['a text index', { ...graph, edges: [['0', 1]] }, 'BadEdge'],
    ['1e400', { ...graph, edges: [[JSON.parse('1e400'), 1]] }, 'BadEdge'],
    ['an edge that is an object', { ...graph, edges: [{ 0: 0, 1: 1, length: 2 }] }, 'BadEdge'],
    ['an edge without nodes', { nodes: [], edges: [[0, 1]] }, 'BadEdge'],
    ['a self edge', { ...graph, edges: [[1, 1]] }, 'SelfEdge'],
    ['a conditional self edge', anAnswer(V, [], [aGroup([['4.1.0', '4.1.0']], aRisk('A'))]), 'SelfEdge'],
    ['C11: a version twice', { ...graph, nodes: [aNode('4.1.0'), aNode('4.1.0')] }, 'DuplicateVersion'],
    [
      'a version twice, once with an unusable payload',
      { ...graph, nodes: [aNode('4.1.0'), aNode('4.1.0', { payload: '' })] },
      'DuplicateVersion',
    ],
    ['C11: a loop', anAnswer(V, [PAIR, ['4.1.1', '4.1.2'], ['4.1.2', '4.1.0']]), 'Cycle'],
    [
      'a loop of a plain and a conditional edge',
      anAnswer(V, [PAIR], [aGroup([['4.1.1', '4.1.0']], aRisk('A'))]),
      'Cycle',
    ],
    ['5,001 nodes', { nodes: long(5001, null), edges: [] }, 'TooManyNodes'],
    ['500,001 edges', { ...graph, edges: long(500_001, [0, 1]) }, 'TooManyEdges'],
    [
      '5,001 groups',
      { ...graph, conditionalEdges: long(5001, aGroup([], aRisk('A'))) },
      'TooManyConditionalGroups',
    ],
    [
      '500,001 conditional edges in two groups',
      {
        ...graph,
        conditionalEdges: [
          { edges: long(500_000, { from: '4.1.0', to: '4.1.1' }), risks: [aRisk('A')] },
          aGroup([PAIR], aRisk('A')),
        ],
      },
      'TooManyConditionalEdges',
    ],
    [
      '51 risks of one pair in two groups',
      anAnswer(
        V,
        [],
        [
          aGroup([PAIR], aRisk('A')),
          aGroup([PAIR], ...Array.from({ length: 50 }, (_, number) => aRisk(`R${number}`))),
        ],
      ),
      'TooManyRisks',
    ],
    ['51 risks', anAnswer(V, [], [aGroup([PAIR], ...long(51, aRisk('A')))]), 'TooManyRisks'],
  ])('%s', (_, answer, code) => {
    expect(normalizeGraph(answer, AMD64)).toEqual({ ok: false, code, detail: expect.any(String) });
  });

  it('says which value is bad and what is accepted', () => {
    expect(
      normalizeGraph(
        {
          ...graph,
          edges: [
            [0, 1],
            [0, 'x\n', 2],
          ],
        },
        AMD64,
      ),
    ).toMatchObject({
      detail: 'edges[1] is [0, "x\\n", 2], not two indices below 3',
    });
    expect(normalizeGraph({ ...graph, version: 2 }, AMD64)).toMatchObject({
      detail: 'schema version 2 is not known, accepted is 1',
    });
    const loop = anAnswer(V, [PAIR, ['4.1.1', '4.1.2'], ['4.1.2', '4.1.0']]);
    expect(normalizeGraph(loop, AMD64)).toMatchObject({ detail: 'the edge 4.1.2 → 4.1.0 closes a loop' });
  });

  it('takes other limits', () => {
    const limits = { nodes: 2, edges: 1, conditionalGroups: 1, conditionalEdges: 1, risksPerGroup: 1 };
    expect(normalizeGraph(graph, { ...AMD64, limits })).toMatchObject({
      code: 'TooManyNodes',
      detail: '3 in the answer, at most 2 are accepted',
    });
  });
});

describe('answers that are fine', () => {
  it('may be empty, and may lack the schema version and conditional edges', () => {
    expect(accepted({ nodes: [], edges: [] })).toMatchObject({ versions: [], report: [] });
    expect(accepted({ version: 1, nodes: [], edges: [], conditionalEdges: [] }).report).toEqual([]);
  });

  it('may lead backward', () => {
    const answer = anAnswer(
      ['4.4.18', '4.4.0', '4.4.19'],
      [
        ['4.4.18', '4.4.0'],
        ['4.4.18', '4.4.19'],
      ],
    );
    expect(accepted(answer)).toMatchObject({ plain: ['4.4.18>4.4.0', '4.4.18>4.4.19'], report: [] });
  });

  it('may be large: 5,000 nodes, 60,000 edges', () => {
    const versions = Array.from({ length: 5000 }, (_, patch) => `4.1.${patch}`);
    const edges = Array.from({ length: 60_000 }, (_, number): [number, number] => {
      const from = number % 4900;
      return [from, from + 1 + (number % 97)];
    });
    const graph = graphOf({ ...anAnswer(versions), edges });
    expect(findViolations(graph)).toEqual([]);
    expect(graph.nodes).toHaveLength(5000);
    expect(graph.edges.targets.length).toBe(new Set(edges.map(String)).size);
  });
});

describe('nodes', () => {
  const bad = [
    4.1,
    null,
    'v4.12.1',
    '4.12',
    '04.12.1',
    '4.12.1+b',
    '4.12.2147483648',
    '__proto__',
    'constructor',
  ];
  const invisible = ['4.12.1\u0000', '\u202e4.12.1', '4.12.1\u200b', '4.12.1\ud800', '4.12.1\n'];
  it.each([...bad, ...invisible, '', undefined])(
    'C6: leaves version %j out and publishes the rest',
    (version) => {
      const answer = {
        nodes: [aNode('x', { version }), aNode('4.1.0'), aNode('4.1.1')],
        edges: [
          [0, 1],
          [1, 0],
          [1, 2],
        ],
        conditionalEdges: [aGroup([[String(version), '4.1.1']], aRisk('A'))],
      };
      expect(accepted(answer)).toMatchObject({
        versions: ['4.1.0', '4.1.1'],
        plain: ['4.1.0>4.1.1'],
        conditional: [],
        repairs: { BadVersion: 1, EdgeWithoutNode: 3 },
      });
    },
  );

  it('leaves out what is no object', () => {
    expect(accepted({ nodes: [null, 'x', [], aNode('4.1.0')], edges: [[0, 3]] })).toMatchObject({
      versions: ['4.1.0'],
      repairs: { NodeNotObject: 3, EdgeWithoutNode: 1 },
    });
  });

  const digest = `@sha256:${'0'.repeat(64)}`;
  it.each([
    ['none', undefined],
    ['a number', 1],
    ['without a digest', 'quay.io/openshift-release-dev/ocp-release:4.1.0'],
    ['with a tag beside the digest', `quay.io/openshift-release-dev/ocp-release:4.1.0${digest}`],
    ['a short digest', `quay.io/x@sha256:${'0'.repeat(63)}`],
    ['a digest in capitals', `quay.io/x@sha256:${'A'.repeat(64)}`],
    ['with a space', `quay.io/ x${digest}`],
    ['with a newline at the end', `quay.io/x${digest}\n`],
    ['without a host', `/x${digest}`],
    ['without a path', `quay.io${digest}`],
    ['with a scheme', `https://quay.io/x${digest}`],
    ['longer than 512', `quay.io/${'x'.repeat(440)}${digest}`],
    ['of 1 MB', `quay.io/${'x'.repeat(1_000_000)}${digest}`],
  ])('leaves out a node whose payload is %s', (_, payload) => {
    const answer = { nodes: [aNode('4.1.0', { payload }), aNode('4.1.1')], edges: [[0, 1]] };
    expect(accepted(answer)).toMatchObject({
      versions: ['4.1.1'],
      plain: [],
      repairs: { BadPayload: 1, EdgeWithoutNode: 1 },
    });
  });

  it.each([
    ['quay.io/x', undefined, true],
    ['quay.io/x', ['quay.io'], true],
    ['registry.example.com:5000/a/b_c', ['quay.io', 'registry.example.com:5000'], true],
    ['registry.example.com/a', ['registry.example.com:5000'], false],
    ['quay.io.example.com/x', ['quay.io'], false],
    ['quay.io/x', [], false],
  ])('payload %s with hosts %j is taken: %s', (image, payloadHosts, isTaken) => {
    const answer = { nodes: [aNode('4.1.0', { payload: `${image}${digest}` })], edges: [] };
    expect(accepted(answer, { arch: 'amd64', payloadHosts }).versions).toHaveLength(isTaken ? 1 : 0);
  });

  it('leaves multi payloads out of other architectures, and only there', () => {
    const answer = { nodes: [aNode('4.1.0', { metadata: { [ARCHITECTURE]: 'multi' } })], edges: [] };
    expect(accepted(answer)).toMatchObject({ versions: [], repairs: { ForeignArch: 1 } });
    expect(accepted(answer, { arch: 'multi' })).toMatchObject({ versions: ['4.1.0'], report: [] });
  });

  it('withholds edges to versions that share a payload: clients identify targets by it', () => {
    const answer = anAnswer(
      ['4.1.0', '4.1.1', '4.1.2', '4.1.3'],
      [PAIR, ['4.1.1', '4.1.3'], ['4.1.0', '4.1.3']],
      [aGroup([['4.1.0', '4.1.2']], aRisk('A'))],
    );
    answer.nodes[2]!.payload = payloadOf('4.1.1');
    expect(accepted(answer)).toMatchObject({
      versions: ['4.1.0', '4.1.1', '4.1.2', '4.1.3'],
      plain: ['4.1.0>4.1.3', '4.1.1>4.1.3'],
      conditional: [],
      repairs: { SharedPayload: 2 },
    });
  });
});

describe('metadata', () => {
  it.each([
    ['not an object', 'x', {}, { MetadataDropped: 1 }],
    ['missing', undefined, {}, { MetadataDropped: 1 }],
    ['with values that are not text', { a: 1, b: null, c: {}, d: 'x' }, { d: 'x' }, { MetadataDropped: 3 }],
    ['C8: with an architecture', { [ARCHITECTURE]: 'amd64' }, {}, { ArchitectureDropped: 1 }],
    [
      'with a space before the url',
      { url: ' https://e.com/a:1' },
      { url: 'https://e.com/a:1' },
      { UrlTrimmed: 1 },
    ],
    ['with a script as url', { url: 'javascript:alert(1)' }, {}, { UrlDropped: 1 }],
    ['with an empty url', { url: '' }, {}, { UrlDropped: 1 }],
    ['with a relative url', { url: '/errata' }, {}, { UrlDropped: 1 }],
    ['with a url that Go refuses', { url: 'https://e.com/%zz' }, {}, { UrlDropped: 1 }],
    ['with a port that is none', { url: 'https://e.com:99999' }, {}, { UrlDropped: 1 }],
    ['with an address that is none', { url: 'https://1.2.3.999' }, {}, { UrlDropped: 1 }],
    ['with a newline in the url', { url: 'https://e.com/\na' }, {}, { UrlDropped: 1 }],
    ['with a url that is not text', { url: 1 }, {}, { MetadataDropped: 1 }],
    ['C7: with empty channels', { [CHANNELS]: '' }, {}, { ChannelsCleaned: 1 }],
    ['C7: with an empty channel', { [CHANNELS]: 'a,,b' }, { [CHANNELS]: 'a,b' }, { ChannelsCleaned: 1 }],
    ['with spaces in channels', { [CHANNELS]: ' a, b ' }, { [CHANNELS]: 'a,b' }, { ChannelsCleaned: 1 }],
    ['with a channel twice', { [CHANNELS]: 'b,a,b' }, { [CHANNELS]: 'b,a' }, { ChannelsCleaned: 1 }],
    [
      'with odd channels',
      { [CHANNELS]: 'A,a b,__proto__,stable-4.1' },
      { [CHANNELS]: 'stable-4.1' },
      { ChannelsCleaned: 1 },
    ],
    ['with what is unknown', { description: '', 'a/b': 'c' }, { description: '', 'a/b': 'c' }, {}],
  ])('%s', (_, raw, metadata, repairs) => {
    expect(metadataOf(raw)).toEqual({ metadata, repairs });
  });

  it('takes 10,000 channels', () => {
    const channels = Array.from({ length: 10_000 }, (_, number) => `c-${number}`).join();
    expect(metadataOf({ [CHANNELS]: channels })).toEqual({ metadata: { [CHANNELS]: channels }, repairs: {} });
  });

  it('gives no key of the answer a meaning in the language', () => {
    const raw: unknown = JSON.parse('{"__proto__":"x","constructor":"y","prototype":"z","toString":"t"}');
    const { graph, repairs } = accepted({ nodes: [aNode('4.1.0', { metadata: raw })], edges: [] });
    const { metadata } = graph.nodes[0]!;
    expect(Object.getPrototypeOf(metadata)).toBeNull();
    expect(Object.entries(metadata)).toEqual([
      ['constructor', 'y'],
      ['prototype', 'z'],
      ['toString', 't'],
    ]);
    expect(repairs).toEqual({ MetadataDropped: 1 });
  });
});

describe('edges', () => {
  it('makes repeated edges one', () => {
    const { plain, repairs, report } = accepted(anAnswer(V, [PAIR, PAIR, ['4.1.1', '4.1.2'], PAIR]));
    expect({ plain, repairs }).toEqual({
      plain: ['4.1.0>4.1.1', '4.1.1>4.1.2'],
      repairs: { DuplicateEdge: 2 },
    });
    expect(report[0]!.examples).toEqual(['4.1.0 → 4.1.1']);
  });

  it('C1: an edge plain and conditional is conditional', () => {
    const answer = anAnswer(V, [PAIR, ['4.1.1', '4.1.2']], [aGroup([PAIR], aRisk('A'))]);
    expect(accepted(answer)).toMatchObject({
      plain: ['4.1.1>4.1.2'],
      conditional: ['4.1.0>4.1.1 A'],
      repairs: { PlainAndConditional: 1 },
    });
  });

  it('C2: a pair in two groups gets the risks of both', () => {
    const answer = anAnswer(
      V,
      [],
      [
        aGroup([PAIR, ['4.1.0', '4.1.2']], aRisk('B')),
        aGroup([PAIR], aRisk('A')),
        aGroup([PAIR], aRisk('B'), aRisk('A')),
      ],
    );
    const { conditional, graph, repairs } = accepted(answer);
    expect(conditional).toEqual(['4.1.0>4.1.1 A,B', '4.1.0>4.1.2 B']);
    expect(graph.riskSets).toHaveLength(2);
    expect(repairs).toEqual({ PairInTwoGroups: 1 });
  });

  it('a pair twice in one group is one edge', () => {
    expect(accepted(anAnswer(V, [], [aGroup([PAIR, PAIR], aRisk('A'))]))).toMatchObject({
      conditional: ['4.1.0>4.1.1 A'],
      repairs: { DuplicateEdge: 1 },
    });
  });

  it.each([
    ['to', ['4.1.0', '4.9.9']],
    ['from', ['4.9.9', '4.1.0']],
  ] as const)('C9: a conditional edge with an unknown %s is dropped', (_, pair) => {
    expect(accepted(anAnswer(V, [], [aGroup([pair, PAIR], aRisk('A'))]))).toMatchObject({
      conditional: ['4.1.0>4.1.1 A'],
      repairs: { EdgeWithoutNode: 1 },
    });
  });

  it('a group without edges is not served', () => {
    expect(accepted(anAnswer(V, [], [aGroup([], aRisk('A'))])).graph.riskSets).toEqual([]);
  });
});

describe('risks', () => {
  const rules = (...matchingRules: unknown[]) => aRisk('A', { matchingRules });
  const unusable = [
    ['C3: only a rule nobody knows', rules({ type: 'does-not-exist' })],
    ['no rules', rules()],
    ['rules that are no array', aRisk('A', { matchingRules: { type: 'Always' } })],
    ['C5: PromQL without a query', rules({ type: 'PromQL' })],
    ['C5: PromQL with an empty query', rules({ type: 'PromQL', promql: { promql: ' ' } })],
    ['PromQL with a query that is not text', rules({ type: 'PromQL', promql: { promql: ['up'] } })],
    ['an empty name', aRisk('A', { name: '' })],
    ['no name', aRisk('A', { name: undefined })],
    ['an empty message', aRisk('A', { message: '' })],
    ['a message that is not text', aRisk('A', { message: 1 })],
    ['a script as url', aRisk('A', { url: 'javascript:alert(1)' })],
    ['no url', aRisk('A', { url: undefined })],
    ['no object', 'A'],
    ['null', null],
  ] as const;
  it.each(unusable)('%s: every edge of the group is withheld, also as a plain edge', (_, risk) => {
    const answer = anAnswer(
      V,
      [PAIR, ['4.1.1', '4.1.2']],
      [aGroup([PAIR, ['4.1.0', '4.1.2']], aRisk('B'), risk)],
    );
    expect(accepted(answer)).toMatchObject({
      plain: ['4.1.1>4.1.2'],
      conditional: [],
      repairs: { RiskUnusable: 1, EdgeWithheld: 2, PlainAndConditional: 1 },
    });
  });

  it('a group with an empty list of risks is withheld', () => {
    expect(accepted(anAnswer(V, [PAIR], [aGroup([PAIR])]))).toMatchObject({
      plain: [],
      conditional: [],
      repairs: { RiskUnusable: 1, EdgeWithheld: 1, PlainAndConditional: 1 },
    });
  });

  it('a pair withheld in one group is withheld though another group could be judged', () => {
    const groups = [aGroup([PAIR], aRisk('A')), aGroup([PAIR], rules())];
    expect(accepted(anAnswer(V, [], groups))).toMatchObject({
      conditional: [],
      repairs: { RiskUnusable: 1, PairInTwoGroups: 1, EdgeWithheld: 1 },
    });
  });

  it('C4: unknown rules beside a known one are pruned, the order of the others stays', () => {
    const promql = { type: 'PromQL', promql: { promql: 'up' } };
    const risk = rules({ type: 'does-not-exist' }, promql, null, { type: 'Always' });
    const { graph, repairs } = accepted(anAnswer(V, [], [aGroup([PAIR], risk)]));
    expect(graph.riskSets[0]![0]!.matchingRules).toEqual([promql, { type: 'Always' }]);
    expect(repairs).toEqual({ RulePruned: 1 });
  });

  it('takes over only known keys', () => {
    const risk = JSON.parse(
      '{"__proto__":{"x":1},"url":" https://e.com","name":"A","message":"m","fixedIn":"4.1.9",' +
        '"matchingRules":[{"type":"Always","promql":{"promql":"up"}},{"type":"PromQL","promql":{"promql":"up","x":1}}]}',
    ) as unknown;
    const { graph, repairs } = accepted(anAnswer(V, [], [aGroup([PAIR], risk)]));
    expect(graph.riskSets).toStrictEqual([
      [
        {
          url: 'https://e.com',
          name: 'A',
          message: 'm',
          matchingRules: [{ type: 'Always' }, { type: 'PromQL', promql: { promql: 'up' } }],
        },
      ],
    ]);
    expect(repairs).toEqual({ UrlTrimmed: 1 });
  });

  const always = aRisk('A', { matchingRules: [{ type: 'Always' }], message: 'z' });
  it.each([
    ['in one group', [aGroup([PAIR], aRisk('A'), always)]],
    ['in two groups', [aGroup([PAIR], aRisk('A')), aGroup([PAIR], always)]],
    ['in two groups the other way round', [aGroup([PAIR], always), aGroup([PAIR], aRisk('A'))]],
  ])('keeps the stricter of two risks of one name %s', (_, groups) => {
    const { graph, repairs } = accepted(anAnswer(V, [], groups));
    expect(graph.riskSets).toEqual([[always]]);
    expect(repairs).toMatchObject({ RiskNameConflict: 1 });
  });

  it('counts a conflict between two groups once, however many pairs they share', () => {
    const pairs = [PAIR, ['4.1.0', '4.1.2']] as const;
    const { repairs } = accepted(anAnswer(V, [], [aGroup(pairs, aRisk('A')), aGroup(pairs, always)]));
    expect(repairs).toEqual({ PairInTwoGroups: 2, RiskNameConflict: 1 });
  });

  it('the same risk twice is no conflict', () => {
    const { conditional, report } = accepted(anAnswer(V, [], [aGroup([PAIR], aRisk('A'), aRisk('A'))]));
    expect({ conditional, report }).toEqual({ conditional: ['4.1.0>4.1.1 A'], report: [] });
  });
});

describe('the report', () => {
  it('names edges by what is left of them', () => {
    const answer = {
      nodes: [aNode('v1'), aNode('4.1.0'), aNode('v2')],
      edges: [
        [0, 1],
        [1, 0],
        [0, 2],
      ],
    };
    expect(accepted(answer).report).toContainEqual({
      code: 'EdgeWithoutNode',
      count: 3,
      examples: ['4.1.0 → a node left out', 'a node left out → 4.1.0', 'a node left out → a node left out'],
    });
  });

  it('counts all and shows the first five in text order, short and without control characters', () => {
    const versions = ['v9', 'v8', 'v7', 'v6', 'v5', 'v5', 'v4', `v1\u001b[31m\u202e${'x'.repeat(100)}`];
    const { report } = accepted({ nodes: versions.map((version) => ({ version })), edges: [] });
    expect(report).toEqual([
      {
        code: 'BadVersion',
        count: 8,
        examples: [`"v1\\u001b[31m\\u202e${'x'.repeat(56)}…"`, '"v4"', '"v5"', '"v6"', '"v7"'],
      },
    ]);
  });

  it('is sorted by code and does not depend on the order of the answer', () => {
    const nodes = ['v1', '4.1.0', 'v2', '4.1.1', 'v3', 'v4', 'v5', 'v6'].map((version) =>
      aNode(version, { metadata: { url: version } }),
    );
    const [one, other] = [nodes, nodes.toReversed()].map(
      (list) => accepted({ nodes: list, edges: [] }).report,
    );
    expect(one).toEqual(other);
    expect(one!.map((repair) => repair.code)).toEqual(['BadVersion', 'UrlDropped']);
  });
});

it('never changes the answer it reads', () => {
  const answer = anAnswer(V, [PAIR, PAIR], [aGroup([PAIR], aRisk('B'), aRisk('A'))]);
  const before = structuredClone(answer);
  serializeGraph(accepted(answer).graph);
  expect(answer).toEqual(before);
});
