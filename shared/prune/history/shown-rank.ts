import type { EntryRank } from './prune-history.ts';

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
