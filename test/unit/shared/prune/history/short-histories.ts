import {
  HISTORY_RULES,
  type HistoryView,
  type HistoryMode,
  type PrunableEntry,
} from '@cairn/shared/prune/history/criteria';
import type { RemovedEntry } from '@cairn/shared/prune/history/prune-history';
import { HistoryRanking } from '@cairn/shared/prune/history/ranking';

const STATES: ReadonlyMap<string, string> = new Map([
  ['C', 'Completed'],
  ['P', 'Partial'],
  ['-', ''],
  ['x', 'completed'],
  ['y', 'Failed'],
]);

export function entryOf(letter: string, version: string): PrunableEntry {
  const state = STATES.get(letter);
  if (state === undefined) throw new Error(`there is no state "${letter}"`);
  return { state, version };
}

/** Entries as letters of their states and versions: `C4.6.3 P4.5.3 -4.4.0`. */
export function historyOf(text: string): PrunableEntry[] {
  return text.split(' ').map((word) => entryOf(word.slice(0, 1), word.slice(1)));
}

/** Completed updates to one minor after the other, newest first: `4.3.0, 4.2.0, 4.1.0` for three. */
export function minors(count: number): PrunableEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    state: 'Completed',
    version: `4.${count - index}.0`,
  }));
}

/** What criteria see of a history. */
export function viewOf(
  text: string,
  { max = 100, mode = 'cvo' }: { readonly max?: number; readonly mode?: HistoryMode } = {},
): HistoryView {
  const rules = HISTORY_RULES[mode];
  const table = { rules, criteria: [], weights: new Float64Array(0), position: 0, leastWeight: 0 };
  return new HistoryRanking(historyOf(text), table, max);
}

/** The line that the cluster version operator logs for an entry that it removed. */
export function cvoLogLine({ entry, index, rank, reason }: RemovedEntry<PrunableEntry>): string {
  return `Pruning ${reason} version ${entry.version} at index ${index} with rank ${rank.toFixed(6)}.`;
}
