import { isInFuture } from '@cairn/shared/time/future';
import { futureTimesIn, isStale, readSyncState, type SyncState } from '../releases/sync-state.ts';
import type { HousekeepingDependencies } from './run.ts';

export interface Freshness {
  /** Longest time that a pair has been without a good response. */
  readonly stalestPairSeconds: number;
  /** Pairs served as stale. */
  readonly stalePairs: number;
}

/** Emits the age of the served data. There is none before the first sync. */
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
 * A pair without any good response waits since it is followed, or at least since the oldest recorded run. A
 * time in the future proves nothing: the pair counts as just stale.
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
