import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Compared parts of a response, a command output, or a template. */
export interface Recording {
  /** HTTP status or exit code. */
  readonly status: number;
  /** In alphabetical order. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: string;
}

/** By request ID, in request order. */
export type Recordings = ReadonlyMap<string, Recording>;

/** One file per group. Equal bodies are stored once. */
interface StoredGroup {
  readonly responses: Readonly<Record<string, readonly [number, Readonly<Record<string, string>>, number]>>;
  readonly bodies: readonly string[];
}

const FOLDER = fileURLToPath(new URL('../../fixtures/golden/recordings/', import.meta.url));
const ENDING = '.json.br';

export function recordedGroups(): string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
}

export function readRecordings(group: string): Recordings {
  const path = join(FOLDER, group + ENDING);
  if (!existsSync(path)) return new Map();
  const { responses, bodies } = JSON.parse(
    brotliDecompressSync(readFileSync(path)).toString(),
  ) as StoredGroup;
  return new Map(
    Object.entries(responses).map(([id, [status, headers, body]]) => [
      id,
      { status, headers, body: bodies[body]! },
    ]),
  );
}

export function writeRecordings(group: string, recordings: Recordings): void {
  const bodies = [...new Set([...recordings.values()].map(({ body }) => body))];
  const responses = Object.fromEntries(
    [...recordings].map(([id, { status, headers, body }]) => [
      id,
      [status, headers, bodies.indexOf(body)] as const,
    ]),
  );
  const stored = JSON.stringify({ responses, bodies } satisfies StoredGroup);
  mkdirSync(FOLDER, { recursive: true });
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(join(FOLDER, group + ENDING), brotliCompressSync(stored, { params }));
}

export function removeRecordings(group: string): void {
  rmSync(join(FOLDER, group + ENDING), { force: true });
}

/** Returns undefined if the body is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
