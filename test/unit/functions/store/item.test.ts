import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Codec,
  deleteRevision,
  type ItemWrite,
  readItem,
  reviseItem,
  writeItem,
} from '../../../../functions/store/item.ts';
import { runKey } from '../../../../functions/store/keys.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';

type Send = (command: object) => Promise<unknown>;

/** The same table; `intercept` sees every call. */
function through(table: Table, intercept: (command: object, send: Send) => Promise<unknown>): Table {
  const send = table.client.send.bind(table.client) as unknown as Send;
  const client = { send: (command: object) => intercept(command, send) } as unknown as DynamoDBClient;
  return { ...table, client };
}

/** Every write is sent twice, as the client does when the response of the first got lost. */
const losingResponses = (table: Table): Table =>
  through(table, async (command, send) => {
    if (!command.constructor.name.startsWith('Get')) await send(command);
    return send(command);
  });

function counting(table: Table): { readonly table: Table; readonly calls: string[] } {
  const calls: string[] = [];
  const counted = through(table, (command, send) => {
    calls.push(command.constructor.name.replace('Command', ''));
    return send(command);
  });
  return { table: counted, calls };
}

const plain: Codec<string> = {
  pack: (value) => ({ value }),
  unpack: ({ value }) => String(value),
  view: ({ value }) => String(value),
};

describe.each(tableEngines)('items on $name', ({ url }) => {
  let table: Table;
  let count = 0;
  const newKey = () => runKey('test', String(++count));
  beforeAll(async () => {
    table = await newTable(url);
  });
  const put = (value: string, more: Partial<ItemWrite> = {}): ItemWrite => ({
    key: runKey('test', String(count)),
    write: { put: { value } },
    condition: { expression: 'attribute_not_exists(#value)', names: { '#value': 'value' } },
    ...more,
  });

  it('are put, updated and removed under a condition', async () => {
    const key = newKey();
    const isValue = (value: string) => ({
      expression: '#value = :former',
      names: { '#value': 'value' },
      values: { ':former': value },
    });
    const update = { expression: 'SET #value = :next', values: { ':next': '2' } };
    expect(await writeItem(table, put('1'))).toEqual({ applied: true, former: null, found: null });
    expect(await writeItem(table, put('2'))).toEqual({ applied: false, former: null, found: null });
    const change = { key, write: { update, returnsFormer: true }, condition: isValue('1') } as const;
    expect(await writeItem(table, change)).toEqual({
      applied: true,
      former: { ...key, value: '1' },
      found: null,
    });
    expect(await writeItem(table, change)).toEqual({ applied: false, former: null, found: null });
    const removal = { key, write: { remove: true }, condition: isValue('2') } as const;
    expect(await writeItem(table, removal)).toEqual({ applied: true, former: null, found: null });
    expect(await writeItem(table, removal)).toEqual({ applied: false, former: null, found: null });
    expect(await readItem(table, key)).toBeNull();
  });

  it('are read again only after a failed condition, and only for one who asks', async () => {
    newKey();
    const { table: counted, calls } = counting(table);
    const isApplied = () => false;
    await writeItem(counted, put('1', { isApplied }));
    await writeItem(counted, put('2'));
    expect(calls).toEqual(['PutItem', 'PutItem']);
    const outcome = await writeItem(counted, put('2', { isApplied }));
    expect(outcome).toMatchObject({ applied: false, found: { value: '1' } });
    expect(calls).toEqual(['PutItem', 'PutItem', 'PutItem', 'GetItem']);
  });

  it('are written once when the response gets lost', async () => {
    newKey();
    const isApplied: ItemWrite['isApplied'] = (found) => found?.['value'] === '1';
    const outcome = await writeItem(losingResponses(table), put('1', { isApplied }));
    expect(outcome).toMatchObject({ applied: true, found: { value: '1' } });
    expect(
      await writeItem(table, put('2', { isApplied: (found) => found?.['value'] === '2' })),
    ).toMatchObject({
      applied: false,
      found: { value: '1' },
    });
  });

  it('fail with any other error of the table', async () => {
    newKey();
    const broken = through(table, async () => {
      throw new Error('no network');
    });
    await expect(writeItem(broken, put('1', { isApplied: () => true }))).rejects.toThrow('no network');
  });

  it('are revised by a read and a write, or by a read when nothing is to change', async () => {
    const key = newKey();
    const { table: counted, calls } = counting(table);
    const made = await reviseItem(counted, key, plain, (former, revision) => `${former} ${revision}`);
    expect(made).toEqual({ isWritten: true, value: 'null null', revision: expect.any(String) });
    expect(calls).toEqual(['GetItem', 'PutItem']);
    const same = await reviseItem(counted, key, plain, () => null);
    expect(same).toEqual({ ...(made as object), isWritten: false });
    expect(calls).toEqual(['GetItem', 'PutItem', 'GetItem']);
    expect(await reviseItem(table, newKey(), plain, () => null)).toEqual({
      isWritten: false,
      value: null,
      revision: null,
    });
  });

  it('have every change of writers at once', async () => {
    const key = newKey();
    const names = Array.from({ length: 6 }, (_, index) => String(index));
    await Promise.all(
      names.map((name) => reviseItem(table, key, plain, (former) => `${former ?? ''}${name}`)),
    );
    const { value } = (await readItem(table, key)) as { value: string };
    expect(value.split('').toSorted()).toEqual(names);
  });

  it('are revised once when the response gets lost, also when others went on from it', async () => {
    const key = newKey();
    const append = (name: string) => (former: string | null) => `${former ?? ''}${name}`;
    await reviseItem(losingResponses(table), key, plain, append('1'));
    let isFirst = true;
    const overtaken = through(table, async (command, send) => {
      if (command.constructor.name !== 'PutItemCommand' || !isFirst) return send(command);
      isFirst = false;
      await send(command);
      await reviseItem(table, key, plain, append('3'));
      return send(command);
    });
    expect(await reviseItem(overtaken, key, plain, append('2'))).toMatchObject({
      isWritten: true,
      value: '12',
    });
    expect(await readItem(table, key)).toMatchObject({ value: '123' });
  });

  it('are contended when others are always quicker', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const late = through(table, async (command, send) => {
      if (command.constructor.name !== 'PutItemCommand') return send(command);
      throw new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
    });
    expect(await reviseItem(late, newKey(), plain, () => '1')).toBe('contended');
    vi.restoreAllMocks();
  });

  it('are deleted as they were found, not after a change', async () => {
    const key = newKey();
    const first = await reviseItem(table, key, plain, () => '1');
    const second = await reviseItem(table, key, plain, () => '2');
    await deleteRevision(table, key, first as { revision: string });
    expect(await readItem(table, key)).toMatchObject({ value: '2' });
    await deleteRevision(table, key, second as { revision: string });
    expect(await readItem(table, key)).toBeNull();
  });
});
