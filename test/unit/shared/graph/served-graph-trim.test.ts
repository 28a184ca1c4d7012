import { serializeGraph } from '@cairn/shared/graph/graph';
import { type ServedGraph, trimToReachable } from '@cairn/shared/graph/served-graph';
import { describe, expect, it } from 'vitest';
import { drawn } from '../../../helpers/path/channels.ts';

const served = (...edges: string[]) => JSON.parse(serializeGraph(drawn(...edges))) as ServedGraph;

describe('trimToReachable', () => {
  const graph = served(
    '4.1.0 > 4.1.1',
    '4.1.1 > 4.1.2',
    '4.1.0 > 4.1.3',
    '4.1.1 > 4.1.4 A',
    '4.1.0 > 4.1.4 B',
    '4.1.4 > 4.1.5',
  );

  it.each([
    ['4.1.1', served('4.1.1 > 4.1.2', '4.1.1 > 4.1.4 A', '4.1.4 > 4.1.5')],
    ['4.1.4', served('4.1.4 > 4.1.5')],
    ['4.1.5', served('4.1.5')],
    ['4.1.0', graph],
    ['4.9.9', served()],
    ['__proto__', served()],
  ])('from %s on', (version, expected) => {
    // As text, because the order of keys and edges is part of what entity tags promise.
    expect(JSON.stringify(trimToReachable(graph, version))).toBe(JSON.stringify(expected));
  });
});
