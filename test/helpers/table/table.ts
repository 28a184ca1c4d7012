import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { inject } from 'vitest';
import type { Table } from '../../../functions/store/table.ts';
import { ensureTable } from '../../../infra/local/table/prepare-table.ts';

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
  const [items] = await Promise.all([scan(table), ensureTable(copy)]);
  for (let start = 0; start < items.length; start += 25) {
    const writes = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await table.client.send(new BatchWriteItemCommand({ RequestItems: { [copy.name]: writes } }));
  }
  return copy;
}

/** Every item, sorted by key. */
export async function dumpTable(table: Table): Promise<Record<string, unknown>[]> {
  const items = (await scan(table)).map((item) => unmarshall(item));
  const key = (item: Record<string, unknown>) => `${String(item['pk'])}\n${String(item['sk'])}`;
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** A client that passes each call to `look` first, which can fail it. */
export function assessed(table: Table, look: (command: unknown) => Promise<void> | void): Table {
  const send = async (command: unknown) => {
    await look(command);
    return table.client.send(command as never);
  };
  return { ...table, client: { send } as unknown as DynamoDBClient };
}

async function scan(table: Table): Promise<Record<string, AttributeValue>[]> {
  const items: Record<string, AttributeValue>[] = [];
  let next: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: next }),
    );
    items.push(...(page.Items ?? []));
    next = page.LastEvaluatedKey;
  } while (next);
  return items;
}
