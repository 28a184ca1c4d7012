import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Dump } from './engines.ts';
import type { Product, ProductResponse } from './product.ts';
import type { OpenProduct } from './stage.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/stored/', import.meta.url));

/** Results of a release on its own dump. */
export interface Recorded {
  readonly responses: Readonly<Record<string, ProductResponse>>;
  /** Registry keys after the resumed run and one whole run. */
  readonly registryAfter: readonly string[];
}

export function dumpedCommits(): readonly string[] {
  return readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
}

export const folderOf = (commit: string): string => FOLDER + commit;

export const readDump = (commit: string): Dump => read(commit, 'dump') as Dump;

export const readRecorded = (commit: string): Recorded => read(commit, 'responses') as Recorded;

/** Code of that commit. Loaded without the test runner, which would transform all of it. */
export function frozenRelease(commit: string): OpenProduct {
  const load = createRequire(import.meta.url);
  return (load(`${folderOf(commit)}/product.mjs`) as { openProduct: OpenProduct }).openProduct;
}

export async function responsesOf(
  product: Product,
  targets: readonly string[],
): Promise<Readonly<Record<string, ProductResponse>>> {
  const responses: Record<string, ProductResponse> = {};
  for (const target of targets) responses[target] = await product.request({ method: 'GET', target });
  return responses;
}

function read(commit: string, name: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(`${folderOf(commit)}/${name}.json.gz`)).toString('utf8'));
}
