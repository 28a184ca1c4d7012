import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ServiceOptions {
  readonly upstream: 'demo' | 'recorded';
  /** What the sync follows, in the form of `releases.json`. */
  readonly releases: unknown;
  /** Required by every request when set. */
  readonly token?: string;
  /** What is wrong with the table: it does not exist, or nothing listens at its address. */
  readonly storage?: 'missing' | 'unreachable';
}

/** What the service does only when it is ordered to. */
export type Order =
  | { readonly kind: 'job'; readonly job: 'sync' | 'housekeeping' | 'fleet' | 'launched' }
  | {
      readonly kind: 'push';
      readonly repository: string;
      readonly tag: string | null;
      readonly layers: readonly string[];
    }
  /** Changes the upstream from the next sync on. */
  | { readonly kind: 'upstream'; readonly without: readonly string[]; readonly isDown: boolean }
  /** Requests between the two meet a sync in progress. */
  | { readonly kind: 'begin sync' }
  | { readonly kind: 'end sync' };

export type OrderResult =
  | { readonly kind: 'ready'; readonly url: string; readonly webhook: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };

/** A running Cairn on a clock that the caller sets. The deployed bundles can be run behind the same interface. */
export interface Service {
  readonly url: string;
  /** A webhook; GET returns what it received and the events since the last GET. */
  readonly webhook: string;
  /** The time and the seed of random values from now on. */
  setMoment(time: number, seed: string): void;
  order(order: Order): Promise<void>;
  close(): Promise<void>;
}

/** Starts the parts of `npm start` in one process, with its engines as child processes. */
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
  // Jobs log to it; of interest only if the service ends.
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
