import type { InventoryView } from '../registry/inventory-view.ts';
import { isCurrent, LINK_LAYER, PLACE_REVISION, tagOfPlace } from '../registry/link-columns.ts';
import {
  blobKey,
  layerLinkKey,
  revisionLinkKey,
  tagCurrentKey,
  tagIndexKey,
  uploadKey,
} from '../registry/storage-layout.ts';
import type { CondemnedBefore, Tombstone, JudgedUpload } from '../registry/tombstones.ts';
import { type DeletionKind, DELETION_KINDS } from '../values.ts';
import type { Total } from './breakers.ts';
import type { Marks } from './mark.ts';
import { type DeleteReason, deleteReason, KEEP_REASONS, stays, keepReason } from './retention.ts';
import type { Selection } from './selection.ts';

export interface PlannedItem {
  readonly kind: DeletionKind;
  readonly key: string;
  readonly bytes: number;
  readonly reason: DeleteReason;
  /** Time of condemnation in milliseconds; null for a blob that still has links. */
  readonly since: number | null;
  /** Deleted in this run. */
  readonly goes: boolean;
}

interface ItemSource {
  readonly view: InventoryView;
  readonly tags: ReadonlyMap<string, string>;
  readonly marks: Marks;
  readonly selection: Selection;
  readonly uploads: readonly JudgedUpload[];
  readonly before: CondemnedBefore;
  readonly now: number;
}

/** Creates items on demand: all keys would not fit in memory. */
export class PlannedItems {
  readonly #source: ItemSource;

  constructor(source: ItemSource) {
    this.#source = source;
  }

  /** Deleted or condemned items, in order of deletion. */
  *all(kind: DeletionKind): Generator<PlannedItem> {
    if (kind === 'upload') yield* this.#uploads();
    else for (const at of this.#order(kind)) yield this.#item(kind, at);
  }

  /** Items deleted in this run. */
  *deletions(kind: DeletionKind): Generator<PlannedItem> {
    if (kind === 'upload') {
      for (const item of this.#uploads()) if (item.goes) yield item;
      return;
    }
    const { goes, blobGoes } = this.#source.selection;
    const flags = kind === 'blob' ? blobGoes : goes;
    for (const at of this.#order(kind)) if (flags[at] === 1) yield this.#item(kind, at);
  }

  *tombstones(isDone: boolean): Generator<Tombstone> {
    const { view, marks, before, now, selection } = this.#source;
    const { goes, blobGoes, isLinked, staysLinked } = selection;
    for (const id of selection.blobs) {
      if (isDone ? blobGoes[id] === 1 || staysLinked[id] === 1 : isLinked[id] === 1) continue;
      // The grace period of a blob starts when its last link is deleted.
      const since = isLinked[id] === 1 ? now : (before.blob(id) ?? now);
      yield { key: blobKey(view.root, view.digests.text(id)), since };
    }
    for (let row = 0; row < view.place.length; row++) {
      if (stays(marks.links[row]!) || (isDone && goes[row] === 1)) continue;
      yield { key: this.#linkKey(row), since: before.link(row) ?? now };
    }
  }

  /** A link contains a digest. */
  linkBytes(row: number): number {
    const { view, tags } = this.#source;
    const place = view.place[row]!;
    if (isCurrent(place)) return tags.get(`${this.#repositoryOf(row)}:${this.#tagOf(row)}`)?.length ?? 0;
    const id = view.digest[row]!;
    return view.digests.isOther(id) ? view.digests.text(id).length : SHA256_DIGEST_LENGTH;
  }

  #order(kind: Exclude<DeletionKind, 'upload'>): Uint32Array {
    const { tags, revisions, layers, blobs } = this.#source.selection;
    return { tag: tags, revision: revisions, layer: layers, blob: blobs }[kind];
  }

  #item(kind: Exclude<DeletionKind, 'upload'>, at: number): PlannedItem {
    const { view, marks, selection, before, now } = this.#source;
    if (kind === 'blob') {
      const isLinked = selection.isLinked[at] === 1;
      return {
        kind,
        key: blobKey(view.root, view.digests.text(at)),
        bytes: view.blobSizes[at]!,
        reason: deleteReason(marks.blobs[at]!),
        since: isLinked ? null : (before.blob(at) ?? now),
        goes: selection.blobGoes[at] === 1,
      };
    }
    return {
      kind,
      key: this.#linkKey(at),
      bytes: this.linkBytes(at),
      reason: deleteReason(marks.links[at]!),
      since: before.link(at) ?? now,
      goes: selection.goes[at] === 1,
    };
  }

  *#uploads(): Generator<PlannedItem> {
    const { root } = this.#source.view;
    for (const { upload, fate, newest, going } of this.#source.uploads) {
      if (fate !== 'abandoned') continue;
      const files = upload.files.toSorted((a, b) => (a.file < b.file ? -1 : 1));
      for (const [index, { file, size }] of files.entries()) {
        yield {
          kind: 'upload',
          key: uploadKey(root, upload.repository, upload.upload, file),
          bytes: size,
          reason: 'abandoned',
          since: newest,
          goes: index < going,
        };
      }
    }
  }

  #linkKey(row: number): string {
    const { root, place, digest, digests } = this.#source.view;
    const repository = this.#repositoryOf(row);
    const at = place[row]!;
    if (isCurrent(at)) return tagCurrentKey(root, repository, this.#tagOf(row));
    const text = digests.text(digest[row]!);
    if (at === LINK_LAYER) return layerLinkKey(root, repository, text);
    if (at === PLACE_REVISION) return revisionLinkKey(root, repository, text);
    return tagIndexKey(root, repository, this.#tagOf(row), text);
  }

  #tagOf(row: number): string {
    const { tagNames, place } = this.#source.view;
    return tagNames[tagOfPlace(place[row]!)]!;
  }

  #repositoryOf(row: number): string {
    const { linkEnd, repositories } = this.#source.view;
    let [low, high] = [0, linkEnd.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (linkEnd[middle]! > row) high = middle;
      else low = middle + 1;
    }
    return repositories[low]!;
  }
}

