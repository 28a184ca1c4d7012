import type { PrunableEntry } from '@cairn/shared/prune/history/criteria';
import { type HistoryPruneOptions, pruneHistory } from '@cairn/shared/prune/history/prune-history';
import { describe, expect, it } from 'vitest';
import { updates } from '../../../../helpers/prune/histories.ts';
import { cvoLogLine, historyOf, minors } from './short-histories.ts';

function removedFrom(history: readonly PrunableEntry[], options: HistoryPruneOptions): number[] {
  return pruneHistory(history, options).removed.map(({ index }) => index);
}

const versionsOf = (entries: readonly PrunableEntry[]) => entries.map(({ version }) => version);

describe('what the operator removes', () => {
  it.each([
    [
      '1',
      'C4.6.3 C4.5.3 C4.4.3 C4.3.3 C4.3.2 C4.3.1 C4.2.1 P4.1.4 P4.1.3 P4.1.2 C4.1.1',
      9,
      10.91,
      'minor-partial',
    ],
    [
      '2',
      'C4.5.3 C4.4.3 C4.4.3 C4.4.2 C4.1.10 C4.1.9 C4.1.4 P4.1.3 C4.1.2 P4.0.1 C4.0.1',
      7,
      -27.07,
      'z-partial',
    ],
    [
      '3',
      'C4.11.0 C4.10.0 C4.9.0 C4.8.0 C4.7.0 C4.6.0 C4.5.0 C4.4.0 C4.3.0 C4.2.0 C4.1.0',
      9,
      20.91,
      'minor-edge',
    ],
    [
      '4',
      'C4.11.0 P4.10.0 C4.9.0 C4.8.0 C4.7.0 P4.6.0 C4.5.0 C4.4.0 C4.3.0 C4.2.0 C4.1.0',
      5,
      14.95,
      'minor-partial',
    ],
    [
      '5',
      'C4.11.0 C4.10.0 C4.9.0 C4.8.0 C4.6.1 P4.6.1 C4.6.0 C4.4.0 P4.3.0 C4.2.0 C4.1.0',
      5,
      -25.05,
      'z-partial',
    ],
    [
      'of a roll-back',
      'C4.10.0 C4.9.0 C4.8.0 C4.7.0 C4.6.1 C4.6.0 P4.6.1 C4.6.0 C4.5.0 C4.4.0 C4.3.0',
      6,
      -6.06,
      'other',
    ],
  ])('case %s: of %s index %i, rank %f, %s', (_, text, index, rank, ofClass) => {
    const history = historyOf(text);
    const { kept, removed } = pruneHistory(history, { max: 10 });
    expect(removed).toHaveLength(1);
    expect(removed[0]).toMatchObject({ index, class: ofClass, entry: history[index] });
    expect(removed[0]!.rank).toBeCloseTo(rank, 9);
    expect(kept).toEqual(history.toSpliced(index, 1));
  });

  it('is nothing of a list within the limit, which is given back as it is', () => {
    const history = minors(100);
    expect(pruneHistory(history)).toEqual({ kept: history, removed: [] });
    expect(pruneHistory(history).kept).toBe(history);
    expect(pruneHistory([], { max: 1 })).toEqual({ kept: [], removed: [] });
  });

  it('is one entry of a list above the limit of 100, whatever the excess', () => {
    expect(removedFrom(minors(101), {})).toEqual([99]);
    expect(removedFrom(minors(105), {})).toHaveLength(1);
  });

  it.each([
    ['all that are there are protected', 'C4.6.0 C4.5.0 C4.4.0 C4.3.0 C4.2.0 C4.1.0', 5, 5, 994.95],
    ['all but none are', 'P4.6.0 P4.6.0 P4.6.0 P4.6.0 P4.6.0 C4.5.0 C4.1.0', 6, 6, 993.94],
    ['with room for one', 'C4.2.0 C4.1.0', 1, 1, 998.99],
  ])('is the installed release when %s', (_, text, max, index, rank) => {
    const [removed] = pruneHistory(historyOf(text), { max }).removed;
    expect(removed).toMatchObject({
      index,
      class: 'protected',
      reason: 'an older update of less importance',
    });
    expect(removed!.rank).toBeCloseTo(rank, 9);
  });

  it('is the installed release of a list that is far too long, since it is expected at index max', () => {
    const history = minors(130);
    const { kept, removed } = pruneHistory(history, { max: 100, explain: true });
    expect(removed).toMatchObject([{ index: 129, class: 'minor-edge', entry: { version: '4.1.0' } }]);
    // The operator has a branch that cuts the list at max; it never loses more than one entry.
    expect(kept).toHaveLength(129);
  });

  it.each(['P4.1.0', '-4.1.0'])('ranks entries before the first completed one, %s, as any other', (entry) => {
    const history = historyOf(`C4.6.0 C4.5.0 C4.4.0 C4.3.0 C4.2.0 P4.1.2 P4.1.1 ${entry} P4.1.0`);
    expect(pruneHistory(history, { max: 8, explain: true }).ranks![6]).toMatchObject({ class: 'other' });
  });

  it('ranks all as any other when none was completed', () => {
    const history = historyOf(Array.from({ length: 12 }, (_, index) => `P4.${12 - index}.0`).join(' '));
    const { removed, ranks } = pruneHistory(history, { max: 11, explain: true });
    expect(ranks!.slice(5, 11).map((rank) => rank.class)).toEqual(Array(6).fill('other'));
    expect(removed).toMatchObject([{ index: 10, class: 'other' }]);
  });

  it('leaves, of 200 completed updates with 10 of each minor, the newest 75 and the ends of older minors', () => {
    let history: readonly PrunableEntry[] = [];
    for (const update of updates(200).toReversed()) history = pruneHistory([update, ...history]).kept;
    expect(history).toHaveLength(100);
    const intact = versionsOf(updates(200));
    const gap = history.findIndex(({ version }, index) => version !== intact[index]);
    expect(gap).toBeGreaterThanOrEqual(72);
    expect(gap).toBeLessThanOrEqual(78);
    const ends = history.slice(gap).map(({ version }) => version.split('.')[2]!);
    expect(new Set(ends)).toEqual(new Set(['0', '9']));
    expect(versionsOf(history).slice(-5)).toEqual(['4.3.0', '4.2.9', '4.2.0', '4.1.9', '4.1.0']);
  });
});

