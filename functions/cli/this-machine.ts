import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { allVariables } from '../runtime/env.ts';
import { getTrusted } from './host.ts';
import type { Machine, ProgramResult } from './machine.ts';

/** Lists of a large cluster. */
const MOST_PRINTED_BYTES = 512 * 1024 * 1024;

export function thisMachine(): Machine {
  return {
    out: outputOf(process.stdout),
    err: outputOf(process.stderr),
    input: { isTerminal: process.stdin.isTTY, read: readInput },
    variables: allVariables(),
    clock: Date.now,
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
