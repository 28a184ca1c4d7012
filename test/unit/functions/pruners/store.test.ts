import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type PrunerRecord, takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  changePruner,
  forgetPruner,
  listPruners,
  prunerNames,
  readPruner,
  removePruner,
  revisePruner,
} from '../../../../functions/pruners/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { dumpTable, newTable, tableEngines } from '../../../helpers/table/table.ts';

const AT = '2026-11-16T08:00:00.000Z';
const unchecked = () => {};

function recordOf(fields: Record<string, unknown> = {}, former: PrunerRecord | null = null, uid = 'u1') {
  const reading = readPrunerSpec(fields, { name: 'a', targets: [{ bucket: 'b', prefix: '' }] });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return takeSpec(former, reading.spec, { now: AT, uid });
}
const failedOnce = (record: PrunerRecord): PrunerRecord => ({
  ...record,
  consecutiveFailures: record.consecutiveFailures + 1,
});

type Send = (command: unknown) => Promise<unknown>;
function through(table: Table, intercept: (command: unknown, send: Send) => Promise<unknown>): Table {
  const send: Send = (command) => table.client.send(command as PutItemCommand);
  return { ...table, client: { send: (command: unknown) => intercept(command, send) } as DynamoDBClient };
}

describe.each(tableEngines)('pruners on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    vi.restoreAllMocks();
    table = await newTable(url);
  });
  const make = (name: string, uid = 'u1') => changePruner(table, name, () => recordOf({}, null, uid));
  const names = async () => {
    const found: string[] = [];
    for await (const name of prunerNames(table)) found.push(name);
    return found;
  };

  it('are made, changed, removed and forgotten', async () => {
    expect(await readPruner(table, 'a')).toBeNull();
    expect(await make('a')).toMatchObject({ outcome: 'changed', isNew: true });
    const changed = await changePruner(table, 'a', (former) =>
      recordOf({ suspend: true, affinity: { deep: [{ '': null }] } }, former!.record),
    );
    expect(changed).toMatchObject({ outcome: 'changed', isNew: false });
    expect(await readPruner(table, 'a')).toEqual({
      name: 'a',
      record: recordOf({ suspend: true, affinity: { deep: [{ '': null }] } }, recordOf()),
    });
    expect(await removePruner(table, 'a', unchecked)).toBe('removed');
    expect(await readPruner(table, 'a')).toBeNull();
    expect(await removePruner(table, 'a', unchecked)).toBe('unknown');
    expect(await names()).toEqual(['a']);
    await forgetPruner(table, 'a');
    expect([await names(), await readPruner(table, 'a')]).toEqual([[], null]);
    const forgotten = await dumpTable(table);
    await forgetPruner(table, 'a');
    expect(await dumpTable(table)).toEqual(forgotten);
    expect(await make('a', 'u2')).toMatchObject({ outcome: 'changed', isNew: true });
    expect([await names(), (await readPruner(table, 'a'))?.record.uid]).toEqual([['a'], 'u2']);
  });

  it('are made anew in the place of one that was removed, and then not forgotten', async () => {
    await make('a');
    await removePruner(table, 'a', unchecked);
    expect(await make('a', 'u2')).toMatchObject({ isNew: true, pruner: { record: { uid: 'u2' } } });
    await forgetPruner(table, 'a');
    expect(await readPruner(table, 'a')).toMatchObject({ record: { uid: 'u2' } });
  });

  it('are not written where nothing changes, nor where a change is refused', async () => {
    await make('a');
    const before = await dumpTable(table);
    expect(await changePruner(table, 'a', (former) => recordOf({}, former!.record))).toMatchObject({
      outcome: 'unchanged',
      isNew: false,
    });
    expect(await revisePruner(table, 'a', 'u1', (record) => record)).toMatchObject({ outcome: 'unchanged' });
    const refuse = () => {
      throw new Error('no');
    };
    await expect(changePruner(table, 'a', refuse)).rejects.toThrow('no');
    await expect(removePruner(table, 'a', refuse)).rejects.toThrow('no');
    expect(await dumpTable(table)).toEqual(before);
  });

  it('are revised only while they are the same', async () => {
    await make('a');
    expect(await revisePruner(table, 'a', 'u1', failedOnce)).toMatchObject({
      outcome: 'changed',
      pruner: { record: { consecutiveFailures: 1 } },
    });
    expect(await revisePruner(table, 'a', 'u0', failedOnce)).toEqual({ outcome: 'unknown' });
    expect(await revisePruner(table, 'b', 'u1', failedOnce)).toEqual({ outcome: 'unknown' });
    await removePruner(table, 'a', unchecked);
    expect(await revisePruner(table, 'a', 'u1', failedOnce)).toEqual({ outcome: 'unknown' });
  });

  it('lose no change of those who write at once', async () => {
    await make('a');
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => revisePruner(table, 'a', 'u1', failedOnce)),
    );
    const acknowledged = outcomes.filter(({ outcome }) => outcome === 'changed').length;
    expect(acknowledged).toBeGreaterThan(0);
    expect((await readPruner(table, 'a'))!.record.consecutiveFailures).toBe(acknowledged);
  });

  it('know a change whose acknowledgement got lost, also when others went on from it', async () => {
    const unsure = through(table, async (command, send) => {
      if (command instanceof PutItemCommand) await send(command);
      return send(command);
    });
    expect(await changePruner(unsure, 'a', () => recordOf())).toMatchObject({ isNew: true });
    expect(await revisePruner(unsure, 'a', 'u1', failedOnce)).toMatchObject({ outcome: 'changed' });
    const overtaken = through(table, async (command, send) => {
      if (command instanceof PutItemCommand) {
        await send(command);
        await revisePruner(table, 'a', 'u1', failedOnce);
      }
      return send(command);
    });
    await revisePruner(overtaken, 'a', 'u1', failedOnce);
    expect((await readPruner(table, 'a'))!.record.consecutiveFailures).toBe(3);
  });

  it('give up when others always are quicker', async () => {
    await make('a');
    // Without pauses.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    let turn = 0;
    const late = through(table, async (command, send) => {
      if (command instanceof PutItemCommand) {
        turn++;
        await revisePruner(table, 'a', 'u1', failedOnce);
      }
      return send(command);
    });
    expect(await revisePruner(late, 'a', 'u1', failedOnce)).toEqual({ outcome: 'contended' });
    expect((await readPruner(table, 'a'))!.record.consecutiveFailures).toBe(turn);
  });

  it('are listed by name, page by page, without those that are removed', async () => {
    for (const name of ['c', 'a', 'd', 'b']) await make(name);
    await removePruner(table, 'b', unchecked);
    const first = await listPruners(table, { after: null, limit: 2 });
    expect([first.pruners.map(({ name }) => name), first.last]).toEqual([['a'], 'b']);
    const second = await listPruners(table, { after: first.last, limit: 2 });
    expect([second.pruners.map(({ name }) => name), second.last]).toEqual([['c', 'd'], null]);
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  });
});
