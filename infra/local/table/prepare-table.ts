import { CreateTableCommand, DescribeTableCommand, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTableInput, type Table } from '../../../functions/store/table.ts';

/** Creates the table unless it is there, and waits until it can be used. */
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
