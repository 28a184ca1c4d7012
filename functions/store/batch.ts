import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { TransientError } from '../runtime/errors.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

const READ_BATCH = 100;
const WRITE_BATCH = 25;
const MAX_ROUNDS = 8;

/** Reads items consistently; omits keys without an item. */
export async function readItems(table: Table, keys: readonly Key[]): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (const batch of inBatches(keys, READ_BATCH)) {
    let pending = batch.map((key) => marshall(key));
    for (let round = 0; pending.length > 0; round++) {
      await pauseBefore(round, 'reads');
      const answer = await table.client.send(
        new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys: pending, ConsistentRead: true } } }),
      );
      items.push(...(answer.Responses?.[table.name] ?? []).map((item) => unmarshall(item)));
      pending = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
    }
  }
  return items;
}

/** Deletes items; a missing one is not an error. */
export async function deleteItems(table: Table, keys: readonly Key[]): Promise<void> {
  for (const batch of inBatches(keys, WRITE_BATCH)) {
    let pending = batch.map((key) => ({ DeleteRequest: { Key: marshall(key) } }));
    for (let round = 0; pending.length > 0; round++) {
      await pauseBefore(round, 'deletes');
      const answer = await table.client.send(
        new BatchWriteItemCommand({ RequestItems: { [table.name]: pending } }),
      );
      pending = (answer.UnprocessedItems?.[table.name] ?? []).flatMap((request) =>
        request.DeleteRequest?.Key ? [{ DeleteRequest: { Key: request.DeleteRequest.Key } }] : [],
      );
    }
  }
}

/** Backs off before retrying unprocessed keys, which are usually throttled. */
async function pauseBefore(round: number, what: string): Promise<void> {
  if (round === 0) return;
  if (round >= MAX_ROUNDS) {
    throw new TransientError(`the table left batch ${what} unprocessed ${MAX_ROUNDS} times`);
  }
  await sleep(Math.random() * 50 * 2 ** round);
}

function* inBatches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
