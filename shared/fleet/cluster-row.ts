import type { ClusterSummary } from '../cluster/record.ts';
import type { SupportCalendar } from '../releases/lifecycle.ts';
import type { SupportPhase } from '../releases/values.ts';
import type { Verdict } from '../safety/verdict.ts';
import { type Minor, minorOf } from '../version/minor.ts';
import { parseVersion } from '../version/release-version.ts';
import type { AssessedUpgrade, PlannedHop } from './assessment.ts';
import {
  type ListedUpdate,
  type StoredUpdateLine,
  updateInShort,
  type UpdateInShort,
} from './update-list.ts';

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
  upcoming_blockers: ({ upcomingBlockers }) => upcomingBlockers.join(' '),
  removed_apis: ({ removedApis }) => removedApis.join(' '),
  unsupported_stops: ({ unsupportedStops }) => unsupportedStops.join(' '),
  expected_minutes: ({ expectedMinutes }) => expectedMinutes,
  support_ends: ({ supportEnds }) => supportEnds,
  extended_support_ends: ({ extendedSupportEnds }) => extendedSupportEnds,
  support_phase: ({ supportPhase }) => supportPhase,
  nodes: ({ nodes }) => nodes,
  paused_pools: ({ pausedPools }) => pausedPools,
  updating: ({ updating }) => (updating ? 'yes' : 'no'),
  reported_at: ({ updatedAt }) => updatedAt,
  overdue: ({ overdue }) => (overdue ? 'yes' : 'no'),
  cluster_id: ({ clusterId }) => clusterId,
} as const satisfies CsvColumns<ClusterLine>;

export function clustersAsCsv(lines: readonly ClusterLine[]): string {
  return asCsv(COLUMNS, lines);
}

export interface ClusterLine extends ClusterSummary {
  readonly id: string;
  /** Null without an update under way or completed within a day. */
  readonly update: UpdateInShort | null;
  readonly minor: Minor | null;
  /** Null before the first assessment, like all fields up to `outlookSince`. */
  readonly verdict: Verdict | null;
  readonly target: string | null;
  readonly nextHop: PlannedHop | null;
  /** Updates to the target; null without a path. */
  readonly hops: number | null;
  readonly newerPatch: string | null;
  readonly blockers: readonly string[];
  readonly upcomingBlockers: readonly string[];
  readonly removedApis: readonly string[];
  readonly unsupportedStops: readonly string[];
  readonly expectedMinutes: number | null;
  readonly outlookSince: string | null;
  readonly supportEnds: string | null;
  readonly extendedSupportEnds: string | null;
  readonly supportPhase: SupportPhase | null;
  readonly reportAgeSeconds: number;
  readonly overdue: boolean;
}

export function clusterLine(
  {
    id,
    update,
    ...summary
  }: ClusterSummary & { readonly id: string; readonly update: StoredUpdateLine | null },
  ahead: { readonly outlook: AssessedUpgrade; readonly since: string } | null,
  {
    now,
    overdueAfterMs,
    calendar,
  }: { readonly now: number; readonly overdueAfterMs: number; readonly calendar: SupportCalendar },
): ClusterLine {
  const version = parseVersion(summary.version ?? '');
  const minor = version && minorOf(version);
  const support = minor && calendar(minor);
  const outlook = ahead?.outlook;
  const age = Math.max(0, now - Date.parse(summary.updatedAt));
  return {
    id,
    ...summary,
    update: updateInShort(update, now),
    minor,
    verdict: outlook?.verdict ?? null,
    target: outlook?.target ?? null,
    nextHop: outlook?.path?.[0] ?? null,
    hops: outlook?.path?.length ?? null,
    newerPatch: outlook?.newerPatch ?? null,
    blockers: outlook?.blockers ?? [],
    // Assessments of earlier versions have no lists of later hops.
    upcomingBlockers: outlook?.upcomingBlockers ?? [],
    removedApis: outlook?.removedApis ?? [],
    unsupportedStops: outlook?.unsupportedStops ?? [],
    expectedMinutes: outlook?.minutes?.expected ?? null,
    outlookSince: ahead?.since ?? null,
    supportEnds: support?.supportEnds ?? null,
    extendedSupportEnds: support?.extendedSupportEnds ?? null,
    supportPhase: support?.phase ?? null,
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
    (blocker === undefined || blockersOnPath(line).includes(blocker)) &&
    (overdue === undefined || line.overdue === overdue) &&
    (name === undefined || line.id.toLowerCase().includes(name.toLowerCase()))
  );
}

/** A list of work: later blockers count too. */
export function blockersOnPath({
  blockers,
  upcomingBlockers,
}: Pick<ClusterLine, 'blockers' | 'upcomingBlockers'>): readonly string[] {
  return [...new Set([...blockers, ...upcomingBlockers])];
}

const UPDATE_COLUMNS = {
  id: ({ id }) => id,
  state: ({ state }) => state,
  from: ({ from }) => from,
  to: ({ to }) => to,
  kind: ({ kind }) => kind,
  percent: ({ percent }) => percent,
  operators_updated: ({ operators }) => operators.updated,
  operators: ({ operators }) => operators.total,
  nodes_updated: ({ nodes }) => nodes.updated,
  nodes: ({ nodes }) => nodes.total,
  draining: ({ draining }) => draining,
  stuck: ({ stuck }) => stuck,
  worst_level: ({ worstLevel }) => worstLevel,
  attention: ({ attention }) => attention?.what ?? null,
  started_at: ({ startedAt }) => startedAt,
  last_progress_at: ({ lastProgressAt }) => lastProgressAt,
  completed_at: ({ completedAt }) => completedAt,
  likely_at: ({ forecast }) => forecast?.likelyAt ?? null,
  reported_at: ({ lastReportAt }) => lastReportAt,
} as const satisfies CsvColumns<ListedUpdate>;

export function updatesAsCsv(lines: readonly ListedUpdate[]): string {
  return asCsv(UPDATE_COLUMNS, lines);
}

/** Value of a row by the name of its column. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

export function asCsv<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  const values = Object.values(columns);
  return [Object.keys(columns), ...rows.map((row) => values.map((value) => value(row)))].map(csvRow).join('');
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
