import { ConditionalCheckFailedException, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { PRUNER_SEEDS_KEY } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** The places that have had a pruner, each as `placeOf` names it: one that somebody deleted is not to come back. */
export async function readSeededPlaces(table: Table): Promise<ReadonlySet<string>> {
  const { Item } = await table.client.send(
    new GetItemCommand({ TableName: table.name, Key: marshall(PRUNER_SEEDS_KEY), ConsistentRead: true }),
  );
  const { places } = Item ? (unmarshall(Item) as { places?: Set<string> }) : {};
  return places ?? new Set();
}

export async function rememberSeededPlace(table: Table, place: string): Promise<void> {
  try {
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(PRUNER_SEEDS_KEY),
        UpdateExpression: 'ADD places :places',
        ConditionExpression: 'NOT contains(places, :place)',
        ExpressionAttributeValues: marshall({ ':places': new Set([place]), ':place': place }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** No bucket has a slash in its name. */
export function placeOf({ bucket, prefix }: RegistryTarget): string {
  return `${bucket}/${prefix}`;
}
