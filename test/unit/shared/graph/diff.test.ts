import { diffGraphs, type GraphDiff } from '@cairn/shared/graph/diff';
import type { ReleaseGraph } from '@cairn/shared/graph/graph';
import { describe, expect, it } from 'vitest';
import {
  aGraph,
  aGroup,
  anAnswer,
  aRisk,
  CHANNELS,
  graphOf,
  payloadOf,
} from '../../../helpers/path/answers.ts';

const V = ['4.9.0', '4.10.0', '4.10.1'];
const NEXT = ['4.9.0', '4.10.0'] as const;
const none: GraphDiff = {
  versionsAdded: [],
  versionsRemoved: [],
  payloadChanged: [],
  metadataChanged: [],
  edgesAdded: 0,
  edgesRemoved: 0,
  turnedConditional: [],
  turnedPlain: [],
  edgesWithOtherRisks: 0,
  risksNew: [],
  risksGone: [],
};
const plain = aGraph(V, [NEXT]);
const risky = aGraph(V, [], [aGroup([NEXT], aRisk('B'), aRisk('A'))]);

function withNode(version: string, changes: Record<string, unknown>): ReleaseGraph {
  const answer = anAnswer(V, [NEXT]);
  return graphOf({
    ...answer,
    nodes: answer.nodes.map((node) => (node.version === version ? { ...node, ...changes } : node)),
  });
}

describe('diffGraphs', () => {
  const cases: [string, ReleaseGraph | null, ReleaseGraph, Partial<GraphDiff>][] = [
    ['nothing', plain, aGraph(V.toReversed(), [NEXT]), {}],
    ['everything is new', null, plain, { versionsAdded: V, edgesAdded: 1 }],
    [
      'versions come and go, in release order',
      aGraph(['4.10.1', '4.9.1']),
      aGraph(['4.10.0', '4.10.1', '4.9.0']),
      { versionsAdded: ['4.9.0', '4.10.0'], versionsRemoved: ['4.9.1'] },
    ],
    ['an edge goes', plain, aGraph(V), { edgesRemoved: 1 }],
    [
      'an edge goes with its node',
      aGraph([...V, '4.11.0'], [NEXT, ['4.10.0', '4.11.0']]),
      plain,
      { versionsRemoved: ['4.11.0'], edgesRemoved: 1 },
    ],
    ['one edge for another', plain, aGraph(V, [['4.9.0', '4.10.1']]), { edgesAdded: 1, edgesRemoved: 1 }],
    [
      'an edge turns conditional',
      plain,
      risky,
      { turnedConditional: [{ from: '4.9.0', to: '4.10.0', risks: ['A', 'B'] }], risksNew: ['A', 'B'] },
    ],
    [
      'an edge turns plain',
      risky,
      plain,
      { turnedPlain: [{ from: '4.9.0', to: '4.10.0', risks: ['A', 'B'] }], risksGone: ['A', 'B'] },
    ],
    ['a conditional edge comes', aGraph(V), risky, { edgesAdded: 1, risksNew: ['A', 'B'] }],
    ['a conditional edge goes', risky, aGraph(V), { edgesRemoved: 1, risksGone: ['A', 'B'] }],
    [
      'other risks for an edge',
      risky,
      aGraph(V, [], [aGroup([NEXT], aRisk('A'), aRisk('C'))]),
      { edgesWithOtherRisks: 1, risksNew: ['C'], risksGone: ['B'] },
    ],
    [
      'a risk says something else',
      risky,
      aGraph(V, [], [aGroup([NEXT], aRisk('A'), aRisk('B', { message: 'worse' }))]),
      { edgesWithOtherRisks: 1 },
    ],
    [
      'another payload',
      plain,
      withNode('4.10.0', { payload: payloadOf('x') }),
      { payloadChanged: ['4.10.0'] },
    ],
    [
      'another channel',
      plain,
      withNode('4.10.1', { metadata: { [CHANNELS]: 'stable-4.1,eus-4.1' } }),
      { metadataChanged: ['4.10.1'] },
    ],
    [
      'one more key',
      plain,
      withNode('4.9.0', { metadata: { [CHANNELS]: 'stable-4.1', a: '' } }),
      { metadataChanged: ['4.9.0'] },
    ],
  ];
  it.each(cases)('%s', (_, before, after, expected) => {
    const diff = diffGraphs(before, after);
    expect(diff).toEqual({ ...none, ...expected });
  });
});
