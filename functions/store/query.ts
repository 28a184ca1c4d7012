import { type QueryCommandInput, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Table } from './table.ts';

/** Every item of a partition in sort order, consistently, over as many pages as it takes. */
export async function queryPartition(
  table: Table,
  partition: string,
  options: { readonly attributes?: readonly string[] } = {},
): Promise<Record<string, unknown>[]> {
  const names = options.attributes?.map((name, index) => [`#a${index}`, name] as const);
  const input: QueryCommandInput = {
    TableName: table.name,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: marshall({ ':pk': partition }),
    ConsistentRead: true,
    ...(names && {
      ProjectionExpression: names.map(([alias]) => alias).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names),
    }),
  };
  const items: Record<string, unknown>[] = [];
  let next: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await table.client.send(new QueryCommand({ ...input, ExclusiveStartKey: next }));
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    next = page.LastEvaluatedKey;
  } while (next);
  return items;
}
