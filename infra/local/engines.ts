import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '../../functions/store/bucket.ts';
import { createTableClient } from '../../functions/store/client.ts';
import type { Table } from '../../functions/store/table.ts';
import { bucketUploads, type Uploads } from '../../functions/uploads/store.ts';
import type { EngineMessage } from './engine-child.ts';
import { checkBucket } from './s3/self-check.ts';
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

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Table and bucket on this machine, their data below `dir`. */
export async function startEngines(dir: string, onUnexpectedEnd: (reason: string) => void): Promise<Engines> {
  // The files of the engines hold what the keys protect.
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o700);
  // Fresh keys for each start: only those who can read endpoints.json may use table and bucket.
  const credentials = { accessKeyId: 'cairn-local', secretAccessKey: randomBytes(24).toString('base64url') };
  const start = (name: 'table' | 'bucket', entry: string) =>
    startEngine(
      new URL(entry, import.meta.url),
      { dir: join(dir, name), host: HOST, port: 0, region: REGION, ...credentials },
      (reason) => onUnexpectedEnd(`${name} ${reason}`),
    );
  const [table, bucket] = await Promise.all([start('table', 'table/main.ts'), start('bucket', 's3/main.ts')]);
  const close = async () => {
    await Promise.all([table.close(), bucket.close()]);
  };
  try {
    return { ...(await prepareEngines(table.url, bucket.url, credentials)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates what is missing in them. */
async function prepareEngines(
  dynamodb: string,
  s3: string,
  credentials: Credentials,
): Promise<Omit<Engines, 'close'>> {
  const table = {
    // A copy of the credentials each, because the SDK marks the object it is given.
    client: createTableClient(4, { endpoint: dynamodb, region: REGION, credentials: { ...credentials } }),
    name: NAME,
  };
  const bucketAccess = () => ({
    endpoint: s3,
    region: REGION,
    credentials: { ...credentials },
    forcePathStyle: true,
  });
  const client = new S3Client(bucketAccess());
  await ensureTable(table);
  await client.send(new CreateBucketCommand({ Bucket: NAME }));
  const faults = await checkBucket(client, NAME);
  if (faults.length > 0) throw new Error(`the bucket engine does not behave as S3: ${faults.join('; ')}`);
  await client.send(new CreateBucketCommand({ Bucket: REGISTRY }));
  // What a pruner deletes can be had back.
  await client.send(
    new PutBucketVersioningCommand({ Bucket: REGISTRY, VersioningConfiguration: { Status: 'Enabled' } }),
  );
  return {
    table,
    bucket: { client, name: NAME },
    registry: { client, name: REGISTRY },
    uploads: bucketUploads(NAME, bucketAccess()),
    endpoints: {
      dynamodb,
      s3,
      region: REGION,
      ...credentials,
      table: NAME,
      bucket: NAME,
      registryBucket: REGISTRY,
    },
  };
}

interface Engine {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an engine in a child process and waits until it listens. It ends with this process, however that ends. */
export async function startEngine(
  entry: URL,
  options: Readonly<Record<string, unknown>>,
  onUnexpectedEnd: (reason: string) => void,
): Promise<Engine> {
  const child = fork(fileURLToPath(entry), { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] });
  // Not as an argument: they hold a secret, and every user of the machine can list arguments. A child that ends before
  // it has read them is reported by its exit.
  child.stdin!.on('error', () => {}).end(JSON.stringify(options));
  // Nobody is left behind either when this process ends before the engine is ready.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const url = await firstMessage(child);
  let isClosing = false;
  child.once('exit', (code, signal) => {
    if (!isClosing) onUnexpectedEnd(`engine ended (${signal ?? code})`);
  });
  return {
    url,
    async close() {
      isClosing = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function firstMessage(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: EngineMessage) => {
      if (message.ready) resolve(message.url);
      else reject(new Error(message.error));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`the engine ended before it was ready (${signal ?? code})`)),
    );
  });
}
