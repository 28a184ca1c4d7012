import type { ClusterSummary } from '@cairn/shared/cluster/record';
import type { AssessedUpgrade } from '@cairn/shared/fleet/assessment';
import { clustersAsCsv, type ClusterFilter, clusterLine, isWanted } from '@cairn/shared/fleet/cluster-row';
import { describe, expect, it } from 'vitest';
import { anOutlook } from '../../../helpers/cluster/outlooks.ts';
import { CALENDAR } from '../../../helpers/path/builders.ts';

const NOW = Date.parse('2026-11-17T12:00:00.000Z');
const HOUR = 3600_000;
const ago = (hours: number): string => new Date(NOW - hours * HOUR).toISOString();

function aLine(
  id: string,
  summary: Partial<ClusterSummary> = {},
  outlook: Partial<AssessedUpgrade> | null = {},
  overdueAfterMs = 24 * HOUR,
) {
  const whole: ClusterSummary = {
    clusterId: 'uuid',
    version: '4.14.20',
    updating: false,
    channel: 'stable-4.14',
    nodes: 6,
    arches: ['amd64'],
    pausedPools: 0,
    historyEntries: 3,
    firstSeenAt: ago(500),
    updatedAt: ago(1),
    collectedAt: ago(1),
    ...summary,
  };
  const ahead = outlook && { outlook: anOutlook(outlook), since: ago(2) };
  return clusterLine({ id, update: null, ...whole }, ahead, { now: NOW, overdueAfterMs, calendar: CALENDAR });
}

describe('a cluster in the list', () => {
  it('shows the assessment, the end of support and the age of the report', () => {
    expect(aLine('prod')).toMatchObject({
      id: 'prod',
      minor: '4.14',
      verdict: 'ready',
      target: '4.15.7',
      nextHop: { from: '4.14.20', to: '4.15.7', risks: [] },
      hops: 1,
      expectedMinutes: 90,
      supportEnds: '2025-05-01',
      extendedSupportEnds: '2026-10-31',
      supportPhase: 'ended',
      reportAgeSeconds: 3600,
      overdue: false,
      outlookSince: ago(2),
    });
  });

  it('shows no assessment before the first one', () => {
    const line = aLine('prod', {}, null);
    expect(line).toMatchObject({ verdict: null, target: null, nextHop: null, hops: null, blockers: [] });
  });

  it('has no next hop and no number of them without a way, and none to go when it is there', () => {
    expect(aLine('a', {}, { path: null })).toMatchObject({ nextHop: null, hops: null });
    expect(aLine('a', {}, { path: [] })).toMatchObject({ nextHop: null, hops: 0 });
  });

  it.each([
    ['a minor newer than the table', '5.0.1', '5.0'],
    ['a minor older than the table', '4.6.1', '4.6'],
    ['what is no version', 'nightly', null],
    ['nothing', null, null],
  ])('that runs %s has no end of support', (_what, version, minor) => {
    expect(aLine('a', { version })).toMatchObject({ minor, supportEnds: null, extendedSupportEnds: null });
  });

  it('is overdue after a time that can be chosen', () => {
    const updatedAt = ago(5);
    expect(aLine('a', { updatedAt }, {}, 4 * HOUR).overdue).toBe(true);
    expect(aLine('a', { updatedAt }, {}, 5 * HOUR).overdue).toBe(false);
  });
});

describe('a filter', () => {
  const line = aLine('Prod-EU-1', {}, { verdict: 'blocked', blockers: ['PoolsReady'] });
  it.each<[ClusterFilter, boolean]>([
    [{}, true],
    [{ minors: ['4.13', '4.14'] }, true],
    [{ minors: ['4.15'] }, false],
    [{ channels: ['stable-4.14'] }, true],
    [{ channels: ['eus-4.14'] }, false],
    [{ verdicts: ['blocked', 'unknown'] }, true],
    [{ verdicts: ['ready'] }, false],
    [{ verdicts: ['pending'] }, false],
    [{ blocker: 'PoolsReady' }, true],
    [{ blocker: 'APIRemovals' }, false],
    [{ overdue: false }, true],
    [{ overdue: true }, false],
    [{ name: 'prod-eu' }, true],
    [{ name: 'us' }, false],
    [{ name: 'prod', minors: ['4.15'] }, false],
  ])('%j', (filter, expected) => {
    expect(isWanted(line, filter)).toBe(expected);
  });

  it('finds those that are not assessed yet', () => {
    expect(isWanted(aLine('a', {}, null), { verdicts: ['pending'] })).toBe(true);
  });
});

describe('a sheet of clusters', () => {
  it('has a row for each, and nothing that a spreadsheet would run', () => {
    const lines = [
      aLine('prod', { channel: '=HYPERLINK("x")' }, { blockers: ['A', 'B'], newerPatch: '4.14.30' }),
      aLine('-odd', { version: 'a,"b"\nc', channel: null, nodes: null }, null),
    ];
    const [header, ...rows] = clustersAsCsv(lines).split('\r\n');
    expect(header).toBe(
      'id,version,channel,verdict,target,next_hop,hops,newer_patch,blockers,upcoming_blockers,removed_apis,unsupported_stops,expected_minutes,support_ends,extended_support_ends,support_phase,nodes,paused_pools,updating,reported_at,overdue,cluster_id',
    );
    expect(rows).toEqual([
      `prod,4.14.20,"'=HYPERLINK(""x"")",ready,4.15.7,4.15.7,1,4.14.30,A B,,,,90,2025-05-01,2026-10-31,ended,6,0,no,${ago(1)},no,uuid`,
      `'-odd,"a,""b""\nc",,,,,,,,,,,,,,,,0,no,${ago(1)},no,uuid`,
      '',
    ]);
  });
});
