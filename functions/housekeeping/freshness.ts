import { isInFuture } from '@cairn/shared/time/future';
import { futureTimesIn, isStale, readSyncState, type SyncState } from '../releases/sync-state.ts';
import type { HousekeepingDependencies } from './run.ts';

export interface Freshness {
  /** How long the pair that waits longest has had no good answer. */
  readonly stalestPairSeconds: number;
  /** Pairs that are served as stale. */
  readonly stalePairs: number;
}

/** Tells how old the served data is. Before the first sync there is none. */
export async function countFreshness(
  { table, clock, count }: Pick<HousekeepingDependencies, 'table' | 'clock' | 'count'>,
  syncIntervalMs: number,
): Promise<void> {
  const state = await readSyncState(table);
  if (state === null) return;
  const now = clock();
  const future = futureTimesIn(state, now).length;
  count({ ...freshnessOf(state.book, now, syncIntervalMs), ...(future > 0 && { futureTimes: future }) });
}

/**
 * A pair that never had a good answer has waited since it is followed. Where that is not known, it is since the oldest run
 * that is remembered, or longer. Of a time in the future nothing follows: the pair counts as just stale.
 */
export function freshnessOf(
  { pairs, runs }: Pick<SyncState, 'pairs' | 'runs'>,
  now: number,
  syncIntervalMs: number,
): Freshness {
  const states = Object.values(pairs);
  const oldestRun = runs.at(-1)?.slot;
  const waits = states.map(({ lastSuccessAt, followedSince, lastAttemptAt }) => {
    const since = Date.parse(lastSuccessAt ?? followedSince ?? oldestRun ?? lastAttemptAt);
    if (isInFuture(since, now)) return 2 * syncIntervalMs;
    return Number.isNaN(since) ? 0 : now - since;
  });
  return {
    stalestPairSeconds: Math.round(Math.max(0, ...waits) / 1000),
    stalePairs: states.filter((state) => isStale(state, now, syncIntervalMs)).length,
  };
}
