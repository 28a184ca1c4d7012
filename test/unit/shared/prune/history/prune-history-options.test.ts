import {
  HISTORY_RULES,
  type HistoryCriterion,
  type HistoryWeights,
  type PrunableEntry,
} from '@cairn/shared/prune/history/criteria';
import { type HistoryPruneOptions, pruneHistory } from '@cairn/shared/prune/history/prune-history';
import { describe, expect, it } from 'vitest';
import { historyOf, minors } from './short-histories.ts';

function removedFrom(history: readonly PrunableEntry[], options: HistoryPruneOptions): number[] {
  return pruneHistory(history, options).removed.map(({ index }) => index);
}

describe('other weights and criteria', () => {
  it.each(['cvo', 'fleet'] as const)('weights of the caller take the place of those of %s', (mode) => {
    // A partial update between minors at index 5, then only completed ones.
    const history = historyOf(
      'C4.11.0 P4.10.0 C4.9.0 C4.8.0 C4.7.0 P4.6.0 C4.5.0 C4.4.0 C4.3.0 C4.2.0 C4.1.0',
    );
    expect(removedFrom(history, { max: 10, mode })).toEqual([5]);
    expect(removedFrom(history, { max: 10, mode, weights: { minorPartial: 40 } })).toEqual([9]);
    expect(removedFrom(history, { max: 10, mode, weights: { position: 5, minorPartial: 40 } })).toEqual([6]);
    expect(removedFrom(history, { max: 10, mode, weights: {} })).toEqual([5]);
  });

  it('protection in a fleet is not a matter of weights', () => {
    const weights = { current: -1e6, initial: -1e6, newestCompleted: -1e6, final: -1e6 };
    expect(removedFrom(minors(11), { max: 10, mode: 'fleet', weights })).toEqual([9]);
    expect(removedFrom(minors(11), { max: 10, mode: 'cvo', weights })).toEqual([10]);
  });

  interface Noted extends PrunableEntry {
    readonly note?: string;
  }
  const noted: HistoryCriterion<Noted> = {
    name: 'noted',
    class: 'other',
    weight: 50,
    reason: 'an entry with a note',
    holds: (index, history) => history.entry(index).note !== undefined,
  };

  it.each(['cvo', 'fleet'] as const)('criteria of the caller take the place of those of %s', (mode) => {
    const history: Noted[] = minors(11).map((entry, index) =>
      index === 9 ? { ...entry, note: '!' } : entry,
    );
    const criteria = [noted, ...HISTORY_RULES[mode].criteria];
    const { removed, ranks } = pruneHistory(history, { max: 10, mode, criteria, explain: true });
    expect(removed).toMatchObject([{ index: 8, class: 'minor-edge' }]);
    expect(ranks![9]).toMatchObject({ rank: 50 - 1.01 * 9, reason: 'an entry with a note' });
    const weights = { noted: -50 } as Partial<HistoryWeights>;
    expect(removedFrom(history, { max: 10, mode, criteria, weights })).toEqual([9]);
  });

  it('without criteria only the position counts', () => {
    const options = { max: 8, mode: 'fleet', criteria: [] } as const;
    expect(removedFrom(minors(11), options)).toEqual([10, 9, 8]);
    expect(removedFrom(minors(11), { ...options, weights: { position: 1 } })).toEqual([0, 1, 2]);
  });

  it.each(['cvo', 'fleet'] as const)('an entry of no class has none, with weights above it, %s', (mode) => {
    // 4.8.1 at index 5 marks no change of minor, all around do.
    const history = historyOf('C4.9.3 C4.9.2 C4.9.1 C4.9.0 C4.8.2 C4.8.1 C4.8.0 C4.7.0 C4.6.0 C4.5.0');
    const weights = { minorEdge: 90, minorPartial: 80, zPartial: 70 };
    expect(removedFrom(history, { max: 9, mode, weights })).toEqual([5]);
  });
});

