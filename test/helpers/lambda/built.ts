import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { inject } from 'vitest';
import type { FunctionName } from '../../../infra/aws/bundling/options.ts';

const folder = inject('builds');

/** The folder of a Lambda's bundle, as `bundle()` writes it. Nothing may write into it: all tests share it. */
export function builtBundle(name: FunctionName): string {
  return join(folder, 'bundles', name);
}

/** The bundle of `query` with the console in it, as it is deployed. */
export function builtQueryWithConsole(): string {
  return join(folder, 'bundles/query-with-console');
}

export function builtConsole(): string {
  return join(folder, 'bundles/query-with-console/console');
}

/** What went into a bundle. */
export function metafileOf(name: FunctionName): Metafile {
  return JSON.parse(readFileSync(join(folder, 'bundles', `${name}.json`), 'utf8')) as Metafile;
}
