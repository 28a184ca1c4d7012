import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import type { ArchivedRemoval, HistoryArchive } from '@cairn/shared/prune/history/archive';
import {
  type EntryRank,
  pruneHistory,
  shownRank,
  shownRanking,
} from '@cairn/shared/prune/history/prune-history';
import { asText } from '@cairn/shared/text/as-text';
import { type Block, lines } from '@cairn/shared/text/blocks';
import { truncate } from '@cairn/shared/text/quote';
import { countInWords } from '@cairn/shared/text/words';

const LONGEST_NAME = 500;
const LONGEST_TEXT = 1000;

export type HistoryView = ReturnType<typeof historyView>;

/** Stored history of a cluster; `explain` adds the rank of each entry. */
export function historyView(
  id: string,
  { entries, removed }: HistoryArchive,
  { limit, explain }: { readonly limit: number; readonly explain: boolean },
) {
  const ranks = explain
    ? pruneHistory(entries, { max: limit, mode: 'fleet', explain: true }).ranks
    : undefined;
  const gaps = gapsIn(entries, removed.recent);
  return {
    id,
    limit,
    entries: entries.map((entry, index) => ({
      index,
      ...releaseView(entry),
      completionTime: entry.completionTime,
      verified: entry.verified,
      acceptedRisks: truncate(entry.acceptedRisks, LONGEST_TEXT),
      removedAfter: gaps.get(index) ?? 0,
      ...(ranks && rankView(ranks[index]!)),
    })),
    removed: {
      total: removed.total,
      recent: removed.recent.map((removal) => ({
        ...releaseView(removal),
        removedAt: removal.removedAt,
        rank: shownRank(removal.rank),
        class: removal.class,
        reason: removal.reason,
      })),
    },
  };
}

/** The history as a text table. */
export function historyAsText({ id, limit, entries, removed }: HistoryView): string {
  const isExplained = entries.some(({ rank }) => rank !== undefined);
  const header = ['#', 'VERSION', 'STATE', 'STARTED', 'ENDED', ...(isExplained ? ['RANK', 'BECAUSE'] : [])];
  const rows = entries.map((entry) => [
    String(entry.index),
    entry.version || entry.image,
    entry.state,
    entry.startedTime ?? '',
    entry.completionTime ?? '',
    ...(entry.rank === undefined ? [] : [String(entry.rank), entry.reason!]),
  ]);
  const gone = removed.recent.map((removal) => [
    removal.version || removal.image,
    removal.state,
    removal.startedTime ?? '',
    removal.removedAt,
    String(removal.rank),
    removal.reason,
  ]);
  const kept = `${id}: ${countInWords(entries.length, 'update')} kept of at most ${limit}, ${removed.total} removed`;
  return asText([
    lines(kept),
    { kind: 'table', header, rows, numbers: [0, 5] },
    ...(gone.length === 0 ? [] : goneBlocks(gone, removed.total)),
  ]);
}

function goneBlocks(rows: readonly (readonly string[])[], total: number): Block[] {
  const header = ['VERSION', 'STATE', 'STARTED', 'REMOVED', 'RANK', 'BECAUSE'];
  return [
    lines(rows.length < total ? `The last ${rows.length} that were removed` : 'Removed'),
    { kind: 'table', header, rows, numbers: [4] },
  ];
}

function releaseView({ state, version, image, startedTime }: ArchivedRemoval | HistoryEntry) {
  return {
    state,
    version: truncate(version, LONGEST_NAME),
    image: truncate(image, LONGEST_NAME),
    startedTime,
  };
}

function rankView(ranking: EntryRank) {
  const { rank, class: ofClass, reason, terms } = shownRanking(ranking);
  return { rank, class: ofClass, reason, terms };
}

/** Counts removed entries between each entry and the next older one: neighbors are not always consecutive updates. */
function gapsIn(
  entries: readonly HistoryEntry[],
  removals: readonly ArchivedRemoval[],
): ReadonlyMap<number, number> {
  const gaps = new Map<number, number>();
  for (const { startedTime } of removals) {
    const began = momentOf(startedTime);
    const newer = entries.findLastIndex((entry) => momentOf(entry.startedTime) >= began);
    if (newer !== -1) gaps.set(newer, (gaps.get(newer) ?? 0) + 1);
  }
  return gaps;
}

function momentOf(time: string | null): number {
  return time === null ? -Infinity : Date.parse(time);
}
