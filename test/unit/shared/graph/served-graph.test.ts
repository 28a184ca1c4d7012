import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EMPTY_GRAPH, serializeGraph, type ReleaseGraph } from '@cairn/shared/graph/graph';
import {
  listRisks,
  readServedGraph,
  type ServedGraph,
  trimToReachable,
  updatesOf,
} from '@cairn/shared/graph/served-graph';
import type { Arch } from '@cairn/shared/version/arch';
import { describe, expect, it } from 'vitest';
import { aRisk, graphOf } from '../../../helpers/path/answers.ts';
import { drawn } from '../../../helpers/path/channels.ts';
import { listRecordedPairs } from '../../../helpers/upstream/cincinnati-stub.ts';
import { isRecordedDataPresent, RECORDED_UPSTREAM } from '../../../helpers/upstream/recorded-data.ts';

if (!isRecordedDataPresent)
  console.log('recorded graphs are not at ../shared/data: they are not read as served ones');

function served(graph: ReleaseGraph): ServedGraph {
  return JSON.parse(serializeGraph(graph)) as ServedGraph;
}

const graph = served(
  drawn(
    '4.1.0 > 4.1.9',
    '4.1.1 > 4.1.9',
    '4.1.9 > 4.1.10',
    '4.1.9 > 4.2.0 Slow,AlwaysBroken',
    '4.1.0 > 4.1.10 Slow',
    '4.1.1 > 4.1.10 Slow',
  ),
);

describe('listRisks', () => {
  it('counts the edges of each risk over all groups, most first', () => {
    const told = (name: string) => ({
      name,
      url: `https://example.com/${name}`,
      message: `${name} may happen`,
    });
    expect(listRisks(graph)).toEqual([
      { ...told('Slow'), always: false, edges: 3 },
      { ...told('AlwaysBroken'), always: true, edges: 1 },
    ]);
  });

  it('is always where it is so in any group', () => {
    const always = { matchingRules: [{ type: 'Always' }] };
    const [first, second] = graph.conditionalEdges;
    const worded = (group: typeof first, more: object) => ({
      ...group!,
      risks: [{ ...aRisk('Slow'), ...more }],
    });
    for (const groups of [
      [worded(first, always), worded(second, {})],
      [worded(first, {}), worded(second, always)],
    ] as ServedGraph['conditionalEdges'][]) {
      expect(listRisks({ ...graph, conditionalEdges: groups })).toMatchObject([{ always: true, edges: 3 }]);
    }
  });

  it('is empty without conditional edges', () => {
    expect(listRisks({ ...graph, conditionalEdges: [] })).toEqual([]);
  });
});

describe('updatesOf', () => {
  it.each([
    ['4.1.9', '4.1.0, 4.1.1', '4.1.10, 4.2.0 AlwaysBroken Slow'],
    ['4.1.10', '4.1.0 Slow, 4.1.1 Slow, 4.1.9', ''],
    ['4.2.0', '4.1.9 AlwaysBroken Slow', ''],
  ])('%s', (version, from, to) => {
    const shown = (updates: readonly { version: string; risks: readonly string[] }[]) =>
      updates.map((update) => [update.version, ...update.risks].join(' ')).join(', ');
    const updates = updatesOf(graph, version)!;
    expect([shown(updates.from), shown(updates.to)]).toEqual([from, to]);
  });

  it('is null for a version that is not there', () => {
    expect(updatesOf(graph, '4.1.2')).toBeNull();
  });
});

describe('trimToReachable', () => {
  const trimmed = (...edges: string[]) => served(drawn(...edges));
  const whole = trimmed(
    '4.1.0 > 4.1.1',
    '4.1.1 > 4.1.2',
    '4.1.0 > 4.1.3',
    '4.1.1 > 4.1.4 A',
    '4.1.0 > 4.1.4 B',
    '4.1.4 > 4.1.5',
  );

  it.each([
    ['4.1.1', trimmed('4.1.1 > 4.1.2', '4.1.1 > 4.1.4 A', '4.1.4 > 4.1.5')],
    ['4.1.4', trimmed('4.1.4 > 4.1.5')],
    ['4.1.5', trimmed('4.1.5')],
    ['4.1.0', whole],
    ['4.9.9', trimmed()],
    ['__proto__', trimmed()],
  ])('from %s on', (version, expected) => {
    // As text, because the order of keys and edges is part of what entity tags promise.
    expect(JSON.stringify(trimToReachable(whole, version))).toBe(JSON.stringify(expected));
  });
});

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
