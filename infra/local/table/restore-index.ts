import { PutItemCommand, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { TABLE, type Table } from '../../../functions/store/table.ts';

/**
 * Puts every item that belongs in the index there again. dynalite writes the index before the item: killed in between, it
 * may lack an item that is still there. What it has too much does no harm, as readers of the index look at the items.
 */
export async function restoreIndex(table: Table): Promise<void> {
  let next: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        FilterExpression: 'attribute_exists(#listed)',
        ExpressionAttributeNames: { '#listed': TABLE.index.partitionKey },
        ConsistentRead: true,
        ExclusiveStartKey: next,
      }),
    );
    for (const Item of page.Items ?? []) {
      await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
    }
    next = page.LastEvaluatedKey;
  } while (next);
}
