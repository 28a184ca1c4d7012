import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { inject } from 'vitest';
import type { FunctionName } from '../../../infra/aws/bundling/options.ts';

const folder = inject('builds');

/** Folder of a bundle. Read-only: all tests share it. */
export function builtBundle(name: FunctionName): string {
  return join(folder, 'bundles', name);
}

/** The deployed bundle of `query`, with the console. */
export function builtQueryWithConsole(): string {
  return join(folder, 'bundles/query-with-console');
}

export function builtConsole(): string {
  return join(folder, 'bundles/query-with-console/console');
}

export function metafileOf(name: FunctionName): Metafile {
  return JSON.parse(readFileSync(join(folder, 'bundles', `${name}.json`), 'utf8')) as Metafile;
}
