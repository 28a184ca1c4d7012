import { EMPTY_GRAPH, serializeGraph } from '@cairn/shared/graph/graph';
import { findViolations } from '@cairn/shared/graph/publishable';
import { retainVanished } from '@cairn/shared/graph/retain';
import { describe, expect, it } from 'vitest';
import { conditionalEdges, plainEdges } from '../../../helpers/path/answers.ts';
import { drawn } from '../../../helpers/path/channels.ts';

describe('retainVanished', () => {
  const answer = drawn('4.1.0 > 4.1.2', '4.1.2 > 4.1.3');

  it('returns the answer itself when nothing was served or nothing vanished', () => {
    expect(retainVanished(null, answer)).toEqual({ graph: answer, vanished: [] });
    expect(retainVanished(EMPTY_GRAPH, answer).graph).toBe(answer);
    expect(retainVanished(drawn('4.1.0', '4.1.2'), answer).graph).toBe(answer);
  });

  it('keeps a vanished node with its outgoing updates, and no update leads to it', () => {
    const served = drawn(
      '4.1.0 > 4.1.1',
      '4.1.1 > 4.1.2',
      '4.1.0 > 4.1.2',
      '4.1.1 > 4.1.3 A',
      '4.1.2 > 4.1.3 A',
      '4.1.0 > 4.1.3 B',
    );
    const { graph, vanished } = retainVanished(served, answer);
    expect(vanished).toEqual(['4.1.1']);
    expect(plainEdges(graph)).toEqual(['4.1.0>4.1.2', '4.1.1>4.1.2', '4.1.2>4.1.3']);
    expect(conditionalEdges(graph)).toEqual(['4.1.1>4.1.3 A']);
    expect(findViolations(graph, served)).toEqual([]);
  });

  it('joins risk lists of both and makes equal ones one', () => {
    const { graph } = retainVanished(drawn('4.1.0', '4.1.1 > 4.1.2 A'), drawn('4.1.0 > 4.1.2 A'));
    expect(conditionalEdges(graph)).toEqual(['4.1.0>4.1.2 A', '4.1.1>4.1.2 A']);
    expect(graph.riskSets).toHaveLength(1);
  });

  it('drops edges between vanished nodes', () => {
    const { graph, vanished } = retainVanished(drawn('4.1.4 > 4.1.5', '4.1.0 > 4.1.4 A'), answer);
    expect(vanished).toEqual(['4.1.4', '4.1.5']);
    expect(plainEdges(graph)).toEqual(plainEdges(answer));
    expect(graph.riskSets).toEqual([]);
  });

  it('lets an edge between two present versions go at once', () => {
    const served = drawn('4.1.1', '4.1.0 > 4.1.3');
    expect(plainEdges(retainVanished(served, answer).graph)).toEqual(plainEdges(answer));
  });

  it('keeps everything while the service answers with nothing', () => {
    const { graph, vanished } = retainVanished(answer, EMPTY_GRAPH);
    expect(graph.nodes).toEqual(answer.nodes);
    expect(plainEdges(graph)).toEqual([]);
    expect(vanished).toHaveLength(3);
  });

  it('gives the same bytes when the answer flaps', () => {
    const full = drawn('4.1.0 > 4.1.1', '4.1.1 > 4.1.2');
    const part = drawn('4.1.0', '4.1.2');
    const lessened = retainVanished(full, part).graph;
    const back = retainVanished(lessened, full).graph;
    expect(serializeGraph(back)).toBe(serializeGraph(full));
    expect(serializeGraph(retainVanished(back, part).graph)).toBe(serializeGraph(lessened));
  });
});
