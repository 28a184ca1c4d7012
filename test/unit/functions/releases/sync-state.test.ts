import { beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_STATE, readSyncState, syncStateCodec } from '../../../../functions/releases/sync-state.ts';
import { SYNC_STATE_KEY } from '../../../../functions/store/keys.ts';
import {
  acquireLease,
  breakLease,
  finishLease,
  isLeaseHeld,
  recordSkip,
  releaseLease,
} from '../../../../functions/store/leases.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';

const MINUTE = 60_000;
const T1 = '1970-01-01T00:01:00.000Z';
const T2 = '1970-01-01T00:02:00.000Z';

const doneOf = (slot: string) => ({ finishedSlot: slot, doneRuns: [slot] });

describe.each(tableEngines)('sync state on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    table = await newTable(url);
  });
  const acquire = (slot: string, now = 0, owner = `owner of ${slot} at ${now}`) =>
    acquireLease(table, SYNC_STATE_KEY, { slot, owner, now, durationMs: 8 * MINUTE });
  const finish = (slot: string, state = EMPTY_STATE) =>
    finishLease(table, SYNC_STATE_KEY, { token: 1, done: doneOf(slot) }, syncStateCodec.pack(state));

  it('gives the first run token 1 and an empty state, and keeps what it finished with', async () => {
    expect(await readSyncState(table)).toBeNull();
    expect(await acquire(T1)).toMatchObject({ acquired: true, token: 1, future: [] });
    expect(await readSyncState(table)).toMatchObject({ token: 1, book: EMPTY_STATE });
    const state = { ...EMPTY_STATE, retired: { '4.12': T1 } };
    expect(await finish(T1, state)).toBe(true);
    const next = await acquire(T2, MINUTE);
    expect(next).toMatchObject({ acquired: true, token: 2 });
    expect(next.acquired && syncStateCodec.unpack(next.item)).toEqual(state);
  });

  it('refuses a second run while one is under way, and the same slot as a duplicate', async () => {
    await acquire(T1);
    expect(await acquire(T2, MINUTE)).toEqual({ acquired: false, reason: 'Concurrent' });
    expect(await acquire(T1, MINUTE)).toEqual({ acquired: false, reason: 'Duplicate' });
  });

  it('refuses slots that are done or older', async () => {
    await acquire(T2);
    await finish(T2);
    expect(await acquire(T2, MINUTE)).toEqual({ acquired: false, reason: 'Duplicate' });
    expect(await acquire(T1, MINUTE)).toEqual({ acquired: false, reason: 'Duplicate' });
  });

  it('lets one of many that fire at once win', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((n) => acquire(T1, 0, `owner ${n}`)));
    expect(outcomes.filter((outcome) => outcome.acquired)).toHaveLength(1);
  });

  it('replaces a dead run after its lease, and lets the late one finish nothing', async () => {
    await acquire(T1);
    expect(await acquire(T2, 8 * MINUTE + 5000)).toEqual({ acquired: false, reason: 'Concurrent' });
    expect(await acquire(T2, 8 * MINUTE + 5001)).toMatchObject({ acquired: true, token: 2 });
    expect(await finish(T1)).toBe(false);
    expect(await releaseLease(table, SYNC_STATE_KEY, { token: 1 })).toBe(false);
    expect((await readSyncState(table))?.leaseOwner).not.toBeNull();
  });

  it('takes its own writes for done when their answers were lost', async () => {
    await acquire(T1, 0, 'me');
    expect(await acquire(T1, 0, 'me')).toMatchObject({ acquired: true, token: 1 });
    await finish(T1);
    expect(await finish(T1)).toBe(true);
  });

  it('lets a retry of the same event run after a failure', async () => {
    await acquire(T1);
    expect(await releaseLease(table, SYNC_STATE_KEY, { token: 1 })).toBe(true);
    expect(await acquire(T1, MINUTE)).toMatchObject({ acquired: true, token: 2 });
  });

  it('takes the lease of a dead process, raising the token', async () => {
    await breakLease(table, SYNC_STATE_KEY);
    expect(await readSyncState(table)).toBeNull();
    await acquire(T1);
    expect(isLeaseHeld((await readSyncState(table))!, MINUTE)).toBe(true);
    await breakLease(table, SYNC_STATE_KEY);
    await breakLease(table, SYNC_STATE_KEY);
    expect(await readSyncState(table)).toMatchObject({ token: 2, leaseOwner: null });
    expect(await acquire(T2, MINUTE)).toMatchObject({ acquired: true, token: 3 });
  });

  it('records a skipped run beside the run under way', async () => {
    await acquire(T1, 0, 'me');
    const skip = { slot: T2, trigger: 'schedule', reason: 'Concurrent' } as const;
    await recordSkip(table, SYNC_STATE_KEY, skip);
    expect(await readSyncState(table)).toMatchObject({
      lastSkip: skip,
      leaseOwner: 'me',
    });
  });
});
