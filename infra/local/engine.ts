import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EngineMessage } from './engine-child.ts';

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
