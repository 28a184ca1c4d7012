import { describe, expect, it } from 'vitest';
import { readAsCluster } from '../../../helpers/lambda/cluster-reader.ts';
import { graphContent } from '../../../helpers/upstream/graph-content.ts';

interface Graph {
  [key: string]: unknown;
  version: unknown;
  nodes: { version: unknown; payload: unknown; metadata: Record<string, unknown> }[];
  edges: unknown[];
  conditionalEdges: { edges: { from: string; to: string }[]; risks: Record<string, unknown>[] }[];
}

const node = (version: string) => ({
  version,
  payload: `quay.io/a/b@sha256:${version}`,
  metadata: { url: 'https://example.com', 'io.openshift.upgrades.graph.release.channels': 'a,b' },
});

const good = (): Graph => ({
  version: 1,
  nodes: ['4.1.0', '4.1.1-rc.1', '4.1.1'].map(node),
  edges: [[0, 1]],
  conditionalEdges: [
    {
      edges: [{ from: '4.1.0', to: '4.1.1' }],
      risks: [
        {
          name: 'Risk',
          message: 'text',
          url: 'https://example.com',
          matchingRules: [{ type: 'PromQL', promql: { promql: 'up' } }],
        },
      ],
    },
  ],
});

const changes: [string, (graph: Graph) => void][] = [
  ['a version that is no semver', ({ nodes }) => (nodes[0]!.version = '4.1')],
  ['a version with a leading zero', ({ nodes }) => (nodes[0]!.version = '4.01.0')],
  ['a version twice', ({ nodes }) => nodes.push(node('4.1.1'))],
  ['versions that differ in their build', ({ nodes }) => nodes.push(node('4.1.1+a'))],
  ['an edge of three', ({ edges }) => edges.push([0, 1, 2])],
  ['an edge out of range', ({ edges }) => edges.push([0, 3])],
  ['an edge of texts', ({ edges }) => edges.push(['0', '1'])],
  ['an edge of fractions', ({ edges }) => edges.push([0, 1.5])],
  ['a target that is no node', ({ conditionalEdges }) => (conditionalEdges[0]!.edges[0]!.to = '4.1.9')],
  ['a broken url', ({ nodes }) => (nodes[0]!.metadata['url'] = 'x y')],
  ['metadata that is no text', ({ nodes }) => (nodes[0]!.metadata['x'] = 1)],
  ['metadata that is null', (graph) => Object.assign(graph.nodes[0]!, { metadata: null })],
  ['an architecture', ({ nodes }) => (nodes[0]!.metadata['release.openshift.io/architecture'] = 'amd64')],
  [
    'an empty channel',
    ({ nodes }) => (nodes[0]!.metadata['io.openshift.upgrades.graph.release.channels'] = 'a,,b'),
  ],
  ['a target in two groups', ({ conditionalEdges }) => conditionalEdges.push(conditionalEdges[0]!)],
  ['a target both ways', ({ edges }) => edges.push([0, 2])],
  ['a payload both ways', ({ nodes }) => (nodes[1]!.payload = nodes[2]!.payload)],
  ['risks that are none', ({ conditionalEdges }) => (conditionalEdges[0]!.risks = [])],
  ['an unknown rule alone', ({ conditionalEdges }) => rule(conditionalEdges, { type: 'Other' })],
  [
    'a query that is empty',
    ({ conditionalEdges }) => rule(conditionalEdges, { type: 'PromQL', promql: { promql: '' } }),
  ],
  ['a group without edges', ({ conditionalEdges }) => (conditionalEdges[0]!.edges = [])],
  ['no conditional edges', (graph) => delete (graph as Partial<Graph>).conditionalEdges],
  ['another schema version', (graph) => (graph.version = 2)],
];

function rule(groups: Graph['conditionalEdges'], value: unknown): void {
  groups[0]!.risks[0]!['matchingRules'] = [value];
}

const bytesOf = (graph: unknown) => Buffer.from(JSON.stringify(graph));

describe('the reader of served graphs', () => {
  it('reads a good one', () => {
    const { versions, offersTo } = readAsCluster(bytesOf(good()));
    expect(versions).toEqual(['4.1.0', '4.1.1-rc.1', '4.1.1']);
    expect(offersTo('4.1.0').map(({ version, risks }) => [version, ...risks])).toEqual([
      ['4.1.1-rc.1'],
      ['4.1.1', 'Risk'],
    ]);
    expect(offersTo('4.1.1')).toEqual([]);
    expect(() => offersTo('4.1.2')).toThrow('VersionNotFound');
  });

  it.each(changes)('refuses %s', (_what, change) => {
    const graph = good();
    change(graph);
    expect(() => readAsCluster(bytesOf(graph))).toThrow('ResponseInvalid');
  });

  it('refuses bytes that are no text', () => {
    expect(() => readAsCluster(Buffer.from([0x22, 0xff, 0x22]))).toThrow('not valid');
  });
});

describe('what a graph says', () => {
  const text = (change: (graph: Graph) => void = () => {}) => {
    const graph = good();
    change(graph);
    return graphContent(JSON.stringify(graph));
  };

  it('does not depend on order, nor on an update that comes both ways', () => {
    const turned = text((graph) => {
      graph.nodes.reverse();
      graph.edges = [[2, 1]];
    });
    expect(turned).toBe(text());
    expect(text(({ edges }) => edges.push([0, 2]))).toBe(text());
  });

  it.each<[string, (graph: Graph) => void]>([
    ['a node', ({ nodes }) => nodes.push(node('4.1.2'))],
    ['a payload', ({ nodes }) => (nodes[0]!.payload = 'other')],
    ['an edge', ({ edges }) => edges.push([1, 2])],
    ['a rule', ({ conditionalEdges }) => rule(conditionalEdges, { type: 'Always' })],
    ['metadata', ({ nodes }) => (nodes[0]!.metadata['x'] = 'y')],
  ])('depends on %s', (_what, change) => {
    expect(text(change)).not.toBe(text());
  });
});
