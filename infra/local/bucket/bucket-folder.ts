import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checksum } from './checksum.ts';
import { S3Error } from './errors.ts';
import { byteName } from './listing.ts';
import { SortedIndex } from './sorted-index.ts';

/** Response headers kept with an object, as pairs because their names come from outside. */
export type StoredHeaders = readonly (readonly [name: string, value: string])[];

export interface StoredBlob {
  readonly blob: string;
  readonly size: number;
  /** MD5 in hex. */
  readonly etag: string;
}

export interface StoredObject extends StoredBlob {
  readonly key: string;
  /** Milliseconds, whole seconds only: S3 keeps no finer time. */
  readonly modifiedAt: number;
  readonly headers: StoredHeaders;
  readonly checksum?: Checksum;
}

export interface StoredPart extends StoredBlob {
  readonly number: number;
  readonly modifiedAt: number;
}

export interface StoredUpload {
  readonly uploadId: string;
  readonly key: string;
  readonly initiatedAt: number;
  readonly headers: StoredHeaders;
  /** By part number, ascending. */
  readonly parts: readonly StoredPart[];
}

/** Throws when the write may not happen, given what the key holds now. */
export type WriteCheck = (current: StoredObject | undefined) => void;

/**
 * One bucket on disk. `blobs/<uuid>` holds the bytes, written once and never changed; `objects/<hash of the key>.json`
 * and `uploads/<id>.json` name the blobs they consist of. Renaming such a record into place is the one step that makes
 * a write count, so a crash leaves the old state or the new one; what no record names is swept at the next start.
 *
 * Records are written with synchronous calls: the check, the rename and the change of the index are then one step for
 * every other request too. Nothing is flushed to the platter: a power cut may lose the last writes.
 */
export class BucketFolder {
  readonly index = new SortedIndex<StoredObject>();
  readonly uploads = new Map<string, StoredUpload>();
  readonly #blobsDir: string;
  readonly #objectsDir: string;
  readonly #uploadsDir: string;

  constructor(dir: string) {
    this.#blobsDir = join(dir, 'blobs');
    this.#objectsDir = join(dir, 'objects');
    this.#uploadsDir = join(dir, 'uploads');
    for (const folder of [this.#blobsDir, this.#objectsDir, this.#uploadsDir]) {
      mkdirSync(folder, { recursive: true });
    }
    this.#load();
  }

  find(key: string): StoredObject | undefined {
    return this.index.get(byteName(key));
  }

  /** Streams bytes into a blob that counts for nothing until a record names it. */
  async writeBlob(source: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    const blob = randomUUID();
    const md5 = createHash('md5');
    let size = 0;
    async function* measured(): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        md5.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    }
    try {
      await writeFile(this.#blobPath(blob), measured(), { flag: 'wx' });
    } catch (error) {
      await this.discardBlob(blob);
      throw error;
    }
    return { blob, size, etag: md5.digest('hex') };
  }

  /** A blob that cannot be removed now is swept at the next start. */
  async discardBlob(blob: string): Promise<void> {
    await rm(this.#blobPath(blob), { force: true }).catch(() => undefined);
  }

  /** Opens the bytes of what the key holds; an open blob stays readable when the object is replaced meanwhile. */
  async openObject(key: string): Promise<{ readonly object: StoredObject; readonly handle: FileHandle }> {
    for (;;) {
      const object = this.find(key);
      if (object === undefined) throw new S3Error('NoSuchKey', `there is no object "${key}"`);
      try {
        return { object, handle: await open(this.#blobPath(object.blob)) };
      } catch (error) {
        if (this.find(key) === object) throw error;
      }
    }
  }

  openBlob(blob: string): Promise<FileHandle> {
    return open(this.#blobPath(blob));
  }

  /** Makes the object current. When the check or the disk refuses, the new blob is dropped and nothing changed. */
  putObject(object: StoredObject, check: WriteCheck): void {
    const name = byteName(object.key);
    const current = this.index.get(name);
    try {
      check(current);
      replaceFile(this.#objectPath(object.key), object);
    } catch (error) {
      void this.discardBlob(object.blob);
      throw error;
    }
    this.index.set(name, object);
    if (current !== undefined) void this.discardBlob(current.blob);
  }

  removeObject(key: string, check: WriteCheck): void {
    const current = this.find(key);
    check(current);
    if (current === undefined) return;
    rmSync(this.#objectPath(key), { force: true });
    this.index.delete(byteName(key));
    void this.discardBlob(current.blob);
  }

  findUpload(uploadId: string, key: string): StoredUpload {
    const upload = this.uploads.get(uploadId);
    if (upload === undefined || upload.key !== key) {
      throw new S3Error('NoSuchUpload', `there is no upload "${uploadId}" of "${key}"`);
    }
    return upload;
  }

  saveUpload(upload: StoredUpload): void {
    replaceFile(this.#uploadPath(upload.uploadId), upload);
    this.uploads.set(upload.uploadId, upload);
  }

  /** Forgets the upload and drops the blobs of its parts. */
  removeUpload(upload: StoredUpload): void {
    rmSync(this.#uploadPath(upload.uploadId), { force: true });
    this.uploads.delete(upload.uploadId);
    for (const part of upload.parts) void this.discardBlob(part.blob);
  }

  #load(): void {
    const blobs = new Set(readdirSync(this.#blobsDir));
    const unnamed = new Set(blobs);
    for (const object of readRecords<StoredObject>(this.#objectsDir)) {
      if (!unnamed.delete(object.blob)) {
        console.error(`bucket: the bytes of "${object.key}" are gone, the object is left out`);
        continue;
      }
      this.index.set(byteName(object.key), object);
    }
    for (const upload of readRecords<StoredUpload>(this.#uploadsDir)) {
      const parts = upload.parts.filter((part) => blobs.has(part.blob));
      for (const part of parts) unnamed.delete(part.blob);
      this.uploads.set(upload.uploadId, { ...upload, parts });
    }
    for (const blob of unnamed) rmSync(this.#blobPath(blob), { force: true });
  }

  #blobPath(blob: string): string {
    return join(this.#blobsDir, blob);
  }

  #objectPath(key: string): string {
    return join(this.#objectsDir, `${createHash('sha256').update(key).digest('hex')}.json`);
  }

  #uploadPath(uploadId: string): string {
    return join(this.#uploadsDir, `${uploadId}.json`);
  }
}

function replaceFile(path: string, record: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(record));
  renameSync(`${path}.new`, path);
}

/** Reads every record of a folder; what a crash left half written is removed. */
function* readRecords<Content>(dir: string): Generator<Content> {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (!name.endsWith('.json')) {
      rmSync(path, { force: true, recursive: true });
      continue;
    }
    try {
      yield JSON.parse(readFileSync(path, 'utf8')) as Content;
    } catch {
      console.error(`bucket: ${path} is not a record, it is left out`);
    }
  }
}
