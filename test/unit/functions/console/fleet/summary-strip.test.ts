import { expect, it } from 'vitest';
import { numbersByMinor, numbersByVerdict } from '../../../../../functions/console/fleet/summary-strip.tsx';

const NONE = {
  ready: 0,
  'ready-with-warnings': 0,
  'action-required': 0,
  blocked: 0,
  unknown: 0,
  pending: 0,
};

it('counts the most urgent first, and leaves out empty counts', () => {
  const numbers = numbersByVerdict({
    clusters: 7,
    byVerdict: { ...NONE, ready: 4, blocked: 2, pending: 1 },
    overdue: 3,
  });
  expect(numbers.map(({ clusters, words, filter }) => [clusters, words, filter])).toEqual([
    [7, 'clusters', {}],
    [2, 'Blocked', { verdict: 'blocked' }],
    [4, 'Ready', { verdict: 'ready' }],
    [1, 'Not assessed yet', { verdict: 'pending' }],
    [3, 'Report overdue', { overdue: true }],
  ]);
});

it('counts one cluster as one', () => {
  const numbers = numbersByVerdict({ clusters: 1, byVerdict: { ...NONE, ready: 1 }, overdue: 0 });
  expect(numbers.map(({ words }) => words)).toEqual(['cluster', 'Ready']);
});

it('has no link to those that do not say what they run, as no filter finds them', () => {
  const numbers = numbersByMinor({
    byMinor: [
      { minor: '4.16', clusters: 2 },
      { minor: null, clusters: 1 },
    ],
  });
  expect(numbers.map(({ clusters, words, filter }) => [clusters, words, filter])).toEqual([
    [2, 'On 4.16', { minor: '4.16' }],
    [1, 'Version not known', null],
  ]);
});