const SHA256_DIGEST_LENGTH = 71;

export interface PlanTotals {
  /** Over all listed keys. `condemned` stays for now; `unlinked` links and `swept` others are deleted in this run. */
  readonly totals: Readonly<Record<DeletionKind, Readonly<Record<KeyState, Total>>>>;
  readonly reasons: Readonly<Record<DeletionKind, ReadonlyMap<DeleteReason, Total>>>;
  readonly blobs: { readonly all: Total; readonly condemned: Total };
}

const STATES = [...KEEP_REASONS, 'condemned', 'unlinked', 'swept'] as const;
type KeyState = (typeof STATES)[number];

interface Sum {
  count: number;
  bytes: number;
}

export function totalsOf({ view, marks, selection, uploads }: ItemSource, items: PlannedItems): PlanTotals {
  const totals = perKind(
    () => Object.fromEntries(STATES.map((state) => [state, { count: 0, bytes: 0 }])) as Record<KeyState, Sum>,
  );
  const reasons = perKind(() => new Map<DeleteReason, Sum>());
  const count = (kind: DeletionKind, state: KeyState, reason: DeleteReason | null, bytes: number): void => {
    add(totals[kind][state], bytes);
    if (reason === null) return;
    let sum = reasons[kind].get(reason);
    if (sum === undefined) reasons[kind].set(reason, (sum = { count: 0, bytes: 0 }));
    add(sum, bytes);
  };
  for (let row = 0; row < view.place.length; row++) {
    const place = view.place[row]!;
    const kind = place === LINK_LAYER ? 'layer' : place === PLACE_REVISION ? 'revision' : 'tag';
    const fate = marks.links[row]!;
    const bytes = items.linkBytes(row);
    if (stays(fate)) count(kind, keepReason(fate), null, bytes);
    else count(kind, selection.goes[row] === 1 ? 'unlinked' : 'condemned', deleteReason(fate), bytes);
  }
  const all = { count: 0, bytes: 0 };
  const condemned = { count: 0, bytes: 0 };
  for (let id = 0; id < view.blobSizes.length; id++) {
    const bytes = view.blobSizes[id]!;
    if (bytes === -1) continue;
    add(all, bytes);
    const fate = marks.blobs[id]!;
    if (stays(fate)) count('blob', keepReason(fate), null, bytes);
    else {
      add(condemned, bytes);
      count('blob', selection.blobGoes[id] === 1 ? 'swept' : 'condemned', deleteReason(fate), bytes);
    }
  }
  for (const { upload, fate, going } of uploads) {
    for (const [index, { size }] of upload.files.entries()) {
      if (fate === 'abandoned') count('upload', index < going ? 'swept' : 'condemned', fate, size);
      else count('upload', fate, null, size);
    }
  }
  return { totals, reasons, blobs: { all, condemned } };
}

function add(sum: Sum, bytes: number): void {
  sum.count++;
  sum.bytes += bytes;
}

function perKind<T>(make: () => T): Record<DeletionKind, T> {
  return Object.fromEntries(DELETION_KINDS.map((kind) => [kind, make()])) as Record<DeletionKind, T>;
}
