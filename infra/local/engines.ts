import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bucket } from '../../functions/store/bucket.ts';
import { createTableClient } from '../../functions/store/client.ts';
import type { Table } from '../../functions/store/table.ts';
import { bucketUploads, type Uploads } from '../../functions/uploads/store.ts';
import { checkBucket } from './s3/self-check.ts';
import { startEngine } from './engine.ts';
import { ensureTable } from './table/prepare-table.ts';

const NAME = 'cairn';
/** A bucket for the storage of a registry, which pruners may work in. */
const REGISTRY = 'registry';
const REGION = 'us-east-1';
const HOST = '127.0.0.1';

/** What a tool needs to talk to the engines: the content of `endpoints.json` but for the API. */
export interface EngineEndpoints {
  readonly dynamodb: string;
  readonly s3: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly table: string;
  readonly bucket: string;
  readonly registryBucket: string;
}

export interface Engines {
  readonly table: Table;
  readonly bucket: Bucket;
  readonly registry: Bucket;
  readonly uploads: Uploads;
  readonly endpoints: EngineEndpoints;
  close(): Promise<void>;
}

/** Table and bucket on this machine, their data below `dir`. */
export async function startEngines(dir: string, onUnexpectedEnd: (reason: string) => void): Promise<Engines> {
  // The files of the engines hold what the keys protect.
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o700);
  // Fresh keys for each start: only those who can read endpoints.json may use table and bucket.
  const credentials = { accessKeyId: 'cairn-local', secretAccessKey: randomBytes(24).toString('base64url') };
  const start = (name: 'table' | 'bucket') =>
    startEngine(
      new URL(`${name}/main.ts`, import.meta.url),
      { dir: join(dir, name), host: HOST, port: 0, region: REGION, ...credentials },
      onUnexpectedEnd,
    );
  const [table, bucket] = await Promise.all([start('table'), start('bucket')]);
  const close = async () => {
    await Promise.all([table.close(), bucket.close()]);
  };
  try {
    const tableClient = createTableClient(4, {
      endpoint: table.url,
      region: REGION,
      // A copy each, because the SDK marks the object it is given.
      credentials: { ...credentials },
    });
    const bucketAccess = () => ({
      endpoint: bucket.url,
      region: REGION,
      credentials: { ...credentials },
      forcePathStyle: true,
    });
    const bucketClient = new S3Client(bucketAccess());
    await ensureTable({ client: tableClient, name: NAME });
    await bucketClient.send(new CreateBucketCommand({ Bucket: NAME }));
    const faults = await checkBucket(bucketClient, NAME);
    if (faults.length > 0) throw new Error(`the bucket engine does not behave as S3: ${faults.join('; ')}`);
    await bucketClient.send(new CreateBucketCommand({ Bucket: REGISTRY }));
    // What a pruner deletes can be had back.
    await bucketClient.send(
      new PutBucketVersioningCommand({ Bucket: REGISTRY, VersioningConfiguration: { Status: 'Enabled' } }),
    );
    const endpoints = {
      dynamodb: table.url,
      s3: bucket.url,
      region: REGION,
      ...credentials,
      table: NAME,
      bucket: NAME,
      registryBucket: REGISTRY,
    };
    return {
      table: { client: tableClient, name: NAME },
      bucket: { client: bucketClient, name: NAME },
      registry: { client: bucketClient, name: REGISTRY },
      uploads: bucketUploads(NAME, bucketAccess()),
      endpoints,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
