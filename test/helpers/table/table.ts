import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import type { Table } from '../../../functions/store/table.ts';
import { ensureTable } from '../../../infra/local/table/prepare-table.ts';
import { putItems, scanTable } from './dump-table.ts';

export { dumpTable } from './dump-table.ts';

export const tableEngines = inject('tableEngines');

/** A new empty table. The first engine is always dynalite. */
export async function newTable(url: string = tableEngines[0]!.url): Promise<Table> {
  const client = new DynamoDBClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  const table = { client, name: `cairn-${randomUUID()}` };
  await ensureTable(table);
  return table;
}

/** A new table on the same engine with the same items. */
export async function copyTable(table: Table): Promise<Table> {
  const copy = { client: table.client, name: `cairn-${randomUUID()}` };
  const [items] = await Promise.all([scanTable(table), ensureTable(copy)]);
  await putItems(copy, items);
  return copy;
}

/** A client that passes each call to `look` first, which can fail it. */
export function assessed(table: Table, look: (command: unknown) => Promise<void> | void): Table {
  const send = async (command: unknown) => {
    await look(command);
    return table.client.send(command as never);
  };
  return { ...table, client: { send } as unknown as DynamoDBClient };
}
