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
import { isProtectedRepository, type RetentionContext, UsedDigests, stays } from './retention.ts';
import { selectDue } from './selection.ts';

export interface PrunePolicy {
  /** How many revisions of each tag stay, the current one counted. */
  readonly keepTagRevisions: number;
  readonly keepYoungerThanMs: number;
  /** How long something is condemned before it goes; 0 does all in one run. */
  readonly graceMs: number;
  /** Patterns of `tag` or `repository:tag`. */
  readonly protectedTags: readonly string[];
  readonly protectedRepositories: readonly string[];
  /** The most keys that one run deletes. */
  readonly maxDeletes: number | null;
  readonly requireInUse: boolean;
  /** When the run began, in milliseconds. */
  readonly now: number;
}

export interface PlanInput {
  readonly inventory: Inventory;
  /** The content of each tag's `current/link`, by `repository:tag`. One that could not be read is left out. */
  readonly tags: ReadonlyMap<string, string>;
  /** Asked once for each of `inventory.manifestDigests(tags)`. */
  readonly manifests: ManifestLookup;
  readonly inUse: InUse | null;
  readonly policy: PrunePolicy;
  readonly condemnedBefore: CondemnedBefore;
  /** The parts of the storage that could not be listed whole. */
  readonly incomplete?: readonly string[];
  /** The hash of a plan that may go although it is large. */
  readonly agreedHash?: string | null;
}

export interface PrunePlan extends PlanTotals {
  readonly verdict: { readonly breaker: Breaker | null };
  readonly keptManifests: number;
  /** Repositories in which nothing is touched, and why. */
  readonly frozen: readonly { readonly repository: string; readonly reason: string }[];
  /** Of all that goes now or later but uploads, which depend on the hour. */
  readonly hash: string;
  /**
   * What goes in this run, in the order of the kinds `tag`, `revision`, `layer`, `blob`, `upload`, by key; indexes before
   * other revisions. Goes on after a key.
   */
  deletions(kind: DeletionKind, after?: string): Iterable<PlannedItem>;
  /** What goes in this run or is condemned, the first of each kind. */
  examples(kind: DeletionKind, most?: number): readonly PlannedItem[];
  /** What is condemned after this run, in the order of the keys; `isDone` tells whether its deletions were made. */
  tombstones(isDone: boolean): Iterable<Tombstone>;
}

/**
 * Decides what of a registry's storage goes. Deletes nothing and keeps nothing: the same input gives the same plan, so
 * that a run that was cut goes on where it was. With a breaker in the verdict nothing may be deleted.
 */
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
    keepTagRevisions: policy.keepTagRevisions,
    protectedTags: policy.protectedTags,
    cutoff: policy.now - Math.max(policy.keepYoungerThanMs, policy.graceMs),
    mayRemoveTags: policy.keepTagRevisions === 0 && isFresh && inUse!.complete,
    used: new UsedDigests(view, inUse),
  };
  const isProtected = (repository: string) =>
    inUse?.protectedRepositories.has(repository) === true ||
    isProtectedRepository(policy.protectedRepositories, repository);
  const marks = mark(context, isProtected);
  const selection = selectDue(context, marks, condemnedBefore, policy);
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
    deletions: (kind, after) => items.deletions(kind, after),
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
 * A fingerprint of all condemned links and blobs, sixteen hexadecimal digits: 64 bits in two lanes, each FNV-1a over words
 * instead of bytes, of what the keys are made of in their order, and of how many there are. The same set has the same
 * hash, however it was listed. It guards against mistakes, not against forgery.
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

/** Numbers of tags depend on the order of the listing, their names do not. */
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
    // The high bits of a product depend on all of the word; they have to reach the low ones.
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
