import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { Inventory } from '@cairn/shared/prune/images/registry/inventory';
import type { PruneProgress } from './progress.ts';
import type { RegistryStorage } from './registry-storage.ts';

interface InventoryWork {
  readonly storage: RegistryStorage;
  readonly root: string;
  /** Listed by earlier invocations; null for the first one. */
  readonly former: Uint8Array | null;
  readonly listing: PruneProgress['listing'];
  readonly atOnce: number;
  readonly isTimeUp: () => boolean;
  readonly onListed: (keys: number) => void;
}

/**
 * Lists parts of the storage concurrently until time is up. `listing` is the position for the next invocation; null if
 * the listing is complete.
 */
export async function takeInventory(work: InventoryWork) {
  const inventory = work.former === null ? new Inventory(work.root) : Inventory.fromBytes(work.former);
  const done = new Set(work.listing?.done);
  const after = new Map(Object.entries(work.listing?.after ?? {}));
  const listPart = async (part: ListingPart): Promise<void> => {
    if (work.isTimeUp()) return;
    const from = after.get(part.name) ?? part.after;
    for await (const page of work.storage.list(part.prefix, from)) {
      const own = part.until === null ? page : page.filter(({ key }) => key < part.until!);
      for (const { key, size, modified } of own) inventory.add(key, size, modified);
      work.onListed(own.length);
      if (own.length < page.length) break;
      after.set(part.name, page.at(-1)!.key);
      if (work.isTimeUp()) return;
    }
    after.delete(part.name);
    done.add(part.name);
  };
  /** A small registry needs one call instead of one per part. */
  const listFew = async (part: ListingPart): Promise<void> => {
    const page = await work.storage.firstPage(part.prefix);
    if (!page.isWhole) return;
    for (const { key, size, modified } of page.objects) inventory.add(key, size, modified);
    work.onListed(page.objects.length);
    done.add(part.name);
  };
  const repositories = repositoriesPart(work.root);
  const allBlobs = allBlobsPart(work.root);
  const isNew = done.size === 0 && after.size === 0;
  if (isNew) await listFew(allBlobs);
  const parts = done.has(allBlobs.name) ? [repositories] : [repositories, ...blobParts(work.root)];
  const left = parts.filter(({ name }) => !done.has(name));
  await mapConcurrent(left, work.atOnce, listPart);
  const isWhole = parts.every(({ name }) => done.has(name));
  return {
    inventory,
    listing: isWhole ? null : { done: [...done], after: Object.fromEntries(after) },
  };
}

interface ListingPart {
  readonly name: string;
  readonly prefix: string;
  /** Exclusive lower bound. */
  readonly after: string | null;
  /** Exclusive upper bound. */
  readonly until: string | null;
}

const whole = { after: null, until: null };

function repositoriesPart(root: string): ListingPart {
  return { name: 'repositories', prefix: `${root}repositories/`, ...whole };
}

/** Replaced by `blobParts` if one page does not hold all blobs. */
function allBlobsPart(root: string): ListingPart {
  return { name: 'blobs', prefix: `${root}blobs/`, ...whole };
}

/** Splits all blobs for concurrent listing: SHA-256 by the first two digits, other algorithms before and after it. */
function blobParts(root: string): readonly ListingPart[] {
  const blobs = `${root}blobs/`;
  const sha256 = `${blobs}sha256/`;
  const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
  return [
    ...bytes.map((byte) => ({ name: byte, prefix: `${sha256}${byte}/`, ...whole })),
    { name: 'before', prefix: blobs, after: null, until: sha256 },
    // A tilde sorts after every hexadecimal digit.
    { name: 'after', prefix: blobs, after: `${sha256}~`, until: null },
  ];
}
