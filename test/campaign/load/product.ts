import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LoadClient, startClient } from './client.ts';

/** `npm start` on demo channels, with its own engines: what a person runs. */
interface Product {
  readonly url: string;
  /** In megabytes, of the process that answers; its engines are others. */
  memory(): number;
  /** Open files of it; null where the system does not tell. */
  openFiles(): number | null;
  isRunning(): boolean;
  close(): Promise<void>;
}

const START = fileURLToPath(new URL('../../../infra/local/start.ts', import.meta.url));
const READY = /^Cairn is ready at (\S+)$/m;

async function startProduct(folder: string): Promise<Product> {
  const child = spawn(
    process.execPath,
    [START, '--upstream', 'demo', '--port', '0', '--data', join(folder, 'data')],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-10_000);
      const match = READY.exec(output);
      if (match) resolve(match[1]!);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the local run ended (${code}): ${output}`)));
  });
  return {
    url,
    memory() {
      const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' });
      return Number(stdout) / 1000;
    },
    openFiles() {
      try {
        return readdirSync(`/proc/${child.pid}/fd`).length;
      } catch {
        return null;
      }
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async close() {
      process.off('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Runs some work against the product, with a client that puts it under load. */
export async function withProduct<Result>(
  folder: string,
  work: (product: Product, client: LoadClient) => Promise<Result>,
): Promise<Result> {
  const product = await startProduct(folder);
  const client = startClient();
  try {
    return await work(product, client);
  } finally {
    client.close();
    await product.close();
  }
}
