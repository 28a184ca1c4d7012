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
/** Registry bucket for pruners. */
const REGISTRY = 'registry';
const REGION = 'us-east-1';
const HOST = '127.0.0.1';

/** Content of `endpoints.json` without the API. */
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

export async function startEngines(dir: string, onUnexpectedEnd: (reason: string) => void): Promise<Engines> {
  // The engine files contain the data that the keys protect.
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o700);
  // New keys for each start: only users who can read endpoints.json can access table and bucket.
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

async function prepareEngines(
  dynamodb: string,
  s3: string,
  credentials: Pick<EngineEndpoints, 'accessKeyId' | 'secretAccessKey'>,
): Promise<Omit<Engines, 'close'>> {
  const table = {
    // Copy the credentials, because the SDK modifies the object.
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
  // Versioning lets users restore deleted objects.
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
  // Not as an argument: options contain a secret, and every user can list arguments. If the child ends before reading
  // them, its exit is reported.
  child.stdin!.on('error', () => {}).end(JSON.stringify(options));
  // Also ends an engine that is not ready yet.
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
