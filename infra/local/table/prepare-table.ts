import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  paginateScan,
  PutItemCommand,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { createTableInput, type Table, TABLE } from '../../../functions/store/table.ts';

export async function ensureTable(table: Table): Promise<void> {
  try {
    await table.client.send(new CreateTableCommand(createTableInput(table.name)));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  for (;;) {
    const { Table: description } = await table.client.send(
      new DescribeTableCommand({ TableName: table.name }),
    );
    if (description?.TableStatus === 'ACTIVE') return;
    await sleep(5);
  }
}

/**
 * Adds every listed item to the index again. dynalite writes the index before the item: if killed in between, the index
 * can lack an existing item. Extra entries are harmless, since readers check the items.
 */
export async function restoreIndex(table: Table): Promise<void> {
  const pages = paginateScan(
    { client: table.client },
    {
      TableName: table.name,
      FilterExpression: 'attribute_exists(#listed)',
      ExpressionAttributeNames: { '#listed': TABLE.index.partitionKey },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) {
    for (const Item of Items) await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
  }
}
