import type { ClusterSummary } from '../cluster/record.ts';
import type { SupportCalendar } from '../releases/lifecycle.ts';
import { CLUSTER_VERDICTS } from '../safety/values.ts';
import type { Verdict } from '../safety/verdict.ts';
import { compareMinors, type Minor, minorOf } from '../version/minor.ts';
import { parseVersion } from '../version/release-version.ts';
import type { AssessedUpgrade } from './assessment.ts';
import { blockersOnPath } from './cluster-row.ts';

/** What a cluster adds to the numbers of the fleet. */
export interface CensusRow {
  /** Null for a cluster that reports no version. */
  readonly minor: Minor | null;
  /** Null before the first assessment. */
  readonly verdict: Verdict | null;
  readonly blockers: readonly string[];
  readonly updating: boolean;
  readonly hasNewerPatch: boolean;
  /** Last report. */
  readonly reportedAt: string;
}

export function censusRow(
  { version, updating, updatedAt }: Pick<ClusterSummary, 'version' | 'updating' | 'updatedAt'>,
  outlook: AssessedUpgrade | null,
): CensusRow {
  const parsed = parseVersion(version ?? '');
  // Assessments of earlier versions have no lists of later hops.
  const { blockers = [], upcomingBlockers = [] } = outlook ?? {};
  return {
    minor: parsed && minorOf(parsed),
    verdict: outlook?.verdict ?? null,
    blockers: blockersOnPath({ blockers, upcomingBlockers }),
    updating,
    hasNewerPatch: (outlook?.newerPatch ?? null) !== null,
    reportedAt: updatedAt,
  };
}

type Counts = Readonly<Record<string, number>>;

/** Numbers of a part of the fleet, whose size does not depend on the number of its clusters. */
export interface CensusCounts {
  readonly clusters: number;
  /** An empty key for clusters without a version. */
  readonly minors: Counts;
  readonly verdicts: Counts;
  readonly blockers: Counts;
  readonly updating: number;
  readonly withNewerPatch: number;
  /** By the time of the last report. */
  readonly reports: Counts;
}

/** Characters of a time to the minute. */
const MINUTE = 16;

/** By minutes, the times of a fleet that reports hourly are few, however large it is. */
export function toTheMinute(row: CensusRow): CensusRow {
  return { ...row, reportedAt: `${new Date(row.reportedAt).toISOString().slice(0, MINUTE)}:00.000Z` };
}

export function countRows(rows: readonly CensusRow[]): CensusCounts {
  return {
    clusters: rows.length,
    minors: countBy(rows.map(({ minor }) => minor ?? '')),
    verdicts: countBy(rows.map(({ verdict }) => verdict ?? 'pending')),
    blockers: countBy(rows.flatMap(({ blockers }) => blockers)),
    updating: rows.filter(({ updating }) => updating).length,
    withNewerPatch: rows.filter(({ hasNewerPatch }) => hasNewerPatch).length,
    reports: countBy(rows.map(({ reportedAt }) => reportedAt)),
  };
}

export interface FleetSummary {
  readonly clusters: number;
  readonly byMinor: readonly { readonly minor: Minor | null; readonly clusters: number }[];
  /** `pending`: not assessed yet. */
  readonly byVerdict: Readonly<Record<Verdict | 'pending', number>>;
  /** Most frequent first. */
  readonly byBlocker: readonly { readonly blocker: string; readonly clusters: number }[];
  readonly overdue: number;
  readonly updating: number;
  readonly withNewerPatch: number;
  /** Clusters whose minor has ended, with the counted support terms. */
  readonly unsupported: number;
  readonly oldestReportAt: string | null;
}

export function fleetSummary(
  parts: readonly CensusCounts[],
  {
    now,
    overdueAfterMs,
    calendar,
  }: { readonly now: number; readonly overdueAfterMs: number; readonly calendar: SupportCalendar },
): FleetSummary {
  const total = (count: (part: CensusCounts) => number): number =>
    parts.reduce((sum, part) => sum + count(part), 0);
  const joined = (counts: (part: CensusCounts) => Counts): (readonly [string, number])[] => {
    const sums = new Map<string, number>();
    for (const [key, count] of parts.flatMap((part) => Object.entries(counts(part)))) {
      sums.set(key, (sums.get(key) ?? 0) + count);
    }
    return [...sums];
  };
  const sumOf = (counts: readonly (readonly [string, number])[]): number =>
    counts.reduce((sum, [, count]) => sum + count, 0);
  const minors = joined(({ minors: counts }) => counts);
  const verdicts = new Map(joined(({ verdicts: counts }) => counts));
  const reports = joined(({ reports: counts }) => counts);
  return {
    clusters: total(({ clusters }) => clusters),
    byMinor: minors
      .map(([minor, clusters]) => ({ minor: minor === '' ? null : (minor as Minor), clusters }))
      .toSorted((a, b) =>
        a.minor === null || b.minor === null
          ? Number(a.minor === null) - Number(b.minor === null)
          : compareMinors(b.minor, a.minor),
      ),
    byVerdict: Object.fromEntries(
      CLUSTER_VERDICTS.map((verdict) => [verdict, verdicts.get(verdict) ?? 0]),
    ) as FleetSummary['byVerdict'],
    byBlocker: joined(({ blockers }) => blockers)
      .map(([blocker, clusters]) => ({ blocker, clusters }))
      .toSorted((a, b) => b.clusters - a.clusters || (a.blocker < b.blocker ? -1 : 1)),
    overdue: sumOf(reports.filter(([at]) => now - Date.parse(at) > overdueAfterMs)),
    updating: total(({ updating }) => updating),
    withNewerPatch: total(({ withNewerPatch }) => withNewerPatch),
    unsupported: sumOf(
      minors.filter(([minor]) => minor !== '' && calendar(minor as Minor).phase === 'ended'),
    ),
    oldestReportAt: reports.map(([at]) => at).toSorted()[0] ?? null,
  };
}

function countBy(keys: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
}
