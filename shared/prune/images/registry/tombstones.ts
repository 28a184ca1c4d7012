import type { KeepReason } from '../plan/retention.ts';
import { type InventoryView, KeyFinder, type Upload } from './inventory-view.ts';
import type { Inventory } from './inventory.ts';

export interface Tombstone {
  readonly key: string;
  /** Milliseconds. */
  readonly since: number;
}

/** `2026-01-01T00:00:00.000Z docker/registry/v2/blobs/…/data` with a newline. */
export function tombstoneLine({ key, since }: Tombstone): string {
  return `${new Date(since).toISOString()} ${key}\n`;
}

/** Skips invalid lines: their keys start a new grace period. */
export function* readTombstones(bytes: Uint8Array): Generator<Tombstone> {
  const text = new TextDecoder().decode(bytes);
  let from = 0;
  // A last line without a newline is truncated, and could name another key.
  for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
    const space = text.indexOf(' ', from);
    const since = space === -1 || space > to ? Number.NaN : Date.parse(text.slice(from, space));
    if (!Number.isNaN(since)) yield { key: text.slice(space + 1, to), since };
    from = to + 1;
  }
}

/** Condemnation times for the keys of an inventory, in columns: a file has up to a million. Ignores deleted keys. */
export class CondemnedBefore {
  readonly #finder: KeyFinder;
  /** By link row, and by digest number; 0 means never. Often there is none, so allocated on demand. */
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

  /** By link row of the inventory view; null if not condemned. */
  link(row: number): number | null {
    return this.#links[row] || null;
  }

  /** By digest number. */
  blob(digest: number): number | null {
    return this.#blobs[digest] || null;
  }
}

/** Registries also expire uploads after a week. */
export const UPLOAD_MAX_AGE_MS = 168 * 3_600_000;

export interface JudgedUpload {
  readonly upload: Upload;
  readonly fate: Extract<KeepReason, 'young' | 'frozen' | 'protected'> | 'abandoned';
  /** Time of the youngest file: a listing does not show the start of the upload. */
  readonly newest: number;
  /** Files to delete, first by name. */
  readonly going: number;
}

/** An upload is abandoned if its youngest file is older than a week. */
export function judgeUploads(
  uploads: readonly Upload[],
  rules: {
    readonly now: number;
    /** Keys that this run can still delete. */
    readonly left: number;
    /** Reason to leave a repository untouched; null if there is none. */
    readonly stays: (repository: string) => 'frozen' | 'protected' | null;
  },
): JudgedUpload[] {
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
