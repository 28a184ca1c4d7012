import type { HistoryMode, PrunableEntry } from '@cairn/shared/prune/history/criteria';
import { pruneHistory } from '@cairn/shared/prune/history/prune-history';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../helpers/size.ts';
import { plainlyPruned, plainRanks } from './plain-ranking.ts';

const MODES: readonly HistoryMode[] = ['cvo', 'fleet'];
const VERSIONS = [
  '4.1.0',
  '4.1.1',
  '4.2.0',
  '4.2.1',
  '5.1.0',
  'v4.2.1',
  '4.2.1+a',
  '',
  '4',
  '4.2',
  'v4.7',
].concat(['4.12.0-rc.1', '4.12.0-rc.2', '4.12.0-ec.1', '4.12.0', '4.12.0-0.nightly-2022-10-05-053337']);

const entry = fc.record({
  state: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('Completed', 'Completed', 'Partial') },
    { weight: 1, arbitrary: fc.constantFrom('', 'completed') },
  ),
  version: fc.constantFrom(...VERSIONS),
});
const history = fc.array(entry, { minLength: 1, maxLength: 40, size: 'max' });
const max = fc.integer({ min: 1, max: 45 });

function frozen<E extends object>(entries: readonly E[]): readonly E[] {
  return Object.freeze(entries.map((each) => Object.freeze({ ...each })));
}

/** What must be there after a prune, of what was there before it; null when it is. */
function lostOf(before: readonly PrunableEntry[], after: readonly PrunableEntry[]): string | null {
  if (before.slice(0, 5).some((each, index) => after[index] !== each)) return 'one of the five newest';
  const newest = before.find(({ state }) => state === 'Completed');
  if (newest && !after.includes(newest)) return 'the newest completed';
  return after.at(-1) === before.at(-1) ? null : 'the installed release';
}

describe.each(MODES)('pruning any history, %s', (mode) => {
  it('removes what an independent ranking puts lowest, one after the other', () => {
    fc.assert(
      fc.property(history, max, (entries, limit) => {
        const given = frozen(entries);
        const { kept, removed, ranks } = pruneHistory(given, { max: limit, mode, explain: true });
        expect(kept).toEqual(plainlyPruned(given, limit, mode));
        const plain = plainRanks(given, limit, mode);
        for (const { index, rank, class: ofClass } of plain) {
          expect(ranks![index]).toMatchObject({ index, rank, class: ofClass });
        }
        const first = { ...plain[0], entry: given[plain[0]!.index] };
        expect(removed.slice(0, 1)).toMatchObject(given.length > limit ? [first] : []);
      }),
      { numRuns: sized(30, 300) },
    );
  });

  it('keeps order, length and entries, and changes nothing that is given', () => {
    fc.assert(
      fc.property(history, max, (entries, limit) => {
        const given = frozen(entries);
        const before = structuredClone(given);
        const { kept, removed } = pruneHistory(given, { max: limit, mode });
        expect(given).toEqual(before);
        const excess = Math.max(0, given.length - limit);
        expect(removed).toHaveLength(mode === 'cvo' ? Math.min(1, excess) : excess);
        const gone = new Set(removed.map(({ index }) => index));
        expect(kept).toEqual(given.filter((_, index) => !gone.has(index)));
        for (const { index, entry: each } of removed) expect(each).toBe(given[index]);
      }),
      { numRuns: sized(30, 300) },
    );
  });

  it('has nothing more to do once the limit is reached', () => {
    fc.assert(
      fc.property(history, max, (entries, limit) => {
        let kept: readonly PrunableEntry[] = entries;
        while (kept.length > limit) kept = pruneHistory(kept, { max: limit, mode }).kept;
        expect(pruneHistory(kept, { max: limit, mode })).toEqual({ kept, removed: [] });
      }),
      { numRuns: sized(20, 200) },
    );
  });

  it('keeps what is protected whenever there is room for it and one more', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 8, max: 20 }), (entries, limit) => {
        const { kept } = pruneHistory(entries, { max: limit, mode });
        // The operator finds the installed release only in a list that is no more than one too long.
        const isExpected = mode === 'fleet' || entries.length <= limit + 1;
        expect(lostOf(entries, kept)).toBeOneOf(isExpected ? [null] : [null, 'the installed release']);
      }),
      { numRuns: sized(20, 200) },
    );
  });

  it('ranks by any weights as if each entry had been read', () => {
    const weight = fc.integer({ min: -50, max: 50 });
    const weights = fc.record({
      minorEdge: weight,
      minorPartial: weight,
      zPartial: weight,
      final: weight,
      position: fc.integer({ min: -3, max: 3 }),
    });
    fc.assert(
      fc.property(history, weights, (entries, chosen) => {
        const options = { max: Math.max(1, entries.length - 1), mode, weights: chosen, explain: true };
        const { removed, ranks } = pruneHistory(entries, options);
        const isBehind = ({ class: ofClass }: { readonly class: string }): boolean =>
          mode === 'fleet' && ofClass === 'protected';
        const [lowest] = ranks!.toSorted(
          (a, b) =>
            Number(isBehind(a)) - Number(isBehind(b)) ||
            a.rank - b.rank ||
            (mode === 'fleet' ? b.index - a.index : a.index - b.index),
        );
        expect(removed.map(({ index }) => index)).toEqual(entries.length > 1 ? [lowest!.index] : []);
      }),
      { numRuns: sized(30, 300) },
    );
  });
});

