import { nearestName } from '../../text/nearest.ts';
import { quoteValue } from '../../text/quote.ts';
import {
  HISTORY_RULES,
  type HistoryClass,
  type HistoryCriterion,
  type HistoryMode,
  type HistoryWeights,
  type PrunableEntry,
} from './criteria.ts';
import { HistoryRanking, type RankingTable } from './ranking.ts';

export type {
  HistoryClass,
  HistoryCriterion,
  HistoryMode,
  HistoryView,
  HistoryWeights,
  PrunableEntry,
} from './criteria.ts';

export interface HistoryPruneOptions<E extends PrunableEntry = PrunableEntry> {
  /** How many entries may stay, 100 unless told; an integer of 1 or more. Below 8 protected entries may have to go. */
  readonly max?: number;
  /** `cvo`, the default, predicts what a cluster itself drops, one entry per call; `fleet` is for an archive of ours. */
  readonly mode?: HistoryMode;
  /** In place of those of the mode, by name. For `fleet`, those of protected entries only order these among themselves. */
  readonly weights?: Partial<HistoryWeights>;
  /** In place of those of the mode; their own weights hold unless `weights` names them. */
  readonly criteria?: readonly HistoryCriterion<E>[];
  readonly explain?: boolean;
}

export interface RemovedEntry<E> {
  readonly entry: E;
  /** In the given list. */
  readonly index: number;
  /** When it was removed: the removals before it moved it up. */
  readonly rank: number;
  readonly class: HistoryClass;
  readonly reason: string;
}

export interface EntryRank {
  readonly index: number;
  readonly rank: number;
  readonly class: HistoryClass;
  readonly reason: string;
  /** All that hold for it, in the order of the table, then its position. Those that count add up to the rank. */
  readonly terms: readonly { readonly name: string; readonly weight: number; readonly counted: boolean }[];
}

export interface HistoryPruning<E> {
  /** The given list itself when nothing was removed. */
  readonly kept: readonly E[];
  /** In the order of their removal. */
  readonly removed: readonly RemovedEntry<E>[];
  /** Of the given list, before any removal; with `explain` only. */
  readonly ranks?: readonly EntryRank[];
}

const POSITION = 'position';

/**
 * Takes the entries of least interest from a history, newest first, that is longer than it may be. Each entry has a rank,
 * the weight of the first criterion that holds for it plus that of its position, and the lowest goes: of eleven minors
 * 4.11.0, 4.10.0, … 4.1.0, with a `max` of 10, it is 4.2.0 (index 9, rank 30 - 9 × 1.01). `fleet` goes on until `max` are
 * left and ranks anew after each removal.
 */
export function pruneHistory<E extends PrunableEntry>(
  history: readonly E[],
  options: HistoryPruneOptions<NoInfer<E>> = {},
): HistoryPruning<E> {
  const { max = 100, explain = false } = options;
  if (!Number.isInteger(max) || max < 1) {
    throw new RangeError(`max is ${quoteValue(max)}, it must be an integer of 1 or more`);
  }
  const table = tableOf(options);
  const excess = Math.max(0, history.length - max);
  if (excess === 0 && !explain) return { kept: history, removed: [] };
  const ranking = new HistoryRanking(history, table, max);
  const ranks = explain ? ranksOf(ranking, table) : null;
  const removed: RemovedEntry<E>[] = [];
  for (let left = table.rules.oneOnly ? Math.min(excess, 1) : excess; left > 0; left--) {
    const index = ranking.lowest();
    const criterion = ranking.criterionOf(index);
    removed.push({
      entry: ranking.entry(index),
      index: ranking.originOf(index),
      rank: ranking.rankOf(index, criterion),
      class: ranking.classOf(criterion),
      reason: ranking.reasonOf(criterion),
    });
    ranking.remove(index);
  }
  const kept = removed.length === 0 ? history : remaining(ranking);
  return ranks === null ? { kept, removed } : { kept, removed, ranks };
}

