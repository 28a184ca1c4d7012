import {
  BELIEVABLE_LIMITS,
  judgeAnswer,
  type HeldUpstreamGraph,
  type JudgeInput,
} from '@cairn/shared/graph/believable';
import { buildGraph, EMPTY_GRAPH, type ReleaseGraph } from '@cairn/shared/graph/graph';
import { describe, expect, it } from 'vitest';
import { aRisk, payloadOf } from '../../../helpers/path/answers.ts';

interface Content {
  readonly nodes?: number;
  readonly edges?: number;
  readonly conditional?: number;
  /** The first node's patch number. */
  readonly start?: number;
  /** So many of the nodes have another payload. */
  readonly changed?: number;
}

/** Edges are numbered: the same number is the same pair of versions whichever kind it is of. */
function graphWith({
  nodes = 100,
  edges = 0,
  conditional = 0,
  start = 0,
  changed = 0,
}: Content): ReleaseGraph {
  const version = (index: number): string => `4.1.${start + index}`;
  const from = (edge: number): number => Math.floor(edge / 20);
  const pairs = (first: number, count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    return { from: numbers.map(from), to: numbers.map((edge) => from(edge) + 1 + (edge % 20)) };
  };
  return buildGraph({
    nodes: Array.from({ length: nodes }, (_, index) => ({
      version: version(index),
      payload: payloadOf(index < changed ? `x${version(index)}` : version(index)),
      metadata: {},
    })),
    edges: pairs(conditional, edges),
    conditional: {
      ...pairs(0, conditional),
      riskSet: Array.from({ length: conditional }, () => 0),
    },
    riskSets: [[aRisk('A')]],
  });
}

const NOW = '2026-08-21T12:00:00Z';
function verdictOf(previous: ReleaseGraph | null, next: ReleaseGraph, changes: Partial<JudgeInput> = {}) {
  const verdict = judgeAnswer({
    previous,
    next,
    hash: 'h',
    held: null,
    now: NOW,
    acceptedByHand: false,
    ...changes,
  });
  return verdict.verdict === 'accept' ? `accept ${verdict.because}` : `hold ${verdict.reason}`;
}

describe('what is believed', () => {
  const cases: [string, Content, Content, string][] = [
    ['the same', {}, {}, 'accept believable'],
    ['5 of 10 nodes gone', { nodes: 10 }, { nodes: 5 }, 'accept believable'],
    ['6 of 10 nodes gone', { nodes: 10 }, { nodes: 4 }, 'hold NodesLost'],
    ['10 of 100 nodes gone', {}, { nodes: 90 }, 'accept believable'],
    ['11 of 100 nodes gone', {}, { nodes: 89 }, 'hold NodesLost'],
    ['5 of 59 nodes gone', { nodes: 59 }, { nodes: 54 }, 'accept believable'],
    ['6 of 59 nodes gone', { nodes: 59 }, { nodes: 53 }, 'hold NodesLost'],
    ['6 of 60 nodes gone', { nodes: 60 }, { nodes: 54 }, 'accept believable'],
    ['as many nodes, 11 of them others', {}, { start: 11 }, 'hold NodesLost'],
    ['half of the nodes gone', {}, { nodes: 50 }, 'hold NodesLost'],
    ['nine of ten nodes gone', {}, { nodes: 10 }, 'hold NodesLost'],
    ['all nodes gone', {}, { nodes: 0 }, 'hold Emptied'],
    ['50 of 60 edges gone', { edges: 60 }, { edges: 10 }, 'accept believable'],
    ['51 of 60 edges gone', { edges: 60 }, { edges: 9 }, 'hold EdgesLost'],
    ['250 of 1000 edges gone', { edges: 1000 }, { edges: 750 }, 'accept believable'],
    ['251 of 1000 edges gone', { edges: 1000 }, { edges: 749 }, 'hold EdgesLost'],
    ['conditional edges count', { conditional: 1000 }, { conditional: 749 }, 'hold EdgesLost'],
    [
      'both kinds count together',
      { edges: 500, conditional: 500 },
      { edges: 0, conditional: 749 },
      'hold EdgesLost',
    ],
    ['all edges turned conditional', { edges: 1000 }, { conditional: 1000 }, 'accept believable'],
    ['all edges turned plain', { conditional: 1000 }, { edges: 1000 }, 'accept believable'],
    ['25 of 100 payloads changed', {}, { changed: 25 }, 'accept believable'],
    ['26 of 100 payloads changed', {}, { changed: 26 }, 'hold PayloadsChanged'],
    ['one payload changed', {}, { changed: 1 }, 'accept believable'],
    ['every payload changed', {}, { changed: 100 }, 'hold PayloadsChanged'],
    ['550 nodes after 100', {}, { nodes: 550 }, 'accept believable'],
    ['551 nodes after 100', {}, { nodes: 551 }, 'hold Grown'],
    ['53 nodes after 1', { nodes: 1 }, { nodes: 53 }, 'accept believable'],
    ['254 nodes after 1', { nodes: 1 }, { nodes: 254 }, 'hold Grown'],
    ['a hundred times as many', { nodes: 40 }, { nodes: 4000 }, 'hold Grown'],
  ];
  it.each(cases)('%s', (_, previous, next, expected) => {
    expect(verdictOf(graphWith(previous), graphWith(next))).toBe(expected);
  });

  it('a first answer, and one after an empty one, whatever it is', () => {
    expect(verdictOf(null, EMPTY_GRAPH)).toBe('accept first');
    expect(verdictOf(null, graphWith({}))).toBe('accept first');
    expect(verdictOf(EMPTY_GRAPH, EMPTY_GRAPH)).toBe('accept first');
    expect(verdictOf(EMPTY_GRAPH, graphWith({ nodes: 1000 }))).toBe('accept first');
  });

  it('lists every doubt with its numbers', () => {
    const [previous, next] = [graphWith({ edges: 1000 }), graphWith({ nodes: 60 })];
    expect(judgeAnswer({ previous, next, hash: 'h', held: null, now: NOW, acceptedByHand: false })).toEqual({
      verdict: 'hold',
      reason: 'NodesLost',
      detail: '40 of 100 nodes are gone, at most 10 may go; 1000 of 1000 edges are gone, at most 250 may go',
      held: { hash: 'h', since: NOW, rounds: 1 },
    });
  });

  it('takes other limits', () => {
    const limits = { ...BELIEVABLE_LIMITS, nodesLost: 0, nodesLostPercent: 0 };
    expect(verdictOf(graphWith({}), graphWith({ nodes: 99 }), { limits })).toBe('hold NodesLost');
  });
});

