import type { HistoryEntry } from '../../cluster/facts.ts';
import { type HistoryClass, pruneHistory, type RemovedEntry } from './prune-history.ts';

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

type Begun = Pick<HistoryEntry, 'startedTime' | 'image'>;

/**
 * Two views of the history of one cluster as one, newest first: what either has, once. An entry is the same when it began
 * at the same time with the same image, and then has the most that was ever said of it: a completed update stays
 * completed. Of entries that began at the same time, those that are told come first, in their order.
 *
 * `4.16.2 Partial, 4.16.1 Completed` and then `4.16.2 Completed` alone is `4.16.2 Completed, 4.16.1 Completed`.
 */
export function joinHistories(
  known: readonly HistoryEntry[],
  told: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const former = byIdentity(known, new Map());
  const joined = byIdentity(told, former);
  for (const [identity, entry] of former) {
    if (!joined.has(identity)) joined.set(identity, entry);
  }
  return [...joined.values()].toSorted(newestFirst);
}

/** Each entry once, in their order, joined with what was known of it before. */
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

/** What makes an entry this one and no other. */
export function identityOf(entry: Begun): string {
  return `${momentOf(entry)} ${entry.image}`;
}

/** When it began; what does not tell it is taken to be the oldest. */
function momentOf({ startedTime }: Begun): number {
  return startedTime === null ? -Infinity : Date.parse(startedTime);
}

function newestFirst(a: HistoryEntry, b: HistoryEntry): number {
  const [one, other] = [momentOf(a), momentOf(b)];
  return one === other ? 0 : other - one;
}

function joinEntries(known: HistoryEntry, told: HistoryEntry): HistoryEntry {
  return {
    state: known.state === 'Completed' ? 'Completed' : told.state,
    version: told.version || known.version,
    image: known.image,
    startedTime: known.startedTime,
    completionTime: endOf(known, told),
    verified: known.verified || told.verified,
    acceptedRisks: told.acceptedRisks || known.acceptedRisks,
  };
}

/** The first that was told. That of an update given up is when the next one began, so a time of completion takes its place. */
function endOf(known: HistoryEntry, told: HistoryEntry): string | null {
  if (known.state === told.state) return known.completionTime ?? told.completionTime;
  const [completed, other] = known.state === 'Completed' ? [known, told] : [told, known];
  return completed.completionTime ?? other.completionTime;
}
