import { serializeGraph } from '@cairn/shared/graph/graph';
import { listRisks, type ServedGraph, updatesOf } from '@cairn/shared/graph/served-graph';
import { describe, expect, it } from 'vitest';
import { aGraph, aGroup, aRisk } from '../../../helpers/path/answers.ts';

const always = { matchingRules: [{ type: 'Always' }] };
const graph = JSON.parse(
  serializeGraph(
    aGraph(
      ['4.1.0', '4.1.1', '4.1.9', '4.1.10', '4.2.0'],
      [
        ['4.1.0', '4.1.9'],
        ['4.1.1', '4.1.9'],
        ['4.1.9', '4.1.10'],
      ],
      [
        aGroup([['4.1.9', '4.2.0']], aRisk('Slow'), aRisk('Broken', always)),
        aGroup(
          [
            ['4.1.0', '4.1.10'],
            ['4.1.1', '4.1.10'],
          ],
          aRisk('Slow'),
        ),
      ],
    ),
  ),
) as ServedGraph;

describe('listRisks', () => {
  it('counts the edges of each risk over all groups, most first', () => {
    expect(listRisks(graph)).toEqual([
      { name: 'Slow', url: 'https://example.com/Slow', message: 'Slow may happen', always: false, edges: 3 },
      {
        name: 'Broken',
        url: 'https://example.com/Broken',
        message: 'Broken may happen',
        always: true,
        edges: 1,
      },
    ]);
  });

  it('is always where it is so in any group', () => {
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
    [
      '4.1.9',
      [
        ['4.1.0', []],
        ['4.1.1', []],
      ],
      [
        ['4.1.10', []],
        ['4.2.0', ['Broken', 'Slow']],
      ],
    ],
    [
      '4.1.10',
      [
        ['4.1.0', ['Slow']],
        ['4.1.1', ['Slow']],
        ['4.1.9', []],
      ],
      [],
    ],
    ['4.2.0', [['4.1.9', ['Broken', 'Slow']]], []],
  ])('%s', (version, from, to) => {
    const shown = (updates: readonly { version: string; risks: readonly string[] }[]) =>
      updates.map((update) => [update.version, update.risks]);
    const updates = updatesOf(graph, version)!;
    expect([shown(updates.from), shown(updates.to)]).toEqual([from, to]);
  });

  it('is null for a version that is not there', () => {
    expect(updatesOf(graph, '4.1.2')).toBeNull();
  });
});