describe('how far back weights reach', () => {
  type Ranked = 'minor-edge' | 'minor-partial' | 'other' | 'z-partial';

  /** An entry of each class with what makes it so on both sides; all others are the only ones of their minor. */
  const withNeighbours: Readonly<Record<Ranked, (minor: number) => string>> = {
    'minor-edge': (minor) => `C4.${minor + 2}.0 C4.${minor + 1}.0 C4.${minor}.0`,
    'minor-partial': (minor) => `C4.${minor + 1}.0 P4.${minor + 1}.0 C4.${minor}.0`,
    other: (minor) => `C4.${minor}.0 P4.${minor}.1 C4.${minor}.0`,
    'z-partial': (minor) => `C4.${minor}.1 P4.${minor}.1 C4.${minor}.0`,
  };
  const MAX = 60;
  const OLDER = MAX - 1;

  function withBoth(older: Ranked, newer: Ranked, distance: number): PrunableEntry[] {
    return minors(MAX + 1)
      .toSpliced(OLDER - 1, 3, ...historyOf(withNeighbours[older](100)))
      .toSpliced(OLDER - distance - 1, 3, ...historyOf(withNeighbours[newer](200)));
  }

  it.each<[Ranked, Ranked, number]>([
    ['minor-edge', 'other', 29],
    ['minor-edge', 'z-partial', 49],
    ['minor-edge', 'minor-partial', 9],
    ['minor-partial', 'other', 19],
    ['other', 'z-partial', 19],
    ['minor-partial', 'z-partial', 39],
  ])('%s outlives %s that is up to %i positions newer', (older, newer, reach) => {
    for (const mode of ['cvo', 'fleet'] as const) {
      const within = pruneHistory(withBoth(older, newer, reach), { max: MAX, mode });
      expect(within.removed).toMatchObject([{ index: OLDER - reach, class: newer }]);
      const beyond = pruneHistory(withBoth(older, newer, reach + 1), { max: MAX, mode });
      expect(beyond.removed).toMatchObject([{ index: OLDER, class: older }]);
    }
  });
});

describe('the line that the operator logs', () => {
  it.each([
    [
      'C4.11.0 C4.10.0 C4.9.0 C4.8.0 C4.7.0 C4.6.0 C4.5.0 C4.4.0 C4.3.0 C4.2.0 C4.1.0',
      'Pruning the first or last completed minor update version 4.2.0 at index 9 with rank 20.910000.',
    ],
    [
      'C4.11.0 C4.10.0 C4.9.0 C4.8.0 C4.6.1 P4.6.1 C4.6.0 C4.4.0 P4.3.0 C4.2.0 C4.1.0',
      'Pruning a partial update within a z-stream transition version 4.6.1 at index 5 with rank -25.050000.',
    ],
    [
      'C4.11.0 P4.10.0 C4.9.0 C4.8.0 C4.7.0 P C4.5.0 C4.4.0 C4.3.0 C4.2.0 C4.1.0',
      'Pruning a partial update within a minor transition version  at index 5 with rank 14.950000.',
    ],
  ])('of %s is "%s"', (text, line) => {
    expect(pruneHistory(historyOf(text), { max: 10 }).removed.map(cvoLogLine)).toEqual([line]);
  });

  it('has the same text for a protected entry as for any other', () => {
    const { removed } = pruneHistory(minors(6), { max: 5 });
    expect(removed.map(cvoLogLine)).toEqual([
      'Pruning an older update of less importance version 4.1.0 at index 5 with rank 994.950000.',
    ]);
  });
});
