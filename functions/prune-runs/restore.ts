import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import {
  blobKey,
  layerLinkKey,
  parseStorageKey,
  revisionLinkKey,
  tagIndexKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import { isInFuture } from '@cairn/shared/time/future';
import { planOf, plannedDeletion, readPlan } from './decide.ts';
import { beganAt } from './progress.ts';
import { readLink, readManifestOf } from './registry-reads.ts';
import type { RegistryStorage } from './registry-storage.ts';
import { PRUNE_LIMITS, type PruneSession } from './session.ts';

/** Allowed clock drift between the registry and Cairn. */
const CLOCK_MARGIN_MS = 5 * 60_000;

export interface RestoreOutcome {
  readonly revived: readonly string[];
  /** Needed objects that were deleted and cannot be restored. */
  readonly lost: readonly string[];
  /** New keys that cannot be parsed. Their references are unknown and were not searched. */
  readonly unknown: readonly string[];
}

/**
 * Restores what came into use of the deletions of this run and the previous one. A push does not upload existing blobs
 * again, so a link written after the listing can name a deleted object. Cairn follows each such link down to the last
 * layer and restores what was deleted. A push can check its layers before their deletion and write its link after this
 * search, so the next run checks these deletions again.
 */
export async function restore(session: PruneSession, root: string): Promise<RestoreOutcome> {
  const { files, progress, storage, former, dependencies } = session;
  // The last batch can be deleted without being counted.
  const most = progress.deletedLines + PRUNE_LIMITS.keysPerDeletion;
  const carriedOut = (await readPlan(files, progress)).slice(0, most);
  const before = former === null ? null : await planOf(files, former);
  const deleted = new Set([...carriedOut, ...(before ?? [])].map((line) => plannedDeletion(line).key));
  if (deleted.size === 0) return { revived: [], lost: [], unknown: [] };
  const began = beganAt(former ?? progress);
  // No plan covers later links. If both times are wrong, every link counts as young.
  const since = isInFuture(began, dependencies.clock()) ? 0 : began - CLOCK_MARGIN_MS;
  const isVersioned = await storage.isVersioned();
  const young = await youngLinks(storage, root, since);
  const unknown = young.filter((key) => parseStorageKey(root, key).kind === 'unknown');
  const revived = new Set<string>();
  for (;;) {
    // A restored manifest needs its layers, even if its tag has moved.
    const missing = await missingFor(storage, root, [...young, ...revived]);
    const lost: string[] = [];
    let isAnyBack = false;
    for (const key of deleted) {
      if (!missing.has(key)) continue;
      if (await (isVersioned ? storage.restore(key, since) : rewriteLink(storage, root, key)))
        revived.add(key);
      // A client can have uploaded it again.
      else if (!(await storage.has(key))) {
        lost.push(key);
        continue;
      }
      isAnyBack = true;
    }
    // A restored manifest can reveal more missing objects.
    if (!isAnyBack) return { revived: [...revived], lost, unknown };
  }
}

async function youngLinks(storage: RegistryStorage, root: string, since: number): Promise<readonly string[]> {
  const young: string[] = [];
  for await (const page of storage.list(`${root}repositories/`, null)) {
    for (const { key, modified } of page) if (modified >= since) young.push(key);
  }
  return young;
}

/** Missing objects among everything that a pull of the links reads. */
async function missingFor(
  storage: RegistryStorage,
  root: string,
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
async function rewriteLink(storage: RegistryStorage, root: string, key: string): Promise<boolean> {
  const link = parseStorageKey(root, key);
  if (!('repository' in link) || !('digest' in link)) return false;
  await storage.write(key, link.digest);
  return true;
}
