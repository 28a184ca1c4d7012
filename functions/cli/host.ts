import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandDescription } from '../command-line/flags.ts';
import type { ParsedArgs } from '../command-line/parse.ts';
import { allVariables, type Variables } from '../runtime/env.ts';
import { writeFolder } from './write-folder.ts';

export interface Output {
  write(text: string | Uint8Array): void;
  readonly isTerminal: boolean;
}

export interface ProgramResult {
  /** Null if the program does not exist. */
  readonly exitCode: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** HTTPS request that trusts a single CA, whatever the machine trusts. */
interface TrustedRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** CA certificate in PEM. */
  readonly authority: string;
  /** For the whole response. */
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

export interface TrustedAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

export interface Host {
  readonly out: Output;
  readonly err: Output;
  readonly input: { readonly isTerminal: boolean; read(): Promise<Uint8Array> };
  readonly variables: Variables;
  readonly clock: () => number;
  wait(ms: number): Promise<void>;
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  readonly getTrusted: (url: URL, request: TrustedRequest) => Promise<TrustedAnswer>;
  readFile(path: string): Promise<{ readonly bytes: Uint8Array; readonly changedAt: Date }>;
  /** Atomic. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  readonly writeFolder: typeof writeFolder;
  run(program: string, args: readonly string[]): Promise<ProgramResult>;
}

export interface Command extends CommandDescription {
  run(args: ParsedArgs, host: Host): Promise<number>;
}

/** Enough for the lists of a large cluster. */
const MOST_PRINTED_BYTES = 512 * 1024 * 1024;
/** Separate agent: the default one can use a proxy, which is for external hosts. */
const agent = new Agent({ keepAlive: true });

export function thisMachine(): Host {
  return {
    out: outputOf(process.stdout),
    err: outputOf(process.stderr),
    input: { isTerminal: process.stdin.isTTY, read: readInput },
    variables: allVariables(),
    clock: Date.now,
    wait: (ms) => delay(ms),
    fetch,
    getTrusted,
    async readFile(path) {
      const [bytes, { mtime: changedAt }] = await Promise.all([readFile(path), stat(path)]);
      return { bytes, changedAt };
    },
    async writeFile(path, bytes) {
      const part = `${path}.${randomUUID().slice(0, 8)}.part`;
      try {
        await writeFile(part, bytes);
        await rename(part, path);
      } finally {
        await rm(part, { force: true });
      }
    },
    writeFolder,
    run,
  };
}

function outputOf(stream: NodeJS.WriteStream) {
  return { write: (text: string | Uint8Array) => void stream.write(text), isTerminal: stream.isTTY };
}

async function readInput(): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

function run(program: string, args: readonly string[]): Promise<ProgramResult> {
  const options = { encoding: 'buffer', maxBuffer: MOST_PRINTED_BYTES } as const;
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error?.code as unknown;
      if (code === 'ENOENT') resolve({ exitCode: null, stdout, stderr: '' });
      else if (error && typeof code !== 'number') reject(error);
      else resolve({ exitCode: Number(code ?? 0), stdout, stderr: stderr.toString() });
    });
  });
}

/** Not `fetch`: it trusts only the CAs of the machine. */
export async function getTrusted(
  url: URL,
  { headers, authority, timeoutMs, mostBytes }: TrustedRequest,
): Promise<TrustedAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const asked = request(url, { agent, headers, ca: authority, signal });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  // Later failures surface while reading the response.
  asked.on('error', () => {});
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(pieces) };
}
