import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { Inventory } from '@cairn/shared/prune/images/registry/inventory';
import { RUN_FILE } from '../pruners/files.ts';
import type { ListedObject } from './registry-storage.ts';
import { PRUNE_LIMITS, type PruneSession } from './session.ts';

/**
 * Lists parts of the storage concurrently until time is up, after those of earlier invocations. `listing` is the
 * position for the next invocation; null if the listing is complete.
 */
export async function takeInventory(session: PruneSession, root: string) {
  const { storage, files, progress, isTimeUp } = session;
  const { slot, inventoryBy, listing } = progress;
  const former = listing && (await files.read(RUN_FILE.inventory(slot, inventoryBy)));
  // Lists everything again if the file is gone: with missing links, images in use would look unreferenced.
  const isNew = former === null;
  const done = new Set(isNew ? [] : listing?.done);
  const after = new Map(Object.entries((isNew ? null : listing?.after) ?? {}));
  const inventory = isNew ? new Inventory(root) : Inventory.fromBytes(former);
  let listed = isNew ? 0 : progress.listed;
  const add = (objects: readonly ListedObject[]): void => {
    for (const { key, size, modified } of objects) inventory.add(key, size, modified);
    listed += objects.length;
  };
  const listPart = async (part: ListingPart): Promise<void> => {
    if (isTimeUp()) return;
    const from = after.get(part.name) ?? part.after;
    for await (const page of storage.list(part.prefix, from)) {
      const own = part.until === null ? page : page.filter(({ key }) => key < part.until!);
      add(own);
      if (own.length < page.length) break;
      after.set(part.name, page.at(-1)!.key);
      if (isTimeUp()) return;
    }
    after.delete(part.name);
    done.add(part.name);
  };
  const blobs = `${root}blobs/`;
  if (isNew) {
    // A small registry needs one call instead of one per part.
    const page = await storage.firstPage(blobs);
    if (page.isWhole) {
      add(page.objects);
      done.add(ALL_BLOBS);
    }
  }
  const repositories = { name: 'repositories', prefix: `${root}repositories/`, ...whole };
  const parts = done.has(ALL_BLOBS) ? [repositories] : [repositories, ...blobParts(blobs)];
  const left = parts.filter(({ name }) => !done.has(name));
  await mapConcurrent(left, PRUNE_LIMITS.listingsAtOnce, listPart);
  const isWhole = parts.every(({ name }) => done.has(name));
  return {
    inventory,
    listed,
    listing: isWhole ? null : { done: [...done], after: Object.fromEntries(after) },
  };
}

/** Name of the part that replaces `blobParts` if one page holds all blobs. */
const ALL_BLOBS = 'blobs';

interface ListingPart {
  readonly name: string;
  readonly prefix: string;
  /** Exclusive lower bound. */
  readonly after: string | null;
  /** Exclusive upper bound. */
  readonly until: string | null;
}

const whole = { after: null, until: null };

/** Splits all blobs for concurrent listing: SHA-256 by the first two digits, other algorithms before and after it. */
function blobParts(blobs: string): readonly ListingPart[] {
  const sha256 = `${blobs}sha256/`;
  const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
  return [
    ...bytes.map((byte) => ({ name: byte, prefix: `${sha256}${byte}/`, ...whole })),
    { name: 'before', prefix: blobs, after: null, until: sha256 },
    // A tilde sorts after every hexadecimal digit.
    { name: 'after', prefix: blobs, after: `${sha256}~`, until: null },
  ];
}
