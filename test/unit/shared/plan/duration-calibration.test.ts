import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import { calibrate, median } from '@cairn/shared/plan/duration';
import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../helpers/cluster/clusters.ts';

const START = Date.parse('2026-03-01T00:00:00Z');

/** Newest first: `4.14.8 C 90` took 90 minutes. The installation is added. */
function history(...entries: readonly string[]): HistoryEntry[] {
  const took = [...entries, '4.1.0 C 45'];
  return historyOf(...took).map((entry, index) => {
    const minutes = Number(took[index]!.split(' ')[2]);
    return {
      ...entry,
      startedTime: new Date(START).toISOString(),
      completionTime: new Date(START + minutes * 60_000).toISOString(),
    };
  });
}

const SIXTY = () => 60;

describe('the scale of a cluster', () => {
  it.each([
    ['one update', ['4.14.8 C 90'], 1.5],
    ['the middle of three', ['4.14.8 C 60', '4.14.3 C 120', '4.13.1 C 66'], 1.1],
    ['halfway between two', ['4.14.8 C 90', '4.14.3 C 66'], 1.3],
    ['at least a half', ['4.14.8 C 6'], 0.5],
    ['at most three times', ['4.14.8 C 600'], 3],
    ['a day exactly is no outlier', ['4.14.8 C 1440'], 3],
    ['an update that was finished as another one is no sample', ['4.14.8 C 90', '4.14.3 P 600'], 1.5],
    ['another image of the same version is no sample', ['4.14.8@b C 12', '4.14.8 C 90'], 1.5],
    ['an image without a version is no sample', [' C 12', '4.14.8 C 90'], 1.5],
    ['a clock that went back is no sample', ['4.14.8 C -5', '4.14.3 C 90'], 1.5],
    ['what took over a day is no sample', ['4.14.8 C 1441', '4.14.3 C 90'], 1.5],
  ])('%s', (_, entries, scale) => {
    expect(calibrate(history(...entries), SIXTY, 2)).toMatchObject({ scale, source: 'cluster' });
  });

  it('keeps apart what was stuck', () => {
    const { samples, outliers } = calibrate(
      history('4.15.2 C 4000', '4.14.8 C 71.4', '4.14.3 C 60'),
      SIXTY,
      null,
    );
    expect(samples).toEqual([
      { version: '4.14.8', minutes: 71, ratio: 1.19 },
      { version: '4.14.3', minutes: 60, ratio: 1 },
    ]);
    expect(outliers).toEqual([{ version: '4.15.2', minutes: 4000, ratio: 66.67 }]);
  });

  it.each([
    ['by the fleet without a past', [], 1.2, 1.2, 'fleet'],
    ['by the fleet with nothing but outliers', ['4.14.8 C 9999'], 1.2, 1.2, 'fleet'],
    ['the fleet is limited as well', [], 20, 3, 'fleet'],
    ['not at all without either', [], null, 1, 'none'],
  ] as const)('%s', (_, entries, fleet, scale, source) => {
    expect(calibrate(history(...entries), SIXTY, fleet)).toMatchObject({ scale, source, samples: [] });
  });

  it('does without times and without entries', () => {
    const entries = history('4.14.8 C 90').map((entry) => ({ ...entry, completionTime: null }));
    expect(calibrate(entries, SIXTY, null).samples).toEqual([]);
    expect(calibrate([], SIXTY, null)).toEqual({ scale: 1, source: 'none', samples: [], outliers: [] });
  });
});

it.each([
  [[], null],
  [[5], 5],
  [[3, 1, 2], 2],
  [[10, 9], 9.5],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (numbers, expected) => {
  expect(median(numbers)).toBe(expected);
});
