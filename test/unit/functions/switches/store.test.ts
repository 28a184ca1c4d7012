import { type DynamoDBClient, type GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Table } from '../../../../functions/store/table.ts';
import {
  changeSwitch,
  readStops,
  type Stop,
  SwitchReader,
  type SwitchName,
} from '../../../../functions/switches/store.ts';
import { dumpTable, newTable, tableEngines } from '../../../helpers/table/table.ts';

const STOP: Stop = { reason: 'too many deletions', since: '2026-11-16T08:00:00.000Z', by: 'ada' };

type Send = (command: unknown) => Promise<unknown>;
function through(table: Table, intercept: (command: unknown, send: Send) => Promise<unknown>): Table {
  const send: Send = (command) => table.client.send(command as GetItemCommand);
  return { ...table, client: { send: (command: unknown) => intercept(command, send) } as DynamoDBClient };
}

describe.each(tableEngines)('switches on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    table = await newTable(url);
  });
  afterEach(() => vi.restoreAllMocks());
  const stop = (name: SwitchName, on: Table = table) => changeSwitch(on, name, () => STOP);

  it('work until they are stopped, each by itself, and again when they are let go', async () => {
    expect(await readStops(table)).toEqual({});
    expect(await stop('sync')).toEqual({ sync: STOP });
    expect(await stop('prune')).toEqual({ sync: STOP, prune: STOP });
    expect(await changeSwitch(table, 'sync', () => null)).toEqual({ prune: STOP });
    expect(await readStops(table)).toEqual({ prune: STOP });
  });

  it('are not written where nothing changes', async () => {
    expect(await changeSwitch(table, 'write', () => null)).toEqual({});
    expect(await dumpTable(table)).toEqual([]);
    await stop('write');
    const before = await dumpTable(table);
    expect(await changeSwitch(table, 'write', (former) => former)).toEqual({ write: STOP });
    expect(await dumpTable(table)).toEqual(before);
  });

  it('lose nothing when two change them at once', async () => {
    const others: Promise<unknown>[] = [];
    const late = through(table, async (command, send) => {
      if (command instanceof PutItemCommand && others.length === 0) {
        others.push(stop('prune'));
        await others[0];
      }
      return send(command);
    });
    expect(await stop('sync', late)).toEqual({ sync: STOP, prune: STOP });
    expect(others).toHaveLength(1);
    await Promise.all(
      (['sync', 'prune', 'write'] as const).map((name) => changeSwitch(table, name, () => null)),
    );
    expect(await readStops(table)).toEqual({});
  });

  it('take a write whose answer got lost for what it is', async () => {
    let writes = 0;
    const lossy = through(table, async (command, send) => {
      if (!(command instanceof PutItemCommand)) return send(command);
      writes++;
      await send(command);
      return send(command);
    });
    expect(await stop('sync', lossy)).toEqual({ sync: STOP });
    expect(writes).toBe(1);
    // Others went on from it before it could look.
    const overtaken = through(table, async (command, send) => {
      if (!(command instanceof PutItemCommand)) return send(command);
      await send(command);
      await stop('write');
      return send(command);
    });
    expect(await stop('prune', overtaken)).toEqual({ sync: STOP, prune: STOP });
    expect(await readStops(table)).toEqual({ sync: STOP, prune: STOP, write: STOP });
  });

  it('are not stored when others keep changing them', async () => {
    // Nobody waits before trying again.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const contended = through(table, async (command, send) => {
      if (command instanceof PutItemCommand) await changeSwitch(table, 'sync', () => ({ ...STOP }));
      return send(command);
    });
    expect(await stop('prune', contended)).toBeNull();
    expect(await readStops(table)).toEqual({ sync: STOP });
  });
});

describe('who asks again and again', () => {
  let table: Table;
  let now: number;
  let reads: number;
  let switches: SwitchReader;
  let fails: boolean;
  beforeEach(async () => {
    table = await newTable();
    [now, reads, fails] = [0, 0, false];
    const counted = through(table, async (command, send) => {
      reads++;
      if (fails) throw new Error('no table');
      return send(command);
    });
    switches = new SwitchReader(counted, () => now);
  });
  const stop = (name: SwitchName) => changeSwitch(table, name, () => STOP);

  it('reads once for a while, also when many ask at once, and sees a stop within 15 seconds', async () => {
    await Promise.all([switches.get('sync'), switches.get('prune'), switches.all()]);
    await stop('sync');
    now = 14_999;
    expect([await switches.get('sync'), reads]).toEqual([null, 1]);
    now = 15_000;
    expect([await switches.get('sync'), await switches.get('prune'), reads]).toEqual([STOP, null, 2]);
  });

  it('reads again when the clock goes back', async () => {
    now = 1e9;
    await switches.get('sync');
    await stop('sync');
    now = 0;
    expect(await switches.get('sync')).toEqual(STOP);
  });

  it('gets what was seen last without waiting, and looks meanwhile', async () => {
    await stop('prune');
    expect(switches.lately('prune')).toBeNull();
    await expect.poll(() => switches.lately('prune')).toEqual(STOP);
    await changeSwitch(table, 'prune', () => null);
    fails = true;
    now = 20_000;
    const before = reads;
    await expect.poll(() => [switches.lately('prune'), reads > before + 1]).toEqual([STOP, true]);
    await expect(switches.get('prune')).rejects.toThrow('no table');
    fails = false;
    expect(await switches.get('prune')).toBeNull();
  });

  it('takes what it has written itself, not what a read that began before brings', async () => {
    const reading = switches.get('sync');
    switches.hold({ sync: STOP });
    expect(await reading).toBeNull();
    expect([await switches.get('sync'), reads]).toEqual([STOP, 1]);
  });
});
