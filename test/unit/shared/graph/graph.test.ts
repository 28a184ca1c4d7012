import { findEdge, orderByKeys } from '@cairn/shared/graph/edge-rows';
import {
  alignNodes,
  buildGraph,
  countEdges,
  EMPTY_GRAPH,
  nodeIndex,
  serializeGraph,
  type GraphParts,
  type ReleaseNode,
  compareRisks,
} from '@cairn/shared/graph/graph';
import { describe, expect, it } from 'vitest';
import { aRisk, conditionalEdges, payloadOf, plainEdges } from '../../../helpers/path/answers.ts';

const node = (version: string): ReleaseNode => ({ version, payload: payloadOf(version), metadata: {} });

const parts: GraphParts = {
  nodes: ['4.10.0', '4.9.0', '4.9.0-rc.1', '5.0.0'].map(node),
  edges: { from: [1, 2, 2, 1], to: [0, 1, 0, 0] },
  conditional: { from: [0, 1, 2], to: [3, 3, 3], riskSet: [0, 1, 2] },
  riskSets: [[aRisk('B'), aRisk('A')], [aRisk('C')], [aRisk('A'), aRisk('B')]],
};

describe('buildGraph', () => {
  const graph = buildGraph(parts);

  it('orders nodes as releases and keeps their parsed versions beside them', () => {
    expect(graph.nodes.map((one) => one.version)).toEqual(['4.9.0-rc.1', '4.9.0', '4.10.0', '5.0.0']);
    expect(graph.versions.map((one) => one.raw)).toEqual(graph.nodes.map((one) => one.version));
  });

  it('lays edges out in rows with ascending targets, each once', () => {
    expect([...graph.edges.offsets]).toEqual([0, 2, 3, 3, 3]);
    expect([...graph.edges.targets]).toEqual([1, 2, 2]);
    expect(plainEdges(graph)).toEqual(['4.9.0-rc.1>4.9.0', '4.9.0-rc.1>4.10.0', '4.9.0>4.10.0']);
  });

  it('makes equal risk lists one, sorts them, and numbers them as their first edges come', () => {
    expect(graph.riskSets.map((risks) => risks.map((risk) => risk.name))).toEqual([['A', 'B'], ['C']]);
    expect([...graph.conditional.riskSets]).toEqual([0, 1, 0]);
    expect(conditionalEdges(graph)).toEqual(['4.9.0-rc.1>5.0.0 A,B', '4.9.0>5.0.0 C', '4.10.0>5.0.0 A,B']);
  });

  it('drops risk lists no edge has', () => {
    const none = { from: [], to: [], riskSet: [] };
    expect(buildGraph({ ...parts, conditional: none }).riskSets).toEqual([]);
  });

  it('leaves its input alone', () => {
    expect(parts.nodes[0]!.version).toBe('4.10.0');
    expect(parts.riskSets[0]!.map((risk) => risk.name)).toEqual(['B', 'A']);
  });

  it('throws on what cannot be laid out: that is a fault of the caller, not of an answer', () => {
    expect(() => buildGraph({ ...parts, nodes: [node('4.14')] })).toThrow('"4.14" is not a version');
    expect(() => buildGraph({ ...parts, edges: { from: [0], to: [4] } })).toThrow('node 4 is out of range');
    const conditional = { from: [0], to: [1], riskSet: [3] };
    expect(() => buildGraph({ ...parts, conditional })).toThrow('risk set 3 is out of range, there are 3');
  });
});

describe('serializeGraph', () => {
  it('writes canonical Cincinnati JSON', () => {
    const always = aRisk('A', { matchingRules: [{ type: 'Always' }] });
    const text = serializeGraph(
      buildGraph({
        nodes: [{ ...node('4.1.1'), metadata: { url: 'https://e.com', a: '1', '2': '"' } }, node('4.1.0')],
        edges: { from: [], to: [] },
        conditional: { from: [1], to: [0], riskSet: [0] },
        riskSets: [[aRisk('B'), always]],
      }),
    );
    expect(text).toBe(
      '{"conditionalEdges":[{"edges":[{"from":"4.1.0","to":"4.1.1"}],"risks":[' +
        '{"matchingRules":[{"type":"Always"}],"message":"A may happen","name":"A","url":"https://example.com/A"},' +
        '{"matchingRules":[{"promql":{"promql":"group(B)"},"type":"PromQL"}],"message":"B may happen","name":"B","url":"https://example.com/B"}' +
        `]}],"edges":[],"nodes":[{"metadata":{},"payload":"${payloadOf('4.1.0')}","version":"4.1.0"},` +
        `{"metadata":{"2":"\\"","a":"1","url":"https://e.com"},"payload":"${payloadOf('4.1.1')}","version":"4.1.1"}],"version":1}`,
    );
  });

  it('has all four keys when there is nothing', () => {
    expect(serializeGraph(EMPTY_GRAPH)).toBe('{"conditionalEdges":[],"edges":[],"nodes":[],"version":1}');
  });

  it('escapes a lone surrogate, so that the text has a UTF-8 form', () => {
    const odd = { ...node('4.1.0'), metadata: { description: '\ud800' } };
    const none = { from: [], to: [] };
    const graph = buildGraph({
      nodes: [odd],
      edges: none,
      conditional: { ...none, riskSet: [] },
      riskSets: [],
    });
    expect(serializeGraph(graph)).toContain('"\\ud800"');
  });
});

describe('looking things up', () => {
  const graph = buildGraph(parts);

  it('finds nodes by version', () => {
    expect(nodeIndex(graph).get('4.10.0')).toBe(2);
    expect(nodeIndex(graph).get('__proto__')).toBeUndefined();
  });

  it.each([
    [0, 1, 0],
    [0, 2, 1],
    [1, 2, 2],
    [0, 3, -1],
    [1, 0, -1],
    [3, 0, -1],
  ])('finds the edge %i→%i at %i', (from, to, expected) => {
    expect(findEdge(graph.edges, from, to)).toBe(expected);
  });

  it('counts both kinds of edges', () => {
    expect(countEdges(graph)).toBe(6);
  });

  it('aligns the nodes of two graphs', () => {
    const other = buildGraph({ ...parts, nodes: ['4.10.0', '4.9.0', '4.8.0', '5.0.0'].map(node) });
    expect([...alignNodes(graph, other)]).toEqual([-1, 1, 2, 3]);
  });
});

describe('order', () => {
  it('sorts positions by keys, the last counting most, equal ones as they come', () => {
    const order = orderByKeys(4, [
      [[1, 0, 1, 0], 2],
      [[2, 2, 0, 2], 3],
    ]);
    expect([...order]).toEqual([2, 1, 3, 0]);
  });

  it('orders risks by name, and the one that always applies first', () => {
    const always = aRisk('A', { matchingRules: [{ type: 'Always' }], message: 'z' });
    const [first, second] = [aRisk('A', { message: 'x' }), aRisk('A', { message: 'y' })];
    expect([aRisk('B'), second, first, always].toSorted(compareRisks)).toEqual([
      always,
      first,
      second,
      aRisk('B'),
    ]);
  });
});
