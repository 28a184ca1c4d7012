import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** What is compared of a response, of the output of a command, or of a template. */
export interface Recording {
  /** The status of a response, the exit code of a command. */
  readonly status: number;
  /** In alphabetical order. */
  readonly headers: Readonly<Record<string, string>>;
  /** Inflated, if it came compressed. */
  readonly body: string;
}

/** By the identifier of the request, in the order of the requests. */
export type Recordings = ReadonlyMap<string, Recording>;

/** One file for each group; a body that several responses share is stored once. */
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

/** Undefined if it is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
