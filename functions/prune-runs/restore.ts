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
  /** When the first of these runs began to list, with a margin for clocks: what was written since, no plan has seen. */
  readonly since: number;
  /** The lines that were carried out, of the plan of this run and of the one before. */
  readonly deleted: readonly string[];
  readonly isVersioned: boolean;
}

export interface RestoreOutcome {
  readonly revived: readonly string[];
  /** What is needed, was deleted and cannot be brought back. */
  readonly lost: readonly string[];
  /** Keys written since that cannot be parsed: what they need is not known, so it was not searched for. */
  readonly unknown: readonly string[];
}

/**
 * Brings back what somebody began to use while the run was at work: a push does not upload again what is there, so a link
 * written after the listing may name what the plan took away. Whatever such links need is looked for, down to the last
 * layer, and what was deleted of it comes back. A push that found its layers before they went may be noted only after this
 * look; so the next run looks once more at what this one deleted.
 */
export async function restore(work: RestoreWork): Promise<RestoreOutcome> {
  const young = await youngLinks(work);
  const unknown = young.filter((key) => parseStorageKey(work.root, key).kind === 'unknown');
  const deleted = new Set(work.deleted.map((line) => plannedDeletion(line).key));
  const revived = new Set<string>();
  for (;;) {
    // What is back needs its layers too, even if its tag has moved on meanwhile.
    const missing = await missingFor(work, [...young, ...revived]);
    const lost: string[] = [];
    let isAnyBack = false;
    for (const key of deleted) {
      if (!missing.has(key)) continue;
      if (await bringBack(work, key)) revived.add(key);
      // A client may have uploaded it again since it was missing.
      else if (!(await work.storage.has(key))) {
        lost.push(key);
        continue;
      }
      isAnyBack = true;
    }
    // A manifest that is back tells what else it needs.
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

async function missingFor(
  { storage, root }: RestoreWork,
  links: readonly string[],
): Promise<ReadonlySet<string>> {
  const search = new NeedSearch(storage, root);
  const visit = async (key: string): Promise<void> => {
    const link = parseStorageKey(root, key);
    if (link.kind === 'tag-current') {
      const digest = await readLink(storage, key);
      if (digest === null) return;
      // A tag that was set back to an earlier revision: its place among the revisions may have been taken from it.
      await search.key(tagIndexKey(root, link.repository, link.tag, digest));
      await search.manifest(link.repository, digest);
    } else if (link.kind === 'tag-index' || link.kind === 'revision-link') {
      await search.manifest(link.repository, link.digest);
    } else if (link.kind === 'layer-link') {
      await search.key(blobKey(root, link.digest));
    }
  };
  await mapConcurrent(links, PRUNE_LIMITS.readsAtOnce, visit);
  return search.missing;
}

/** Finds what is not there of all that pulls read. */
class NeedSearch {
  readonly missing = new Set<string>();
  readonly #storage: RegistryStorage;
  readonly #root: string;
  readonly #seen = new Set<string>();

  constructor(storage: RegistryStorage, root: string) {
    this.#storage = storage;
    this.#root = root;
  }

  async manifest(repository: string, digest: string): Promise<void> {
    const link = revisionLinkKey(this.#root, repository, digest);
    if (this.#seen.has(link)) return;
    await this.key(link);
    await this.key(blobKey(this.#root, digest));
    const found = await readManifestOf(this.#storage, this.#root, digest);
    if (found === 'absent' || 'unreadable' in found) return;
    for (const reference of found.references) {
      if (reference.kind === 'manifest') await this.manifest(repository, reference.digest);
      else {
        await this.key(layerLinkKey(this.#root, repository, reference.digest));
        await this.key(blobKey(this.#root, reference.digest));
      }
    }
  }

  async key(key: string): Promise<void> {
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (!(await this.#storage.has(key))) this.missing.add(key);
  }
}

/** Without versions a link can be written anew, since its content is in its name; a blob cannot. */
async function bringBack({ storage, root, since, isVersioned }: RestoreWork, key: string): Promise<boolean> {
  if (isVersioned) return storage.restore(key, since);
  const link = parseStorageKey(root, key);
  if (!('repository' in link) || !('digest' in link)) return false;
  await storage.write(key, link.digest);
  return true;
}
