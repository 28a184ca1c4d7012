import { beforeEach, describe, expect, it } from 'vitest';
import { FLEET_LIMITS } from '../../../../functions/fleet/run.ts';
import { HOUSEKEEPING_LIMITS } from '../../../../functions/housekeeping/run.ts';
import { PRUNE_LIMITS } from '../../../../functions/prune-runs/session.ts';
import { readItem } from '../../../../functions/store/item.ts';
import type { Key } from '../../../../functions/store/keys.ts';
import {
  acquireLease,
  breakLease,
  finishLease,
  isLeaseHeld,
  leaseOf,
  LONGEST_LEASE_MS,
  releaseLease,
} from '../../../../functions/store/leases.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { SYNC_LIMITS } from '../../../../functions/sync/run.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';

const MINUTE = 60_000;
const T1 = '1970-01-01T00:01:00.000Z';
const T2 = '1970-01-01T00:02:00.000Z';
const T3 = '1970-01-01T00:03:00.000Z';
const ONE: Key = { pk: 'ONE', sk: 'STATE' };
const doneOf = (slot: string) => ({ finishedSlot: slot, doneRuns: [slot] });
const OTHER: Key = { pk: 'OTHER', sk: 'STATE' };

// What makes a lease safe is tested with the state of the sync, which is one.
describe.each(tableEngines)('leases on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    table = await newTable(url);
  });
  const acquire = (key: Key, slot: string, now = 0, owner = `owner of ${slot} at ${now}`) =>
    acquireLease(table, key, { slot, owner, now, durationMs: 5 * MINUTE });
  const leaseAt = async (key: Key) => leaseOf((await readItem(table, key)) ?? {});

  it('of different keys have nothing to do with each other', async () => {
    expect(await acquire(ONE, T1)).toMatchObject({ acquired: true, token: 1 });
    expect(await acquire(OTHER, T1)).toMatchObject({ acquired: true, token: 1 });
    await breakLease(table, ONE);
    expect(isLeaseHeld(await leaseAt(ONE), MINUTE)).toBe(false);
    expect(isLeaseHeld(await leaseAt(OTHER), MINUTE)).toBe(true);
    expect(await finishLease(table, OTHER, { token: 1, done: doneOf(T1) })).toBe(true);
    expect(await leaseAt(OTHER)).toMatchObject({ finishedSlot: T1, leaseOwner: null });
    expect(await leaseAt(ONE)).toMatchObject({ finishedSlot: null });
  });

  it('keep what a run leaves in the item, until another one leaves something else', async () => {
    await acquire(ONE, T1);
    await finishLease(table, ONE, { token: 1, done: doneOf(T1) }, { place: 'a', total: 7 });
    expect(await acquire(ONE, T2, MINUTE)).toMatchObject({ token: 2, item: { place: 'a', total: 7 } });
    await finishLease(table, ONE, { token: 2, done: doneOf(T2) }, { place: 'b' });
    expect(await acquire(ONE, T3, 2 * MINUTE)).toMatchObject({ item: { place: 'b', total: 7 } });
  });

  it('refuse a late run what it would leave', async () => {
    await acquire(ONE, T1);
    await acquire(ONE, T2, 6 * MINUTE);
    expect(await finishLease(table, ONE, { token: 1, done: doneOf(T1) }, { place: 'late' })).toBe(false);
    expect(await readItem(table, ONE)).not.toHaveProperty('place');
  });

  it('that were given back let the same slot run again', async () => {
    await acquire(ONE, T1);
    expect(await acquire(ONE, T1, 1)).toEqual({ acquired: false, reason: 'Duplicate' });
    expect(await releaseLease(table, ONE, { token: 1 })).toBe(true);
    expect(await releaseLease(table, ONE, { token: 1 })).toBe(true);
    expect(await acquire(ONE, T1, 2)).toMatchObject({ acquired: true, token: 2 });
  });

  it('that were never acquired cannot be finished', async () => {
    expect(await finishLease(table, ONE, { token: 1, done: doneOf(T1) })).toBe(false);
    expect(await readItem(table, ONE)).toBeNull();
  });

  it('of a manual run are not refused for a scheduled slot, nor vice versa', async () => {
    const byHand = (slot: string, now: number) =>
      acquireLease(table, ONE, { slot, byHand: true, owner: `${slot} ${now}`, now, durationMs: MINUTE });
    await acquire(ONE, T2);
    expect(await byHand(T2, 1)).toEqual({ acquired: false, reason: 'Concurrent' });
    await finishLease(table, ONE, { token: 1, done: doneOf(T2) });
    for (const [token, slot] of [T2, T1].entries()) {
      const others = token === 0 ? [T2] : [`${T2} by hand`, T2];
      const lease = await byHand(slot, MINUTE);
      expect(lease).toMatchObject({
        acquired: true,
        token: token + 2,
        done: { doneRuns: [`${slot} by hand`, ...others] },
      });
      expect(await acquire(ONE, slot, MINUTE)).toMatchObject({ acquired: false });
      if (lease.acquired) await finishLease(table, ONE, lease);
    }
    expect(await byHand(T1, 2 * MINUTE)).toEqual({ acquired: false, reason: 'Duplicate' });
    expect(await acquire(ONE, T2, 2 * MINUTE)).toEqual({ acquired: false, reason: 'Duplicate' });
    expect(await leaseAt(ONE)).toMatchObject({
      finishedSlot: T2,
      doneRuns: [`${T1} by hand`, `${T2} by hand`, T2],
    });
  });

  it('that a wrong clock wrote are taken over with a higher token, also when an answer is lost', async () => {
    const ahead = 30 * 24 * 60 * MINUTE;
    await acquire(ONE, T1, ahead);
    const future = [{ field: 'leaseUntil', at: new Date(ahead + 5 * MINUTE).toISOString() }];
    expect(await acquire(ONE, T2, 0, 'me')).toMatchObject({ acquired: true, token: 2, future });
    expect(await acquire(ONE, T2, 0, 'me')).toMatchObject({ acquired: true, token: 2, future: [] });
    expect(await finishLease(table, ONE, { token: 1, done: doneOf(T1) })).toBe(false);
  });

  it('of a run whose clock is behind are not taken for those of the future', async () => {
    const now = 30 * 24 * 60 * MINUTE;
    const [slot, earlier] = [now, now - 10 * MINUTE].map((time) => new Date(time).toISOString()) as [
      string,
      string,
    ];
    await acquire(ONE, slot, now);
    expect(await acquire(ONE, new Date(now + MINUTE).toISOString(), 0)).toMatchObject({
      reason: 'Concurrent',
    });
    await finishLease(table, ONE, { token: 1, done: doneOf(slot) });
    for (const late of [slot, earlier])
      expect(await acquire(ONE, late, 0)).toMatchObject({ reason: 'Duplicate' });
  });
});

describe('a lease', () => {
  const held = (until: number) => isLeaseHeld({ ...leaseOf({ leaseOwner: 'me' }), leaseUntil: until }, 0);

  it('is held until its end, but not one that no right clock can have written', () => {
    const minutes = [-1, 0, 16, 31, 32, 30 * 24 * 60];
    expect(minutes.map((end) => held(end * MINUTE))).toEqual([false, true, true, true, false, false]);
  });

  it('of no job is longer than the longest', () => {
    const limits = [SYNC_LIMITS, HOUSEKEEPING_LIMITS, FLEET_LIMITS, PRUNE_LIMITS];
    expect(Math.max(...limits.map(({ leaseMs }) => leaseMs))).toBe(LONGEST_LEASE_MS);
  });
});
