import { asCsv, type CsvColumns } from '@cairn/shared/fleet/cluster-row';
import { isAlways } from '@cairn/shared/path/question';
import type { RiskAnswer } from '@cairn/shared/risk/cluster-risks';
import type { Exposure } from '@cairn/shared/risk/exposure';
import type { IndexedRisk } from '@cairn/shared/risk/risk-index';
import type { Output } from '../runtime/lazy.ts';
import type { RiskClusters } from './schema.ts';

/** All definitions of a name as one risk, with the newest text. */
export function riskView(definitions: readonly IndexedRisk[], clusters: Exposure) {
  const byAge = definitions.toSorted((a, b) => (a.firstSeenAt < b.firstSeenAt ? -1 : 1));
  const { name, url, message } = byAge.at(-1)!;
  const pairs = definitions.flatMap(({ places }) => places.map(({ pair }) => pair));
  return {
    name,
    url,
    message,
    firstSeen: byAge[0]!.firstSeenAt,
    channels: [...new Set(pairs)].toSorted(),
    rule: definitions.some(isAlways) ? ('always' as const) : ('query' as const),
    clusters,
  };
}

/** A stored answer can have fields of another version of Cairn. */
export function verdictView(answer: RiskAnswer): RiskAnswer {
  const { applies, decidedBy, asOf, source, assumes, possible, reason } = answer;
  const { unsupported, missing, askedTooLongAgo, notes } = answer;
  return {
    applies,
    decidedBy,
    asOf,
    source,
    ...(assumes && { assumes }),
    ...(possible && { possible }),
    ...(reason && { reason }),
    ...(unsupported !== undefined && { unsupported }),
    ...(missing && { missing }),
    ...(askedTooLongAgo && { askedTooLongAgo }),
    ...(notes && { notes }),
  };
}

export type RiskClusterLine = Output<typeof RiskClusters>['clusters'][number];

const COLUMNS = {
  id: ({ id }) => id,
  version: ({ version }) => version,
  applies: ({ applies }) => applies,
  accepted: ({ accepted }) => (accepted ? 'yes' : 'no'),
  on_planned_path: ({ onPlannedPath }) => (onPlannedPath ? 'yes' : 'no'),
  decided_by: ({ decidedBy }) => decidedBy.join('; '),
  reason: ({ reason }) => reason ?? null,
  missing: ({ missing }) => missing?.map(({ metric }) => metric).join(' ') ?? null,
  as_of: ({ asOf }) => asOf,
} as const satisfies CsvColumns<RiskClusterLine>;

export function riskClustersAsCsv(lines: readonly RiskClusterLine[]): string {
  return asCsv(COLUMNS, lines);
}
