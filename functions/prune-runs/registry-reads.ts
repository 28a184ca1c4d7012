import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Inventory } from '@cairn/shared/prune/images/registry/inventory';
import {
  type ManifestFacts,
  readManifest,
  type UnreadableManifest,
} from '@cairn/shared/prune/images/registry/manifest';
import { blobKey, isDigest } from '@cairn/shared/prune/images/registry/storage-layout';
import { messageOf } from '@cairn/shared/text/quote';
import { allDone } from '@cairn/shared/collection/map-concurrent';
import type { ManifestCache } from './decide.ts';
import type { RegistryStorage } from './registry-storage.ts';

export type FoundManifest = ManifestFacts | 'absent' | UnreadableManifest;

/** What each tag points at, by `repository:tag`. One that cannot be read is left out, which freezes its repository. */
export async function readTags(
  storage: RegistryStorage,
  inventory: Inventory,
  atOnce: number,
): Promise<ReadonlyMap<string, string>> {
  const tags = new Map<string, string>();
  const limit = pLimit(atOnce);
  const reads = [...inventory.tags()].map(({ repository, tag, key }) =>
    limit(async () => {
      const digest = await readLink(storage, key).catch(() => null);
      if (digest !== null) tags.set(`${repository}:${tag}`, digest);
    }),
  );
  await allDone(reads);
  return tags;
}

/** The digest that a link holds; null when it is not there or holds something else. */
export async function readLink(storage: RegistryStorage, key: string): Promise<string | null> {
  const bytes = await storage.read(key);
  const text = bytes === null ? '' : new TextDecoder().decode(bytes).trim();
  return isDigest(text) ? text : null;
}

/** Reads what is not in the cache; false when time was up before all were. */
export async function readManifests(
  storage: RegistryStorage,
  root: string,
  digests: Iterable<string>,
  cache: ManifestCache,
  options: { readonly atOnce: number; readonly isTimeUp: () => boolean },
): Promise<ReadonlyMap<string, FoundManifest> | null> {
  const others = new Map<string, FoundManifest>();
  const limit = pLimit(options.atOnce);
  let isCut = false;
  const reads: Promise<void>[] = [];
  for (const digest of digests) {
    if (cache.get(digest) !== undefined) continue;
    reads.push(
      limit(async () => {
        if (options.isTimeUp()) {
          isCut = true;
          return;
        }
        // One that cannot be read now freezes its repository, and the run goes on with the others.
        const found = await readManifestOf(storage, root, digest).catch((error: unknown) => ({
          unreadable: `it could not be read: ${messageOf(error)}`,
        }));
        if (typeof found === 'object' && 'references' in found) cache.set(digest, found);
        else others.set(digest, found);
      }),
    );
  }
  await allDone(reads);
  return isCut ? null : others;
}

/** A manifest whose bytes are not those of its digest is not to be trusted. */
export async function readManifestOf(
  storage: RegistryStorage,
  root: string,
  digest: string,
): Promise<FoundManifest> {
  const bytes = await storage.read(blobKey(root, digest));
  if (bytes === null) return 'absent';
  return isOfDigest(bytes, digest)
    ? readManifest(bytes)
    : { unreadable: 'its content is not that of its digest' };
}

const ALGORITHMS: ReadonlySet<string> = new Set(['sha256', 'sha384', 'sha512']);

function isOfDigest(bytes: Uint8Array, digest: string): boolean {
  const [algorithm = '', hex] = digest.split(':');
  return ALGORITHMS.has(algorithm) && createHash(algorithm).update(bytes).digest('hex') === hex;
}
