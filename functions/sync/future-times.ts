import type { Absence } from '@cairn/shared/releases/retirement';
import { isInFuture } from '@cairn/shared/time/future';
import type { PairState, SyncBook } from '../releases/sync-state.ts';

/**
 * The book without what a wrong clock wrote, as nothing is known of when that was: the last answer of a pair counts as none,
 * and what lasts began with this slot. Otherwise a version would not be withdrawn and a held answer not be confirmed until
 * that time has come. When a minor was retired stays: rows may be kept too long, never too short.
 */
export function withoutFutureTimes(book: SyncBook, slot: string, now: number): SyncBook {
  const isFuture = (time: string | null | undefined): boolean => Boolean(time) && isInFuture(time!, now);
  const begun = (since: string): string => (isFuture(since) ? slot : since);
  const absence = ({ since, rounds, withdrawnAt }: Absence): Absence => ({
    since: begun(since),
    rounds,
    ...(withdrawnAt !== undefined && { withdrawnAt: begun(withdrawnAt) }),
  });
  const pair = (state: PairState): PairState => ({
    ...state,
    ...(isFuture(state.followedSince) && { followedSince: slot }),
    ...(isFuture(state.lastAttemptAt) && { lastAttemptAt: '' }),
    ...(isFuture(state.lastSuccessAt) && { lastSuccessAt: null }),
    ...(isFuture(state.lastChangeAt) && { lastChangeAt: null }),
    held: state.held && { ...state.held, since: begun(state.held.since) },
    missing: mapValues(state.missing, absence),
  });
  return { ...book, pairs: mapValues(book.pairs, pair) };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
