import type { InventoryView } from './inventory-view.ts';
import { compareFolders, isCurrent, tagOfPlace } from './link-columns.ts';
import { parseStorageKey } from './storage-layout.ts';

/** Where something is in a view: the row of a link, or the number of a blob's digest. */
export type Found = { readonly row: number } | { readonly blob: number };

/** Finds keys in a view by halving, without an index of them. */
export class KeyFinder {
  readonly #view: InventoryView;
  readonly #ranks: ReadonlyMap<string, number>;

  constructor(view: InventoryView) {
    this.#view = view;
    this.#ranks = new Map(view.repositories.map((name, rank) => [name, rank]));
  }

  /** Null when the view does not have it. */
  find(key: string): Found | null {
    const { root, digests, blobSizes, linkStart, revisionStart, tagStart } = this.#view;
    const parsed = parseStorageKey(root, key);
    if (parsed.kind === 'other' || parsed.kind === 'unknown' || parsed.kind === 'upload') return null;
    const digest = parsed.kind === 'tag-current' ? -1 : digests.find(parsed.digest);
    if (parsed.kind !== 'tag-current' && digest === -1) return null;
    if (parsed.kind === 'blob') return (blobSizes[digest] ?? -1) === -1 ? null : { blob: digest };
    const rank = this.#ranks.get(parsed.repository);
    if (rank === undefined) return null;
    if ('tag' in parsed) return this.#ofTag(rank, parsed.tag, digest);
    return parsed.kind === 'layer-link'
      ? this.#byDigest(linkStart[rank]!, revisionStart[rank]!, digest)
      : this.#byDigest(revisionStart[rank]!, tagStart[rank]!, digest);
  }

  #byDigest(from: number, to: number, digest: number): Found | null {
    const row = firstFrom(from, to, (at) => this.#view.digests.compare(this.#view.digest[at]!, digest) >= 0);
    return row < to && this.#view.digest[row] === digest ? { row } : null;
  }

  /** `digest` is -1 for the current link, which is the first of its tag. */
  #ofTag(rank: number, tag: string, digest: number): Found | null {
    const { tagStart, linkEnd, place, tagNames } = this.#view;
    const nameAt = (row: number) => tagNames[tagOfPlace(place[row]!)]!;
    const end = linkEnd[rank]!;
    const from = firstFrom(tagStart[rank]!, end, (row) => compareFolders(nameAt(row), tag, '/') >= 0);
    const to = firstFrom(from, end, (row) => compareFolders(nameAt(row), tag, '/') > 0);
    if (from === to) return null;
    const hasCurrent = isCurrent(place[from]!);
    if (digest === -1) return hasCurrent ? { row: from } : null;
    return this.#byDigest(hasCurrent ? from + 1 : from, to, digest);
  }
}

/** The first of an ascending range for which it holds. */
function firstFrom(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
