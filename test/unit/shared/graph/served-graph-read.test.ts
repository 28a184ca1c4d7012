import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EMPTY_GRAPH, serializeGraph, type ReleaseGraph } from '@cairn/shared/graph/graph';
import { readServedGraph, type ServedGraph } from '@cairn/shared/graph/served-graph';
import type { Arch } from '@cairn/shared/version/arch';
import { describe, expect, it } from 'vitest';
import { graphOf } from '../../../helpers/path/answers.ts';
import { drawn } from '../../../helpers/path/channels.ts';
import { listRecordedPairs } from '../../../helpers/upstream/cincinnati-stub.ts';
import { isRecordedDataPresent, RECORDED_UPSTREAM } from '../../../helpers/upstream/recorded-data.ts';

if (!isRecordedDataPresent)
  console.log('recorded graphs are not at ../shared/data: they are not read as served ones');

function served(graph: ReleaseGraph): ServedGraph {
  return JSON.parse(serializeGraph(graph)) as ServedGraph;
}

describe('a graph as we serve it', () => {
  it.each<[string, ReleaseGraph]>([
    ['nothing', EMPTY_GRAPH],
    ['one release', drawn('4.1.0')],
    ['plain updates', drawn('4.1.0 > 4.1.1', '4.1.1 > 4.2.0', '4.1.0 > 4.2.0')],
    [
      'conditional updates',
      drawn('4.9.0 > 4.10.0 B,A', '4.9.0 > 4.9.10 B', '4.9.10 > 4.10.0 A,B', '4.9.10 > 4.10.1'),
    ],
    ['pre-releases', drawn('4.9.0-rc.1 > 4.9.0', '4.9.0-rc.1 > 4.9.0-rc.2 AlwaysA', '4.9.0 > 5.0.0')],
  ])('is read as it was: %s', (_, graph) => {
    expect(readServedGraph(served(graph))).toEqual(graph);
  });

  it('keeps the metadata of the releases', () => {
    const [node] = readServedGraph(served(drawn('4.1.0'))).nodes;
    expect(node).toEqual(drawn('4.1.0').nodes[0]);
    expect(node!.metadata).not.toEqual({});
  });

  it.each(['from', 'to'])('that names an unknown version at the end "%s" of an edge is refused', (end) => {
    const graph = served(drawn('4.1.0 > 4.1.1 A'));
    const edge = { from: '4.1.0', to: '4.1.1', [end]: '4.1.7' };
    const [group] = graph.conditionalEdges;
    expect(() => readServedGraph({ ...graph, conditionalEdges: [{ ...group!, edges: [edge] }] })).toThrow(
      'a conditional edge names 4.1.7, which is no node',
    );
  });

  it('whose nodes are not in release order is refused', () => {
    const graph = served(drawn('4.1.9 > 4.1.10'));
    expect(() => readServedGraph({ ...graph, nodes: graph.nodes.toReversed() })).toThrow(
      '4.1.9 is not after 4.1.10 in a published graph',
    );
  });

  it('with an edge to no node is refused', () => {
    expect(() => readServedGraph({ ...served(drawn('4.1.0')), edges: [[0, 1]] })).toThrow(RangeError);
    expect(() => readServedGraph({ ...served(drawn('4.1.0')), edges: [[1, 0]] })).toThrow(RangeError);
  });
});

describe.skipIf(!isRecordedDataPresent)('recorded graphs', () => {
  // Every tenth, as all of them take seconds.
  const sample = (isRecordedDataPresent ? listRecordedPairs(RECORDED_UPSTREAM) : []).filter(
    (_, at) => at % 10 === 0,
  );

  it.each(sample)('$channel on $arch is read as it was', ({ channel, arch }) => {
    const file = join(RECORDED_UPSTREAM, `${channel}.${arch}.json.gz`);
    const graph = graphOf(JSON.parse(gunzipSync(readFileSync(file)).toString()), arch as Arch);
    const read = readServedGraph(served(graph));
    expect(serializeGraph(read)).toBe(serializeGraph(graph));
    expect([read.edges, read.conditional]).toEqual([graph.edges, graph.conditional]);
  });
});
