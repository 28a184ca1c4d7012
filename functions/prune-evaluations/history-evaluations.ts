import {
  type EntryRank,
  type HistoryClass,
  type HistoryMode,
  type HistoryPruneOptions,
  pruneHistory,
  type RemovedEntry,
  shownRank,
  shownRanking,
} from '@cairn/shared/prune/history/prune-history';
import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import type { HistoryEvaluationRequest } from './prune-evaluation-requests.ts';
import { type SentEntry, sentHistories, type SentHistory } from './sent-histories.ts';

/** Of many histories so many removals are listed: an answer has to fit into what a Lambda may give. */
const MOST_LISTED = 10_000;

type RuleOptions = Required<Pick<HistoryPruneOptions, 'max' | 'mode' | 'weights'>>;

export interface HistoryVerdict {
  readonly mode: HistoryMode;
  readonly max: number;
  readonly kept: readonly unknown[];
  readonly removed: readonly (Omit<RemovedEntry<unknown>, 'entry'> & { readonly entry: unknown })[];
  readonly ranks: readonly (EntryRank & { readonly version: string; readonly state: string })[];
}

/** A removal among those of many histories. */
export interface ListedRemoval extends Omit<RemovedEntry<unknown>, 'entry'> {
  readonly version: string;
  readonly state: string;
}

export interface HistoriesVerdict {
  readonly mode: HistoryMode;
  readonly max: number;
  readonly evaluations: readonly {
    readonly name: string | null;
    readonly entries: number;
    readonly keptTotal: number;
    readonly removedTotal: number;
    readonly removed: readonly ListedRemoval[];
  }[];
  readonly summary: {
    readonly histories: number;
    readonly entries: number;
    readonly removed: number;
    readonly byClass: Readonly<Record<HistoryClass, number>>;
  };
}

/** What a history would lose, and why; for several the same in short. */
export function evaluateHistories(request: HistoryEvaluationRequest): HistoryVerdict | HistoriesVerdict {
  const { max = HISTORY_LIMIT.default, mode = 'cvo', weights = {} } = request;
  const histories = sentHistories(request);
  const options = { max, mode, weights: weights as RuleOptions['weights'] };
  return request.histories === undefined
    ? evaluateOne(histories[0]!, options)
    : evaluateMany(histories, options);
}

function evaluateOne({ entries }: SentHistory, options: RuleOptions): HistoryVerdict {
  const { kept, removed, ranks = [] } = pruneHistory(entries, { ...options, explain: true });
  return {
    mode: options.mode,
    max: options.max,
    kept: kept.map(({ sent }) => sent),
    removed: removed.map(({ entry, ...removal }) => ({
      ...removal,
      rank: shownRank(removal.rank),
      entry: entry.sent,
    })),
    ranks: ranks.map((ranking) => {
      const { index, ...rank } = shownRanking(ranking);
      const { version, state } = entries[index]!;
      return { index, version, state, ...rank };
    }),
  };
}

function evaluateMany(histories: readonly SentHistory[], options: RuleOptions): HistoriesVerdict {
  const byClass = { protected: 0, 'minor-edge': 0, 'minor-partial': 0, 'z-partial': 0, other: 0 };
  let total = 0;
  let goneInAll = 0;
  const evaluations = histories.map(({ name, entries }) => {
    const { kept, removed } = pruneHistory(entries, options);
    for (const removal of removed) byClass[removal.class]++;
    const listed = removed.slice(0, Math.max(0, MOST_LISTED - goneInAll)).map(listedRemoval);
    total += entries.length;
    goneInAll += removed.length;
    return {
      name,
      entries: entries.length,
      keptTotal: kept.length,
      removedTotal: removed.length,
      removed: listed,
    };
  });
  return {
    mode: options.mode,
    max: options.max,
    evaluations,
    summary: { histories: histories.length, entries: total, removed: goneInAll, byClass },
  };
}

function listedRemoval({ entry, ...removal }: RemovedEntry<SentEntry>): ListedRemoval {
  return { ...removal, rank: shownRank(removal.rank), version: entry.version, state: entry.state };
}
