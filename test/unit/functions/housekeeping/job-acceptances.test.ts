import { beforeEach, describe, expect, it } from 'vitest';
import { housekeepingMetrics, runHousekeeping } from '../../../../functions/housekeeping/job.ts';
import {
  deleteAcceptance,
  putAcceptance,
  readAcceptances,
  settleAcceptance,
} from '../../../../functions/risk-acceptances/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { changeSwitch } from '../../../../functions/switches/store.ts';
import { putItems, scanTable } from '../../../helpers/table/dump-table.ts';
import { newTable } from '../../../helpers/table/table.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const DAY_MS = 24 * 3600_000;
const day = (days: number): string => new Date(START + days * DAY_MS).toISOString();
const log = { info: () => {}, warn: () => {}, error: () => {} };
const check = () => {};

let table: Table;
beforeEach(async () => {
  table = await newTable();
});

async function accept(id: string, until: string): Promise<void> {
  const acceptance = { risk: 'A', reason: 'tested', owner: 'platform', until, clusters: ['c1'] };
  await putAcceptance(table, id, acceptance, { at: day(0), by: 'ada', check });
}

const remove = (id: string, at: string) => deleteAcceptance(table, id, { at, by: 'ada', check });

async function settleAll(isCounted: boolean): Promise<void> {
  for (const acceptance of await readAcceptances(table)) {
    if (acceptance.stale.length === 0 && !acceptance.isCounted) continue;
    await settleAcceptance(table, acceptance, isCounted && !acceptance.isDeleted);
  }
}

async function keep(at: string) {
  const clock = () => Date.parse(at);
  return runHousekeeping(
    { table, historyLimit: 100, log, count: () => {}, clock },
    { scheduledTime: at, trigger: 'schedule' },
  );
}

const idsLeft = async () => (await readAcceptances(table)).map(({ id }) => id);

describe('the housekeeping job and acceptances of risks', () => {
  it('keeps expired and deleted ones for 90 days after their end', async () => {
    await accept('active', day(300));
    await accept('deleted', day(300));
    await accept('expired', day(10));
    await remove('deleted', day(20));
    await settleAll(false);
    await keep(day(100));
    expect(await idsLeft()).toEqual(['active', 'deleted', 'expired']);
    const result = await keep(new Date(START + 100 * DAY_MS + 1).toISOString());
    expect(await idsLeft()).toEqual(['active', 'deleted']);
    expect(result).toMatchObject({ record: { outcome: 'Succeeded', counts: { acceptancesRemoved: 1 } } });
    expect(housekeepingMetrics(result)[0]![0]).toMatchObject({ acceptancesRemoved: 1 });
    await keep(day(110.5));
    expect(await idsLeft()).toEqual(['active']);
  });

  it('keeps what the fleet job has not seen', async () => {
    await accept('expired', day(10));
    await accept('deleted', day(300));
    await remove('deleted', day(1));
    await keep(day(200));
    expect(await idsLeft()).toEqual(['deleted', 'expired']);
    await settleAll(true);
    await keep(day(201));
    expect(await idsLeft()).toEqual(['expired']);
    await settleAll(false);
    await keep(day(202));
    expect(await idsLeft()).toEqual([]);
  });

  it('keeps the newest 2,000 ended ones', async () => {
    await accept('one', day(300));
    await remove('one', day(2));
    await settleAll(false);
    const [item] = await scanTable(table);
    const ids = Array.from({ length: 1999 }, (_, at) => `copy-${at}`);
    await putItems(
      table,
      ids.map((id) => ({ ...item!, sk: { S: id }, id: { S: id } })),
    );
    await accept('old', day(300));
    await remove('old', day(1));
    await settleAll(false);
    expect((await idsLeft()).length).toBe(2001);
    await keep(day(3));
    expect((await idsLeft()).length).toBe(2000);
    expect(await idsLeft()).not.toContain('old');
  });

  it('keeps all while pruning is stopped', async () => {
    await accept('expired', day(10));
    await settleAll(false);
    await changeSwitch(table, 'prune', () => ({ reason: 'a test', since: day(0), by: 'ada' }));
    await keep(day(200));
    expect(await idsLeft()).toEqual(['expired']);
  });
});