function tableOf<E extends PrunableEntry>(options: HistoryPruneOptions<E>): RankingTable<E> {
  const { mode = 'cvo' } = options;
  if (!Object.hasOwn(HISTORY_RULES, mode)) {
    throw new TypeError(`mode is ${quoteValue(mode)}, it must be ${Object.keys(HISTORY_RULES).join(' or ')}`);
  }
  const rules = HISTORY_RULES[mode];
  const criteria: readonly HistoryCriterion<E>[] = options.criteria ?? rules.criteria;
  if (options.criteria !== undefined) checkCriteria(criteria);
  const given = givenWeights(options.weights ?? {}, criteria);
  const weights = Float64Array.from(criteria, ({ name, weight }) => given.get(name) ?? weight);
  const position = given.get(POSITION) ?? rules.position;
  const ranked = weights.filter((_, n) => !rules.protectedFirst || criteria[n]!.class !== 'protected');
  return { rules, criteria, weights, position, leastWeight: Math.min(0, ...ranked) };
}

function checkCriteria(criteria: readonly { readonly name: string; readonly weight: number }[]): void {
  const names = new Set<string>();
  for (const { name, weight } of criteria) {
    if (name === POSITION) throw new TypeError(`criteria: ${POSITION} is the weight per place, not a name`);
    if (names.has(name)) throw new TypeError(`criteria: there is more than one ${quoteValue(name)}`);
    names.add(name);
    checkWeight(`criteria: the weight of ${name}`, weight);
  }
}

function givenWeights(
  weights: Partial<HistoryWeights>,
  criteria: readonly { readonly name: string }[],
): ReadonlyMap<string, number> {
  const given = new Map<string, number>();
  for (const [name, weight] of Object.entries(weights)) {
    if (weight === undefined) continue;
    if (name !== POSITION && !criteria.some((criterion) => criterion.name === name)) {
      const known = [...criteria.map((criterion) => criterion.name), POSITION];
      const nearest = nearestName(name, known);
      const hint = nearest === null ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
      throw new TypeError(`weights: there is no ${quoteValue(name)}, ${hint}`);
    }
    checkWeight(`weights.${name}`, weight);
    given.set(name, weight);
  }
  return given;
}

function checkWeight(what: string, weight: unknown): void {
  if (typeof weight !== 'number')
    throw new TypeError(`${what} is ${quoteValue(weight)}, it must be a number`);
  if (!Number.isFinite(weight)) throw new RangeError(`${what} is ${weight}, it must be finite`);
}

function ranksOf<E extends PrunableEntry>(ranking: HistoryRanking<E>, table: RankingTable<E>): EntryRank[] {
  return Array.from({ length: ranking.length }, (_, index) => {
    const counted = ranking.criterionOf(index);
    const terms = table.criteria.flatMap((criterion, number) =>
      criterion.holds(index, ranking)
        ? [{ name: criterion.name, weight: table.weights[number]!, counted: number === counted }]
        : [],
    );
    return {
      index,
      rank: ranking.rankOf(index, counted),
      class: ranking.classOf(counted),
      reason: ranking.reasonOf(counted),
      // Not -0 for the newest entry.
      terms: [...terms, { name: POSITION, weight: 0 + table.position * index, counted: true }],
    };
  });
}

function remaining<E extends PrunableEntry>(ranking: HistoryRanking<E>): E[] {
  return Array.from({ length: ranking.length }, (_, index) => ranking.entry(index));
}

/** A rank for people: weights are decimals, which add up to 14.950000000000001. Six of them, as the operator logs it. */
export function shownRank(rank: number): number {
  return Math.round(rank * 1e6) / 1e6;
}

/** The same of a rank with its terms. */
export function shownRanking(ranking: EntryRank): EntryRank {
  return {
    ...ranking,
    rank: shownRank(ranking.rank),
    terms: ranking.terms.map((term) => ({ ...term, weight: shownRank(term.weight) })),
  };
}
