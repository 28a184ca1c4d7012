import { pruneHistory } from '@cairn/shared/prune/history/prune-history';
import { describe, expect, it } from 'vitest';
import { historyOf, minors } from './short-histories.ts';

describe('what is removed for a fleet', () => {
  const fleet = (text: string, max: number) => pruneHistory(historyOf(text), { max, mode: 'fleet' });

  it('goes on until the limit is reached, and keeps the installed release', () => {
    const { kept, removed } = pruneHistory(minors(130), { mode: 'fleet' });
    expect(kept).toHaveLength(100);
    expect(kept.at(-1)!.version).toBe('4.1.0');
    expect(removed.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, n) => 128 - n));
  });

  it('ranks anew after each removal', () => {
    // Without 4.3.2 there is a change of minor next to 4.3.1, and each that stays moves up.
    const { removed } = fleet('P4.9.0 P4.9.0 P4.9.0 P4.9.0 C4.9.0 C4.3.3 C4.3.2 C4.3.1 C4.1.0', 6);
    expect(removed).toMatchObject([
      { index: 6, class: 'other', rank: -1.01 * 6 },
      { index: 7, class: 'minor-edge', rank: 30 - 1.01 * 6 },
      { index: 5, class: 'minor-edge', rank: 30 - 1.01 * 5 },
    ]);
  });

  it('distinguishes majors', () => {
    const text = 'P5.2.0 P5.2.0 P5.2.0 P5.2.0 C5.2.0 C5.1.0 C4.1.0 C4.1.0 C4.0.0 C3.0.0';
    const at = (mode: 'cvo' | 'fleet') =>
      pruneHistory(historyOf(text), { max: 9, mode, explain: true }).ranks!.map((rank) => rank.class);
    expect(at('cvo')[6]).toBe('other');
    expect(at('fleet')[6]).toBe('minor-edge');
  });

  it('distinguishes pre-releases', () => {
    const text = 'C4.14.0 C4.13.2 C4.13.1 C4.13.0 C4.12.1 C4.12.0-rc.2 P4.12.0-rc.2 C4.12.0-rc.1 C4.11.0';
    const at = (mode: 'cvo' | 'fleet') =>
      pruneHistory(historyOf(text), { max: 8, mode, explain: true }).ranks!.map((rank) => rank.class);
    expect(at('cvo')[6]).toBe('other');
    expect(at('fleet')[6]).toBe('z-partial');
  });

  it.each([
    [7, '0 1 2 3 4 6 8', 'an older entry that marks no change of minor'],
    [6, '0 1 2 3 6 8', 'one of the five newest'],
    [5, '0 1 2 6 8', 'one of the five newest'],
    [4, '0 1 6 8', 'one of the five newest'],
    [3, '0 6 8', 'one of the five newest'],
    [2, '0 8', 'the newest completed update'],
    [1, '0', 'the installed release'],
  ])('leaves, with a limit of %i, the entries %s; the last to go is %s', (max, left, reason) => {
    const history = historyOf('P4.9.6 P4.9.5 P4.9.4 P4.9.3 P4.9.2 P4.9.1 C4.9.0 C4.9.0 C4.9.0');
    const { kept, removed } = pruneHistory(history, { max, mode: 'fleet' });
    expect(kept.map((entry) => history.indexOf(entry)).join(' ')).toBe(left);
    expect(removed.at(-1)!.reason).toBe(reason);
  });

  it('names what protects each protected entry', () => {
    const text = 'P4.9.6 P4.9.5 P4.9.4 P4.9.3 P4.9.2 P4.9.1 C4.9.0 C4.9.0 C4.9.0';
    const { ranks } = pruneHistory(historyOf(text), { mode: 'fleet', explain: true });
    expect(ranks!.map(({ reason, class: ofClass }) => `${ofClass}: ${reason}`)).toEqual([
      'protected: the current release',
      ...Array<string>(4).fill('protected: one of the five newest'),
      'other: an older entry that marks no change of minor',
      'protected: the newest completed update',
      'other: an older entry that marks no change of minor',
      'protected: the installed release',
    ]);
  });

  it('protects in a history of any length, where the number of the installed release is far below the others', () => {
    const middle = Array.from({ length: 4000 }, (_, index) => `C4.2.${4000 - index}`).join(' ');
    const history = historyOf(`P4.9.0 P4.9.1 P4.9.2 P4.9.3 P4.9.4 P4.9.5 ${middle} C4.1.0`);
    const { kept, removed } = pruneHistory(history, { max: 7, mode: 'fleet' });
    expect(kept.map((entry) => history.indexOf(entry))).toEqual([0, 1, 2, 3, 4, 6, 4006]);
    expect(removed).toHaveLength(4000);
    expect(removed.some((entry) => entry.class === 'protected')).toBe(false);
  });

  it('removes the older of two entries of the same rank, the operator the newer', () => {
    const history = minors(12);
    const weights = { position: 0 };
    expect(pruneHistory(history, { max: 11, mode: 'fleet', weights }).removed).toMatchObject([{ index: 10 }]);
    expect(pruneHistory(history, { max: 11, mode: 'cvo', weights }).removed).toMatchObject([{ index: 5 }]);
  });
});
