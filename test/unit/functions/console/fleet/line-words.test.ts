import { describe, expect, it } from 'vitest';
import type { ClusterSummary } from '../../../../../functions/console/data/responses.ts';
import { supportEnd, verdictMark, wayInWords } from '../../../../../functions/console/fleet/rows.ts';
import { aLine } from './lines.ts';

describe('the verdict of a cluster', () => {
  it.each<[Partial<ClusterSummary>, words: string, why: string | null]>([
    [{}, 'Ready', null],
    [{ verdict: 'ready-with-warnings' }, 'Ready, with warnings', null],
    [
      { verdict: 'blocked', blockers: ['PoolsReady', 'AdminAcksCompleted'] },
      'Blocked',
      'Blocked by AdminAcksCompleted and PoolsReady',
    ],
    [
      { verdict: 'blocked', blockers: ['APIRemovals'], removedApis: ['a', 'b'] },
      'Blocked',
      'Blocked by APIRemovals. 2 APIs in use go away',
    ],
    [
      { verdict: 'action-required', removedApis: ['a'] },
      'Something to do on the way',
      '1 API in use goes away',
    ],
    [{ verdict: 'blocked', hops: null }, 'No path', null],
    [{ hops: 0 }, 'At its target', null],
    [{ verdict: null, hops: null }, 'Not looked at yet', 'It will be within minutes'],
    // Nobody will ever look at it as it is.
    [{ verdict: null, version: null }, 'Not looked at', 'It does not say which version it runs'],
  ])('%j', (changes, words, why) => {
    expect(verdictMark(aLine(changes))).toMatchObject({ words, why });
  });

  it('has a tone of its own where something is wrong', () => {
    expect(verdictMark(aLine({ verdict: 'blocked', hops: null })).tone).toBe('block');
    expect(verdictMark(aLine({ verdict: 'unknown' })).tone).toBe('cond');
    expect(verdictMark(aLine()).tone).toBe('ok');
    expect(verdictMark(aLine({ verdict: null })).tone).toBe('plain');
  });
});

it.each<[Partial<ClusterSummary>, words: string | null]>([
  [{ hops: 1, expectedMinutes: 90 }, '1 hop, about 90 min'],
  [{ hops: 3, expectedMinutes: 180.4 }, '3 hops, about 3 h'],
  [{ hops: 2, expectedMinutes: null }, '2 hops'],
  [{ hops: 0 }, null],
  [{ hops: null }, null],
])('says how far it is: %j', (changes, words) => {
  expect(wayInWords(aLine(changes))).toBe(words);
});

describe('the end of support', () => {
  it.each<[end: string | null, extended: string | null, expected: readonly (string | null)[] | null]>([
    [null, null, null],
    ['2027-04-21', null, [null, '2027-04-21']],
    // Extended support is not told of before it counts.
    ['2027-04-21', '2028-10-21', [null, '2027-04-21']],
    ['2027-02-16', null, [null, '2027-02-16']],
    ['2027-02-15', null, ['cond Ends in 90 days', '2027-02-15']],
    ['2026-11-18', '2028-02-25', ['cond Ends in 1 day', '2026-11-18']],
    ['2026-11-17', null, ['cond Ends today', '2026-11-17']],
    ['2026-11-16', null, ['block Ended', '2026-11-16']],
    ['2026-08-25', '2028-02-25', ['cond Only if extended', '2028-02-25']],
    ['2025-05-01', '2027-02-15', ['cond Extended ends in 90 days', '2027-02-15']],
    ['2025-05-01', '2026-11-17', ['cond Extended ends today', '2026-11-17']],
    ['2025-05-01', '2026-11-16', ['block Ended', '2026-11-16']],
  ])('%s, extended %s', (supportEnds, extendedSupportEnds, expected) => {
    const end = supportEnd({ supportEnds, extendedSupportEnds }, '2026-11-17');
    expect(end && [end.mark && `${end.mark.tone} ${end.mark.words}`, end.day]).toEqual(expected);
  });
});
