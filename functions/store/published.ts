import { gunzipSync, gzipSync } from 'node:zlib';
import {
  PutItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { deleteItems, readItems } from './batch.ts';
import { NOT_FENCED, unlessFenced } from './item.ts';
import {
  type Key,
  documentBodyKey,
  documentHeadKey,
  documentPartition,
  fenceOf,
  isHeadKey,
  KEY_ATTRIBUTES,
  keyOf,
  lastRevisionOf,
  revisionOfBodyKey,
} from './keys.ts';
import { queryPartition } from './query.ts';
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

/** The small item that says which body is current. Readers see a whole document or the former whole document. */
export interface DocumentHead {
  readonly name: string;
  readonly revision: string;
  /** The revision before, whose body stays for readers that still hold the former head. */
  readonly previous: string | null;
  readonly etag: string;
  readonly chunks: number;
  readonly publishedAt: string;
  /** What a reader wants to know without the body. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** The token of a run that found it unchanged and keeps those before it out. */
  readonly fence?: number;
}

export interface StoredDocument {
  readonly head: DocumentHead | null;
  /** gzip; null when nothing is published. */
  readonly body: Uint8Array | null;
  /** Keys of every body item that is there, also those that a crash left behind. */
  readonly bodyKeys: readonly Key[];
}

export interface DocumentDraft {
  readonly name: string;
  readonly revision: string;
  readonly etag: string;
  readonly publishedAt: string;
  readonly summary: Readonly<Record<string, unknown>>;
  /** gzip. */
  readonly body: Uint8Array;
}

type PublishOutcome =
  | { readonly published: true; readonly head: DocumentHead }
  /** Somebody else flipped the head since it was read, or keeps this run out of it. */
  | { readonly published: false; readonly head: DocumentHead | null };

const READ_ATTEMPTS = 4;

export async function readHeads(table: Table, names: readonly string[]): Promise<Map<string, DocumentHead>> {
  const items = await readItems(table, names.map(documentHeadKey));
  return new Map(items.map((item) => [String(item['name']), headOf(item)]));
}

export async function readHead(
  table: Table,
  name: string,
  options: { readonly consistent: boolean },
): Promise<DocumentHead | null> {
  const { Item } = await table.client.send(
    new GetItemCommand({
      TableName: table.name,
      Key: marshall(documentHeadKey(name)),
      ConsistentRead: options.consistent,
    }),
  );
  return Item ? headOf(unmarshall(Item)) : null;
}

/** Head and body in one Query. A flip between its pages can tear it: then it is read again. */
export async function readDocument(table: Table, name: string): Promise<StoredDocument> {
  for (let attempt = 1; ; attempt++) {
    const items = await queryPartition(table, documentPartition(name));
    const headItem = items.find((item) => isHeadKey(keyOf(item)));
    const bodyKeys = items.map(keyOf).filter((key) => !isHeadKey(key));
    if (!headItem) return { head: null, body: null, bodyKeys };
    const head = headOf(headItem);
    const chunks = items
      .filter((item) => revisionOfBodyKey(keyOf(item)) === head.revision)
      .map((item) => item['body'] as Uint8Array);
    if (chunks.length === head.chunks) return { head, body: Buffer.concat(chunks), bodyKeys };
    if (attempt === READ_ATTEMPTS) {
      throw new Error(
        `document ${name} has ${chunks.length} of ${head.chunks} chunks of revision ${head.revision}`,
      );
    }
  }
}

/**
 * Writes the body under keys never used before, flips the head by one conditional write, then removes bodies that
 * nobody can be reading. `current` is the document the draft was made from: if the head has moved since, nothing
 * is flipped, so a stalled run can never take back what a newer one published.
 */
export async function publishDocument(
  table: Table,
  draft: DocumentDraft,
  current: StoredDocument,
): Promise<PublishOutcome> {
  const expected = current.head?.revision ?? null;
  if (expected !== null && expected >= draft.revision) return { published: false, head: current.head };

  const { name, revision, etag, publishedAt, summary } = draft;
  const chunks = await writeChunks(table, draft.body, (chunk) => documentBodyKey(name, revision, chunk));
  const head: DocumentHead = { name, revision, previous: expected, etag, chunks, publishedAt, summary };
  const flipped = await flipHead(table, head, expected);
  if (!flipped.published) return flipped;

  const unread = current.bodyKeys.filter((key) => {
    const bodyRevision = revisionOfBodyKey(key);
    return bodyRevision < revision && bodyRevision !== expected;
  });
  await deleteItems(table, unread);
  return flipped;
}

/**
 * Makes a document safe from runs that began before the one with this token and would still replace or delete it. False
 * when it is no longer at this revision, or a later run has claimed it.
 */
export async function claimDocument(
  table: Table,
  { name, revision }: Pick<DocumentHead, 'name' | 'revision'>,
  token: number,
): Promise<boolean> {
  return unlessFenced(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(documentHeadKey(name)),
        ConditionExpression: `revision = :revision AND ${NOT_FENCED}`,
        UpdateExpression: 'SET fence = :token',
        ExpressionAttributeValues: marshall({ ':revision': revision, ':token': token }),
      }),
    ),
  );
}

