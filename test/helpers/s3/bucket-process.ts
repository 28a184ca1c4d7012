import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
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
  stop(signal?: NodeJS.Signals): Promise<void>;
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