describe('an explanation', () => {
  it('has every term that holds, those that count adding up to the rank', () => {
    const history = historyOf(
      'C4.11.0 C4.10.0 C4.9.0 C4.8.0 C4.6.1 P4.6.1 C4.6.0 C4.4.0 P4.3.0 C4.2.0 C4.1.0',
    );
    const { ranks } = pruneHistory(history, { max: 10, explain: true });
    expect(ranks).toHaveLength(11);
    expect(ranks![0]!.terms).toEqual([
      { name: 'current', weight: 1000, counted: true },
      { name: 'newestCompleted', weight: 1000, counted: false },
      { name: 'final', weight: 1000, counted: false },
      { name: 'minorEdge', weight: 30, counted: false },
      { name: 'position', weight: 0, counted: true },
    ]);
    expect(ranks![5]).toEqual({
      index: 5,
      rank: -20 + -1.01 * 5,
      class: 'z-partial',
      reason: 'a partial update within a z-stream transition',
      terms: [
        { name: 'zPartial', weight: -20, counted: true },
        { name: 'position', weight: -1.01 * 5, counted: true },
      ],
    });
    expect(ranks![8]!.terms.map(({ name, counted }) => [name, counted])).toEqual([
      ['minorPartial', true],
      ['zPartial', false],
      ['position', true],
    ]);
    for (const { rank, terms } of ranks!) {
      expect(terms.reduce((sum, { weight, counted }) => (counted ? sum + weight : sum), 0)).toBe(rank);
    }
  });

  it('is there when nothing is removed, and not unless it is asked for', () => {
    const history = minors(3);
    const { kept, removed, ranks } = pruneHistory(history, { mode: 'fleet', explain: true });
    expect(kept).toBe(history);
    expect(removed).toEqual([]);
    expect(ranks!.map(({ index, rank }) => [index, rank])).toEqual([
      [0, 4000],
      [1, 1000 - 1.01],
      [2, 3000 - 2.02],
    ]);
    expect(pruneHistory(minors(12), { max: 10 })).not.toHaveProperty('ranks');
  });

  it('is of the given list, also when several go', () => {
    const { ranks, removed } = pruneHistory(minors(20), { max: 10, mode: 'fleet', explain: true });
    expect(ranks!.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(removed[9]).toMatchObject({ index: 9, rank: ranks![9]!.rank });
  });
});

describe('options that are none', () => {
  const criterion = HISTORY_RULES.cvo.criteria[0]!;

  it.each<[unknown, new () => Error, string]>([
    [{ max: 0 }, RangeError, 'max is 0, it must be an integer of 1 or more'],
    [{ max: -1 }, RangeError, 'max is -1, it must be an integer of 1 or more'],
    [{ max: 1.5 }, RangeError, 'max is 1.5, it must be an integer of 1 or more'],
    [{ max: Number.NaN }, RangeError, 'max is NaN, it must be an integer of 1 or more'],
    [{ max: '10' }, RangeError, 'max is "10", it must be an integer of 1 or more'],
    [{ mode: 'Fleet' }, TypeError, 'mode is "Fleet", it must be cvo or fleet'],
    [{ mode: 'constructor' }, TypeError, 'mode is "constructor", it must be cvo or fleet'],
    [{ weights: { minorEgde: 1 } }, TypeError, 'weights: there is no "minorEgde", did you mean minorEdge?'],
    [
      { weights: { something: 1 } },
      TypeError,
      'weights: there is no "something", known are current, initial, newestCompleted, final, minorEdge, minorPartial, zPartial, position',
    ],
    [{ weights: { zPartial: Number.NaN } }, RangeError, 'weights.zPartial is NaN, it must be finite'],
    [{ weights: { position: -Infinity } }, RangeError, 'weights.position is -Infinity, it must be finite'],
    [{ weights: { final: '1000' } }, TypeError, 'weights.final is "1000", it must be a number'],
    [{ weights: { final: null } }, TypeError, 'weights.final is null, it must be a number'],
    [{ criteria: [criterion, criterion] }, TypeError, 'criteria: there is more than one "current"'],
    [
      { criteria: [{ ...criterion, name: 'position' }] },
      TypeError,
      'criteria: position is the weight per place, not a name',
    ],
    [
      { criteria: [{ ...criterion, weight: Infinity }] },
      RangeError,
      'criteria: the weight of current is Infinity, it must be finite',
    ],
    [
      { criteria: [criterion], weights: { final: 1 } },
      TypeError,
      'weights: there is no "final", known are current, position',
    ],
  ])('%o', (options, kind, message) => {
    const prune = () => pruneHistory(minors(2), options as HistoryPruneOptions);
    expect(prune).toThrow(kind);
    expect(prune).toThrow(message);
  });

  it('an option that is undefined is not given', () => {
    const options = { max: undefined, mode: undefined, weights: { final: undefined }, criteria: undefined };
    expect(removedFrom(minors(101), options as unknown as HistoryPruneOptions)).toEqual([99]);
  });
});
