import { beforeEach, describe, expect, it } from 'vitest';
import type { Key } from '../../../functions/store/keys.ts';
import {
  acquireLease,
  breakLease,
  finishLease,
  isLeaseHeld,
  leaseOf,
  readLeaseItem,
  releaseLease,
} from '../../../functions/store/leases.ts';
import type { Table } from '../../../functions/store/table.ts';
import { newTable, tableEngines } from '../../helpers/table.ts';

const MINUTE = 60_000;
const ONE: Key = { pk: 'ONE', sk: 'STATE' };
const OTHER: Key = { pk: 'OTHER', sk: 'STATE' };

// What makes a lease safe is tested with the state of the sync, which is one.
describe.each(tableEngines)('leases on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    table = await newTable(url);
  });
  const acquire = (key: Key, slot: string, now = 0, owner = `owner of ${slot} at ${now}`) =>
    acquireLease(table, key, { slot, owner, now, durationMs: 5 * MINUTE });
  const leaseAt = async (key: Key) => leaseOf((await readLeaseItem(table, key)) ?? {});

  it('of different keys have nothing to do with each other', async () => {
    expect(await acquire(ONE, 'T1')).toMatchObject({ acquired: true, token: 1 });
    expect(await acquire(OTHER, 'T1')).toMatchObject({ acquired: true, token: 1 });
    await breakLease(table, ONE);
    expect(isLeaseHeld(await leaseAt(ONE), MINUTE)).toBe(false);
    expect(isLeaseHeld(await leaseAt(OTHER), MINUTE)).toBe(true);
    expect(await finishLease(table, OTHER, { token: 1, slot: 'T1' })).toBe(true);
    expect(await leaseAt(OTHER)).toMatchObject({ finishedSlot: 'T1', leaseOwner: null });
    expect(await leaseAt(ONE)).toMatchObject({ finishedSlot: null });
  });

  it('keep what a run leaves in the item, until another one leaves something else', async () => {
    await acquire(ONE, 'T1');
    await finishLease(table, ONE, { token: 1, slot: 'T1' }, { place: 'a', total: 7 });
    expect(await acquire(ONE, 'T2', MINUTE)).toMatchObject({ token: 2, item: { place: 'a', total: 7 } });
    await finishLease(table, ONE, { token: 2, slot: 'T2' }, { place: 'b' });
    expect(await acquire(ONE, 'T3', 2 * MINUTE)).toMatchObject({ item: { place: 'b', total: 7 } });
  });

  it('refuse a late run what it would leave', async () => {
    await acquire(ONE, 'T1');
    await acquire(ONE, 'T2', 6 * MINUTE);
    expect(await finishLease(table, ONE, { token: 1, slot: 'T1' }, { place: 'late' })).toBe(false);
    expect(await readLeaseItem(table, ONE)).not.toHaveProperty('place');
  });

  it('that were given back let the same slot run again', async () => {
    await acquire(ONE, 'T1');
    expect(await acquire(ONE, 'T1', 1)).toEqual({ acquired: false, reason: 'Duplicate' });
    expect(await releaseLease(table, ONE, { token: 1 })).toBe(true);
    expect(await releaseLease(table, ONE, { token: 1 })).toBe(true);
    expect(await acquire(ONE, 'T1', 2)).toMatchObject({ acquired: true, token: 2 });
  });

  it('that nobody ever had cannot be finished', async () => {
    expect(await finishLease(table, ONE, { token: 1, slot: 'T1' })).toBe(false);
    expect(await readLeaseItem(table, ONE)).toBeNull();
  });
});
