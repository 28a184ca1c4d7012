import { type QueryCommandInput, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { KEY_CONDITION } from './keys.ts';
import type { Table } from './table.ts';

/** The items of a partition in sort order (from a sort key on), consistently, over as many pages as it takes. */
export async function queryPartition(
  table: Table,
  partition: string,
  options: { readonly attributes?: readonly string[]; readonly from?: string } = {},
): Promise<Record<string, unknown>[]> {
  const names = options.attributes?.map((name, index) => [`#a${index}`, name] as const);
  const input: QueryCommandInput = {
    TableName: table.name,
    KeyConditionExpression:
      options.from === undefined ? KEY_CONDITION.partition : KEY_CONDITION.partitionFrom,
    ExpressionAttributeValues: marshall(
      { ':partition': partition, ':from': options.from },
      { removeUndefinedValues: true },
    ),
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
