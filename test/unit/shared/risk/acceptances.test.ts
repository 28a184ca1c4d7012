import {
  acceptanceEnd,
  acceptedRisks,
  endRefusal,
  namedRisks,
  type RiskAcceptance,
} from '@cairn/shared/risk/acceptances';
import { describe, expect, it } from 'vitest';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const anAcceptance = (changes: Partial<RiskAcceptance> = {}): RiskAcceptance => ({
  risk: 'A',
  reason: 'not used here',
  owner: 'platform',
  until: '2026-12-01T00:00:00.000Z',
  clusters: ['prod-1'],
  ...changes,
});
const accepted = (acceptances: readonly RiskAcceptance[], named?: readonly string[], now = NOW) =>
  Object.fromEntries(acceptedRisks('prod-1', { now, acceptances, named }));

describe('acceptances', () => {
  it('count for the clusters that they name, or for all', () => {
    const details = { reason: 'not used here', owner: 'platform', until: '2026-12-01T00:00:00.000Z' };
    expect(accepted([anAcceptance()])).toEqual({ A: details });
    expect(accepted([anAcceptance({ clusters: 'all' })])).toEqual({ A: details });
    expect(accepted([anAcceptance({ clusters: ['prod-10', 'prod'] })])).toEqual({});
  });

  it('count until their end, and no longer at that moment', () => {
    const end = Date.parse('2026-12-01T00:00:00.000Z');
    expect(Object.keys(accepted([anAcceptance()], [], end - 1))).toEqual(['A']);
    expect(accepted([anAcceptance()], [], end)).toEqual({});
  });

  it('are joined with the names in the settings, which have no owner and no end', () => {
    const none = { reason: null, owner: null, until: null };
    expect(accepted([], ['B'])).toEqual({ B: none });
    expect(accepted([anAcceptance()], ['A', 'B'])).toMatchObject({ A: { owner: 'platform' }, B: none });
    expect([...namedRisks(['B'])]).toEqual([['B', none]]);
  });

  it('of one risk give the one that ends last, in any order', () => {
    const both = [
      anAcceptance({ owner: 'late', until: '2026-12-31T00:00:00.000Z', clusters: 'all' }),
      anAcceptance({ owner: 'early' }),
      anAcceptance({ owner: 'expired', until: '2026-11-16T12:00:00.000Z' }),
    ];
    for (const acceptances of [both, both.toReversed()]) {
      expect(accepted(acceptances)).toMatchObject({ A: { owner: 'late' } });
    }
  });
});

describe('acceptances end', () => {
  it.each([
    ['2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31T12:00:00Z', '2026-12-31T12:00:00.000Z'],
    ['2026-12-31T12:00+02:00', '2026-12-31T10:00:00.000Z'],
    ['2028-02-29', '2028-03-01T00:00:00.000Z'],
  ])('at %s', (text, end) => {
    expect(new Date(acceptanceEnd(text)!).toISOString()).toBe(end);
  });

  it.each(['', 'tomorrow', '2026-13-01', '2026-02-30', '2026-02-30T00:00:00Z', '2026-12-31T12:00', '7d'])(
    'never at %o',
    (text) => {
      expect(acceptanceEnd(text)).toBeNull();
    },
  );

  it.each<[string, ReturnType<typeof endRefusal>]>([
    ['2026-11-15', 'past'],
    ['2026-11-16', null],
    ['2026-11-16T12:00:00Z', 'past'],
    ['2026-11-16T12:00:00.001Z', null],
    ['2027-11-16', null],
    ['2027-11-17', 'too-late'],
    ['2027-11-16T12:00:00Z', null],
    ['2027-11-16T12:00:00.001Z', 'too-late'],
  ])('between now and a year ahead: %s', (text, refusal) => {
    expect(endRefusal(text, NOW)).toBe(refusal);
  });
});
