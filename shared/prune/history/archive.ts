import type { HistoryEntry } from '../../cluster/facts.ts';
import { type HistoryClass, pruneHistory, type RemovedEntry } from './prune-history.ts';
import { identityOf, joinHistories } from './join.ts';

/** How many entries of the history of a cluster are kept. Below the least, what must stay would have to go. */
export const HISTORY_LIMIT = { default: 100, least: 8, most: 1000 } as const;

/** An entry that was removed from an archive, and why. */
export interface ArchivedRemoval extends Pick<HistoryEntry, 'state' | 'version' | 'image' | 'startedTime'> {
  readonly rank: number;
  readonly class: HistoryClass;
  readonly reason: string;
  readonly removedAt: string;
}

export interface RemovedHistory {
  /** All that were ever removed. */
  readonly total: number;
  /** The last that were, the newest removal first. */
  readonly recent: readonly ArchivedRemoval[];
}

/** What is known of the history of a cluster, longer than what the cluster itself keeps. */
export interface HistoryArchive {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly removed: RemovedHistory;
}

export interface ArchiveLimit {
  readonly max: number;
  /** When it is done, for what is removed. */
  readonly now: string;
}

export const EMPTY_ARCHIVE: HistoryArchive = { entries: [], removed: { total: 0, recent: [] } };

/** Twice what a cluster itself keeps, and so tells again and again. */
const MOST_REMOVALS = 200;

/**
 * The archive after a cluster told its history. Whatever was seen once stays, although the cluster has forgotten it; above
 * the limit the least telling entries go, by their rank. One that went does not come back while the archive is full, unless
 * it is now told to be completed: the cluster may go on telling it, and would push out another one each time.
 */
export function archiveHistory(
  former: HistoryArchive,
  told: readonly HistoryEntry[],
  limit: ArchiveLimit,
): HistoryArchive {
  const gone = new Map(former.removed.recent.map((removal) => [identityOf(removal), removal.state]));
  const isNews = (entry: HistoryEntry): boolean => {
    const state = gone.get(identityOf(entry));
    return state === undefined || (state === 'Partial' && entry.state === 'Completed');
  };
  const joined = joinHistories(former.entries, told.filter(isNews));
  const entries = joined.length < limit.max ? joinHistories(former.entries, told) : joined;
  return lowerHistory({ entries, removed: former.removed }, limit).archive;
}

/** The archive with at most so many entries, and what went for that. */
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
