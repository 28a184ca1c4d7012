import { DigestTable, SHA256_HEX_LENGTH, ownText, withRoom } from './digest-table.ts';
import { decodeInventory, encodeInventory } from './inventory-bytes.ts';
import { type InventoryView, makeView, type UnknownKeys, type Upload } from './inventory-view.ts';
import {
  isCurrent,
  LinkColumns,
  PLACE_LAYER,
  PLACE_REVISION,
  placeOfCurrent,
  placeOfIndex,
  tagOfPlace,
} from './link-columns.ts';
import {
  BLOBS,
  DATA,
  LAYERS,
  LINK,
  parseStorageKey,
  REPOSITORIES,
  REVISIONS,
  tagCurrentKey,
} from './storage-layout.ts';

const SHA256_FOLDER = 'sha256/';

export interface TagKey {
  readonly repository: string;
  readonly tag: string;
  /** Of its `current/link`, whose content is the digest that the tag points at. */
  readonly key: string;
  readonly modified: number;
}

/**
 * What a registry's storage holds, from its listing alone: columns of numbers, so that a million blobs take some 100 MB.
 * Keys come in any order, from any number of listings, and twice if need be; the younger time counts then.
 */
export class Inventory {
  readonly root: string;
  readonly #blobRoot: string;
  readonly #digests = new DigestTable();
  readonly #links = new LinkColumns(this.#digests);
  readonly #uploads = new Map<string, Upload>();
  /** By number of the digest; a size of -1 is no blob. */
  #blobSizes = new Float64Array(1024).fill(-1);
  #blobTimes = new Float64Array(1024);
  #blobs = 0;
  #others = 0;
  #unknown: UnknownKeys = { count: 0, example: null };
  #view: InventoryView | null = null;
  /** Keys of one repository come one after the other. */
  #lastFolder = '';
  #lastRepository = 0;

  /** `root` as `storageRoot` tells it. */
  constructor(root: string) {
    this.root = root;
    this.#blobRoot = root + BLOBS + SHA256_FOLDER;
  }

  /** How many blobs there are. */
  get blobs(): number {
    return this.#blobs;
  }

  /** How many keys were given that are not of a registry and refer to no blob. They are never touched. */
  get others(): number {
    return this.#others;
  }

