import { gzipSync } from 'node:zlib';
import {
  answer,
  answerGraph,
  answerLazily,
  baselineGraph,
  type GraphAnswer,
  type GraphNode,
  type HostileCase,
  releaseNode,
} from './hostile-case.ts';

const CHANNELS = 'io.openshift.upgrades.graph.release.channels';

type Expect = HostileCase['expect'];
type Row = readonly [name: string, expect: Expect, change: (graph: GraphAnswer) => GraphAnswer | void];

/** Bodies that arrive complete and parse, but have faulty contents. */
export const hostileGraphCases: readonly HostileCase[] = [
  ...['null', '[]', '"x"', '{}'].map((body): HostileCase => ({
    id: 2,
    name: `02-only-${{ null: 'null', '[]': 'array', '"x"': 'string', '{}': 'object' }[body]}`,
    expect: 'refused',
    respond: answer(body),
  })),
  { id: 3, name: '03-no-nodes', expect: 'held', respond: answer('{"nodes":[],"edges":[]}') },
  {
    id: 5,
    name: '05-error-as-200',
    expect: 'refused',
    respond: answer('{"kind":"failed_upstream_fetch","value":"failed to fetch upstream graph"}'),
  },
  ...rows(15, [
    ['lone-surrogate-in-version', 'repaired', version('4.12.5\ud800')],
    ['nul-in-version', 'repaired', version('4.12.5\u0000')],
    ['rtl-override-in-version', 'repaired', version('4.12.\u202e5')],
    ['zero-width-in-version', 'repaired', version('4.12.\u200b5')],
  ]),
  ...rows(18, [
    ['proto-as-version', 'repaired', version('__proto__')],
    ['constructor-as-version', 'repaired', version('constructor')],
    ['prototype-as-version', 'repaired', version('prototype')],
    ['proto-as-channel', 'repaired', metadata(CHANNELS, '__proto__,stable-4.12')],
    ['constructor-as-channel', 'accepted', metadata(CHANNELS, 'constructor,stable-4.12')],
    ['prototype-as-channel', 'accepted', metadata(CHANNELS, 'prototype,stable-4.12')],
    ['constructor-as-metadata-key', 'accepted', metadata('constructor', 'x')],
  ]),
  // Written as text, because an object literal would set the prototype instead.
  {
    id: 18,
    name: '18-proto-as-top-level-key',
    expect: 'accepted',
    respond: answer(baselineText().replace('{', '{"__proto__":{"nodes":[],"polluted":true},')),
  },
  {
    id: 18,
    name: '18-proto-as-metadata-key',
    expect: 'repaired',
    respond: answer(baselineText().replace('"metadata":{', '"metadata":{"__proto__":"x",')),
  },
  {
    id: 18,
    name: '18-proto-as-metadata-object',
    expect: 'repaired',
    respond: answer(
      baselineText().replace('"metadata":{', '"metadata":{"__proto__":{"polluted":true},"constructor":[],'),
    ),
  },
  ...rows(19, [
    ['edge-index-negative', 'refused', edge([-1, 2])],
    ['edge-index-float', 'refused', edge([0.5, 2])],
    ['edge-index-string', 'refused', edge(['0', 2])],
    ['edge-index-length', 'refused', edge([0, 40])],
    ['edge-of-three', 'refused', edge([0, 1, 2])],
    ['edge-of-one', 'refused', edge([0])],
    ['edge-to-itself', 'refused', edge([7, 7])],
    ['edge-twice', 'repaired', edge([0, 1])],
    ['cycle', 'refused', edge([39, 0])],
  ]),
  {
    id: 19,
    name: '19-edge-index-1e400',
    expect: 'refused',
    respond: answer(baselineText().replace('"edges":[[0,1]', '"edges":[[0,1e400]')),
  },
  ...rows(20, [
    [
      'same-version-twice',
      'refused',
      (graph) => void graph.nodes.push(releaseNode('4.12.7', 'another payload')),
    ],
  ]),
  ...rows(21, [
    ['payload-missing', 'repaired', node((bad) => void delete bad.payload)],
    ['payload-without-digest', 'repaired', payload('quay.io/openshift-release-dev/ocp-release:4.12.5')],
    ['payload-of-wrong-host', 'repaired', payload(`evil.example.com/ocp-release@sha256:${'0'.repeat(64)}`)],
    ['payload-with-space', 'repaired', payload(`quay.io/ocp release@sha256:${'0'.repeat(64)}`)],
    ['payload-with-newline', 'repaired', payload(`quay.io/ocp-release@sha256:${'0'.repeat(64)}\n`)],
    ['payload-of-60-kb', 'repaired', payload(`quay.io/${'a'.repeat(60_000)}@sha256:${'0'.repeat(64)}`)],
  ]),
  {
    id: 21,
    name: '21-payload-of-1-mb',
    expect: 'refused',
    code: 'StringTooLong',
    respond: answerGraph(payload(`quay.io/${'a'.repeat(1_000_000)}@sha256:${'0'.repeat(64)}`)),
  },
  ...rows(22, [
    ['metadata-number', 'repaired', metadata('url', 7)],
    ['metadata-null', 'repaired', metadata('url', null)],
    ['metadata-object', 'repaired', metadata('url', { href: 'https://example.com' })],
    ['channels-as-array', 'repaired', metadata(CHANNELS, manyChannels(10_000))],
  ]),
  {
    id: 22,
    name: '22-ten-thousand-channels',
    expect: 'refused',
    code: 'StringTooLong',
    respond: answerGraph(metadata(CHANNELS, manyChannels(10_000).join(','))),
  },
  ...rows(23, [
    ['foreign-minor', 'accepted', (graph) => void graph.nodes.push(releaseNode('4.99.0'))],
    ['foreign-arch', 'repaired', metadata('release.openshift.io/architecture', 'multi')],
  ]),
  ...rows(24, [
    ['version-as-number', 'repaired', version(4.12)],
    ['version-with-v', 'repaired', version('v4.12.1')],
    ['version-without-patch', 'repaired', version('4.12')],
    ['version-with-leading-zero', 'repaired', version('04.12.1')],
    ['version-with-build', 'repaired', version('4.12.1+b')],
    ['version-with-huge-number', 'repaired', version('4.12.99999999999999999999')],
  ]),
  ...rows(25, [
    ['unknown-matcher', 'repaired', risk({ matchingRules: [{ type: 'Telepathy' }] })],
    ['risk-url-javascript', 'repaired', risk({ url: 'javascript:alert(1)' })],
  ]),
  {
    id: 25,
    name: '25-promql-of-100-kb',
    expect: 'refused',
    code: 'StringTooLong',
    respond: answerGraph(
      risk({ matchingRules: [{ type: 'PromQL', promql: { promql: `up${' '.repeat(100_000)}` } }] }),
    ),
  },
  { id: 26, name: '26-shrink-50', expect: 'held', respond: answer(JSON.stringify(baselineGraph(20))) },
  { id: 26, name: '26-shrink-90', expect: 'held', respond: answer(JSON.stringify(baselineGraph(11))) },
  {
    id: 26,
    name: '26-alternating',
    expect: 'held',
    respond: (request, response, visit) =>
      answer(JSON.stringify(baselineGraph(visit % 2 === 1 ? 20 : 40)))(request, response, visit),
  },
  {
    id: 27,
    name: '27-growth-100-times',
    expect: 'held',
    respond: answerLazily(() => JSON.stringify(baselineGraph(4_000))),
  },
  ...rows(28, [
    ['digest-of-one-changed', 'accepted', changeDigests(1)],
    ['digest-of-all-changed', 'held', changeDigests(Infinity)],
  ]),
  ...rows(29, [
    ['schema-version-2', 'refused', (graph) => void (graph.version = 2)],
    ['schema-version-string', 'refused', (graph) => void (graph.version = '1')],
    ['schema-version-missing', 'accepted', (graph) => void delete graph.version],
  ]),
  {
    id: 34,
    name: '34-edges-500001',
    expect: 'refused',
    respond: answerLazily(() => JSON.stringify(denseGraph(1_100, 500_001))),
  },
  {
    id: 34,
    name: '34-nodes-5001',
    expect: 'refused',
    respond: answerLazily(() => JSON.stringify(baselineGraph(5_001))),
  },
  { id: 35, name: '35-large-but-good', expect: 'accepted', respond: answerLazily(largeGraph) },
  {
    id: 35,
    name: '35-large-but-good-gzip',
    expect: 'accepted',
    respond: answerLazily(() => gzipSync(largeGraph()), { 'content-encoding': 'gzip' }),
  },
];

