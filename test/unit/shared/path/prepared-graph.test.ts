import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import { describe, expect, it } from 'vitest';
import { aNode, anAnswer, aRisk, graphOf, payloadOf } from '../../../helpers/path/answers.ts';
import { channel, drawn, solve, versions } from '../../../helpers/path/channels.ts';

describe('prepareGraph', () => {
  it('counts the newer releases of the minor', () => {
    const graph = channel('c', '4.1.0-rc.1 > 4.1.0', '4.1.0 > 4.1.5', '4.1.5 > 4.2.0', '4.2.0 > 4.2.1');
    expect(graph.nodes.map(({ version }, node) => [version, graph.lag[node]])).toEqual([
      ['4.1.0-rc.1', 2],
      ['4.1.0', 1],
      ['4.1.5', 0],
      ['4.2.0', 1],
      ['4.2.1', 0],
    ]);
  });

  it('joins an edge of several channels; conditional wins, with the risks of all', () => {
    const graph = prepareGraph([
      { channel: 'a', graph: drawn('4.1.0 > 4.1.1') },
      { channel: 'b', graph: drawn('4.1.0 > 4.1.1 A') },
      { channel: 'c', graph: drawn('4.1.0 > 4.1.1 B,A') },
    ]);
    expect(graph.leaving.targets).toHaveLength(1);
    expect(solve(graph, '4.1.0', '4.1.1', { risk: 'all' })).toMatchObject({
      path: [{}, { hop: { risks: [{ name: 'A' }, { name: 'B' }], channels: ['a', 'b', 'c'] } }],
    });
    expect(solve(graph, '4.1.0', '4.1.1')).toMatchObject({ why: 'unreachable' });
  });

  it('keeps the stricter of two risks with one name', () => {
    const group = (changes: object) => [
      { edges: [{ from: '4.1.0', to: '4.1.1' }], risks: [aRisk('A', { ...changes })] },
    ];
    const graphs = [{}, { matchingRules: [{ type: 'Always' }] }].map((changes) =>
      graphOf(anAnswer(['4.1.0', '4.1.1'], [], group(changes))),
    );
    const graph = prepareGraph(graphs.map((one, number) => ({ channel: `c-${number}`, graph: one })));
    expect(solve(graph, '4.1.0', '4.1.1', { risk: 'non-always' }).found).toBe(false);
  });

  it('does not join a version whose payload differs, and says so', () => {
    const other = graphOf({
      ...anAnswer(['4.1.0', '4.1.1', '4.1.2'], [['4.1.0', '4.1.2']]),
      nodes: [aNode('4.1.0', { payload: payloadOf('4.9.9') }), aNode('4.1.1'), aNode('4.1.2')],
      edges: [
        [0, 2],
        [1, 2],
      ],
    });
    const graph = prepareGraph([
      { channel: 'a', graph: drawn('4.1.0 > 4.1.1') },
      { channel: 'b', graph: other },
    ]);
    expect(graph.conflicts).toEqual([
      { version: '4.1.0', channel: 'b', payload: payloadOf('4.9.9'), keptPayload: payloadOf('4.1.0') },
    ]);
    expect(versions(graph, '4.1.0', '4.1.2')).toEqual(['4.1.0', '4.1.1', '4.1.2']);
  });

  it('finds versions named like parts of objects missing', () => {
    const graph = channel('c', '4.1.0 > 4.1.1');
    for (const name of ['__proto__', 'constructor', '']) {
      expect(solve(graph, name, '4.1.1')).toMatchObject({ why: 'source_missing' });
    }
  });
});
