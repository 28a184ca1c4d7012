import { EMPTY_GRAPH, type ReleaseGraph, type ReleaseNode, type Risk } from '@cairn/shared/graph/graph';
import { findViolations } from '@cairn/shared/graph/publishable';
import { describe, expect, it } from 'vitest';
import { aRisk, ARCHITECTURE, CHANNELS, payloadOf } from '../../../helpers/path/answers.ts';
import { drawn } from '../../../helpers/path/channels.ts';

const good = drawn('4.1.0 > 4.1.1', '4.1.1 > 4.1.2', '4.1.1 > 4.1.3', '4.1.0 > 4.1.2 A', '4.1.0 > 4.1.3 A');

function withNode(changes: Partial<ReleaseNode>): ReleaseGraph {
  return { ...good, nodes: good.nodes.with(3, { ...good.nodes[3]!, ...changes }) };
}
const withMetadata = (metadata: Record<string, unknown>): ReleaseGraph =>
  withNode({ metadata: metadata as Record<string, string> });
const withRisks = (...risks: Risk[]): ReleaseGraph => ({ ...good, riskSets: [risks] });
const rows = (offsets: number[], targets: number[]) => ({
  offsets: Uint32Array.from(offsets),
  targets: Uint32Array.from(targets),
});
const withEdges = (offsets: number[], targets: number[]): ReleaseGraph => ({
  ...good,
  edges: rows(offsets, targets),
});
const withConditional = (offsets: number[], targets: number[], riskSets: number[]): ReleaseGraph => ({
  ...good,
  conditional: { ...rows(offsets, targets), riskSets: Uint32Array.from(riskSets) },
});

describe('findViolations', () => {
  it('finds none in a sound graph', () => {
    expect(findViolations(good, good)).toEqual([]);
    expect(findViolations(EMPTY_GRAPH)).toEqual([]);
    expect(findViolations(withMetadata({ url: 'https://e.com/a:1', [ARCHITECTURE]: 'multi' }))).toEqual([]);
  });

  it.each([
    ['4.14', 1],
    ['v4.1.3', 1],
    ['04.1.3', 1],
    ['4.1.3+amd64', 1],
    ['4.1.3-01', 1],
    ['4.1.3-', 1],
    ['4.1.3-rc..1', 1],
    ['4.1.3\n', 1],
    ['4.1.0', 0],
  ] as const)('version %j breaks %i', (version, invariant) => {
    expect(invariantsOf(withNode({ version }))).toEqual([invariant]);
  });

  it.each([
    ['plain edge to a node that is not there', withEdges([0, 1, 3, 3, 3], [1, 2, 4]), [2]],
    ['offsets that end early', withEdges([0, 1, 2, 2, 2], [1, 2, 3]), [2]],
    ['too few offsets', withEdges([0, 1, 3, 3], [1, 2, 3]), [2]],
    ['a row that ends before it starts', withEdges([0, 3, 2, 3, 3], [1, 2, 3]), [2]],
    ['conditional edge to a node that is not there', withConditional([0, 1, 1, 1, 1], [9], [0]), [3]],
    ['a self edge, which is a loop', withEdges([0, 1, 1, 1, 1], [0]), [0, 0]],
    ['an edge twice', withEdges([0, 2, 2, 2, 2], [1, 1]), [0]],
    ['edges that go down', withEdges([0, 0, 2, 2, 2], [3, 2]), [0]],
    ['a loop', withEdges([0, 1, 2, 3, 3], [1, 2, 1]), [0]],
    ['a loop over a conditional edge', withEdges([0, 0, 0, 1, 1], [0]), [0]],
  ])('%s', (_, graph, expected) => {
    expect(invariantsOf(graph)).toEqual(expected);
  });

  it.each([
    ['a url with a space before it', { url: ' https://e.com' }],
    ['a url that is none', { url: 'errata' }],
    ['a url for scripts', { url: 'javascript:alert(1)' }],
    ['an empty url', { url: '' }],
    ['another architecture', { [ARCHITECTURE]: 'amd64' }],
    ['empty channels', { [CHANNELS]: '' }],
    ['an empty channel', { [CHANNELS]: 'a,,b' }],
    ['a number', { description: 1 }],
  ])('%s breaks 4', (_, metadata) => {
    expect(invariantsOf(withMetadata(metadata))).toEqual([4]);
  });

  it('a payload without a digest', () => {
    expect(invariantsOf(withNode({ payload: 'quay.io/x:1' }))).toEqual([0]);
  });

  it('one target with two risk lists breaks 5, by version and by payload', () => {
    const twice = withConditional([0, 2, 2, 2, 2], [2, 2], [0, 0]);
    expect(invariantsOf(twice)).toEqual([0, 5]);
    expect(invariantsOf(withNode({ payload: payloadOf('4.1.2') }))).toEqual([5]);
  });

  it('one target both ways breaks 6, by version and by payload', () => {
    const both = withEdges([0, 1, 1, 1, 1], [2]);
    expect(invariantsOf(both)).toEqual([6]);
    expect(invariantsOf(withNode({ payload: payloadOf('4.1.1') }))).toEqual([6]);
  });

  it.each([
    ['no risk', []],
    ['a risk without rules', [aRisk('A', { matchingRules: [] })]],
    ['an unknown rule', [aRisk('A', { matchingRules: [{ type: 'x' }] })]],
    ['an empty query', [aRisk('A', { matchingRules: [{ type: 'PromQL', promql: { promql: '' } }] })]],
    ['no name', [aRisk('A', { name: '' })]],
    ['no message', [aRisk('A', { message: '' })]],
    ['a url for scripts', [aRisk('A', { url: 'javascript:alert(1)' })]],
    ['one name twice', [aRisk('A'), aRisk('A', { message: 'other' })]],
  ])('%s breaks 7', (_, risks) => {
    expect(invariantsOf(withRisks(...risks))).toEqual([7]);
  });

  it('conditional edges whose risk lists are not there break 7', () => {
    expect(invariantsOf(withConditional([0, 1, 1, 1, 1], [2], [1]))).toEqual([7]);
    expect(invariantsOf(withConditional([0, 1, 1, 1, 1], [2], []))).toEqual([7]);
  });

  it('a served node that would be removed breaks 8', () => {
    expect(findViolations(drawn('4.1.0', '4.1.2'), good)).toEqual([
      { invariant: 8, detail: '4.1.1 is served and would be gone' },
      { invariant: 8, detail: '4.1.3 is served and would be gone' },
    ]);
  });

  it('lists the first twenty of many', () => {
    const nodes = good.nodes.map((node) => ({ ...node, metadata: {} }));
    const many = {
      ...EMPTY_GRAPH,
      nodes: Array.from({ length: 50 }, () => ({ ...nodes[0]!, version: '4' })),
    };
    expect(findViolations(many)).toHaveLength(20);
  });
});

function invariantsOf(graph: ReleaseGraph): number[] {
  return findViolations(graph).map((violation) => violation.invariant);
}
