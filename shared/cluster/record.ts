import {
  type ArchivedRemoval,
  type ArchiveLimit,
  archiveHistory,
  EMPTY_ARCHIVE,
  type HistoryArchive,
  lowerHistory,
  type RemovedHistory,
} from '../prune/history/archive.ts';
import { truncate } from '../text/quote.ts';
import { isInFuture } from '../time/future.ts';
import { type ClusterFacts, type ClusterVersionFacts, REPORTED_KINDS, type ReportedKind } from './facts.ts';

/** What is known of a cluster from all that it reported. */
export interface ClusterRecord {
  /**
   * Of every kind what was collected last, but the history is all that was ever reported of it, within the limit.
   * `collectedAt` is when the oldest of what changes was collected, or the newest of the rest when nothing else is known.
   */
  readonly facts: ClusterFacts;
  /** When each kind was last collected, of those that were ever reported. */
  readonly collected: Readonly<Partial<Record<ReportedKind, string>>>;
  /** When each pool that is paused was first seen so. */
  readonly pausedSince: readonly { readonly pool: string; readonly since: string }[];
  /** When pools were collected, oldest first, the last 100 times: places a late report among those before it. */
  readonly poolsCollected: readonly string[];
  /** What went from the history because it was over the limit. */
  readonly removedHistory: RemovedHistory;
  readonly firstSeenAt: string;
  readonly updatedAt: string;
}

/** What an installation settled for good does not make a record old. */
const LASTING: ReadonlySet<ReportedKind> = new Set(['infrastructure', 'networkType']);

const MOST_TIMES_OF_POOLS = 100;

/**
 * The record after a report. Clusters report in pieces, so kinds that are not in it stay as they were, each with the time
 * it was collected; `forget` drops them instead, but not the history, which is of the cluster and not of a report. Of
 * another cluster nothing stays. The time of collection counts, not the order of arrival: a late report never replaces
 * what was collected after it.
 *
 * A record with nodes and pools, and then a report of nodes alone, gives the new nodes and the former pools.
 */