describe('what is held', () => {
  const [previous, half] = [graphWith({}), graphWith({ nodes: 50 })];
  const held = (hash: string, since: string, rounds: number): HeldUpstreamGraph => ({ hash, since, rounds });

  it.each([
    ['two before, six hours ago', held('h', '2026-08-21T06:00:00Z', 2), 'accept confirmed'],
    ['two before, a second less than six hours ago', held('h', '2026-08-21T06:00:01Z', 2), 'hold NodesLost'],
    ['one before, a week ago', held('h', '2026-08-14T12:00:00Z', 1), 'hold NodesLost'],
    ['forty before, six hours ago', held('h', '2026-08-21T06:00:00Z', 40), 'accept confirmed'],
    ['another before', held('other', '2026-08-14T12:00:00Z', 40), 'hold NodesLost'],
    ['two before, in the future', held('h', '2026-08-22T12:00:00Z', 2), 'hold NodesLost'],
    ['two before, at a time that is none', held('h', 'yesterday', 2), 'hold NodesLost'],
  ])('%s', (_, before, expected) => {
    expect(verdictOf(previous, half, { held: before })).toBe(expected);
  });

  it.each([
    ['the same again', held('h', '2026-08-21T11:00:00Z', 1), held('h', '2026-08-21T11:00:00Z', 2)],
    ['another', held('other', '2026-08-21T11:00:00Z', 2), held('h', NOW, 1)],
    ['the first', null, held('h', NOW, 1)],
  ])('remembers %s', (_, before, expected) => {
    const verdict = judgeAnswer({
      previous,
      next: half,
      hash: 'h',
      held: before,
      now: NOW,
      acceptedByHand: false,
    });
    expect(verdict).toMatchObject({ held: expected });
  });

  it('accepts manually, and an empty answer only so', () => {
    const long = held('h', '2026-08-01T00:00:00Z', 1000);
    expect(verdictOf(previous, half, { acceptedByHand: true })).toBe('accept by_hand');
    expect(verdictOf(previous, EMPTY_GRAPH, { held: long })).toBe('hold Emptied');
    expect(verdictOf(previous, EMPTY_GRAPH, { acceptedByHand: true })).toBe('accept by_hand');
  });

  it('never believes a half that alternates with the whole', () => {
    let before: HeldUpstreamGraph | null = null;
    for (let round = 0; round < 200; round++) {
      const isHalf = round % 2 === 1;
      const verdict = judgeAnswer({
        previous,
        next: isHalf ? half : previous,
        hash: isHalf ? 'half' : 'whole',
        held: before,
        now: new Date(Date.parse(NOW) + round * 600_000).toISOString(),
        acceptedByHand: false,
      });
      expect(verdict.verdict).toBe(isHalf ? 'hold' : 'accept');
      before = verdict.verdict === 'hold' ? verdict.held : null;
    }
  });
});
