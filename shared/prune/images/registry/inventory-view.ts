import type { DigestTable } from './digest-table.ts';
import {
  compareFolders,
  type LinkColumns,
  LINK_LAYER,
  PLACE_REVISION,
  isCurrent,
  tagOfPlace,
} from './link-columns.ts';
import { parseStorageKey } from './storage-layout.ts';

/** Keys below `repositories/` that can reference any blob. */
export interface UnknownKeys {
  readonly count: number;
  readonly example: string | null;
}

/** Unfinished upload with all its files. */
export interface Upload {
  readonly repository: string;
  readonly upload: string;
  readonly files: { readonly file: string; readonly size: number; readonly modified: number }[];
}

/**
 * Inventory in key order. Links of repository `n` are the rows `linkStart[n]` to `linkEnd[n]`: layers, revisions from
 * `revisionStart[n]`, tags from `tagStart[n]`.
 */
export interface InventoryView {
  readonly root: string;
  readonly digests: DigestTable;
  readonly repositories: readonly string[];
  readonly linkStart: Uint32Array;
  readonly revisionStart: Uint32Array;
  readonly tagStart: Uint32Array;
  readonly linkEnd: Uint32Array;
  /** By row; see `link-columns.ts`. */
  readonly place: Uint32Array;
  /** By row: number of the digest in the key. Has no meaning for the current link of a tag. */
  readonly digest: Uint32Array;
  readonly modified: Float64Array;
  readonly tagNames: readonly string[];
  /** By digest number; -1 without a blob. */
  readonly blobSizes: Float64Array;
  readonly blobTimes: Float64Array;
  readonly blobs: number;
  readonly others: number;
  readonly unknown: UnknownKeys;
  readonly uploads: readonly Upload[];
}

/** Columns of an inventory in order of arrival. */
export interface InventorySource extends Pick<
  InventoryView,
  'root' | 'digests' | 'blobSizes' | 'blobTimes' | 'blobs' | 'others' | 'unknown' | 'uploads'
> {
  readonly links: LinkColumns;
}

export function makeView({ links, blobSizes, uploads, ...rest }: InventorySource): InventoryView {
  const names = links.rows().repositories;
  const numbers = Uint32Array.from(names.keys());
  // Folders below a repository start with an underscore: `a/0/_layers` sorts before `a/_layers`.
  numbers.sort((a, b) => compareFolders(names[a]!, names[b]!, '/_'));
  links.sort(numbers);
  const { repository, place, digest, modified, tags } = links.rows();
  const [linkStart, revisionStart, tagStart, linkEnd] = [0, 1, 2, 3].map(
    () => new Uint32Array(numbers.length),
  ) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let row = 0;
  numbers.forEach((number, rank) => {
    linkStart[rank] = row;
    while (row < place.length && repository[row] === number && place[row] === LINK_LAYER) row++;
    revisionStart[rank] = row;
    while (row < place.length && repository[row] === number && place[row] === PLACE_REVISION) row++;
    tagStart[rank] = row;
    while (row < place.length && repository[row] === number) row++;
    linkEnd[rank] = row;
  });
  return {
    ...rest,
    // One per digest: some digests were added after the last blob.
    blobSizes: sizesOfAll(blobSizes, rest.digests.count),
    repositories: Array.from(numbers, (number) => names[number]!),
    linkStart,
    revisionStart,
    tagStart,
    linkEnd,
    place,
    digest,
    modified,
    tagNames: tags,
    uploads: uploads.toSorted(
      (a, b) => compareFolders(a.repository, b.repository, '/_') || compareFolders(a.upload, b.upload, '/'),
    ),
  };
}

function sizesOfAll(sizes: Float64Array, count: number): Float64Array {
  if (sizes.length >= count) return sizes.subarray(0, count);
  const all = new Float64Array(count).fill(-1);
  all.set(sizes);
  return all;
}

export type Found = { readonly row: number } | { readonly blob: number };

/** Binary search, without an index of keys. */
export class KeyFinder {
  readonly #view: InventoryView;
  readonly #ranks: ReadonlyMap<string, number>;

  constructor(view: InventoryView) {
    this.#view = view;
    this.#ranks = new Map(view.repositories.map((name, rank) => [name, rank]));
  }

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

function firstFrom(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