function rows(id: number, table: readonly Row[]): HostileCase[] {
  return table.map(([name, expect, change]) => ({
    id,
    name: `${String(id).padStart(2, '0')}-${name}`,
    expect,
    respond: answerGraph(change),
  }));
}

function baselineText(): string {
  return JSON.stringify(baselineGraph());
}

/** Spoils one node in the middle. */
function node(spoil: (bad: GraphNode) => void): Row[2] {
  return (graph) => spoil(graph.nodes[20]!);
}

function version(bad: unknown): Row[2] {
  return node((spoilt) => void (spoilt.version = bad));
}

function payload(bad: string): Row[2] {
  return node((spoilt) => void (spoilt.payload = bad));
}

function metadata(key: string, bad: unknown): Row[2] {
  return node((spoilt) => void (spoilt.metadata![key] = bad));
}

function edge(bad: unknown[]): Row[2] {
  return (graph) => void graph.edges.push(bad);
}

function risk(bad: Record<string, unknown>): Row[2] {
  return (graph) => {
    const [group] = graph.conditionalEdges as { risks: object[] }[];
    group!.risks = group!.risks.map((good) => ({ ...good, ...bad }));
  };
}

function changeDigests(count: number): Row[2] {
  return (graph) => {
    for (const changed of graph.nodes.slice(0, count)) {
      Object.assign(changed, releaseNode(String(changed.version), `${String(changed.version)} rebuilt`));
    }
  };
}

function manyChannels(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `stable-4.${index}`);
}

/** Every release leads to all newer ones without a conditional edge, until there are enough edges. */
function denseGraph(nodes: number, edges: number): GraphAnswer {
  const graph = { ...baselineGraph(nodes), edges: [] as unknown[] };
  for (let from = 0; from < nodes; from++) {
    for (let to = from + 1; to < nodes && graph.edges.length < edges; to++) {
      if (from !== 0 || to !== 10) graph.edges.push([from, to]);
    }
  }
  return graph;
}

/** 400 releases, 60,000 edges, 4 MB: the largest supported response. */
function largeGraph(): string {
  const graph = denseGraph(400, 60_000);
  const size = JSON.stringify(graph).length;
  const padding = Math.ceil((4 * 1024 * 1024 - size) / 400);
  graph.nodes.forEach((release, index) => {
    release.metadata!['description'] = `${index} notes on this release; `.repeat(padding).slice(0, padding);
  });
  return JSON.stringify(graph);
}
