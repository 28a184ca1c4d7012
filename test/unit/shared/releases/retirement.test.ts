import { planRetirement, RETIREMENT_GRACE_MS } from '@cairn/shared/releases/retirement';
import type { Minor } from '@cairn/shared/version/minor';
import { describe, expect, it } from 'vitest';

const NOW = '2026-11-20T12:00:00.000Z';
const LONG_AGO = '2026-11-01T00:00:00.000Z';
const YESTERDAY = '2026-11-19T12:00:00.000Z';
/** Exactly the grace time before now. */
const JUST_DUE = '2026-11-06T12:00:00.000Z';
const NOT_YET = '2026-11-06T12:00:00.001Z';

function rowsOf(minor: Minor, count: number) {
  return Array.from({ length: count }, (_, z) => ({
    version: `${minor}.${z}`,
    arch: 'amd64' as const,
    minor,
  }));
}

function plan(more: Partial<Parameters<typeof planRetirement>[0]>) {
  return planRetirement({
    configured: ['4.14', '4.15'],
    rows: [...rowsOf('4.12', 3), ...rowsOf('4.14', 10), ...rowsOf('4.15', 10)],
    retiredSince: new Map(),
    confirmed: [],
    pinnedVersions: new Set(),
    now: NOW,
    graceMs: RETIREMENT_GRACE_MS,
    ...more,
  });
}

describe('D9: absence starts a clock', () => {
  it('starts it now and deletes nothing', () => {
    expect(plan({})).toEqual({ retiredSince: new Map([['4.12', NOW]]), deletable: [], held: null });
  });

  it.each([
    [YESTERDAY, 0],
    [NOT_YET, 0],
    [JUST_DUE, 3],
    [LONG_AGO, 3],
    ['2027-01-01T00:00:00.000Z', 0],
    ['not a time', 0],
  ])('carries it on: out since %s, %i rows go', (since, count) => {
    const { retiredSince, deletable } = plan({ retiredSince: new Map([['4.12', since]]) });
    expect([...retiredSince]).toEqual([['4.12', since]]);
    expect(deletable).toEqual(rowsOf('4.12', count));
  });

  it('stops it when the minor comes back', () => {
    const back = plan({
      configured: ['4.12', '4.14', '4.15'],
      retiredSince: new Map([['4.12', LONG_AGO]]),
    });
    expect(back).toEqual({ retiredSince: new Map(), deletable: [], held: null });
  });

  it('forgets it once no row is left', () => {
    const rows = rowsOf('4.14', 10);
    expect(plan({ rows, retiredSince: new Map([['4.12', LONG_AGO]]) }).retiredSince).toEqual(new Map());
  });

  it('deletes at once with an explicit grace of zero', () => {
    expect(plan({ graceMs: 0 }).deletable).toHaveLength(3);
  });

  it.each([1, 3_600_000, 24 * 3_600_000 - 1, -1, Number.NaN, Infinity])(
    'refuses a grace of %d ms',
    (graceMs) => {
      expect(() => plan({ graceMs })).toThrow(RangeError);
    },
  );

  it.each([0, 24 * 3_600_000, RETIREMENT_GRACE_MS])('accepts a grace of %d ms', (graceMs) => {
    expect(() => plan({ graceMs })).not.toThrow();
  });
});

describe('D10: never by accident', () => {
  it('retires nothing when nothing is configured, and stops every clock', () => {
    const nothing = plan({ configured: [], retiredSince: new Map([['4.12', LONG_AGO]]), graceMs: 0 });
    expect(nothing).toEqual({ retiredSince: new Map(), deletable: [], held: null });
  });

  const twoGone = {
    rows: [...rowsOf('4.11', 1), ...rowsOf('4.12', 1), ...rowsOf('4.14', 98)],
    retiredSince: new Map<Minor, string>([
      ['4.11', LONG_AGO],
      ['4.12', LONG_AGO],
    ]),
  };
  it.each<[Minor[], number, Minor[] | null]>([
    [[], 0, ['4.11', '4.12']],
    [['4.11'], 0, ['4.12']],
    [['4.13', '4.12'], 0, ['4.11']],
    [['4.11', '4.12'], 2, null],
  ])('two minors at once, %j confirmed: %i rows go, %j are held', (confirmed, count, minors) => {
    const { deletable, held } = plan({ ...twoGone, confirmed });
    expect(deletable).toHaveLength(count);
    expect(held?.minors ?? null).toEqual(minors);
  });

  it('says how much is held and what to do', () => {
    expect(plan(twoGone).held?.reason).toBe(
      '2 of 100 releases (4.11, 4.12) would be deleted at once, name each of these minors in confirm_removal',
    );
  });

  it('lets minors go one after the other', () => {
    const retiredSince = new Map<Minor, string>([
      ['4.11', LONG_AGO],
      ['4.12', YESTERDAY],
    ]);
    expect(plan({ ...twoGone, retiredSince })).toMatchObject({ deletable: rowsOf('4.11', 1), held: null });
  });

  it.each<[number, Minor[], number]>([
    [20, [], 20],
    [21, [], 0],
    [21, ['4.12'], 21],
  ])('%i of 100 rows at once with %j confirmed: %i go', (gone, confirmed, count) => {
    const rows = [...rowsOf('4.12', gone), ...rowsOf('4.14', 100 - gone)];
    const { deletable, held } = plan({ rows, confirmed, retiredSince: new Map([['4.12', LONG_AGO]]) });
    expect(deletable).toHaveLength(count);
    expect(held === null).toBe(count > 0);
  });

  it('a confirmation does not shorten the grace time', () => {
    expect(plan({ confirmed: ['4.12'] }).deletable).toEqual([]);
  });
});

describe('D11: pinned versions stay', () => {
  it('on every architecture, and do not count as deleted', () => {
    const rows = [
      ...rowsOf('4.11', 1),
      ...rowsOf('4.12', 2),
      { version: '4.12.1', arch: 'multi' as const, minor: '4.12' as const },
      ...rowsOf('4.14', 97),
    ];
    const retiredSince = new Map<Minor, string>([
      ['4.11', LONG_AGO],
      ['4.12', LONG_AGO],
    ]);
    const pinnedVersions = new Set(['4.11.0', '4.12.1']);
    expect(plan({ rows, retiredSince, pinnedVersions })).toEqual({
      retiredSince,
      deletable: rowsOf('4.12', 1),
      held: null,
    });
  });
});
