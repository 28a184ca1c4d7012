import { createHash } from 'node:crypto';
import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import type { Inventory } from '@cairn/shared/prune/images/registry/inventory';
import {
  type ManifestFacts,
  readManifest,
  type UnreadableManifest,
  type ManifestReference,
} from '@cairn/shared/prune/images/registry/manifest';
import { blobKey, isDigest } from '@cairn/shared/prune/images/registry/storage-layout';
import { messageOf } from '@cairn/shared/text/quote';
import type { RegistryStorage } from './registry-storage.ts';
import { PRUNE_LIMITS, type PruneSession } from './session.ts';

export type FoundManifest = ManifestFacts | 'absent' | UnreadableManifest;

/** Maps `repository:tag` to a digest. An unreadable tag is omitted, which freezes its repository. */
export async function readTags(
  storage: RegistryStorage,
  inventory: Inventory,
): Promise<ReadonlyMap<string, string>> {
  const tags = new Map<string, string>();
  await mapConcurrent([...inventory.tags()], PRUNE_LIMITS.readsAtOnce, async ({ repository, tag, key }) => {
    const digest = await readLink(storage, key).catch(() => null);
    if (digest !== null) tags.set(`${repository}:${tag}`, digest);
  });
  return tags;
}

/** Returns null if the link is missing or holds no digest. */
export async function readLink(storage: RegistryStorage, key: string): Promise<string | null> {
  const bytes = await storage.read(key);
  const text = bytes === null ? '' : new TextDecoder().decode(bytes).trim();
  return isDigest(text) ? text : null;
}

/** Reads manifests that are not in the cache. Returns null if time is up before the last one. */
export async function readManifests(
  { storage, isTimeUp }: PruneSession,
  root: string,
  digests: Iterable<string>,
  cache: ManifestCache,
): Promise<ReadonlyMap<string, FoundManifest> | null> {
  const others = new Map<string, FoundManifest>();
  const unread = [...digests].filter((digest) => cache.get(digest) === undefined);
  let isCut = false;
  await mapConcurrent(unread, PRUNE_LIMITS.readsAtOnce, async (digest) => {
    if (isTimeUp()) {
      isCut = true;
      return;
    }
    // An unreadable manifest freezes its repository. The run continues with the others.
    const found = await readManifestOf(storage, root, digest).catch((error: unknown) => ({
      unreadable: `it could not be read: ${messageOf(error)}`,
    }));
    if (typeof found === 'object' && 'references' in found) cache.set(digest, found);
    else others.set(digest, found);
  });
  return isCut ? null : others;
}

/** Rejects a manifest whose bytes do not match its digest. */
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

type Line = readonly [
  digest: string,
  mediaType: string,
  subject: string | null,
  references: readonly Reference[],
  modified: number,
];

type Reference = readonly [digest: string, size: number, kind: ManifestReference['kind']];

/** Modification time of a blob in ms; null if the blob is missing. */
type Modified = (digest: string) => number | null;

/** Reads each manifest once for all runs, and again if its blob was rewritten. */
export class ManifestCache {
  readonly #manifests = new Map<string, ManifestFacts>();

  /** Drops lines whose blob changed since `text` wrote them. */
  static of(text: string, modifiedOf: Modified): ManifestCache {
    const cache = new ManifestCache();
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const [digest, mediaType, subject, references, modified] = JSON.parse(line) as Line;
      if (modified !== modifiedOf(digest)) continue;
      cache.set(digest, {
        mediaType,
        subject,
        references: references.map(([of, size, kind]) => ({ digest: of, size, kind })),
      });
    }
    return cache;
  }

  get(digest: string): ManifestFacts | undefined {
    return this.#manifests.get(digest);
  }

  set(digest: string, facts: ManifestFacts): void {
    this.#manifests.set(digest, facts);
  }

  /** Omits manifests whose blob is gone. */
  text(modifiedOf: Modified): string {
    const lines: string[] = [];
    for (const [digest, { mediaType, subject, references }] of this.#manifests) {
      const modified = modifiedOf(digest);
      if (modified === null) continue;
      const line: Line = [
        digest,
        mediaType,
        subject,
        references.map(({ digest: of, size, kind }): Reference => [of, size, kind]),
        modified,
      ];
      lines.push(`${JSON.stringify(line)}\n`);
    }
    return lines.join('');
  }
}
