import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** How a value is kept in the attributes of an item. */
export interface Codec<T> {
  readonly pack: (value: T) => Readonly<Record<string, unknown>>;
  readonly unpack: (item: Readonly<Record<string, unknown>>) => T;
}

/** Of an item: no later run than the one with `:token` has claimed it. */
export const NOT_FENCED = '(attribute_not_exists(fence) OR fence <= :token)';

/** False when the write was kept out by its condition. */
export async function unlessFenced(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

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

/** Each time at least one of those who write at once gets through. */
const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 1000;

/** Tries until it is not null, waiting a little longer each time, differently for each of those who try. */
export async function whileOthersWrite<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  for (let round = 1; round <= ATTEMPTS; round++) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
    await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 50 * 2 ** round));
  }
  return null;
}
