import { DigestTable, SHA256_HEX_LENGTH, ownText, withRoom } from './digest-table.ts';
import { decodeInventory, encodeInventory } from './inventory-bytes.ts';
import {
  type InventorySource,
  type InventoryView,
  makeView,
  type UnknownKeys,
  type Upload,
} from './inventory-view.ts';
import {
  isCurrent,
  LinkColumns,
  LINK_LAYER,
  PLACE_REVISION,
  layerOfCurrent,
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

/**
 * Contents of registry storage from its listing, as columns of numbers: a million blobs take about 100 MB. Accepts keys
 * in any order, from several listings, and duplicates; the younger time wins.
 */
export class Inventory {
  readonly root: string;
  readonly #blobRoot: string;
  readonly #digests = new DigestTable();
  readonly #links = new LinkColumns(this.#digests);
  readonly #uploads = new Map<string, Upload>();
  /** By digest number; size -1 means no blob. */
  #blobSizes = new Float64Array(1024).fill(-1);
  #blobTimes = new Float64Array(1024);
  #blobs = 0;
  #others = 0;
  #unknown: UnknownKeys = { count: 0, example: null };
  #view: InventoryView | null = null;
  /** Keys of one repository are consecutive. */
  #lastFolder = '';
  #lastRepository = 0;

  /** `root` is a result of `storageRoot`. */
  constructor(root: string) {
    this.root = root;
    this.#blobRoot = root + BLOBS + SHA256_FOLDER;
  }

  get blobs(): number {
    return this.#blobs;
  }

  /** Keys outside of the registry layout that reference no blob. They are never touched. */
  get others(): number {
    return this.#others;
  }

  blobModified(digest: string): number | null {
    const id = this.#digests.find(digest);
    return (this.#blobSizes[id] ?? -1) === -1 ? null : this.#blobTimes[id]!;
  }

  add(key: string, size: number, modified: number): void {
    this.#view = null;
    if (!this.#addBlob(key, size, modified) && !this.#addLink(key, modified))
      this.#addAny(key, size, modified);
  }

  /** Tags with a `current/link`, whose key it yields, in key order. */
  *tags() {
    const { repositories, tagStart, linkEnd, place, tagNames } = this.view();
    for (let number = 0; number < repositories.length; number++) {
      for (let link = tagStart[number]!; link < linkEnd[number]!; link++) {
        if (!isCurrent(place[link]!)) continue;
        const repository = repositories[number]!;
        const tag = tagNames[tagOfPlace(place[link]!)]!;
        yield { repository, tag, key: tagCurrentKey(this.root, repository, tag) };
      }
    }
  }

  /** All manifests that a plan needs: linked revisions, and tag targets, which can be pushed after the listing. */
  *manifestDigests(tags: ReadonlyMap<string, string>): Generator<string> {
    const { digests, digest, place } = this.view();
    const isSeen = new Uint8Array(digests.count);
    for (let link = 0; link < digest.length; link++) {
      const id = digest[link]!;
      // A tag can name a manifest that its repository does not link yet.
      if (place[link] === LINK_LAYER || isCurrent(place[link]!) || isSeen[id] === 1) continue;
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

  /** In key order; cached until the next change. */
  view(): InventoryView {
    return (this.#view ??= makeView(this.#source()));
  }

  /** Checkpoint of all keys added so far. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return encodeInventory(this.#source());
  }

  #source(): InventorySource {
    return {
      root: this.root,
      digests: this.#digests,
      links: this.#links,
      blobSizes: this.#blobSizes,
      blobTimes: this.#blobTimes,
      blobs: this.#blobs,
      others: this.#others,
      unknown: this.#unknown,
      uploads: [...this.#uploads.values()],
    };
  }

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

  /** Fast path without substrings; false if the key is not a plain blob. */
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

  /** Fast path without substrings, for a layer or revision link of the last repository. */
  #addLink(key: string, modified: number): boolean {
    const last = this.#lastFolder;
    if (last === '' || !key.startsWith(last)) return false;
    const place = key.startsWith(LAYERS, last.length)
      ? LINK_LAYER
      : key.startsWith(REVISIONS, last.length)
        ? PLACE_REVISION
        : -1;
    if (place === -1) return false;
    const at = last.length + (place === LINK_LAYER ? LAYERS.length : REVISIONS.length);
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
      this.#links.add(repository, layerOfCurrent(this.#links.tag(parsed.tag)), 0, modified);
      return;
    }
    const digest = this.#digests.intern(parsed.digest);
    const place =
      parsed.kind === 'tag-index'
        ? placeOfIndex(this.#links.tag(parsed.tag))
        : parsed.kind === 'layer-link'
          ? LINK_LAYER
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
