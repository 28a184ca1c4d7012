import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import { risksOfUpdates, worstOf } from '@cairn/shared/risk/update-risks';
import { describe, expect, it } from 'vitest';
import { aGroup, anAnswer, aRisk, graphOf } from '../../../helpers/path/answers.ts';

const query = (promql: string) => ({ matchingRules: [{ type: 'PromQL', promql: { promql } }] as const });
const VERSIONS = ['4.14.1', '4.14.2', '4.14.3', '4.14.10'];
const OLD = aRisk('Changed', query('old'));
const NEW = aRisk('Changed', query('new'));
const graph = prepareGraph([
  {
    channel: 'stable-4.14',
    graph: graphOf(
      anAnswer(
        VERSIONS,
        [['4.14.1', '4.14.2']],
        [
          aGroup([['4.14.1', '4.14.3']], OLD, aRisk('Other')),
          // Newer than 4.14.3, although its text sorts before.
          aGroup([['4.14.1', '4.14.10']], NEW),
          aGroup([['4.14.2', '4.14.3']], OLD),
        ],
      ),
    ),
  },
]);

const found = (ends: { from?: string; to?: string }) =>
  risksOfUpdates(graph, {
    from: ends.from === undefined ? null : graph.index.get(ends.from)!,
    to: ends.to === undefined ? null : graph.index.get(ends.to)!,
  }).map(({ name, definitions, edges }) => [
    name,
    definitions.map(({ matchingRules: [rule] }) =>
      rule?.type === 'PromQL' ? rule.promql.promql : rule?.type,
    ),
    edges,
  ]);

describe('risksOfUpdates', () => {
  it('has every definition of a name, with how many updates have the risk', () => {
    expect(found({})).toEqual([
      ['Changed', expect.arrayContaining(['old', 'new']), 3],
      ['Other', ['group(Other)'], 1],
    ]);
  });

  it('has the definition at the newest target for a cluster, for its other updates too', () => {
    expect(found({ from: '4.14.1' })).toEqual([
      ['Changed', ['new'], 2],
      ['Other', ['group(Other)'], 1],
    ]);
    expect(found({ from: '4.14.1', to: '4.14.3' })).toEqual([
      ['Changed', ['new'], 1],
      ['Other', ['group(Other)'], 1],
    ]);
    expect(found({ from: '4.14.2' })).toEqual([['Changed', ['old'], 1]]);
  });

  it('is empty for recommended updates, and for no update', () => {
    expect(found({ from: '4.14.1', to: '4.14.2' })).toEqual([]);
    expect(found({ from: '4.14.10' })).toEqual([]);
    expect(risksOfUpdates(prepareGraph([]), { from: null, to: null })).toEqual([]);
  });
});

describe('worstOf', () => {
  it.each([
    [['no', 'unknown', 'yes'], 'yes'],
    [['no', 'unknown'], 'unknown'],
    [['no', 'no'], 'no'],
  ] as const)('%j is %s', (answers, expected) => {
    expect(worstOf(answers.map((applies) => ({ applies })))).toEqual({ applies: expected });
  });

  it('is none of none', () => {
    expect(worstOf([])).toBe(null);
  });
});
