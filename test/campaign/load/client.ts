import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LoadRequest {
  /** How often among the others. */
  readonly weight: number;
  readonly method: 'GET' | 'PUT' | 'POST';
  /** `{id}` is one of 500 numbers in turn, `{turn}` how often that one was there before. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly url: string;
  readonly seconds: number;
  /** Requests per second, sent when they are due; null sends as many as are answered. */
  readonly rate: number | null;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
}

export interface LoadResult {
  readonly sent: number;
  /** Requests without an answer. */
  readonly errors: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** Answered with a status below 300. */
  readonly perSecond: number;
  readonly milliseconds: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    readonly most: number;
  };
  /** Numbers of the changes that were acknowledged. */
  readonly acknowledged: readonly number[];
}

export interface LoadClient {
  send(load: Load): Promise<LoadResult>;
  close(): void;
}

export function startClient(): LoadClient {
  const child: ChildProcess = fork(fileURLToPath(new URL('client-process.ts', import.meta.url)));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the client ended (${code})`);
  });
  // Looked at with the next load.
  ended.catch(() => undefined);
  return {
    async send(load) {
      child.send(load);
      const [message] = (await Promise.race([once(child, 'message'), ended])) as [
        { result: LoadResult } | { error: string },
      ];
      if ('error' in message) throw new Error(message.error);
      return message.result;
    },
    close: () => void child.kill(),
  };
}

/** Everything that was not answered as it should be. */
export function failuresOf({ errors, statuses }: LoadResult, accepted: readonly number[] = []): number {
  const refused = Object.entries(statuses)
    .filter(([status]) => Number(status) >= 300 && !accepted.includes(Number(status)))
    .reduce((total, [, count]) => total + count, 0);
  return errors + refused;
}
