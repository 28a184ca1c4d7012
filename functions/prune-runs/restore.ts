import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import {
  blobKey,
  layerLinkKey,
  parseStorageKey,
  revisionLinkKey,
  tagIndexKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import { plannedDeletion } from './decide.ts';
import { readLink, readManifestOf } from './registry-reads.ts';
import type { RegistryStorage } from './registry-storage.ts';
import { PRUNE_LIMITS } from './session.ts';

interface RestoreWork {
  readonly storage: RegistryStorage;
  readonly root: string;
  /** Start of the first of these runs, less a clock margin. No plan covers later links. */
  readonly since: number;
  /** Completed lines of this plan and of the previous one. */
  readonly deleted: readonly string[];
  readonly isVersioned: boolean;
}

export interface RestoreOutcome {
  readonly revived: readonly string[];
  /** Needed objects that were deleted and cannot be restored. */
  readonly lost: readonly string[];
  /** New keys that cannot be parsed. Their references are unknown and were not searched. */
  readonly unknown: readonly string[];
}

/**
 * Restores what came into use during the run. A push does not upload existing blobs again, so a link written after
 * the listing can name a deleted object. Cairn follows each such link down to the last layer and restores what was
 * deleted. A push can check its layers before their deletion and write its link after this search, so the next run
 * checks these deletions again.
 */
export async function restore(work: RestoreWork): Promise<RestoreOutcome> {
  const young = await youngLinks(work);
  const unknown = young.filter((key) => parseStorageKey(work.root, key).kind === 'unknown');
  const deleted = new Set(work.deleted.map((line) => plannedDeletion(line).key));
  const revived = new Set<string>();
  for (;;) {
    // A restored manifest needs its layers, even if its tag has moved.
    const missing = await missingFor(work, [...young, ...revived]);
    const lost: string[] = [];
    let isAnyBack = false;
    for (const key of deleted) {
      if (!missing.has(key)) continue;
      if (await bringBack(work, key)) revived.add(key);
      // A client can have uploaded it again.
      else if (!(await work.storage.has(key))) {
        lost.push(key);
        continue;
      }
      isAnyBack = true;
    }
    // A restored manifest can reveal more missing objects.
    if (!isAnyBack) return { revived: [...revived], lost, unknown };
  }
}

async function youngLinks({ storage, root, since }: RestoreWork): Promise<readonly string[]> {
  const young: string[] = [];
  for await (const page of storage.list(`${root}repositories/`, null)) {
    for (const { key, modified } of page) if (modified >= since) young.push(key);
  }
  return young;
}

/** Missing objects among everything that a pull of the links reads. */
async function missingFor(
  { storage, root }: RestoreWork,
  links: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  const seen = new Set<string>();
  const need = async (key: string): Promise<void> => {
    if (seen.has(key)) return;
    seen.add(key);
    if (!(await storage.has(key))) missing.add(key);
  };
  const needManifest = async (repository: string, digest: string): Promise<void> => {
    const link = revisionLinkKey(root, repository, digest);
    if (seen.has(link)) return;
    await need(link);
    await need(blobKey(root, digest));
    const found = await readManifestOf(storage, root, digest);
    if (found === 'absent' || 'unreadable' in found) return;
    for (const reference of found.references) {
      if (reference.kind === 'manifest') await needManifest(repository, reference.digest);
      else {
        await need(layerLinkKey(root, repository, reference.digest));
        await need(blobKey(root, reference.digest));
      }
    }
  };
  await mapConcurrent(links, PRUNE_LIMITS.readsAtOnce, async (key) => {
    const link = parseStorageKey(root, key);
    if (link.kind === 'tag-current') {
      const digest = await readLink(storage, key);
      if (digest === null) return;
      // A tag that moved back to an earlier revision can have lost its index link.
      await need(tagIndexKey(root, link.repository, link.tag, digest));
      await needManifest(link.repository, digest);
    } else if (link.kind === 'tag-index' || link.kind === 'revision-link') {
      await needManifest(link.repository, link.digest);
    } else if (link.kind === 'layer-link') {
      await need(blobKey(root, link.digest));
    }
  });
  return missing;
}

/** Without versioning, a link can be rewritten because its key holds its content; a blob cannot. */
async function bringBack({ storage, root, since, isVersioned }: RestoreWork, key: string): Promise<boolean> {
  if (isVersioned) return storage.restore(key, since);
  const link = parseStorageKey(root, key);
  if (!('repository' in link) || !('digest' in link)) return false;
  await storage.write(key, link.digest);
  return true;
}
