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
  /** Entries to keep, an integer of 1 or more; default 100. Below 8, protected entries can be removed. */
  readonly max?: number;
  /** `cvo`, the default, predicts the removals of a cluster, one per call; `fleet` prunes Cairn's archive. */
  readonly mode?: HistoryMode;
  /** Overrides by name. For `fleet`, weights of protected entries only order them among themselves. */
  readonly weights?: Partial<HistoryWeights>;
  /** Replaces the criteria of the mode. They keep their own weights unless `weights` names them. */
  readonly criteria?: readonly HistoryCriterion<E>[];
  readonly explain?: boolean;
}

export interface RemovedEntry<E> {
  readonly entry: E;
  /** In the given list. */
  readonly index: number;
  /** At the time of removal: earlier removals change it. */
  readonly rank: number;
  readonly class: HistoryClass;
  readonly reason: string;
}

export interface EntryRank {
  readonly index: number;
  readonly rank: number;
  readonly class: HistoryClass;
  readonly reason: string;
  /** All criteria that hold, in table order, then the position. The counted weights add up to the rank. */
  readonly terms: readonly { readonly name: string; readonly weight: number; readonly counted: boolean }[];
}

export interface HistoryPruning<E> {
  /** The given list itself if nothing was removed. */
  readonly kept: readonly E[];
  /** In order of removal. */
  readonly removed: readonly RemovedEntry<E>[];
  /** Before any removal; only with `explain`. */
  readonly ranks?: readonly EntryRank[];
}

const POSITION = 'position';

/**
 * Removes the lowest-ranked entries from a history, newest first, that exceeds `max`. A rank is the weight of the first
 * matching criterion plus the position weight. With `max` 10, of 4.11.0, 4.10.0, … 4.1.0, 4.2.0 is removed (index 9,
 * rank 30 - 9 × 1.01). `fleet` repeats, with new ranks, until `max` entries are left.
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
      // Avoids -0 for the newest entry.
      terms: [...terms, { name: POSITION, weight: 0 + table.position * index, counted: true }],
    };
  });
}

function remaining<E extends PrunableEntry>(ranking: HistoryRanking<E>): E[] {
  return Array.from({ length: ranking.length }, (_, index) => ranking.entry(index));
}

/** Rounds to six decimals, as the operator logs it: weights add up to values such as 14.950000000000001. */
export function shownRank(rank: number): number {
  return Math.round(rank * 1e6) / 1e6;
}

export function shownRanking(ranking: EntryRank): EntryRank {
  return {
    ...ranking,
    rank: shownRank(ranking.rank),
    terms: ranking.terms.map((term) => ({ ...term, weight: shownRank(term.weight) })),
  };
}
