import type { ClusterSummary } from '../cluster/record.ts';
import { SUPPORT_ENDS } from '../releases/support.ts';
import { CLUSTER_VERDICTS } from '../safety/values.ts';
import type { Verdict } from '../safety/verdict.ts';
import { compareMinors, type Minor, minorOf } from '../version/minor.ts';
import { parseVersion } from '../version/release-version.ts';
import type { AssessedUpgrade, PlannedHop } from './assessment.ts';

const COLUMNS = {
  id: ({ id }) => id,
  version: ({ version }) => version,
  channel: ({ channel }) => channel,
  verdict: ({ verdict }) => verdict,
  target: ({ target }) => target,
  next_hop: ({ nextHop }) => nextHop?.to ?? null,
  hops: ({ hops }) => hops,
  newer_patch: ({ newerPatch }) => newerPatch,
  blockers: ({ blockers }) => blockers.join(' '),
  removed_apis: ({ removedApis }) => removedApis.join(' '),
  expected_minutes: ({ expectedMinutes }) => expectedMinutes,
  support_ends: ({ supportEnds }) => supportEnds,
  extended_support_ends: ({ extendedSupportEnds }) => extendedSupportEnds,
  nodes: ({ nodes }) => nodes,
  paused_pools: ({ pausedPools }) => pausedPools,
  updating: ({ updating }) => (updating ? 'yes' : 'no'),
  reported_at: ({ updatedAt }) => updatedAt,
  overdue: ({ overdue }) => (overdue ? 'yes' : 'no'),
  cluster_id: ({ clusterId }) => clusterId,
} as const satisfies Readonly<Record<string, (line: ClusterLine) => string | number | null>>;

export function clustersAsCsv(lines: readonly ClusterLine[]): string {
  const header = csvRow(Object.keys(COLUMNS));
  const rows = lines.map((line) => csvRow(Object.values(COLUMNS).map((value) => value(line))));
  return [header, ...rows].join('');
}

export interface ClusterLine extends ClusterSummary {
  readonly id: string;
  readonly minor: Minor | null;
  /** Null before the first assessment, like all fields up to `outlookSince`. */
  readonly verdict: Verdict | null;
  readonly target: string | null;
  readonly nextHop: PlannedHop | null;
  /** Updates to the target; null without a path. */
  readonly hops: number | null;
  readonly newerPatch: string | null;
  readonly blockers: readonly string[];
  readonly removedApis: readonly string[];
  readonly expectedMinutes: number | null;
  readonly outlookSince: string | null;
  readonly supportEnds: string | null;
  readonly extendedSupportEnds: string | null;
  readonly reportAgeSeconds: number;
  readonly overdue: boolean;
}

export function clusterLine(
  id: string,
  summary: ClusterSummary,
  ahead: { readonly outlook: AssessedUpgrade; readonly since: string } | null,
  { now, overdueAfterMs }: { readonly now: number; readonly overdueAfterMs: number },
): ClusterLine {
  const version = parseVersion(summary.version ?? '');
  const minor = version && minorOf(version);
  const ends = minor === null ? undefined : SUPPORT_ENDS[minor];
  const outlook = ahead?.outlook;
  const age = Math.max(0, now - Date.parse(summary.updatedAt));
  return {
    id,
    ...summary,
    minor,
    verdict: outlook?.verdict ?? null,
    target: outlook?.target ?? null,
    nextHop: outlook?.path?.[0] ?? null,
    hops: outlook?.path?.length ?? null,
    newerPatch: outlook?.newerPatch ?? null,
    blockers: outlook?.blockers ?? [],
    removedApis: outlook?.removedApis ?? [],
    expectedMinutes: outlook?.minutes?.expected ?? null,
    outlookSince: ahead?.since ?? null,
    supportEnds: ends?.maintenance ?? null,
    extendedSupportEnds: ends?.extended ?? null,
    reportAgeSeconds: Math.floor(age / 1000),
    overdue: age > overdueAfterMs,
  };
}

/** Omitted fields match everything. */
export interface ClusterFilter {
  readonly minors?: readonly string[];
  readonly channels?: readonly string[];
  readonly verdicts?: readonly string[];
  readonly blocker?: string;
  readonly overdue?: boolean;
  /** Part of the identifier, case-insensitive. */
  readonly name?: string;
}

export function isWanted(line: ClusterLine, filter: ClusterFilter): boolean {
  const { minors, channels, verdicts, blocker, overdue, name } = filter;
  return (
    (minors === undefined || minors.includes(line.minor ?? '')) &&
    (channels === undefined || channels.includes(line.channel ?? '')) &&
    (verdicts === undefined || verdicts.includes(line.verdict ?? 'pending')) &&
    (blocker === undefined || line.blockers.includes(blocker)) &&
    (overdue === undefined || line.overdue === overdue) &&
    (name === undefined || line.id.toLowerCase().includes(name.toLowerCase()))
  );
}

/** Prefixes that a spreadsheet evaluates as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;

/** RFC 4180 row that is safe to open in a spreadsheet: `["a,b", "=1+1", 3]` → `"a,b",'=1+1,3\r\n`. */
function csvRow(values: readonly (string | number | null)[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