  /** When the blob of a digest was written; null when there is none. */
  blobModified(digest: string): number | null {
    const id = this.#digests.find(digest);
    return (this.#blobSizes[id] ?? -1) === -1 ? null : this.#blobTimes[id]!;
  }

  add(key: string, size: number, modified: number): void {
    this.#view = null;
    if (!this.#addBlob(key, size, modified) && !this.#addLink(key, modified))
      this.#addAny(key, size, modified);
  }

  /** The tags whose `current/link` is there, in the order of their keys. */
  *tags(): Generator<TagKey> {
    const { repositories, tagStart, linkEnd, place, modified, tagNames } = this.view();
    for (let number = 0; number < repositories.length; number++) {
      for (let link = tagStart[number]!; link < linkEnd[number]!; link++) {
        if (!isCurrent(place[link]!)) continue;
        const repository = repositories[number]!;
        const tag = tagNames[tagOfPlace(place[link]!)]!;
        const key = tagCurrentKey(this.root, repository, tag);
        yield { repository, tag, key, modified: modified[link]! };
      }
    }
  }

  /**
   * Every digest whose manifest a plan asks for, once: those that repositories link, and those that tags point at, which
   * may have been pushed after the listing.
   */
  *manifestDigests(tags: ReadonlyMap<string, string>): Generator<string> {
    const { digests, digest, place } = this.view();
    const isSeen = new Uint8Array(digests.count);
    for (let link = 0; link < digest.length; link++) {
      const id = digest[link]!;
      // A tag may name what its repository does not link yet.
      if (place[link] === PLACE_LAYER || isCurrent(place[link]!) || isSeen[id] === 1) continue;
      isSeen[id] = 1;
      yield digests.text(id);
    }
    const unlisted = new Set<string>();
    for (const current of tags.values()) {
      const id = digests.find(current);
      if (id === -1 || isSeen[id] === 0) unlisted.add(current);
    }
    yield* unlisted;
  }

  /** All of it in the order of the keys, for planning. Made once, until something is added. */
  view(): InventoryView {
    return (this.#view ??= makeView({
      root: this.root,
      digests: this.#digests,
      links: this.#links,
      blobSizes: this.#blobSizes,
      blobTimes: this.#blobTimes,
      blobs: this.#blobs,
      others: this.#others,
      unknown: this.#unknown,
      uploads: [...this.#uploads.values()],
    }));
  }

  /** For a checkpoint: all of it, or of the part of the listing that this inventory was fed. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return encodeInventory({
      root: this.root,
      digests: this.#digests,
      links: this.#links,
      blobSizes: this.#blobSizes,
      blobTimes: this.#blobTimes,
      others: this.#others,
      unknown: this.#unknown,
      uploads: [...this.#uploads.values()],
    });
  }

  /** Adds all that another inventory of the same root held. */
  load(bytes: Uint8Array): void {
    this.#view = null;
    const stored = decodeInventory(bytes);
    if (stored.root !== this.root) {
      throw new Error(`an inventory of "${stored.root}" cannot be added to one of "${this.root}"`);
    }
    const ids = new Uint32Array(stored.count);
    for (let id = 0; id < stored.count; id++) {
      const other = stored.otherDigests.get(id);
      ids[id] =
        other === undefined ? this.#digests.internWords(stored.words, id * 8) : this.#digests.intern(other);
      if (stored.blobSizes[id] !== -1) this.#setBlob(ids[id]!, stored.blobSizes[id]!, stored.blobTimes[id]!);
    }
    this.#links.load(stored.links, ids);
    this.#others += stored.others;
    this.#addUnknown(stored.unknown);
    for (const { repository, upload, files } of stored.uploads) {
      for (const file of files) this.#addUpload(repository, upload, file);
    }
  }

  static fromBytes(bytes: Uint8Array): Inventory {
    const inventory = new Inventory(decodeInventory(bytes).root);
    inventory.load(bytes);
    return inventory;
  }

  /** The usual blob, without making a text; false when the key is something else. */
  #addBlob(key: string, size: number, modified: number): boolean {
    const at = this.#blobRoot.length;
    const hexAt = at + 3;
    if (key.length !== hexAt + SHA256_HEX_LENGTH + DATA.length) return false;
    if (!key.startsWith(this.#blobRoot) || !key.endsWith(DATA) || key[at + 2] !== '/') return false;
    if (
      key.charCodeAt(at) !== key.charCodeAt(hexAt) ||
      key.charCodeAt(at + 1) !== key.charCodeAt(hexAt + 1)
    ) {
      return false;
    }
    const id = this.#digests.internHex(key, hexAt);
    if (id === -1) return false;
    this.#setBlob(id, size, modified);
    return true;
  }

  /** The usual link of a layer or a revision, without making a text unless its repository is new. */
  #addLink(key: string, modified: number): boolean {
    const last = this.#lastFolder;
    if (last === '' || !key.startsWith(last)) return false;
    const place = key.startsWith(LAYERS, last.length)
      ? PLACE_LAYER
      : key.startsWith(REVISIONS, last.length)
        ? PLACE_REVISION
        : -1;
    if (place === -1) return false;
    const at = last.length + (place === PLACE_LAYER ? LAYERS.length : REVISIONS.length);
    const hexAt = at + SHA256_FOLDER.length;
    if (key.length !== hexAt + SHA256_HEX_LENGTH + LINK.length) return false;
    if (!key.startsWith(SHA256_FOLDER, at) || !key.endsWith(LINK)) return false;
    const id = this.#digests.internHex(key, hexAt);
    if (id === -1) return false;
    this.#links.add(this.#lastRepository, place, id, modified);
    return true;
  }

  #addAny(key: string, size: number, modified: number): void {
    const parsed = parseStorageKey(this.root, key);
    switch (parsed.kind) {
      case 'other':
        this.#others++;
        return;
      case 'unknown':
        this.#addUnknown({ count: 1, example: key });
        return;
      case 'blob':
        this.#setBlob(this.#digests.intern(parsed.digest), size, modified);
        return;
      case 'upload':
        this.#addUpload(parsed.repository, parsed.upload, { file: parsed.file, size, modified });
        return;
      default:
    }
    const repository = this.#links.repository(parsed.repository);
    if (this.#lastRepository !== repository || this.#lastFolder === '') {
      this.#lastRepository = repository;
      this.#lastFolder = ownText(`${this.root}${REPOSITORIES}${parsed.repository}/`);
    }
    if (parsed.kind === 'tag-current') {
      this.#links.add(repository, placeOfCurrent(this.#links.tag(parsed.tag)), 0, modified);
      return;
    }
    const digest = this.#digests.intern(parsed.digest);
    const place =
      parsed.kind === 'tag-index'
        ? placeOfIndex(this.#links.tag(parsed.tag))
        : parsed.kind === 'layer-link'
          ? PLACE_LAYER
          : PLACE_REVISION;
    this.#links.add(repository, place, digest, modified);
  }

  #addUnknown({ count, example }: UnknownKeys): void {
    const { count: before, example: first } = this.#unknown;
    this.#unknown = { count: before + count, example: first ?? example };
  }

  #setBlob(id: number, size: number, modified: number): void {
    if (id >= this.#blobSizes.length) {
      const from = this.#blobSizes.length;
      this.#blobSizes = withRoom(this.#blobSizes, id).fill(-1, from);
      this.#blobTimes = withRoom(this.#blobTimes, id);
    }
    if (this.#blobSizes[id] === -1) {
      this.#blobs++;
      this.#blobTimes[id] = modified;
    } else this.#blobTimes[id] = Math.max(this.#blobTimes[id]!, modified);
    this.#blobSizes[id] = size;
  }

  #addUpload(repository: string, upload: string, { file, size, modified }: Upload['files'][number]): void {
    const name = `${repository}/_uploads/${upload}`;
    let known = this.#uploads.get(name);
    if (known === undefined) {
      known = { repository: ownText(repository), upload: ownText(upload), files: [] };
      this.#uploads.set(ownText(name), known);
    }
    const at = known.files.findIndex((other) => other.file === file);
    if (at === -1) known.files.push({ file: ownText(file), size, modified });
    else
      known.files[at] = {
        file: known.files[at]!.file,
        size,
        modified: Math.max(known.files[at]!.modified, modified),
      };
  }
}
