import { isCurrent, tagOfPlace, LINK_LAYER, PLACE_REVISION } from '../registry/link-columns.ts';
import type { ManifestGraph } from '../registry/manifest-graph.ts';
import type { CondemnedBefore } from '../registry/tombstones.ts';
import type { Marks } from './mark.ts';
import { type RetentionContext, stays } from './retention.ts';

export interface Selection {
  /** By link row: 1 if deleted. */
  readonly goes: Uint8Array;
  /** By digest number: 1 if the blob is deleted. */
  readonly blobGoes: Uint8Array;
  /** Condemned links and blobs in order of deletion. */
  readonly tags: Uint32Array;
  readonly revisions: Uint32Array;
  readonly layers: Uint32Array;
  readonly blobs: Uint32Array;
  /** By digest number: a link exists now (`isLinked`), or still after this run (`staysLinked`). */
  readonly isLinked: Uint8Array;
  readonly staysLinked: Uint8Array;
  readonly count: number;
}

/**
 * Selects keys whose grace period has ended. Keeps everything that a remaining condemned key references, so that no
 * reference dangles, wherever a run is interrupted.
 */
export function selectDue(context: RetentionContext, marks: Marks, before: CondemnedBefore): Selection {
  const { view, policy } = context;
  const { place, digest } = view;
  const isDue = (since: number | null) =>
    policy.graceMs === 0 || (since !== null && policy.now - since >= policy.graceMs);
  const goes = new Uint8Array(place.length);
  for (let row = 0; row < place.length; row++) {
    if (!stays(marks.links[row]!) && isDue(before.link(row))) goes[row] = 1;
  }
  const isCondemned = (row: number) => !stays(marks.links[row]!);
  const tags = numbersWith(place.length, (row) => place[row]! > PLACE_REVISION && isCondemned(row));
  const layers = numbersWith(place.length, (row) => place[row] === LINK_LAYER && isCondemned(row));
  const { revisions, heldBlobs } = holdBack(context, marks, goes);

  let left = policy.maxDeletes ?? Infinity;
  for (const rows of [tags, revisions, layers]) {
    for (const row of rows) if (goes[row] === 1 && left-- <= 0) goes[row] = 0;
  }
  const isLinked = new Uint8Array(view.digests.count);
  const staysLinked = new Uint8Array(view.digests.count);
  for (let row = 0; row < place.length; row++) {
    if (isCurrent(place[row]!)) continue;
    isLinked[digest[row]!] = 1;
    if (goes[row] === 0) staysLinked[digest[row]!] = 1;
  }
  const blobs = view.digests.sort(numbersWith(marks.blobs.length, (id) => !stays(marks.blobs[id]!)));
  const blobGoes = new Uint8Array(view.digests.count);
  for (const id of blobs) {
    const isFree =
      policy.graceMs === 0 ? staysLinked[id] === 0 : isLinked[id] === 0 && isDue(before.blob(id));
    if (isFree && heldBlobs[id] === 0 && left-- > 0) blobGoes[id] = 1;
  }
  return {
    goes,
    blobGoes,
    tags,
    revisions: Uint32Array.from(revisions),
    layers,
    blobs,
    isLinked,
    staysLinked,
    count: count(goes) + count(blobGoes),
  };
}

/**
 * Clears `goes` for everything that a remaining condemned key references: the revision of a tag, the manifests and
 * layers of a revision. Usually all are due together, but not after a lost tombstone.
 */
function holdBack(context: RetentionContext, marks: Marks, goes: Uint8Array) {
  const { view, graph } = context;
  /** Rows of condemned revisions, indexes before their manifests. */
  const revisions: number[] = [];
  /** By digest number: 1 for a blob that a remaining condemned revision references. */
  const heldBlobs = new Uint8Array(view.digests.count);
  /** By digest number: the last repository that holds it, plus one. */
  const heldBy = new Uint32Array(view.digests.count);
  for (let rank = 0; rank < view.repositories.length; rank++) {
    const rowOf = new Map<number, number>();
    for (let row = view.revisionStart[rank]!; row < view.tagStart[rank]!; row++) {
      if (!stays(marks.links[row]!)) rowOf.set(graph.nodeOf(view.digest[row]!), row);
    }
    if (rowOf.size === 0) continue;
    const held = heldByTags(context, marks, goes, rank);
    for (const node of parentsFirst(graph, [...rowOf.keys()])) {
      const row = rowOf.get(node)!;
      revisions.push(row);
      if (held.has(node)) goes[row] = 0;
      if (goes[row] === 1) continue;
      const to = graph.referencesTo(node);
      for (let reference = graph.referencesFrom(node); reference < to; reference++) {
        const child = graph.child(reference);
        if (child !== -1) held.add(child);
        heldBlobs[graph.referenced(reference)] = 1;
        heldBy[graph.referenced(reference)] = rank + 1;
      }
    }
    for (let row = view.linkStart[rank]!; row < view.revisionStart[rank]!; row++) {
      if (heldBy[view.digest[row]!] === rank + 1) goes[row] = 0;
    }
  }
  return { revisions, heldBlobs };
}

/** Orders each index before its manifests, so that deletion never leaves an index without its manifests. */
function parentsFirst(graph: ManifestGraph, nodes: readonly number[]): readonly number[] {
  const among = new Set(nodes);
  const childrenOf = (node: number): number[] => {
    const children: number[] = [];
    for (let reference = graph.referencesFrom(node); reference < graph.referencesTo(node); reference++) {
      const child = graph.child(reference);
      if (child !== -1 && among.has(child)) children.push(child);
    }
    return children;
  };
  const indexes = nodes.filter((node) => childrenOf(node).length > 0);
  if (indexes.length === 0) return nodes;
  const isIndex = new Set(indexes);
  const seen = new Set<number>();
  const childrenFirst: number[] = [];
  for (const index of indexes.toReversed()) {
    // Iterative: indexes can be nested to any depth.
    const open = [{ node: index, isDone: false }];
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      if (top.isDone) childrenFirst.push(top.node);
      else if (!seen.has(top.node)) {
        seen.add(top.node);
        open.push({ node: top.node, isDone: true });
        for (const child of childrenOf(top.node))
          if (isIndex.has(child)) open.push({ node: child, isDone: false });
      }
    }
  }
  return [...childrenFirst.toReversed(), ...nodes.filter((node) => !isIndex.has(node))];
}

function heldByTags(
  { view, graph, tags }: RetentionContext,
  marks: Marks,
  goes: Uint8Array,
  rank: number,
): Set<number> {
  const held = new Set<number>();
  for (let row = view.tagStart[rank]!; row < view.linkEnd[rank]!; row++) {
    if (stays(marks.links[row]!) || goes[row] === 1) continue;
    const place = view.place[row]!;
    const target = tags.get(`${view.repositories[rank]!}:${view.tagNames[tagOfPlace(place)]!}`);
    held.add(graph.nodeOf(isCurrent(place) ? view.digests.find(target!) : view.digest[row]!));
  }
  return held;
}

function count(flags: Uint8Array): number {
  let total = 0;
  for (const flag of flags) total += flag;
  return total;
}

/** Counts first: a growing list would take several times the memory. */
function numbersWith(end: number, holds: (number: number) => boolean): Uint32Array {
  let length = 0;
  for (let number = 0; number < end; number++) if (holds(number)) length++;
  const numbers = new Uint32Array(length);
  let at = 0;
  for (let number = 0; number < end; number++) if (holds(number)) numbers[at++] = number;
  return numbers;
}
