import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startCincinnatiStub } from '../../helpers/upstream/cincinnati-stub.ts';
import { drawnSource } from '../../helpers/upstream/drawn-upstream.ts';
import { CHANNELS } from './grammar/pools.ts';

export interface MemorySample {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly isPolluted: boolean;
}

export type TargetMessage =
  | { readonly kind: 'ready'; readonly url: string }
  | ({ readonly kind: 'sample' } & MemorySample)
  | { readonly kind: 'mishap'; readonly what: string; readonly detail: string };

/** The service under fuzz, in a process of its own so that its memory is its own. */
export interface Target {
  readonly url: string;
  readonly port: number;
  /** What it told of without being asked: crashes, rejections, failed requests with their stack, warnings. */
  readonly mishaps: readonly string[];
  /** After a collection of garbage. */
  sample(): Promise<MemorySample>;
  close(): Promise<void>;
}

export async function startTarget(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-fuzz-'));
  const upstream = await startCincinnatiStub(drawnSource(CHANNELS));
  const mishaps: string[] = [];
  const child = fork(
    fileURLToPath(new URL('target-process.ts', import.meta.url)),
    [JSON.stringify({ folder, upstream: upstream.url })],
    { execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let isClosing = false;
  const errors = createInterface(child.stderr!);
  // Jobs log there by themselves, for a person; that a pruner is gone when its run begins is only a warning.
  errors.on('line', (line) => {
    if (!/^[\d:]+ warning: /.test(line)) mishaps.push(`stderr: ${line}`);
  });
  child.once('exit', (code, signal) => {
    if (!isClosing) mishaps.push(`the process ended (${signal ?? code})`);
  });
  let onSample = (_sample: MemorySample): void => {};
  const url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: TargetMessage) => {
      if (message.kind === 'ready') resolve(message.url);
      else if (message.kind === 'sample') onSample(message);
      else mishaps.push(`${message.what}: ${message.detail}`);
    });
    child.once('exit', () => reject(new Error(`the target did not start: ${mishaps.join('; ')}`)));
  });
  return {
    url,
    port: Number(new URL(url).port),
    mishaps,
    sample() {
      const { promise, resolve, reject } = Promise.withResolvers<MemorySample>();
      onSample = resolve;
      child.send('sample', (error) => error && reject(error));
      return promise;
    },
    async close() {
      isClosing = true;
      if (child.exitCode === null && child.signalCode === null) {
        child.disconnect();
        await once(child, 'exit');
      }
      process.off('exit', kill);
      await upstream.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
