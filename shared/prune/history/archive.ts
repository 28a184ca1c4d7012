import type { HistoryEntry } from '../../cluster/facts.ts';
import { type HistoryClass, pruneHistory, type RemovedEntry } from './prune-history.ts';

/** Entries kept per cluster. Below `least`, protected entries would be removed. */
export const HISTORY_LIMIT = { default: 100, least: 8, most: 1000 } as const;

export interface ArchivedRemoval extends Pick<HistoryEntry, 'state' | 'version' | 'image' | 'startedTime'> {
  readonly rank: number;
  readonly class: HistoryClass;
  readonly reason: string;
  readonly removedAt: string;
}

export interface RemovedHistory {
  readonly total: number;
  /** Newest removal first. */
  readonly recent: readonly ArchivedRemoval[];
}

/** Cluster version history beyond the entries that the cluster itself keeps. */
export interface HistoryArchive {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly removed: RemovedHistory;
}

export interface ArchiveLimit {
  readonly max: number;
  /** Time recorded with removals. */
  readonly now: string;
}

export const EMPTY_ARCHIVE: HistoryArchive = { entries: [], removed: { total: 0, recent: [] } };

/** Twice the entries that a cluster keeps and reports again. */
const MOST_REMOVALS = 200;

/**
 * Merges a reported history. Entries stay after the cluster drops them; above the limit, the lowest ranks are removed.
 * A removed entry returns to a full archive only if it is now Completed: the cluster keeps reporting it, and each
 * return would remove another entry.
 */
export function archiveHistory(
  former: HistoryArchive,
  reported: readonly HistoryEntry[],
  limit: ArchiveLimit,
): HistoryArchive {
  const gone = new Map(former.removed.recent.map((removal) => [identityOf(removal), removal.state]));
  const isNew = (entry: HistoryEntry): boolean => {
    const state = gone.get(identityOf(entry));
    return state === undefined || (state === 'Partial' && entry.state === 'Completed');
  };
  const joined = joinHistories(former.entries, reported.filter(isNew));
  const entries = joined.length < limit.max ? joinHistories(former.entries, reported) : joined;
  return lowerHistory({ entries, removed: former.removed }, limit).archive;
}

export function lowerHistory(
  archive: HistoryArchive,
  { max, now }: ArchiveLimit,
): { readonly archive: HistoryArchive; readonly removed: readonly ArchivedRemoval[] } {
  const pruning = pruneHistory(archive.entries, { max, mode: 'fleet' });
  const isThere = new Set(pruning.kept.map(identityOf));
  const former = archive.removed.recent.filter((removal) => !isThere.has(identityOf(removal)));
  const isKnown = new Set(former.map(identityOf));
  const removed = pruning.removed
    .filter(({ entry }) => !isKnown.has(identityOf(entry)))
    .map((removal) => archivedRemoval(removal, now));
  const total = archive.removed.total + removed.length;
  const recent = [...removed, ...former].slice(0, MOST_REMOVALS);
  return { archive: { entries: pruning.kept, removed: { total, recent } }, removed };
}

function archivedRemoval(removal: RemovedEntry<HistoryEntry>, removedAt: string): ArchivedRemoval {
  const { entry, rank, class: ofClass, reason } = removal;
  const { state, version, image, startedTime } = entry;
  return { state, version, image, startedTime, rank, class: ofClass, reason, removedAt };
}

type Begun = Pick<HistoryEntry, 'startedTime' | 'image'>;

/**
 * Merges two histories, newest first. Entries with equal start time and image are one, and a Completed update stays
 * Completed. Entries with equal start times keep the reported order. `4.16.2 Partial, 4.16.1 Completed` and
 * `4.16.2 Completed` give `4.16.2 Completed, 4.16.1 Completed`.
 */
export function joinHistories(
  known: readonly HistoryEntry[],
  reported: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const former = byIdentity(known, new Map());
  const joined = byIdentity(reported, former);
  for (const [identity, entry] of former) {
    if (!joined.has(identity)) joined.set(identity, entry);
  }
  return [...joined.values()].toSorted(newestFirst);
}

function byIdentity(
  entries: readonly HistoryEntry[],
  before: ReadonlyMap<string, HistoryEntry>,
): Map<string, HistoryEntry> {
  const found = new Map<string, HistoryEntry>();
  for (const entry of entries) {
    const identity = identityOf(entry);
    const known = found.get(identity) ?? before.get(identity);
    found.set(identity, known ? joinEntries(known, entry) : entry);
  }
  return found;
}

/** Start time and image identify an entry. */
export function identityOf(entry: Begun): string {
  return `${momentOf(entry)} ${entry.image}`;
}

/** Entries without a start time count as oldest. */
function momentOf({ startedTime }: Begun): number {
  return startedTime === null ? -Infinity : Date.parse(startedTime);
}

function newestFirst(a: HistoryEntry, b: HistoryEntry): number {
  const [one, other] = [momentOf(a), momentOf(b)];
  return one === other ? 0 : other - one;
}

function joinEntries(known: HistoryEntry, reported: HistoryEntry): HistoryEntry {
  return {
    state: known.state === 'Completed' ? 'Completed' : reported.state,
    version: reported.version || known.version,
    image: known.image,
    startedTime: known.startedTime,
    completionTime: endOf(known, reported),
    verified: known.verified || reported.verified,
    acceptedRisks: reported.acceptedRisks || known.acceptedRisks,
  };
}

/** Prefers the Completed entry: the end of a Partial one is the start of the next update. Else the first time wins. */
function endOf(known: HistoryEntry, reported: HistoryEntry): string | null {
  if (known.state === reported.state) return known.completionTime ?? reported.completionTime;
  const [completed, other] = known.state === 'Completed' ? [known, reported] : [reported, known];
  return completed.completionTime ?? other.completionTime;
}
