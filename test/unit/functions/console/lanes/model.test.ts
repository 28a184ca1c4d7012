import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import { describe, expect, test } from 'vitest';
import { gapsOf, lanesOf, layOutLanes } from '../../../../../functions/console/lanes/layout.ts';
import {
  counted,
  countsInWords,
  countUpdates,
  isExcluded,
  MARK_SHAPES,
  marksOf,
  neighboursOf,
  releaseLabel,
  type Frontier,
  type Mark,
  type ReleaseNotes,
} from '../../../../../functions/console/lanes/model.ts';
import { channel, drawn } from '../../../../helpers/path/channels.ts';

const graph = channel(
  'x',
  '4.14.0 > 4.14.1',
  '4.14.0 > 4.14.2 SomeRisk',
  '4.14.1 > 4.14.2',
  '4.14.2 > 4.15.0 SomeRisk',
  '4.15.0 > 4.15.1',
);

describe('updates of a release', () => {
  test.each([
    ['4.14.0', 'out', '4.14.1 4.14.2?', { recommended: 1, conditional: 1 }],
    ['4.14.2', 'in', '4.14.0? 4.14.1', { recommended: 1, conditional: 1 }],
    ['4.15.0', 'in', '4.14.2?', { recommended: 0, conditional: 1 }],
    ['4.15.1', 'out', '', { recommended: 0, conditional: 0 }],
  ] as const)('%s %s', (version, direction, expected, counts) => {
    const place = graph.index.get(version)!;
    const found = neighboursOf(graph, place, direction).map(
      ({ place: other, conditional }) => `${graph.nodes[other]!.version}${conditional ? '?' : ''}`,
    );
    expect(found.join(' ')).toBe(expected);
    expect(countUpdates(graph, place, direction)).toEqual(counts);
  });
});

const frontier: Frontier = {
  from: '4.14.0',
  to: '4.15.1',
  reachable: new Set(['4.14.0', '4.14.1']),
  reaching: new Set(['4.15.0', '4.15.1']),
};

describe('marks', () => {
  const inOrder = (...all: Parameters<typeof marksOf>) => marksOf(...all).join(' ');
  test('nothing is marked at first', () => {
    expect(inOrder(graph, null, 'out', null)).toBe('release release release release release');
  });
  test('what the selected release leads to, or comes from', () => {
    expect(inOrder(graph, '4.14.0', 'out', null)).toBe('release recommended conditional release release');
    expect(inOrder(graph, '4.14.2', 'in', null)).toBe('conditional recommended release release release');
  });
  test('a version that is not there selects nothing', () => {
    expect(inOrder(graph, '4.99.0', 'out', null)).toBe('release release release release release');
  });
  test('both sides of a gap, and the selection above them', () => {
    expect(inOrder(graph, null, 'out', frontier)).toBe('reached reached release leading leading');
    expect(inOrder(graph, '4.14.1', 'out', frontier)).toBe('reached reached recommended leading leading');
  });
  test('an excluded release, whatever else it is', () => {
    const excluded = prepareGraph(
      [{ channel: 'x', graph: drawn('4.14.0 > 4.14.1', '4.14.1 > 4.14.2') }],
      new Set(['4.14.1']),
    );
    expect(inOrder(excluded, null, 'out', null)).toBe('release excluded release');
    expect(inOrder(excluded, '4.14.0', 'out', null)).toBe('release excluded release');
    expect(inOrder(excluded, '4.14.2', 'in', frontier)).toBe('reached excluded release');
    expect(['4.14.0', '4.14.1', '4.99.0'].map((version) => isExcluded(excluded, version))).toEqual([
      false,
      true,
      false,
    ]);
  });
  test('what is recommended, conditional, leading and excluded differs in shape, not only in colour', () => {
    const shapes = (['recommended', 'conditional', 'leading', 'excluded'] satisfies Mark[]).map(
      (mark) => MARK_SHAPES[mark],
    );
    expect(new Set(shapes).size).toBe(4);
  });
});

describe('gaps', () => {
  const shown = (given: Frontier, open: readonly ('4.14' | '4.15')[] = ['4.14', '4.15']) =>
    gapsOf(graph, layOutLanes(graph, lanesOf(graph), new Set(open), 500), given);

  test('releases on neither side, and the room between lanes that nothing crosses', () => {
    const gaps = shown(frontier);
    expect(gaps.map(({ kind }) => kind)).toEqual(['within', 'between']);
    const layout = layOutLanes(graph, lanesOf(graph), new Set(['4.14', '4.15'] as const), 500);
    const place = graph.index.get('4.14.2')!;
    expect(gaps[0]!.x).toBeLessThan(layout.x[place]!);
    expect(gaps[0]!.x + gaps[0]!.width).toBeGreaterThan(layout.x[place]!);
    expect(gaps[1]!.y).toBeGreaterThan(layout.y[graph.index.get('4.15.0')!]!);
    expect(gaps[1]!.y + gaps[1]!.height).toBeLessThan(layout.y[place]!);
  });
  test('a lane that is reached from below leaves no gap between', () => {
    const reachable = new Set([...frontier.reachable, '4.15.0']);
    expect(shown({ ...frontier, reachable }).map(({ kind }) => kind)).toEqual(['within']);
  });
  test('a folded lane shows none', () => {
    expect(shown(frontier, ['4.15'])).toEqual([]);
  });
  test('an end that is not in the graph, or lies behind, shows none', () => {
    expect(shown({ ...frontier, from: '4.13.0' })).toEqual([]);
    expect(shown({ ...frontier, from: '4.15.1', to: '4.14.0' })).toEqual([]);
  });
});

test.each([
  [0, '0 releases'],
  [1, '1 release'],
  [9855, '9,855 releases'],
])('%i is %s', (count, text) => {
  expect(counted(count, 'release')).toBe(text);
});

test.each([
  [43, 25, '43 recommended and 25 conditional updates out'],
  [1, 0, '1 recommended update out'],
  [0, 2, '2 conditional updates out'],
  [0, 0, 'no updates out'],
])('%i and %i are %s', (recommended, conditional, text) => {
  expect(countsInWords({ recommended, conditional }, 'out')).toBe(text);
});

describe('the label of a release', () => {
  const counts = { recommended: 43, conditional: 25 };
  const plain: ReleaseNotes = {
    isOnPath: false,
    mark: 'release',
    selected: null,
    direction: 'out',
    frontier: null,
    clusters: 0,
  };
  const frontier = { from: '4.14.1', to: '4.16.2', reachable: new Set(''), reaching: new Set('') };
  const start = '4.15.40, 43 recommended and 25 conditional updates out';
  test.each<[Partial<ReleaseNotes>, string]>([
    [{}, start],
    [{ isOnPath: true }, `${start}, on the planned path`],
    [{ mark: 'conditional', selected: '4.15.1' }, `${start}, conditional from 4.15.1`],
    [{ mark: 'recommended', selected: '4.16.1', direction: 'in' }, `${start}, recommended to 4.16.1`],
    [{ mark: 'reached', frontier }, `${start}, reached from 4.14.1`],
    [{ mark: 'leading', frontier }, `${start}, leads to 4.16.2`],
    [{ mark: 'excluded' }, `${start}, excluded by the configuration`],
    [{ isOnPath: true, clusters: 2 }, `${start}, on the planned path, 2 clusters here`],
  ])('%o', (notes, label) => {
    expect(releaseLabel('4.15.40', counts, { ...plain, ...notes })).toBe(label);
  });
});
