import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { Table } from '../../../functions/store/table.ts';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import { ensureTable } from '../../../infra/local/table/prepare-table.ts';
import { putItems, scanTable } from '../table/dump-table.ts';
import type { FixedTime } from './fixed-time.ts';

export const BUCKET = 'cairn';
export const REGISTRY = 'registry';

export interface Engines {
  readonly table: Table;
  /** Client for the buckets of Cairn and the registry. */
  readonly s3: S3Client;
  close(): Promise<void>;
}

/** Items and objects in a file; binary values are base64. */
export interface Dump {
  readonly items: readonly unknown[];
  /** In write order. */
  readonly objects: readonly DumpedObject[];
}

interface DumpedObject {
  readonly bucket: string;
  readonly key: string;
  readonly modified: string;
  readonly type?: string | undefined;
  readonly encoding?: string | undefined;
  /** Absent for a deleted key. */
  readonly body?: string;
}

type Item = Record<string, AttributeValue>;

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const client = { region: 'us-east-1', credentials, maxAttempts: 1 };

/** Creates an empty table, Cairn's bucket and a versioned registry bucket. */
export async function startEngines(tableUrl: string, name: string): Promise<Engines> {
  const table = { client: new DynamoDBClient({ ...client, endpoint: tableUrl }), name };
  await ensureTable(table);
  const dir = mkdtempSync(join(tmpdir(), 'cairn-stored-'));
  const server = await startBucketServer({
    dir,
    host: '127.0.0.1',
    port: 0,
    region: client.region,
    ...credentials,
  });
  // The server closes idle connections after seconds, and a busy machine can be slower between two calls.
  const settings = { ...client, maxAttempts: 3, endpoint: server.url, forcePathStyle: true };
  const s3 = new S3Client({ ...settings, requestHandler: withoutDate(new S3Client(settings)) });
  for (const Bucket of [BUCKET, REGISTRY]) await s3.send(new CreateBucketCommand({ Bucket }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await s3.send(new PutBucketVersioningCommand({ Bucket: REGISTRY, VersioningConfiguration }));
  return {
    table,
    s3,
    async close() {
      table.client.destroy();
      s3.destroy();
      await server.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Node sends the real time with each response. The SDK would treat it as clock drift and sign with it. */
function withoutDate(of: S3Client): S3Client['config']['requestHandler'] {
  const handler = of.config.requestHandler;
  return Object.assign(Object.create(handler) as typeof handler, {
    async handle(...given: Parameters<typeof handler.handle>) {
      const handled = await handler.handle(...given);
      delete handled.response.headers['date'];
      return handled;
    },
  });
}

export async function dumpEngines({ table, s3 }: Engines): Promise<Dump> {
  const items: Item[] = await scanTable(table);
  const objects = [...(await dumpBucket(s3, BUCKET)), ...(await dumpBucket(s3, REGISTRY))];
  return { items: items.toSorted(byKey).map(packItem), objects };
}

export async function loadItems(table: Table, dump: Dump): Promise<void> {
  const items = dump.items.map((item) => unpackItem(item as Parameters<typeof unpackItem>[0]));
  await putItems(table, items);
}

/** Writes each object at its original time. */
export async function loadDump({ table, s3 }: Engines, dump: Dump, time: FixedTime): Promise<void> {
  await loadItems(table, dump);
  for (const { bucket: Bucket, key: Key, modified, type, encoding, body } of dump.objects) {
    time.set(Date.parse(modified));
    if (body === undefined) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    else {
      const Body = Buffer.from(body, 'base64');
      await s3.send(
        new PutObjectCommand({ Bucket, Key, Body, ContentType: type, ContentEncoding: encoding }),
      );
    }
  }
}

async function dumpBucket(s3: S3Client, Bucket: string): Promise<DumpedObject[]> {
  const {
    Versions = [],
    DeleteMarkers = [],
    IsTruncated,
  } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  if (IsTruncated) throw new Error(`the bucket ${Bucket} has too many versions for a dump`);
  const objects: DumpedObject[] = DeleteMarkers.map(({ Key, LastModified }) => ({
    bucket: Bucket,
    key: Key!,
    modified: LastModified!.toISOString(),
  }));
  for (const { Key, VersionId, LastModified } of Versions) {
    const found: GetObjectCommandOutput = await s3.send(
      new GetObjectCommand({ Bucket, Key, ...(VersionId !== 'null' && { VersionId }) }),
    );
    objects.push({
      bucket: Bucket,
      key: Key!,
      modified: LastModified!.toISOString(),
      type: found.ContentType,
      encoding: found.ContentEncoding,
      body: Buffer.from(await found.Body!.transformToByteArray()).toString('base64'),
    });
  }
  const order = ({ modified, key, body }: DumpedObject) =>
    `${modified} ${body === undefined ? 'deleted' : 'added'} ${key}`;
  return objects.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

const keyText = (item: Item) => `${item['pk']!.S}\n${item['sk']!.S}`;
const byKey = (a: Item, b: Item) => (keyText(a) < keyText(b) ? -1 : 1);

/** DynamoDB JSON, attributes sorted by name. */
function packItem(item: Item): unknown {
  const attributes = Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    attributes.map(([name, value]) => [
      name,
      value.B ? { B: Buffer.from(value.B).toString('base64') } : value,
    ]),
  );
}

function unpackItem(item: Readonly<Record<string, { readonly B?: string }>>): Item {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B === undefined ? (value as AttributeValue) : { B: Buffer.from(value.B, 'base64') },
    ]),
  );
}
