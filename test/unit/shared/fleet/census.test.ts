import type { AssessedUpgrade } from '@cairn/shared/fleet/assessment';
import { censusRow, countRows, fleetSummary, toTheMinute } from '@cairn/shared/fleet/census';
import { describe, expect, it } from 'vitest';
import { anOutlook } from '../../../helpers/cluster/outlooks.ts';
import { CALENDAR } from '../../../helpers/path/builders.ts';

const NOW = Date.parse('2026-11-17T12:00:30.000Z');
const HOUR = 3600_000;
const ago = (hours: number): string => new Date(NOW - hours * HOUR).toISOString();
const OPTIONS = { now: NOW, overdueAfterMs: 24 * HOUR, calendar: CALENDAR };

const aRow = (
  summary: { version?: string | null; updating?: boolean; updatedAt?: string } = {},
  outlook: Partial<AssessedUpgrade> | null = {},
) =>
  censusRow(
    { version: '4.14.20', updating: false, updatedAt: ago(1), ...summary },
    outlook && anOutlook(outlook),
  );

const ROWS = [
  aRow(),
  aRow({ version: '4.20.1', updating: true }, { verdict: 'blocked', blockers: ['A', 'B'] }),
  aRow({ version: '4.9.1', updatedAt: ago(30) }, { verdict: 'blocked', upcomingBlockers: ['B'] }),
  aRow({ version: null }, null),
  aRow({ version: '4.20.2' }, { newerPatch: '4.20.9' }),
];

describe('the fleet in numbers', () => {
  const expected = {
    clusters: 5,
    byMinor: [
      { minor: '4.20', clusters: 2 },
      { minor: '4.14', clusters: 1 },
      { minor: '4.9', clusters: 1 },
      { minor: null, clusters: 1 },
    ],
    byVerdict: {
      ready: 2,
      'ready-with-warnings': 0,
      'action-required': 0,
      blocked: 2,
      unknown: 0,
      pending: 1,
    },
    byBlocker: [
      { blocker: 'B', clusters: 2 },
      { blocker: 'A', clusters: 1 },
    ],
    overdue: 1,
    updating: 1,
    withNewerPatch: 1,
    unsupported: 2,
    oldestReportAt: ago(30),
  };

  it('counts by minor, verdict and what blocks', () => {
    expect(fleetSummary([countRows(ROWS)], OPTIONS)).toEqual(expected);
  });

  it('is the same in parts, with times to the minute', () => {
    const parts = [ROWS.slice(0, 2), [], ROWS.slice(2)].map((rows) => countRows(rows.map(toTheMinute)));
    const oldestReportAt = '2026-11-16T06:00:00.000Z';
    expect(fleetSummary(parts, OPTIONS)).toEqual({ ...expected, oldestReportAt });
  });

  it('does not grow with the clusters of a minute', () => {
    const sizeOf = (clusters: number) => {
      const rows = Array.from({ length: clusters }, (_, n) =>
        toTheMinute(aRow({ updatedAt: new Date(NOW + n).toISOString() })),
      );
      return JSON.stringify(countRows(rows)).length;
    };
    expect(sizeOf(900) - sizeOf(90)).toBeLessThan(10);
  });

  it('is all zero without clusters', () => {
    expect(fleetSummary([], OPTIONS)).toMatchObject({
      clusters: 0,
      byMinor: [],
      overdue: 0,
      oldestReportAt: null,
    });
  });
});
