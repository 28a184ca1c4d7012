import { text } from 'node:stream/consumers';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bucket } from '../../functions/store/bucket.ts';
import { createTableClient } from '../../functions/store/client.ts';
import type { Table } from '../../functions/store/table.ts';
import { bucketUploads, type Uploads } from '../../functions/uploads/store.ts';
import { checkBucket } from './s3/self-check.ts';
import { ensureTable } from './table/prepare-table.ts';

/** What an engine in a child process tells its parent, once. */
export type EngineMessage =
  | { readonly ready: true; readonly url: string }
  | { readonly ready: false; readonly error: string };

/** What the parent sends by `startEngine`. */
export async function readOptions<Options>(): Promise<Options> {
  return JSON.parse(await text(process.stdin)) as Options;
}

/** Says where the engine listens, and ends it with its parent. */
export function reportReady(url: string, close: () => Promise<void>): void {
  const end = (): void => {
    void close().finally(() => process.exit());
  };
  // The channel also closes when the parent is killed, so nobody is left behind holding the port.
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  // Ctrl-C reaches every process of the terminal; a parent that has us still needs the engine to finish its work.
  process.on('SIGINT', () => {
    if (!process.connected) end();
  });
  report({ ready: true, url }, end);
}

export function reportFailure(error: unknown): void {
  report({ ready: false, error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
  process.disconnect?.();
}

/** A parent that ended meanwhile cannot be told any more: `onNobody` is called. */
function report(message: EngineMessage, onNobody = (): void => {}): void {
  if (!process.send) console.log(JSON.stringify(message));
  else process.send(message, (error: Error | null) => error && onNobody());
}

export interface Engine {
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
    if (!isClosing) onUnexpectedEnd(`${entry.pathname.split('/').at(-2)} engine ended (${signal ?? code})`);
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
