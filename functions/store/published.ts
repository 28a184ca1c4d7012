import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** Below the 400 KB limit of an item, with room for its other attributes. */
const CHUNK_BYTES = 350 * 1024;

/** Writes a body in as many items as it takes, at least one; returns their number. */
export async function writeChunks(
  table: Table,
  body: Uint8Array,
  keyOfChunk: (chunk: number) => Key,
): Promise<number> {
  const chunks = Math.max(1, Math.ceil(body.length / CHUNK_BYTES));
  for (let chunk = 0; chunk < chunks; chunk++) {
    const part = body.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    const item = { ...keyOfChunk(chunk), body: part };
    await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshall(item) }));
  }
  return chunks;
}
