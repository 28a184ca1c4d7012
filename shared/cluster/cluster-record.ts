import {
  type ArchivedRemoval,
  type ArchiveLimit,
  archiveHistory,
  EMPTY_ARCHIVE,
  type HistoryArchive,
  lowerHistory,
  type RemovedHistory,
} from '../prune/history/archive.ts';
import type { ClusterFacts, ClusterVersionFacts } from './facts.ts';

/** What is read of a cluster, by kind: each may be reported on its own. */
export const REPORTED_KINDS = [
  'clusterVersion',
  'clusterOperators',
  'nodes',
  'pools',
  'operators',
  'subscriptions',
  'apiUse',
  'adminGates',
  'adminAcks',
  'infrastructure',
  'networkType',
  'podsPerNode',
] as const satisfies readonly Exclude<keyof ClusterFacts, 'collectedAt'>[];
export type ReportedKind = (typeof REPORTED_KINDS)[number];

/** What is known of a cluster from all that it reported. */
export interface ClusterRecord {
  /**
   * Of every kind the last that was reported, but the history is all that was ever reported of it, within the limit.
   * `collectedAt` is when the oldest of what changes was collected.
   */
  readonly facts: ClusterFacts;
  /** When each kind was last collected, of those that were ever reported. */
  readonly collected: Readonly<Partial<Record<ReportedKind, string>>>;
  /** When each pool that is paused was first seen so. */
  readonly pausedSince: readonly { readonly pool: string; readonly since: string }[];
  /** What went from the history because it was over the limit. */
  readonly removedHistory: RemovedHistory;
  readonly firstSeenAt: string;
  readonly updatedAt: string;
}

/** What an installation settled for good does not make a record old. */
const LASTING: ReadonlySet<ReportedKind> = new Set(['infrastructure', 'networkType']);

/**
 * The record after a report. Clusters report in pieces, so kinds that are not in it stay as they were, each with the time
 * it was collected; `forget` drops them instead, but not the history, which is of the cluster and not of a report. Of
 * another cluster nothing stays.
 *
 * A record with nodes and pools, and then a report of nodes alone, gives the new nodes and the former pools.
 */
export function takeReport(
  former: ClusterRecord | null,
  facts: ClusterFacts,
  options: ReportOptions,
): ClusterRecord {
  const { now, forget, historyLimit, unchanged = [] } = options;
  const known = former !== null && !isOtherCluster(former, facts) ? former : null;
  const collectedAt = facts.collectedAt ?? now;
  const { facts: kept, collected } = joinKinds(forget ? null : known, facts, collectedAt, unchanged);
  const ages = Object.entries(collected).filter(([kind]) => !LASTING.has(kind as ReportedKind));
  const history = historyAfter(known, facts.clusterVersion, { max: historyLimit, now });
  return {
    facts: {
      ...kept,
      clusterVersion: kept.clusterVersion && { ...kept.clusterVersion, history: history.entries },
      collectedAt: earliest(ages.map(([, at]) => at)) ?? collectedAt,
    },
    collected,
    pausedSince: pausesAfter(known, facts, collectedAt),
    removedHistory: history.removed,
    firstSeenAt: known?.firstSeenAt ?? now,
    updatedAt: now,
  };
}

export interface ReportOptions {
  readonly now: string;
  readonly forget: boolean;
  readonly historyLimit: number;
  /** Kinds that are still as they were last reported, though they are not in the documents. */
  readonly unchanged?: readonly ReportedKind[];
}

/** A record as it was stored, perhaps before all kinds were read that are now: of those nothing is known. */
export function withEveryKind(stored: ClusterRecord): ClusterRecord {
  const nothing = Object.fromEntries(REPORTED_KINDS.map((kind) => [kind, null]));
  return { ...stored, facts: { ...nothing, ...stored.facts } };
}

/** The record with a history of at most so many entries, and what went for that; the same one when it has no more. */
export function withinHistoryLimit(
  record: ClusterRecord,
  limit: ArchiveLimit,
): { readonly record: ClusterRecord; readonly removed: readonly ArchivedRemoval[] } {
  const { clusterVersion } = record.facts;
  if (clusterVersion === null || clusterVersion.history.length <= limit.max) return { record, removed: [] };
  const { archive, removed } = lowerHistory(archiveOf(record), limit);
  const facts = { ...record.facts, clusterVersion: { ...clusterVersion, history: archive.entries } };
  return { record: { ...record, facts, removedHistory: archive.removed }, removed };
}

/** The history of a cluster, with what went from it. */
export function archiveOf({ facts, removedHistory }: ClusterRecord): HistoryArchive {
  // Records that were stored before there was an archive do not have it.
  const removed = (removedHistory as RemovedHistory | undefined) ?? EMPTY_ARCHIVE.removed;
  return { entries: facts.clusterVersion?.history ?? [], removed };
}

/** Whether a report is of another cluster than the record, as far as both say which they are of. */
export function isOtherCluster(former: ClusterRecord, { clusterVersion }: ClusterFacts): boolean {
  const known = former.facts.clusterVersion?.clusterId ?? null;
  const reported = clusterVersion?.clusterId ?? null;
  return known !== null && reported !== null && known !== reported;
}

function joinKinds(
  known: ClusterRecord | null,
  facts: ClusterFacts,
  at: string,
  unchanged: readonly ReportedKind[],
) {
  const joined: Record<string, unknown> = {};
  const collected: Partial<Record<ReportedKind, string>> = {};
  const { collectedAt: _collectedAt, ...kinds } = facts;
  for (const kind of Object.keys(kinds) as ReportedKind[]) {
    const isReported = facts[kind] !== null;
    joined[kind] = isReported ? facts[kind] : (known?.facts[kind] ?? null);
    const isConfirmed = unchanged.includes(kind) && known?.collected[kind] !== undefined;
    const time = isReported || isConfirmed ? at : known?.collected[kind];
    if (time !== undefined) collected[kind] = time;
  }
  return { facts: joined as unknown as Omit<ClusterFacts, 'collectedAt'>, collected };
}

function historyAfter(
  known: ClusterRecord | null,
  clusterVersion: ClusterVersionFacts | null,
  limit: ArchiveLimit,
): HistoryArchive {
  const former = known ? archiveOf(known) : EMPTY_ARCHIVE;
  return clusterVersion === null ? former : archiveHistory(former, clusterVersion.history, limit);
}

/** A pause goes on while every report of pools shows it, and ends with the first that does not. */
function pausesAfter(
  known: ClusterRecord | null,
  { pools }: ClusterFacts,
  at: string,
): ClusterRecord['pausedSince'] {
  const former = known?.pausedSince ?? [];
  if (pools === null) return former;
  const since = new Map(former.map((pause) => [pause.pool, pause.since]));
  return pools
    .filter(({ paused }) => paused)
    .map(({ name }) => ({ pool: name, since: since.get(name) ?? at }));
}

/** Times may be written with other offsets or fractions, so they are compared as moments. */
function earliest(times: readonly string[]): string | null {
  return times.reduce<string | null>(
    (first, time) => (first === null || Date.parse(time) < Date.parse(first) ? time : first),
    null,
  );
}
