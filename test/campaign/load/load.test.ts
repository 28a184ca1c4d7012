import { describe, expect, it } from 'vitest';
import { givenOf, mistakesOf } from '../../helpers/cli/scripts.ts';
import { failuresOf, type LoadResult } from './client.ts';
import { loadTable } from './load-table.ts';
import { answerOf, percentile } from './measure.ts';
import { atLeast, atMost, isHeld, type LoadFinding } from './row.ts';
import { LOAD_ROWS } from './rows.ts';
import { LOAD } from './run.ts';

const names = LOAD_ROWS.map(({ name }) => name);

describe('the rows', () => {
  it('are those of the specification', () => {
    expect(names).toEqual(['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7', 'L8', 'L9', 'L10', 'L11']);
  });

  it.each<[number, LoadFinding['goal'], boolean | null]>([
    [5, atMost(5), true],
    [5.1, atMost(5), false],
    [990, atLeast(990), true],
    [989, atLeast(990), false],
    [Infinity, atMost(10), false],
    [1, undefined, null],
  ])('hold or not: %d of %o', (measured, goal, held) => {
    expect(isHeld({ what: 'x', measured, unit: 'ms', ...(goal && { goal }) })).toBe(held);
  });

  it('are printed as a table', () => {
    const finding = { row: 'L1', what: 'reads', measured: 5.678, unit: 'ms', goal: atMost(5) } as const;
    const ratio = { value: 0.5, to: 'a constant' };
    expect(loadTable([finding, { row: 'L10', what: 'back', measured: Infinity, unit: 's', ratio }])).toBe(
      [
        'ROW  WHAT   MEASURED  SPECIFIED  RESULT    RATIO',
        'L1   reads  5.68 ms   ≤ 5 ms     not held',
        'L10  back   never s                        0.50 × a constant',
        '',
      ].join('\n'),
    );
  });
});

describe('what is measured', () => {
  it('has as many releases and updates as it says', () => {
    const { text, versions } = answerOf(60, 400);
    const { nodes, edges } = JSON.parse(text) as { nodes: unknown[]; edges: [number, number][] };
    expect([nodes.length, edges.length, new Set(versions).size]).toEqual([60, 400, 60]);
    expect(edges.every(([from, to]) => from < to && to < 60)).toBe(true);
  });

  it('has percentiles of all times', () => {
    const times = Array.from({ length: 101 }, (_, time) => 100 - time);
    expect([percentile(times, 0.5), percentile(times, 0.99)]).toEqual([50, 99]);
  });

  it('counts every answer that is not good, but for those that were expected', () => {
    const result = { errors: 1, statuses: { 200: 5, 304: 1, 503: 2 } } as unknown as LoadResult;
    expect([failuresOf(result), failuresOf(result, [503])]).toEqual([4, 2]);
  });
});

describe('the flags', () => {
  it('are read, with every mistake', () => {
    const given = givenOf(LOAD, ['--quick', '--only', 'L1', '--soak', '60']);
    expect([given.isSet('quick'), given.list('only'), given.number('soak')]).toEqual([true, ['L1'], 60]);
    expect(mistakesOf(LOAD, ['--quik', '--only', 'L12', '--soak', '0'])).toEqual([
      'unknown flag --quik, did you mean --quick?',
      `there is no row "L12", accepted are ${names.join(', ')}`,
      '--soak "0" is not accepted, minutes from 1 to 9999 are',
    ]);
  });
});
