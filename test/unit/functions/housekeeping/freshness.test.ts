import { beforeEach, describe, expect, it } from 'vitest';
import { countFreshness, freshnessOf } from '../../../../functions/housekeeping/freshness.ts';
import {
  EMPTY_STATE,
  type PairState,
  type RunRecord,
  type SyncState,
  syncStateCodec,
} from '../../../../functions/releases/sync-state.ts';
import { SYNC_STATE_KEY } from '../../../../functions/store/keys.ts';
import { acquireLease, finishLease } from '../../../../functions/store/leases.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { SYNC_LIMITS } from '../../../../functions/sync/run.ts';
import { newTable } from '../../../helpers/table/table.ts';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const MINUTE = 60_000;
const INTERVAL = 10 * MINUTE;

const ago = (minutes: number): string => new Date(NOW - minutes * MINUTE).toISOString();

/** A book with a pair for each time of the last good answer, in minutes before now; null for none ever. */
function book(lastSuccesses: readonly (number | null)[], runs: readonly number[] = [0]): SyncState {
  const states = lastSuccesses.map((minutes, index) => [
    `stable-4.${index}/amd64`,
    { lastSuccessAt: minutes === null ? null : ago(minutes), lastAttemptAt: ago(0) } as PairState,
  ]);
  return {
    ...EMPTY_STATE,
    pairs: Object.fromEntries(states),
    runs: runs.map((minutes) => ({ slot: ago(minutes) }) as RunRecord),
  };
}

describe('freshness', () => {
  it.each<[string, SyncState, number, number]>([
    ['of nothing followed', book([]), 0, 0],
    ['of what was just answered', book([0, 5, 10]), 10, 0],
    ['of the last two intervals', book([20, 0]), 20, 0],
    ['of one that waits longer', book([0, 21, 0]), 21, 1],
    ['of a sync that is dead', book([400, 401, 402]), 402, 3],
    ['of a pair that never had an answer', book([0, null], [0, 10, 20, 30]), 30, 1],
    ['of a pair of which not even a run is known', book([null], []), 0, 1],
    ['by a clock that is behind', book([-3]), 0, 0],
  ])('%s', (_name, state, minutes, stalePairs) => {
    expect(freshnessOf(state, NOW, INTERVAL)).toEqual({ stalestPairSeconds: minutes * 60, stalePairs });
  });

  it.each([
    ['long ago, which the runs that are remembered do not show', 7 * 60],
    ['just now, after many runs without it', 0],
  ])('of a pair without any answer that is followed since %s', (_name, minutes) => {
    const { runs } = book(
      [],
      Array.from({ length: SYNC_LIMITS.runsKept }, (_, index) => index * 10),
    );
    const state = { lastSuccessAt: null, followedSince: ago(minutes), lastAttemptAt: ago(0) } as PairState;
    const { stalestPairSeconds } = freshnessOf({ pairs: { 'stable-4.1/amd64': state }, runs }, NOW, INTERVAL);
    expect(stalestPairSeconds).toBe(minutes * 60);
  });

  it('of pairs that no run had time for yet counts from no time at all', () => {
    const unseen = { 'stable-4.1/amd64': { lastSuccessAt: null, lastAttemptAt: '' } as PairState };
    expect(freshnessOf({ pairs: unseen, runs: [] }, NOW, INTERVAL)).toEqual({
      stalestPairSeconds: 0,
      stalePairs: 1,
    });
  });

  it('goes by the longest interval that can be set', () => {
    expect(freshnessOf(book([2 * 1440]), NOW, 1440 * MINUTE).stalePairs).toBe(0);
    expect(freshnessOf(book([2 * 1440 + 1]), NOW, 1440 * MINUTE).stalePairs).toBe(1);
  });
});

describe('the reported freshness', () => {
  let table: Table;
  const counts: unknown[] = [];
  const tell = () =>
    countFreshness({ table, clock: () => NOW, count: (count) => void counts.push(count) }, INTERVAL);
  beforeEach(async () => {
    table = await newTable();
    counts.length = 0;
  });

  it('is nothing before the first sync', async () => {
    await tell();
    expect(counts).toEqual([]);
  });

  it('is that of the stored state, also while a sync is under way or has died', async () => {
    const slot = ago(60);
    const lease = { owner: 'a', now: NOW - 60 * MINUTE, durationMs: MINUTE };
    const first = await acquireLease(table, SYNC_STATE_KEY, { ...lease, slot });
    if (!first.acquired) throw new Error(first.reason);
    await finishLease(table, SYNC_STATE_KEY, first, syncStateCodec.pack(book([60])));
    await acquireLease(table, SYNC_STATE_KEY, { ...lease, slot: ago(50), now: NOW - 50 * MINUTE });
    await tell();
    expect(counts).toEqual([{ stalestPairSeconds: 3600, stalePairs: 1 }]);
  });
});
