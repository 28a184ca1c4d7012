import type { InUse } from '../in-use/facts.ts';
import type { InventoryView } from '../registry/inventory-view.ts';
import type { Inventory } from '../registry/inventory.ts';
import { isCurrent, PLACE_REVISION, tagOfPlace } from '../registry/link-columns.ts';
import { ManifestGraph, type ManifestLookup } from '../registry/manifest-graph.ts';
import { type CondemnedBefore, type Tombstone, judgeUploads } from '../registry/tombstones.ts';
import type { DeletionKind } from '../values.ts';
import { type Breaker, findBreaker, isFreshInUse } from './breakers.ts';
import { type Marks, mark } from './mark.ts';
import { type PlannedItem, PlannedItems, type PlanTotals, totalsOf } from './plan-items.ts';
import {
  isProtectedRepository,
  type PrunePolicy,
  type RetentionContext,
  UsedDigests,
  stays,
} from './retention.ts';
import { selectDue } from './selection.ts';

export interface PlanInput {
  readonly inventory: Inventory;
  /** Content of each tag's `current/link`, by `repository:tag`. Unreadable ones are omitted. */
  readonly tags: ReadonlyMap<string, string>;
  /** Called once for each of `inventory.manifestDigests(tags)`. */
  readonly manifests: ManifestLookup;
  readonly inUse: InUse | null;
  readonly policy: PrunePolicy;
  readonly condemnedBefore: CondemnedBefore;
  readonly incomplete?: readonly string[];
  /** Hash of a large plan that the user confirmed. */
  readonly agreedHash?: string | null;
}

export interface PrunePlan extends PlanTotals {
  readonly verdict: { readonly breaker: Breaker | null };
  readonly keptManifests: number;
  readonly frozen: readonly { readonly repository: string; readonly reason: string }[];
  /** Covers all deletions, now or later, except uploads, which depend on the time. */
  readonly hash: string;
  /**
   * Deletions of this run by kind (`tag`, `revision`, `layer`, `blob`, `upload`), then by key; indexes before other
   * revisions.
   */
  deletions(kind: DeletionKind): Iterable<PlannedItem>;
  examples(kind: DeletionKind, most?: number): readonly PlannedItem[];
  /** Keys condemned after this run, in key order. `isDone`: the deletions were made. */
  tombstones(isDone: boolean): Iterable<Tombstone>;
}

/** Deterministic, so that an interrupted run can resume. With a breaker nothing must be deleted. */
export function planPruning(input: PlanInput): PrunePlan {
  const { inventory, tags, inUse, policy, condemnedBefore } = input;
  const view = inventory.view();
  const graph = new ManifestGraph(inventory, tags, input.manifests);
  const isFresh = isFreshInUse(inUse, policy.now);
  const context: RetentionContext = {
    view,
    graph,
    tags,
    inUse,
    policy,
    cutoff: policy.now - Math.max(policy.keepYoungerThanMs, policy.graceMs),
    mayRemoveTags: policy.keepTagRevisions === 0 && isFresh && inUse!.complete,
    used: new UsedDigests(view, inUse),
  };
  const isProtected = (repository: string) =>
    inUse?.protectedRepositories.has(repository) === true ||
    isProtectedRepository(policy.protectedRepositories, repository);
  const marks = mark(context, isProtected);
  const selection = selectDue(context, marks, condemnedBefore);
  const frozen = new Set(marks.frozen.map(({ repository }) => repository));
  const uploads = judgeUploads(view.uploads, {
    now: policy.now,
    left: policy.maxDeletes === null ? Infinity : policy.maxDeletes - selection.count,
    stays: (repository) => (frozen.has(repository) ? 'frozen' : isProtected(repository) ? 'protected' : null),
  });
  const source = { view, tags, marks, selection, uploads, before: condemnedBefore, now: policy.now };
  const items = new PlannedItems(source);
  const totals = totalsOf(source, items);
  const hash = planHash(view, marks, selection.blobs);
  const breaker = findBreaker({
    incomplete: input.incomplete ?? [],
    unknown: view.unknown,
    inUse,
    requireInUse: policy.requireInUse,
    now: policy.now,
    isEmpty: view.blobs === 0 && view.place.length === 0,
    hasTags: view.tagStart.some((start, rank) => start < view.linkEnd[rank]!),
    keptManifests: marks.keptManifests,
    blobs: totals.blobs,
    hash,
    agreedHash: input.agreedHash ?? null,
  });
  return {
    verdict: { breaker },
    ...totals,
    keptManifests: marks.keptManifests,
    frozen: marks.frozen,
    hash,
    deletions: (kind) => items.deletions(kind),
    examples: (kind, most = 1000) => firstOf(items.all(kind), most),
    tombstones: (isDone) => items.tombstones(isDone),
  };
}

function firstOf<T>(items: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length >= most) break;
    first.push(item);
  }
  return first;
}

/**
 * Fingerprint of all condemned links and blobs and their number: two 32-bit FNV-1a lanes over words, as 16 hex digits.
 * Independent of the listing order. Guards against mistakes, not against forgery.
 */
export function planHash(view: InventoryView, marks: Marks, condemnedBlobs: Uint32Array): string {
  const lanes = new Lanes();
  let count = condemnedBlobs.length;
  for (const id of condemnedBlobs) addDigest(lanes, view, id);
  for (let rank = 0; rank < view.repositories.length; rank++) {
    let isNamed = false;
    let lastPlace = -1;
    for (let row = view.linkStart[rank]!; row < view.linkEnd[rank]!; row++) {
      if (stays(marks.links[row]!)) continue;
      count++;
      if (!isNamed) lanes.addText(view.repositories[rank]!);
      isNamed = true;
      const place = view.place[row]!;
      if (place !== lastPlace) lanes.addText(placeText(view, place));
      lastPlace = place;
      if (!isCurrent(place)) addDigest(lanes, view, view.digest[row]!);
    }
  }
  lanes.addWord(count);
  return lanes.toString();
}

/** Tag numbers depend on the listing order, names do not. */
function placeText(view: InventoryView, place: number): string {
  return place <= PLACE_REVISION ? String(place) : `${place % 2}:${view.tagNames[tagOfPlace(place)]!}`;
}

function addDigest(lanes: Lanes, { digests }: InventoryView, id: number): void {
  if (digests.isOther(id)) lanes.addText(digests.text(id));
  else for (let word = 0; word < 8; word++) lanes.addWord(digests.word(id, word));
}

class Lanes {
  #first = 0x811c9dc5;
  #second = 0x1b873593;

  addWord(word: number): void {
    this.#first = Math.imul(this.#first ^ word, 0x01000193);
    // Mix the high bits of the product, which depend on the whole word, into the low ones.
    this.#second = Math.imul(this.#second ^ (this.#second >>> 15) ^ word, 0x85ebca6b);
  }

  addText(text: string): void {
    this.addWord(text.length);
    for (let at = 0; at < text.length; at++) this.addWord(text.charCodeAt(at));
  }

  toString(): string {
    return [this.#first, this.#second].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
