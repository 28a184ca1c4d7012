import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach } from 'vitest';
import type { EngineMessage } from '../../../infra/local/engine-child.ts';

const MAIN = fileURLToPath(new URL('../../../infra/local/s3/main.ts', import.meta.url));

export const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local-secret' };
export const REGION = 'eu-west-1';
export const BUCKET = 'cairn-test';

export interface BucketProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly client: S3Client;
  /** Signals the child and waits for its end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

export function clientOf(url: string, credentials = CREDENTIALS): S3Client {
  return new S3Client({ endpoint: url, region: REGION, credentials, forcePathStyle: true, maxAttempts: 1 });
}

/** The bucket server as `npm start` runs it: in its own process, on a free port. */
export async function startBucketProcess(dir: string): Promise<BucketProcess> {
  const options = { dir, host: '127.0.0.1', port: 0, region: REGION, ...CREDENTIALS };
  const child = fork(MAIN, { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] });
  child.stdin!.end(JSON.stringify(options));
  const [message] = (await once(child, 'message')) as [EngineMessage];
  if (!message.ready) throw new Error(message.error);
  const client = clientOf(message.url);
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  return {
    url: message.url,
    child,
    client,
    async stop(signal = 'SIGTERM') {
      client.destroy();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    },
  };
}

/** Bucket servers of one test on one new folder; all end with the test. */
export function useBucketProcesses() {
  const running: BucketProcess[] = [];
  const fixture = {
    dir: '',
    start: async (): Promise<BucketProcess> => {
      const server = await startBucketProcess(fixture.dir);
      running.push(server);
      return server;
    },
    /** Files in a folder of the bucket. */
    files: (folder: string): string[] => readdirSync(join(fixture.dir, BUCKET, folder)),
  };
  beforeEach(() => {
    fixture.dir = mkdtempSync(join(tmpdir(), 'cairn-bucket-'));
  });
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop('SIGKILL');
    rmSync(fixture.dir, { recursive: true, force: true });
  });
  return fixture;
}
