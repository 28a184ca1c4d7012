import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ServiceOptions {
  readonly upstream: 'demo' | 'recorded';
  /** Followed sources, in the form of `releases.json`. */
  readonly releases: unknown;
  /** If set, every request requires it. */
  readonly token?: string;
  /** Fault of the table: it does not exist, or its address is unreachable. */
  readonly storage?: 'missing' | 'unreachable';
}

/** Actions that the service runs only on request. */
export type Order =
  | { readonly kind: 'job'; readonly job: 'sync' | 'housekeeping' | 'fleet' | 'launched' }
  | {
      readonly kind: 'push';
      readonly repository: string;
      readonly tag: string | null;
      readonly layers: readonly string[];
    }
  /** Applies from the next sync on. */
  | { readonly kind: 'upstream'; readonly without: readonly string[]; readonly isDown: boolean }
  /** Requests between the two orders meet a running sync. */
  | { readonly kind: 'begin sync' }
  | { readonly kind: 'end sync' };

export type OrderResult =
  | { readonly kind: 'ready'; readonly url: string; readonly webhook: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

/** A running Cairn on a clock that the caller sets. Deployed bundles can implement the same interface. */
export interface Service {
  readonly url: string;
  /** Webhook URL. GET returns received messages and the events since the last GET. */
  readonly webhook: string;
  /** Sets the time and the seed of random values. */
  setMoment(time: number, seed: string): void;
  order(order: Order): Promise<void>;
  close(): Promise<void>;
}

/** Starts the parts of `npm start` in one process, with engines as child processes. */
export async function startService(options: ServiceOptions, time: number): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-golden-'));
  const momentPath = join(folder, 'moment');
  const moment = openSync(momentPath, 'w');
  const setMoment = (at: number, seed: string): void => {
    const hash = createHash('sha256').update(seed).digest().readUIntBE(0, 6);
    writeSync(moment, new Float64Array([at, hash]), 0, 16, 0);
  };
  setMoment(time, 'start');
  const { AUTH_TOKEN: _token, ...variables } = process.env;
  const child = fork(
    fileURLToPath(new URL('service-process.ts', import.meta.url)),
    [JSON.stringify({ ...options, folder })],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        ...variables,
        NODE_OPTIONS: `--import ${new URL('fixed-time.ts', import.meta.url).href}`,
        GOLDEN_MOMENT: momentPath,
        TZ: 'UTC',
      },
    },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let onResult = (_result: OrderResult): void => {};
  child.on('message', (result: OrderResult) => onResult(result));
  // Job log, printed only if the service ends unexpectedly.
  let logged = '';
  child.stderr!.on('data', (chunk: Buffer) => (logged = (logged + chunk.toString()).slice(-2000)));
  child.once('close', () => onResult({ kind: 'failed', reason: `the service ended: ${logged}` }));
  const result = async (): Promise<OrderResult> => {
    const next = await new Promise<OrderResult>((resolve) => (onResult = resolve));
    if (next.kind === 'failed') throw new Error(next.reason);
    return next;
  };
  const ready = await result();
  if (ready.kind !== 'ready') throw new Error(`the service sent ${ready.kind} before it was ready`);
  return {
    url: ready.url,
    webhook: ready.webhook,
    setMoment,
    async order(order) {
      const done = result();
      child.send(order);
      await done;
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        child.disconnect();
        await once(child, 'exit');
      }
      process.off('exit', kill);
      closeSync(moment);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
