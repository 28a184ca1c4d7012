import { csvRow } from './csv.ts';
import type { ClusterLine } from './cluster-line.ts';

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

/** Clusters for a spreadsheet. */
export function clustersAsCsv(lines: readonly ClusterLine[]): string {
  const header = csvRow(Object.keys(COLUMNS));
  const rows = lines.map((line) => csvRow(Object.values(COLUMNS).map((value) => value(line))));
  return [header, ...rows].join('');
}
