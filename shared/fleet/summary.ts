import { CLUSTER_VERDICTS } from '../safety/values.ts';
import type { Verdict } from '../safety/verdict.ts';
import { compareMinors, type Minor } from '../version/minor.ts';
import type { ClusterLine } from './cluster-row.ts';

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
  /** Clusters whose minor is past all support terms. */
  readonly unsupported: number;
  readonly oldestReportAt: string | null;
}

export function fleetSummary(lines: readonly ClusterLine[], now: number): FleetSummary {
  const today = new Date(now).toISOString().slice(0, 10);
  const minors = countBy(lines.map(({ minor }) => minor));
  const blockers = countBy(lines.flatMap((line) => line.blockers));
  const verdicts = countBy(lines.map(({ verdict }) => verdict ?? 'pending'));
  const reports = lines.map(({ updatedAt }) => updatedAt).toSorted();
  const count = (is: (line: ClusterLine) => boolean): number => lines.filter(is).length;
  return {
    clusters: lines.length,
    byMinor: Array.from(minors, ([minor, clusters]) => ({ minor, clusters })).toSorted((a, b) =>
      a.minor === null || b.minor === null
        ? Number(a.minor === null) - Number(b.minor === null)
        : compareMinors(b.minor, a.minor),
    ),
    byVerdict: Object.fromEntries(
      CLUSTER_VERDICTS.map((verdict) => [verdict, verdicts.get(verdict) ?? 0]),
    ) as FleetSummary['byVerdict'],
    byBlocker: Array.from(blockers, ([blocker, clusters]) => ({ blocker, clusters })).toSorted(
      (a, b) => b.clusters - a.clusters || (a.blocker < b.blocker ? -1 : 1),
    ),
    overdue: count(({ overdue }) => overdue),
    updating: count(({ updating }) => updating),
    withNewerPatch: count(({ newerPatch }) => newerPatch !== null),
    unsupported: count((line) => (line.extendedSupportEnds ?? line.supportEnds ?? today) < today),
    oldestReportAt: reports[0] ?? null,
  };
}

function countBy<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
