import { stays } from './selection.ts';
import { isCurrent, tagOfPlace } from '../registry/link-columns.ts';
import type { Marks } from './mark.ts';
import type { RetentionContext } from './images-retention.ts';
import { parentsFirst } from './revision-order.ts';

export interface HeldBack {
  /** The rows of all condemned revisions, an index before what it refers to. */
  readonly revisions: readonly number[];
  /** By number of the digest: 1 for a blob that a condemned revision refers to which does not go now. */
  readonly heldBlobs: Uint8Array;
}

/**
 * Takes back in `goes` what is referred to by something condemned that does not go now: a revision that a tag leads to, the
 * manifests and layers of a revision. As a rule all of these are due together; after a lost tombstone they are not.
 */
export function holdBack(context: RetentionContext, marks: Marks, goes: Uint8Array): HeldBack {
  const { view, graph } = context;
  const revisions: number[] = [];
  const heldBlobs = new Uint8Array(view.digests.count);
  /** By number of the digest: the last repository, plus one, that holds it. */
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
