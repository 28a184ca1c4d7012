import { planPruning } from '@cairn/shared/prune/images/plan/plan';
import { Inventory } from '@cairn/shared/prune/images/registry/inventory';
import { CondemnedBefore } from '@cairn/shared/prune/images/registry/tombstones';
import { BLOBS, manifestOf, NOW, ROOT, walkListing } from './listing.ts';

/** Takes in the whole listing and plans: of each tag the former image is condemned. */
export function planListing(tags: ReadonlyMap<string, string>): void {
  const inventory = new Inventory(ROOT);
  walkListing((key, size, modified) => inventory.add(key, size, modified));
  const { blobs } = planPruning({
    inventory,
    tags,
    manifests: manifestOf,
    inUse: null,
    policy: {
      keepTagRevisions: 1,
      keepYoungerThanMs: 3_600_000,
      graceMs: 86_400_000,
      protectedTags: [],
      protectedRepositories: [],
      maxDeletes: null,
      requireInUse: false,
      now: NOW,
    },
    condemnedBefore: new CondemnedBefore(inventory),
  });
  if (blobs.all.count !== BLOBS || blobs.condemned.count !== BLOBS / 2) {
    throw new Error(`${blobs.condemned.count} of ${blobs.all.count} blobs are condemned`);
  }
}
