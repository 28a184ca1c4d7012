import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

export type Item = Readonly<Record<string, unknown>>;
export type Attributes = Item;

interface Expression {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Item;
}

export type Condition = Expression;

export interface ItemWrite {
  readonly key: Key;
  readonly write:
    | { readonly put: Attributes }
    | { readonly update: Expression; readonly returnsFormer?: true }
    | { readonly remove: true };
  readonly condition?: Condition | undefined;
  /**
   * Whether the item shows that this write was applied. A retried write can fail its own condition if the
   * first response was lost. Without this the item is not read again.
   */
  readonly isApplied?: (found: Item | null) => boolean;
  /** @default GetItem */
  readonly readAgain?: (table: Table, key: Key) => Promise<Item | null>;
}

export interface WriteOutcome {
  readonly applied: boolean;
  /** Item before an update with `returnsFormer`. */
  readonly former: Item | null;
  /** Item read again after a failed condition. */
  readonly found: Item | null;
}

export async function readItem(
  table: Table,
  key: Key,
  options: { readonly consistent: boolean } = { consistent: true },
): Promise<Item | null> {
  const { Item: item } = await table.client.send(
    new GetItemCommand({ TableName: table.name, Key: marshall(key), ConsistentRead: options.consistent }),
  );
  return item ? unmarshall(item) : null;
}

export async function writeItem(table: Table, itemWrite: ItemWrite): Promise<WriteOutcome> {
  const { key, isApplied, readAgain = readItem } = itemWrite;
  try {
    return { applied: true, former: await send(table, itemWrite), found: null };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const found = isApplied ? await readAgain(table, key) : null;
    return { applied: isApplied?.(found) ?? false, former: null, found };
  }
}

async function send(table: Table, { key, write, condition }: ItemWrite): Promise<Item | null> {
  const update = 'update' in write ? write.update : undefined;
  const names = { ...update?.names, ...condition?.names };
  const values = { ...update?.values, ...condition?.values };
  const input = {
    TableName: table.name,
    ...(condition && { ConditionExpression: condition.expression }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: marshall(values) }),
  };
  if ('put' in write) {
    await table.client.send(new PutItemCommand({ ...input, Item: marshall({ ...key, ...write.put }) }));
    return null;
  }
  if ('remove' in write) {
    await table.client.send(new DeleteItemCommand({ ...input, Key: marshall(key) }));
    return null;
  }
  const { Attributes } = await table.client.send(
    new UpdateItemCommand({
      ...input,
      Key: marshall(key),
      UpdateExpression: write.update.expression,
      ...(write.returnsFormer && { ReturnValues: 'ALL_OLD' }),
    }),
  );
  return Attributes ? unmarshall(Attributes) : null;
}

/** The item is still at this revision; null means that it does not exist. */
export function isAtRevision(revision: string | null): Condition {
  return revision === null
    ? { expression: 'attribute_not_exists(revision)' }
    : { expression: 'revision = :revision', values: { ':revision': revision } };
}

/** No run later than the one with `:token` has claimed the item. */
export const NOT_FENCED = '(attribute_not_exists(fence) OR fence <= :token)';

/** Converts a value to item attributes and back. */
export interface Codec<T> {
  readonly pack: (value: T) => Attributes;
  /** Reads for a change: throws if a newer release wrote the item. */
  readonly unpack: (item: Item) => T;
  /** Reads for a response: accepts items of a newer release. */
  readonly view: (item: Item) => T;
}

/** Item whose revision changes with every write, for optimistic locking. */
export interface RevisedItem {
  readonly revision: string;
}

/** Result of `reviseItem`; null if there is no item. */
export interface Revision<T> {
  readonly isWritten: boolean;
  readonly value: T | null;
  readonly revision: string | null;
}

/**
 * Reads an item, changes its value and writes it. `change` may throw to refuse and returns null to write
 * nothing. It is called again after a concurrent change.
 */
export async function reviseItem<T>(
  table: Table,
  key: Key,
  codec: Codec<T>,
  change: (former: T | null, revision: string | null) => T | null,
): Promise<Revision<T> | 'contended'> {
  const revised = await retryOnConflict(async (): Promise<Revision<T> | null> => {
    const item = await readItem(table, key);
    const found = item && { revision: String(item['revision']), value: codec.unpack(item) };
    const former = found ?? { revision: null, value: null };
    const value = change(former.value, former.revision);
    if (value === null) return { isWritten: false, ...former };
    const revision = await writeRevision(table, key, found, codec.pack(value));
    return revision === null ? null : { isWritten: true, value, revision };
  });
  return revised ?? 'contended';
}

/** Writes the item if it is unchanged. Returns its new revision, or null after a concurrent change. */
export async function writeRevision(
  table: Table,
  key: Key,
  found: RevisedItem | null,
  attributes: Attributes,
): Promise<string | null> {
  const revision = randomUUID();
  const previous = found?.revision ?? null;
  const { applied } = await writeItem(table, {
    key,
    write: { put: { ...attributes, revision, previous } },
    condition: isAtRevision(previous),
    // Another writer may have changed it since.
    isApplied: (now) => now?.['revision'] === revision || now?.['previous'] === revision,
  });
  return applied ? revision : null;
}

/** Deletes the item unless it changed. Returns whether it did; a repeated deletion finds nothing. */
export async function deleteRevision(table: Table, key: Key, { revision }: RevisedItem): Promise<boolean> {
  const { applied } = await writeItem(table, {
    key,
    write: { remove: true },
    condition: isAtRevision(revision),
  });
  return applied;
}

/** In each round at least one of the concurrent writers succeeds. */
const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 1000;

/** Retries with growing random pauses until the result is not null. */
export async function retryOnConflict<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  for (let round = 1; round <= ATTEMPTS; round++) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
    await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 50 * 2 ** round));
  }
  return null;
}
