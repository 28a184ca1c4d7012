import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { randomUUID } from 'node:crypto';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** An item that knows its revision, so that it is changed only as it was read. */
export interface Revised {
  /** Another one with every write. */
  readonly revision: string;
  /** The revision before, null when there was none. */
  readonly previous: string | null;
}

type Attributes = Readonly<Record<string, unknown>>;

export async function readRevised(table: Table, key: Key): Promise<(Revised & Attributes) | null> {
  const { Item } = await table.client.send(
    new GetItemCommand({ TableName: table.name, Key: marshall(key), ConsistentRead: true }),
  );
  return Item ? (unmarshall(Item) as Revised & Attributes) : null;
}

/**
 * Writes the whole item, only while it is still the one that was found, null for none. Gives the revision that it has now,
 * or null when somebody else was quicker.
 */
export async function writeRevised(
  table: Table,
  key: Key,
  found: Pick<Revised, 'revision'> | null,
  attributes: Attributes,
): Promise<string | null> {
  const revision = randomUUID();
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall({ ...key, ...attributes, revision, previous: found?.revision ?? null }),
        ...(found === null
          ? { ConditionExpression: 'attribute_not_exists(revision)' }
          : {
              ConditionExpression: 'revision = :previous',
              ExpressionAttributeValues: marshall({ ':previous': found.revision }),
            }),
      }),
    );
    return revision;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The answer of a write that was applied can get lost; its retry then fails the condition it has met itself. Others
    // may have gone on from it meanwhile.
    const now = await readRevised(table, key);
    return now?.revision === revision || now?.previous === revision ? revision : null;
  }
}

/** Deletes the item as it was found; one that somebody has changed since stays. */
export async function deleteRevised(
  table: Table,
  key: Key,
  { revision }: Pick<Revised, 'revision'>,
): Promise<void> {
  try {
    await table.client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: marshall(key),
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: marshall({ ':revision': revision }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