export function takeReport(
  former: ClusterRecord | null,
  facts: ClusterFacts,
  options: ReportOptions,
): ClusterRecord {
  const { now, historyLimit } = options;
  const collectedAt = facts.collectedAt ?? now;
  const isOther = former !== null && isOtherCluster(former, facts);
  if (isOther && isBefore(collectedAt, withoutFuture(former, collectedAt, now).collected.clusterVersion)) {
    return former;
  }
  const known = isOther || former === null ? null : withoutFuture(former, collectedAt, now);
  const { facts: kept, collected } = joinKinds(known, facts, collectedAt, options);
  const times = Object.entries(collected);
  const ages = times.filter(([kind]) => !LASTING.has(kind as ReportedKind));
  const history = historyAfter(known, facts.clusterVersion, { max: historyLimit, now });
  return {
    facts: {
      ...kept,
      clusterVersion: kept.clusterVersion && { ...kept.clusterVersion, history: history.entries },
      collectedAt: earliest(ages.map(([, at]) => at)) ?? latest(times.map(([, at]) => at)) ?? collectedAt,
    },
    collected,
    ...pausesAfter(known, facts, collectedAt),
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

/** A record as it was stored, perhaps before all was read that is now: of that nothing is known. */
export function withEveryKind(stored: ClusterRecord): ClusterRecord {
  const nothing = Object.fromEntries(REPORTED_KINDS.map((kind) => [kind, null]));
  const facts = { ...nothing, ...stored.facts };
  const nodes = facts.nodes?.map((node) => ({ ...node, problems: node.problems ?? [] })) ?? null;
  const { pools } = stored.collected;
  return {
    ...stored,
    facts: { ...facts, nodes },
    poolsCollected: stored.poolsCollected ?? (pools ? [pools] : []),
  };
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
  { forget, unchanged = [] }: ReportOptions,
) {
  const joined: Record<string, unknown> = {};
  const collected: Partial<Record<ReportedKind, string>> = {};
  const { collectedAt: _collectedAt, ...kinds } = facts;
  for (const kind of Object.keys(kinds) as ReportedKind[]) {
    const before = known?.collected[kind];
    const isLate = isBefore(at, before);
    const isReported = facts[kind] !== null && !isLate;
    const isKept = !isReported && before !== undefined && (!forget || isLate);
    joined[kind] = isReported ? facts[kind] : isKept ? known!.facts[kind] : null;
    const isConfirmed = isKept && !isLate && unchanged.includes(kind);
    const time = isReported || isConfirmed ? at : isKept ? before : undefined;
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

/** A clock that was ahead leaves times that no report would ever be after: they count as the time of this report. */
function withoutFuture(record: ClusterRecord, at: string, now: string): ClusterRecord {
  const isFuture = (time: string): boolean => isInFuture(time, Date.parse(now));
  const past = (time: string): string => (isFuture(time) ? at : time);
  const collected = Object.entries(record.collected).map(([kind, time]) => [kind, past(time)]);
  return {
    ...record,
    collected: Object.fromEntries(collected) as ClusterRecord['collected'],
    pausedSince: record.pausedSince.map((pause) => ({ ...pause, since: past(pause.since) })),
    poolsCollected: record.poolsCollected.filter((time) => !isFuture(time)),
  };
}

type Pauses = Pick<ClusterRecord, 'pausedSince' | 'poolsCollected'>;

/** A pause goes on while every report of pools shows it, and ends with the first that does not. */
function pausesAfter(known: ClusterRecord | null, { pools }: ClusterFacts, at: string): Pauses {
  const { pausedSince: former, poolsCollected: times } = known ?? { pausedSince: [], poolsCollected: [] };
  if (pools === null) return { pausedSince: former, poolsCollected: times };
  const paused = pools.filter((pool) => pool.paused).map(({ name }) => name);
  const since = new Map(former.map((pause) => [pause.pool, pause.since]));
  const pausedSince = isBefore(at, times.at(-1))
    ? former.map((pause) => ({ ...pause, since: sinceAfterLate(pause, paused, times, at) }))
    : paused.map((pool) => ({ pool, since: since.get(pool) ?? at }));
  const poolsCollected = [...new Set([...times, at])]
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
    .slice(-MOST_TIMES_OF_POOLS);
  return { pausedSince, poolsCollected };
}

/**
 * When a pause of now began, after a report from before. All reports since it began show it, and the one before does not:
 * so a late report moves the start back if none is in between, or forward to the next one if it shows no pause.
 */
function sinceAfterLate(
  { pool, since }: ClusterRecord['pausedSince'][number],
  paused: readonly string[],
  times: readonly string[],
  at: string,
): string {
  if (!paused.includes(pool)) return isBefore(at, since) ? since : times.find((time) => isBefore(at, time))!;
  const areAllKnown = times.length < MOST_TIMES_OF_POOLS || !isBefore(at, times[0]);
  const isBetween = (time: string): boolean => isBefore(at, time) && isBefore(time, since);
  return isBefore(at, since) && areAllKnown && !times.some(isBetween) ? at : since;
}

/** Times may be written with other offsets or fractions, so they are compared as moments; nothing is before no time. */
function isBefore(time: string, other: string | undefined): boolean {
  return other !== undefined && Date.parse(time) < Date.parse(other);
}

function earliest(times: readonly string[]): string | null {
  return times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

function latest(times: readonly string[]): string | null {
  return times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
}

/** A cluster in a line. */
export interface ClusterSummary {
  readonly clusterId: string | null;
  /** What is being reconciled, which is not always what was last completed. */
  readonly version: string | null;
  /** Whether the update to that version is under way. */
  readonly updating: boolean;
  readonly channel: string | null;
  /** Null when nodes were never reported. */
  readonly nodes: number | null;
  readonly arches: readonly string[];
  readonly pausedPools: number;
  /** How many updates of its history are kept. */
  readonly historyEntries: number;
  readonly firstSeenAt: string;
  readonly updatedAt: string;
  readonly collectedAt: string | null;
}

/** No identifier or version is as long; a longer text would not stay in a line. */
const LONGEST = 100;
/** There are five. */
const MOST_ARCHES = 10;

/** The record in a line, however much the documents that it was made from hold. */
export function summarizeCluster(record: ClusterRecord): ClusterSummary {
  const { facts, pausedSince, firstSeenAt, updatedAt } = record;
  const { clusterVersion, nodes } = facts;
  const arches = new Set((nodes ?? []).map(({ architecture }) => truncate(architecture, LONGEST)));
  return {
    clusterId: truncateOrNull(clusterVersion?.clusterId),
    version: truncateOrNull(clusterVersion?.desired.version),
    updating: clusterVersion?.history[0]?.state === 'Partial',
    channel: truncateOrNull(clusterVersion?.channel),
    nodes: nodes?.length ?? null,
    arches: [...arches]
      .filter((arch) => arch !== '')
      .toSorted()
      .slice(0, MOST_ARCHES),
    pausedPools: pausedSince.length,
    historyEntries: clusterVersion?.history.length ?? 0,
    firstSeenAt,
    updatedAt,
    collectedAt: facts.collectedAt,
  };
}

function truncateOrNull(text: string | null | undefined): string | null {
  return text ? truncate(text, LONGEST) : null;
}
