import { stays } from './selection.ts';
import { holdBack } from './hold-back.ts';
import { isCurrent, PLACE_LAYER, PLACE_REVISION } from '../registry/link-columns.ts';
import type { Marks } from './mark.ts';
import type { RetentionContext } from './images-retention.ts';
import type { CondemnedBefore } from '../registry/tombstones.ts';

/** What goes in this run, of all that is condemned. */
export interface Selection {
  /** By row of a link: 1 when it goes. */
  readonly goes: Uint8Array;
  /** By number of the digest: 1 when the blob goes. */
  readonly blobGoes: Uint8Array;
  /** Condemned links and blobs in the order in which they go. */
  readonly tags: Uint32Array;
  readonly revisions: Uint32Array;
  readonly layers: Uint32Array;
  readonly blobs: Uint32Array;
  /** By number of the digest: whether a link to it is there now, and whether one still is after this run. */
  readonly isLinked: Uint8Array;
  readonly staysLinked: Uint8Array;
  /** How many keys of links and blobs go. */
  readonly count: number;
}

export interface Timing {
  readonly now: number;
  readonly graceMs: number;
  readonly maxDeletes: number | null;
}

/**
 * Of what is condemned, what has been so for the time of grace. Whatever is still referred to by something condemned
 * that stays for now stays with it, so that nothing refers to what is gone, wherever a run is cut.
 */
export function selectDue(
  context: RetentionContext,
  marks: Marks,
  before: CondemnedBefore,
  timing: Timing,
): Selection {
  const { view } = context;
  const { place, digest } = view;
  const isDue = (since: number | null) =>
    timing.graceMs === 0 || (since !== null && timing.now - since >= timing.graceMs);
  const goes = new Uint8Array(place.length);
  for (let row = 0; row < place.length; row++) {
    if (!stays(marks.links[row]!) && isDue(before.link(row))) goes[row] = 1;
  }
  const isCondemned = (row: number) => !stays(marks.links[row]!);
  const tags = numbersWith(place.length, (row) => place[row]! > PLACE_REVISION && isCondemned(row));
  const layers = numbersWith(place.length, (row) => place[row] === PLACE_LAYER && isCondemned(row));
  const { revisions, heldBlobs } = holdBack(context, marks, goes);

  let left = timing.maxDeletes ?? Infinity;
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
      timing.graceMs === 0 ? staysLinked[id] === 0 : isLinked[id] === 0 && isDue(before.blob(id));
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

function count(flags: Uint8Array): number {
  let total = 0;
  for (const flag of flags) total += flag;
  return total;
}

/** The numbers for which it holds. Counts them first: a list that grows would take several times the memory. */
function numbersWith(end: number, holds: (number: number) => boolean): Uint32Array {
  let length = 0;
  for (let number = 0; number < end; number++) if (holds(number)) length++;
  const numbers = new Uint32Array(length);
  let at = 0;
  for (let number = 0; number < end; number++) if (holds(number)) numbers[at++] = number;
  return numbers;
}
