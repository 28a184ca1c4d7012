import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { INDEX_CONDITION, listedNameOf, KEY_CONDITION } from './keys.ts';
import { TABLE, type Table } from './table.ts';

export interface PageRequest {
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Names of an index list, in order. Returns names only, because the index may lag behind the items. `last` is
 * where the next page starts; null if there is none.
 */
export async function indexPage(
  table: Table,
  list: string,
  { after, limit }: PageRequest,
): Promise<{ readonly names: readonly string[]; readonly last: string | null }> {
  const input: QueryCommandInput = {
    TableName: table.name,
    IndexName: TABLE.index.name,
    KeyConditionExpression: after === null ? INDEX_CONDITION.list : INDEX_CONDITION.listAfter,
    ExpressionAttributeValues: marshall(
      { ':list': list, ':after': after ?? undefined },
      { removeUndefinedValues: true },
    ),
    ProjectionExpression: TABLE.index.sortKey,
    // Read one more to see whether there is a next page.
    Limit: limit + 1,
  };
  const found: string[] = [];
  let next: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await table.client.send(new QueryCommand({ ...input, ExclusiveStartKey: next }));
    found.push(...(page.Items ?? []).map((item) => listedNameOf(unmarshall(item))));
    next = page.LastEvaluatedKey;
    // A page can be empty without being the last.
  } while (found.length === 0 && next);
  const names = found.slice(0, limit);
  const hasMore = found.length > limit || next !== undefined;
  return { names, last: hasMore ? (names.at(-1) ?? null) : null };
}

/** Reads a partition in sort order, consistently, over all pages. */
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
