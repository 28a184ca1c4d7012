import type { StayReason } from '../plan/retention.ts';
import { type InventoryView, KeyFinder, type Upload } from './inventory-view.ts';
import type { Inventory } from './inventory.ts';

/** A key that was found to be unneeded, and since when it has been. */
export interface Tombstone {
  readonly key: string;
  /** Milliseconds. */
  readonly since: number;
}

/** `2026-01-01T00:00:00.000Z docker/registry/v2/blobs/…/data` and a line end. */
export function tombstoneLine({ key, since }: Tombstone): string {
  return `${new Date(since).toISOString()} ${key}\n`;
}

/** Reads lines as they come, cut anywhere. A line that is none is passed over: its key starts anew. */
export class TombstoneReader {
  readonly #decoder = new TextDecoder();
  #rest = '';

  *read(chunk: Uint8Array): Generator<Tombstone> {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      const space = text.indexOf(' ', from);
      const since = space === -1 || space > to ? Number.NaN : Date.parse(text.slice(from, space));
      if (!Number.isNaN(since)) yield { key: text.slice(space + 1, to), since };
      from = to + 1;
    }
    // A last line without its end was cut, and could be another key.
    this.#rest = text.slice(from);
  }
}

/**
 * Since when what an inventory holds has been condemned. Takes tombstones one by one, in any order, into columns beside
 * the inventory's, so that an object with a million of them can be read as it comes. Keys that are gone are forgotten.
 */
export class CondemnedBefore {
  readonly #finder: KeyFinder;
  /** By row of a link, by number of a blob's digest; 0 is never. Made with the first tombstone, and often none comes. */
  #links = new Float64Array();
  #blobs = new Float64Array();
  readonly #view: InventoryView;

  constructor(inventory: Inventory) {
    this.#view = inventory.view();
    this.#finder = new KeyFinder(this.#view);
  }

  static of(inventory: Inventory, tombstones: Iterable<Tombstone>): CondemnedBefore {
    const before = new CondemnedBefore(inventory);
    for (const tombstone of tombstones) before.add(tombstone);
    return before;
  }

  add({ key, since }: Tombstone): void {
    const found = this.#finder.find(key);
    if (found === null) return;
    if (this.#blobs.length === 0) {
      this.#links = new Float64Array(this.#view.place.length);
      this.#blobs = new Float64Array(this.#view.digests.count);
    }
    if ('row' in found) this.#links[found.row] = since;
    else this.#blobs[found.blob] = since;
  }

  /** By the row of a link in the view of the inventory; null when it was not condemned. */
  link(row: number): number | null {
    return this.#links[row] || null;
  }

  /** By the number of a blob's digest. */
  blob(digest: number): number | null {
    return this.#blobs[digest] || null;
  }
}

/** A registry gives up an upload after a week, too. */
export const UPLOAD_MAX_AGE_MS = 168 * 3_600_000;

export interface JudgedUpload {
  readonly upload: Upload;
  readonly fate: Extract<StayReason, 'young' | 'frozen' | 'protected'> | 'abandoned';
  /** When its youngest file was written: a listing does not tell when it began. */
  readonly newest: number;
  /** How many of its files go, the first by name. */
  readonly going: number;
}

export interface UploadRules {
  readonly now: number;
  /** How many keys may still go in this run. */
  readonly left: number;
  /** Why nothing in a repository is touched; null when it may be. */
  readonly stays: (repository: string) => 'frozen' | 'protected' | null;
}

/** Which uploads nobody goes on with: those whose youngest file is more than a week old. */
export function judgeUploads(uploads: readonly Upload[], rules: UploadRules): JudgedUpload[] {
  let { left } = rules;
  return uploads.map((upload) => {
    const newest = upload.files.reduce((latest, { modified }) => Math.max(latest, modified), -Infinity);
    const isOld = rules.now - newest > UPLOAD_MAX_AGE_MS;
    const fate = rules.stays(upload.repository) ?? (isOld ? 'abandoned' : 'young');
    const going = fate === 'abandoned' ? Math.min(upload.files.length, Math.max(0, left)) : 0;
    left -= going;
    return { upload, fate, newest, going };
  });
}