const STEPS = 1000;

interface Observed {
  readonly minor: number;
  readonly patch: number;
}

/** Where a cluster goes next: mostly on in its minor, now and then to another one, back, or nowhere. */
function nextRelease({ minor, patch }: Observed, choice: number): Observed {
  if (choice < 50) return { minor, patch: patch + 1 };
  if (choice < 60) return { minor: minor + 1, patch: choice % 3 };
  if (choice < 65) return { minor: Math.max(1, minor - 1), patch };
  if (choice < 75) return { minor, patch: Math.max(0, patch - 1) };
  return { minor, patch };
}

interface RoundEntry extends PrunableEntry {
  readonly startedTime: string;
}

/** A round of the operator: it completes the newest entry, or puts the release it works on before it. */
function afterRound(
  entries: readonly RoundEntry[],
  version: string,
  isCompleted: boolean,
  startedTime: string,
): RoundEntry[] {
  const [newest, ...older] = entries;
  const isNewest = newest?.version === version;
  const state = isCompleted || (isNewest && newest.state === 'Completed') ? 'Completed' : 'Partial';
  return isNewest ? [{ ...newest, state }, ...older] : [{ version, state, startedTime }, ...entries];
}

describe.each(MODES)('a cluster that is updated again and again, %s', (mode) => {
  it(`keeps, for ${STEPS} rounds, the installed release, the five newest and the newest completed`, () => {
    const choices = fc.array(fc.nat(99), { minLength: STEPS, maxLength: STEPS });
    fc.assert(
      fc.property(choices, fc.integer({ min: 8, max: 100 }), (rounds, limit) => {
        let entries: readonly RoundEntry[] = [];
        let release: Observed = { minor: 1, patch: 0 };
        for (const [round, choice] of rounds.entries()) {
          release = nextRelease(release, choice);
          const version = `4.${release.minor}.${release.patch}`;
          const merged = afterRound(entries, version, choice % 3 !== 0, `round ${round}`);
          const { kept, removed } = pruneHistory(merged, { max: limit, mode });
          expect(lostOf(merged, kept)).toBeNull();
          expect(kept.length).toBe(Math.min(merged.length, limit));
          expect(removed.length).toBe(merged.length - kept.length);
          entries = kept;
        }
        expect(entries.at(-1)!.startedTime).toBe('round 0');
      }),
      { numRuns: sized(2, 8) },
    );
  });
});
