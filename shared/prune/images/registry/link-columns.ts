import { type DigestTable, ownText, withRoom } from './digest-table.ts';

/**
 * Position of a link in its repository, in key order: layers, revisions, then per tag its current link (even) and index
 * (odd). Tags are numbered in order of arrival.
 */
export const LINK_LAYER = 0;
export const PLACE_REVISION = 1;
const FIRST_TAG_PLACE = 2;

export function layerOfCurrent(tag: number): number {
  return FIRST_TAG_PLACE + 2 * tag;
}

export function placeOfIndex(tag: number): number {
  return FIRST_TAG_PLACE + 2 * tag + 1;
}

export function isCurrent(place: number): boolean {
  return place >= FIRST_TAG_PLACE && place % 2 === 0;
}

export function tagOfPlace(place: number): number {
  return (place - FIRST_TAG_PLACE) >> 1;
}

export interface StoredLinks {
  readonly repositories: readonly string[];
  readonly tags: readonly string[];
  readonly repository: Uint32Array;
  readonly place: Uint32Array;
  readonly digest: Uint32Array;
  readonly modified: Float64Array;
}

/** One row per link, in order of arrival. */
export class LinkColumns {
  readonly #digests: DigestTable;
  readonly #repositories = new Names();
  readonly #tags = new Names();
  #count = 0;
  #repository = new Uint32Array(1024);
  #place = new Uint32Array(1024);
  #digest = new Uint32Array(1024);
  #modified = new Float64Array(1024);
  /** Last row of each repository, to detect rows out of order: listings are ordered. */
  #lastRow = new Uint32Array(64);
  readonly #unordered = new Set<number>();

  constructor(digests: DigestTable) {
    this.#digests = digests;
  }

  repository(name: string): number {
    return this.#repositories.number(name);
  }

  tag(name: string): number {
    return this.#tags.number(name);
  }

  add(repository: number, place: number, digest: number, modified: number): void {
    const row = this.#count++;
    if (row >= this.#repository.length) {
      this.#repository = withRoom(this.#repository, row);
      this.#place = withRoom(this.#place, row);
      this.#digest = withRoom(this.#digest, row);
      this.#modified = withRoom(this.#modified, row);
    }
    this.#repository[row] = repository;
    this.#place[row] = place;
    this.#digest[row] = digest;
    this.#modified[row] = modified;
    this.#lastRow = withRoom(this.#lastRow, repository);
    const last = this.#lastRow[repository]!;
    // Row plus one; 0 means none.
    if (last !== 0 && this.#compareRows(last - 1, row) >= 0) this.#unordered.add(repository);
    this.#lastRow[repository] = row + 1;
  }

  load(stored: StoredLinks, digests: Uint32Array): void {
    const repositories = stored.repositories.map((name) => this.repository(name));
    const tags = stored.tags.map((name) => this.tag(name));
    for (let row = 0; row < stored.place.length; row++) {
      const place = stored.place[row]!;
      const moved = place < FIRST_TAG_PLACE ? place : layerOfCurrent(tags[tagOfPlace(place)]!) + (place % 2);
      const digest = isCurrent(place) ? 0 : digests[stored.digest[row]!]!;
      this.add(repositories[stored.repository[row]!]!, moved, digest, stored.modified[row]!);
    }
  }

  rows(): StoredLinks {
    return {
      repositories: this.#repositories.all,
      tags: this.#tags.all,
      repository: this.#repository.subarray(0, this.#count),
      place: this.#place.subarray(0, this.#count),
      digest: this.#digest.subarray(0, this.#count),
      modified: this.#modified.subarray(0, this.#count),
    };
  }

  /** Sorts by key without duplicates, so that the rows of a repository are adjacent. */
  sort(repositoriesInOrder: Uint32Array): void {
    const count = this.#count;
    const next = new Uint32Array(repositoriesInOrder.length);
    for (let row = 0; row < count; row++) next[this.#repository[row]!]!++;
    let start = 0;
    const ranges: { repository: number; from: number; to: number }[] = [];
    for (const repository of repositoriesInOrder) {
      const to = start + next[repository]!;
      if (this.#unordered.has(repository)) ranges.push({ repository, from: start, to });
      next[repository] = start;
      start = to;
    }
    const order = new Uint32Array(count);
    for (let row = 0; row < count; row++) order[next[this.#repository[row]!]!++] = row;
    for (const { from, to } of ranges) {
      order
        .subarray(from, to)
        .sort((a, b) => this.#compareRows(a, b) || this.#modified[b]! - this.#modified[a]!);
    }
    this.#reorder(ranges.length === 0 ? order : this.#withoutRepeats(order));
    this.#unordered.clear();
  }

  #reorder(order: Uint32Array): void {
    const count = order.length;
    // Already ordered, as in a listing; a copy would double the memory.
    if (count === this.#count && order.every((row, at) => row === at)) return;
    const [repository, place, digest] = [0, 1, 2].map(() => new Uint32Array(count)) as [
      Uint32Array<ArrayBuffer>,
      Uint32Array<ArrayBuffer>,
      Uint32Array<ArrayBuffer>,
    ];
    const modified = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      const row = order[at]!;
      repository[at] = this.#repository[row]!;
      place[at] = this.#place[row]!;
      digest[at] = this.#digest[row]!;
      modified[at] = this.#modified[row]!;
    }
    this.#repository = repository;
    this.#place = place;
    this.#digest = digest;
    this.#modified = modified;
    this.#count = order.length;
    for (let row = 0; row < this.#count; row++) this.#lastRow[this.#repository[row]!] = row + 1;
  }

  /** Keeps the first row of a key, which is the youngest. */
  #withoutRepeats(order: Uint32Array): Uint32Array {
    return order.filter((row, at) => {
      const before = order[at - 1];
      return (
        before === undefined ||
        this.#repository[before] !== this.#repository[row] ||
        this.#compareRows(before, row) !== 0
      );
    });
  }

  #compareRows(a: number, b: number): number {
    const [placeOfA, placeOfB] = [this.#place[a]!, this.#place[b]!];
    if (placeOfA === placeOfB) {
      return isCurrent(placeOfA) ? 0 : this.#digests.compare(this.#digest[a]!, this.#digest[b]!);
    }
    if (placeOfA < FIRST_TAG_PLACE || placeOfB < FIRST_TAG_PLACE) return placeOfA - placeOfB;
    const [tagOfA, tagOfB] = [tagOfPlace(placeOfA), tagOfPlace(placeOfB)];
    if (tagOfA === tagOfB) return placeOfA - placeOfB;
    return compareFolders(this.#tags.all[tagOfA]!, this.#tags.all[tagOfB]!, '/');
  }
}

/** Order of folder contents: `v1.1/` sorts before `v1/`. */
export function compareFolders(a: string, b: string, separator: string): number {
  const [folderOfA, folderOfB] = [a + separator, b + separator];
  return folderOfA < folderOfB ? -1 : folderOfA > folderOfB ? 1 : 0;
}

class Names {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      const own = ownText(name);
      number = this.all.push(own) - 1;
      this.#numbers.set(own, number);
    }
    return number;
  }
}
