import { type AttributeValue, BatchWriteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Table } from '../../../functions/store/table.ts';

type Item = Record<string, AttributeValue>;

export async function scanTable({ client, name }: Table): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true })) {
    items.push(...Items);
  }
  return items;
}

export async function putItems({ client, name }: Table, items: readonly Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += 25) {
    const writes = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: writes } }));
  }
}

/** Every item, sorted by key. */
export async function dumpTable(table: Table): Promise<Record<string, unknown>[]> {
  const items = (await scanTable(table)).map((item) => unmarshall(item));
  const key = (item: Record<string, unknown>) => `${String(item['pk'])}\n${String(item['sk'])}`;
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
