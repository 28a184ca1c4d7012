import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const FOLDER = fileURLToPath(new URL('../../../../infra/cluster/', import.meta.url));

export interface Manifest {
  /** `base/cron-job.yaml`, and which of the documents in it. */
  readonly place: string;
  readonly object: ClusterObject;
}

export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

export function textOf(path: string): string {
  return readFileSync(join(FOLDER, path), 'utf8');
}

/** All objects in the YAML files of a folder; `strict` refuses keys that stand twice. */
export function manifestsIn(folder: string): Manifest[] {
  return readdirSync(join(FOLDER, folder))
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => documentsIn(posix.join(folder, name)));
}

function documentsIn(path: string): Manifest[] {
  const documents = parseAllDocuments(textOf(path), { strict: true, uniqueKeys: true });
  return [...documents].map((document, at) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]!.message}`);
    return { place: `${path}#${at}`, object: document.toJS() as ClusterObject };
  });
}

export const ofKind = (manifests: readonly Manifest[], kind: string): ClusterObject[] =>
  manifests.map(({ object }) => object).filter((object) => object.kind === kind);