/**
 * Removes what runs up to the one with this token have published: the head first, so that no reader meets a head without
 * its body. False when a later run has published or claimed the document, which then stays.
 */
export async function deleteDocument(table: Table, name: string, token: number): Promise<boolean> {
  const items = await queryPartition(table, documentPartition(name), { attributes: KEY_ATTRIBUTES });
  const keys = items.map(keyOf);
  if (keys.some(isHeadKey) && !(await deleteHead(table, name, token))) return false;
  // A later run may be about to publish, and has written its body.
  const own = keys.filter((key) => !isHeadKey(key) && revisionOfBodyKey(key) <= lastRevisionOf(token));
  await deleteItems(table, own);
  return true;
}

function deleteHead(table: Table, name: string, token: number): Promise<boolean> {
  return unlessFenced(
    table.client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: marshall(documentHeadKey(name)),
        // The answer of a deletion can get lost: what is gone already is as it should be.
        ConditionExpression: `attribute_not_exists(revision) OR (revision <= :last AND ${NOT_FENCED})`,
        ExpressionAttributeValues: marshall({ ':last': lastRevisionOf(token), ':token': token }),
      }),
    ),
  );
}

async function flipHead(table: Table, head: DocumentHead, expected: string | null): Promise<PublishOutcome> {
  const item = { ...documentHeadKey(head.name), ...head, summary: gzipSync(JSON.stringify(head.summary)) };
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall(item),
        ...(expected === null
          ? { ConditionExpression: 'attribute_not_exists(revision)' }
          : {
              ConditionExpression: `revision = :expected AND ${NOT_FENCED}`,
              ExpressionAttributeValues: marshall({
                ':expected': expected,
                ':token': fenceOf(head.revision),
              }),
            }),
      }),
    );
    return { published: true, head };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The answer of a write that was applied can get lost; its retry then fails the condition it has met itself.
    const found = await readHead(table, head.name, { consistent: true });
    return found?.revision === head.revision ? { published: true, head } : { published: false, head: found };
  }
}

/** Whether a run later than the one with this token has published or claimed it. */
export function isOfLaterRun({ revision, fence = 0 }: DocumentHead, token: number): boolean {
  return fenceOf(revision) > token || fence > token;
}

function headOf(item: Record<string, unknown>): DocumentHead {
  const { name, revision, previous, etag, chunks, publishedAt, fence } = item as unknown as DocumentHead;
  const summary = JSON.parse(
    gunzipSync(item['summary'] as Uint8Array).toString('utf8'),
  ) as DocumentHead['summary'];
  return {
    name,
    revision,
    previous,
    etag,
    chunks,
    publishedAt,
    summary,
    ...(fence !== undefined && { fence }),
  };
}
