import { type PrunerRecord, takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { beforeEach, describe, expect, it } from 'vitest';
import { reconcilePruner } from '../../../../functions/pruners/reconcile-schedule.ts';
import type { PrunerScheduleDefinition, PrunerSchedules } from '../../../../functions/pruners/schedules.ts';
import { changePruner, prunerNames, readPruner, removePruner } from '../../../../functions/pruners/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { dumpTable, newTable } from '../../../helpers/table/table.ts';

const START = Date.parse('2026-11-16T08:00:00.000Z');

function take(former: PrunerRecord | null, fields: Record<string, unknown>, uid: string): PrunerRecord {
  const reading = readPrunerSpec(fields, { name: 'a', targets: [{ bucket: 'b', prefix: '' }] });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return takeSpec(former, reading.spec, { now: new Date(START).toISOString(), uid });
}

describe('reconcilePruner', () => {
  let table: Table;
  let held: Map<string, PrunerScheduleDefinition>;
  let calls: string[];
  let failure: Error | null;
  /** Runs once, before the next call to change a schedule comes through. */
  let meanwhile: (() => Promise<unknown>) | null;
  let now: number;

  const reached = async (call: string) => {
    calls.push(call);
    const work = meanwhile;
    meanwhile = null;
    await work?.();
    if (failure) throw failure;
  };
  const schedules: PrunerSchedules = {
    async holds(name, definition) {
      if (failure) throw failure;
      return JSON.stringify(held.get(name)) === JSON.stringify(definition);
    },
    async put(name, definition) {
      await reached(`put ${name}`);
      held.set(name, definition);
    },
    async remove(name) {
      await reached(`remove ${name}`);
      held.delete(name);
    },
  };
  beforeEach(async () => {
    table = await newTable();
    held = new Map();
    calls = [];
    failure = null;
    meanwhile = null;
    now = START;
  });
  const write = (fields: Record<string, unknown> = {}, uid = 'u1') =>
    changePruner(table, 'a', (former) => take(former?.record ?? null, fields, uid));
  const remove = () => removePruner(table, 'a', () => {});
  const reconcile = () => reconcilePruner({ table, schedules, clock: () => now }, 'a');
  const conditions = async () => {
    const { conditions: all } = (await readPruner(table, 'a'))!.record;
    return Object.fromEntries(all.map(({ type, status, reason }) => [type, `${status}/${reason}`]));
  };

  it('makes, changes, disables and removes the schedule', async () => {
    await write();
    expect(await reconcile()).toMatchObject({ outcome: 'settled', wasPut: true });
    expect(held.get('a')).toMatchObject({
      schedule: { text: '0 0 * * *' },
      timeZone: 'UTC',
      suspend: false,
      startingDeadlineSeconds: 3600,
    });
    await write({
      schedule: '@hourly',
      timeZone: 'Europe/Berlin',
      startingDeadlineSeconds: 60,
      suspend: true,
    });
    await reconcile();
    expect(held.get('a')).toMatchObject({
      schedule: { text: '@hourly' },
      timeZone: 'Europe/Berlin',
      suspend: true,
      startingDeadlineSeconds: 60,
    });
    expect(await conditions()).toMatchObject({ Available: 'True/Ready', Scheduled: 'False/Suspended' });
    expect((await readPruner(table, 'a'))!.record.observedGeneration).toBe(2);
    await remove();
    expect(await reconcile()).toEqual({ outcome: 'absent' });
    expect([held.size, await prunerNames(table).next()]).toMatchObject([0, { done: true }]);
  });

  it('leaves alone what is in line, without a write', async () => {
    await write();
    await reconcile();
    const before = await dumpTable(table);
    now += 60_000;
    expect(await reconcile()).toMatchObject({ outcome: 'settled', wasPut: false });
    expect([calls, await dumpTable(table)]).toEqual([['put a'], before]);
  });

  it('does not begin an interval anew for a change that is not about it', async () => {
    await write({ schedule: '@every 90m' });
    await reconcile();
    await write({ schedule: '@every 90m', keepTagRevisions: 1 });
    expect(await reconcile()).toMatchObject({ wasPut: false, pruner: { record: { observedGeneration: 2 } } });
    expect(calls).toEqual(['put a']);
  });

  it('restores a deleted schedule', async () => {
    await write();
    await reconcile();
    held.clear();
    expect(await reconcile()).toMatchObject({ outcome: 'settled', wasPut: true });
    expect(held.has('a')).toBe(true);
  });

  it('reports the error of the scheduler, and repairs the schedule later', async () => {
    await write();
    failure = Object.assign(new Error('not allowed'), { name: 'AccessDeniedException' });
    expect(await reconcile()).toMatchObject({
      outcome: 'failed',
      message: 'AccessDeniedException: not allowed',
      pruner: { record: { observedGeneration: 1 } },
    });
    expect(await conditions()).toMatchObject({
      Available: 'False/Error',
      Scheduled: 'False/Error',
      Degraded: 'False/AsExpected',
    });
    failure = null;
    now += 60_000;
    await reconcile();
    expect(await conditions()).toMatchObject({ Available: 'True/Ready', Scheduled: 'True/Scheduled' });
  });

  it('keeps a removed pruner until its schedule is gone', async () => {
    await write();
    await reconcile();
    await remove();
    failure = new Error('down');
    expect(await reconcile()).toMatchObject({ outcome: 'failed', pruner: null });
    expect(await prunerNames(table).next()).toEqual({ done: false, value: 'a' });
    failure = null;
    expect(await reconcile()).toEqual({ outcome: 'absent' });
    expect([held.size, await prunerNames(table).next()]).toMatchObject([0, { done: true }]);
  });

  it('removes a schedule that no pruner has', async () => {
    await write();
    await reconcile();
    const orphan = held.get('a')!;
    await remove();
    await reconcile();
    held.set('a', orphan);
    expect(await reconcile()).toEqual({ outcome: 'absent' });
    expect(held.size).toBe(0);
  });

  it.each<[string, () => Promise<unknown>, string | undefined]>([
    [
      'changed by somebody who came later and was quicker',
      async () => {
        await write({ schedule: '@weekly' });
        await reconcile();
      },
      '@weekly',
    ],
    ['changed, by somebody who died then', () => write({ schedule: '@weekly' }), '@weekly'],
    [
      'removed',
      async () => {
        await remove();
        await reconcile();
      },
      undefined,
    ],
    [
      'removed and made anew',
      async () => {
        await remove();
        await reconcile();
        await write({ schedule: '@monthly' }, 'u2');
      },
      '@monthly',
    ],
  ])('leaves the schedule of the newest row when it was %s meanwhile', async (_what, others, expected) => {
    await write();
    meanwhile = others;
    await reconcile();
    expect(held.get('a')?.schedule.text).toBe(expected);
    const stored = await readPruner(table, 'a');
    expect(stored?.record.spec.schedule).toBe(expected);
    expect(stored?.record.observedGeneration).toBe(stored?.record.generation);
  });

  it('brings the schedule back when a pruner is made anew while it is being removed', async () => {
    await write();
    await reconcile();
    await remove();
    meanwhile = async () => {
      await write({ schedule: '@monthly' }, 'u2');
      await reconcile();
    };
    expect(await reconcile()).toMatchObject({ outcome: 'settled', wasPut: true });
    expect(held.get('a')?.schedule.text).toBe('@monthly');
  });
});
