import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../../functions/runtime/hash.ts';
import { S3Error } from './errors.ts';
import { byteName } from './listing.ts';
import {
  type DeleteMarker,
  isDeleteMarker,
  type NewObject,
  readRecords,
  replaceFile,
  type StoredBlob,
  type StoredObject,
  type StoredUpload,
  type StoredVersion,
} from './records.ts';
import {
  newVersionId,
  objectIn,
  readVersioning,
  versionIdOf,
  VersionIndex,
  type VersioningStatus,
} from './version-index.ts';

/** Throws if the write is not allowed on the current object. */
export type WriteCheck = (current: StoredObject | undefined) => void;

/**
 * One bucket on disk. `blobs/<uuid>` are immutable bytes; `objects/<hash of the key>.json` and `uploads/<id>.json` name
 * their blobs. Renaming a record into place commits a write, so a crash leaves the old or the new state; unreferenced
 * blobs are deleted at the next start. With versioning (`versioning.json`) each write adds `versions/<id>.json`;
 * `objects/` keeps the `null` versions. Sequence numbers in the records define the newest version. Synchronous calls
 * make check, rename and index change atomic for other requests. Nothing is flushed to disk: a power cut can lose the
 * last writes.
 */
export class BucketFolder {
  readonly versions = new VersionIndex();
  readonly uploads = new Map<string, StoredUpload>();
  readonly #blobsDir: string;
  readonly #objectsDir: string;
  readonly #uploadsDir: string;
  readonly #versionsDir: string;
  readonly #versioningPath: string;
  #versioning: VersioningStatus | null;
  #lastSequence = 0;

  constructor(dir: string) {
    this.#blobsDir = join(dir, 'blobs');
    this.#objectsDir = join(dir, 'objects');
    this.#uploadsDir = join(dir, 'uploads');
    this.#versionsDir = join(dir, 'versions');
    this.#versioningPath = join(dir, 'versioning.json');
    for (const folder of [this.#blobsDir, this.#objectsDir, this.#uploadsDir]) {
      mkdirSync(folder, { recursive: true });
    }
    this.#versioning = readVersioning(this.#versioningPath);
    this.#load();
  }

  /** Null if versioning was never enabled. */
  get versioning(): VersioningStatus | null {
    return this.#versioning;
  }

  setVersioning(status: VersioningStatus): void {
    mkdirSync(this.#versionsDir, { recursive: true });
    replaceFile(this.#versioningPath, { status });
    this.#versioning = status;
  }

  find(key: string): StoredObject | undefined {
    return this.versions.current.get(byteName(key));
  }

  /** Throws if the object does not exist. */
  read(key: string, versionId?: string): StoredObject {
    if (versionId === undefined) return objectIn(this.versions.latest(byteName(key)), key);
    return objectIn(this.#findVersion(key, versionId), key, versionId);
  }

  /** The blob is invisible until a record names it. */
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

  /** Ignores failures: the next start deletes the blob. */
  async discardBlob(blob: string): Promise<void> {
    await rm(this.#blobPath(blob), { force: true }).catch(() => undefined);
  }

  /** An open blob stays readable if the object is replaced. */
  async openObject(
    key: string,
    versionId?: string,
  ): Promise<{ readonly object: StoredObject; readonly handle: FileHandle }> {
    for (;;) {
      const object = this.read(key, versionId);
      try {
        return { object, handle: await open(this.#blobPath(object.blob)) };
      } catch (error) {
        if (this.read(key, versionId) === object) throw error;
      }
    }
  }

  openBlob(blob: string): Promise<FileHandle> {
    return open(this.#blobPath(blob));
  }

  /** Drops the new blob and changes nothing if the check or the disk fails. */
  putObject(object: NewObject, check: WriteCheck): StoredObject {
    try {
      check(this.find(object.key));
      return this.#add({ ...object, ...this.#nextPlace() });
    } catch (error) {
      void this.discardBlob(object.blob);
      throw error;
    }
  }

  /** With versioning, adds a delete marker, even without an object. */
  removeObject(key: string, now: number, check: WriteCheck): DeleteMarker | undefined {
    const current = this.find(key);
    check(current);
    if (this.#versioning !== null) {
      return this.#add({ key, modifiedAt: now, isDeleteMarker: true, ...this.#nextPlace() });
    }
    if (current !== undefined) this.#drop(current);
    return undefined;
  }

  /** Deletes one version permanently; the next older becomes current. The check gets the current object. */
  removeVersion(key: string, versionId: string, check: WriteCheck): StoredVersion | undefined {
    check(this.find(key));
    const version = this.#findVersion(key, versionId);
    if (version !== undefined) this.#drop(version);
    return version;
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

  removeUpload(upload: StoredUpload): void {
    rmSync(this.#uploadPath(upload.uploadId), { force: true });
    this.uploads.delete(upload.uploadId);
    for (const part of upload.parts) void this.discardBlob(part.blob);
  }

  #findVersion(key: string, versionId: string): StoredVersion | undefined {
    return this.versions.all(byteName(key)).find((version) => versionIdOf(version) === versionId);
  }

  #nextPlace(): { readonly versionId?: string; readonly sequence?: number } {
    if (this.#versioning === null) return {};
    const sequence = ++this.#lastSequence;
    return this.#versioning === 'Enabled' ? { versionId: newVersionId(sequence), sequence } : { sequence };
  }

  #add<Version extends StoredVersion>(version: Version): Version {
    const name = byteName(version.key);
    const before = this.versions.all(name);
    replaceFile(this.#recordPath(version), version);
    // Only a null version can share its ID, and so its file.
    const isReplaced = (other: StoredVersion): boolean => other.versionId === version.versionId;
    this.versions.set(name, [version, ...before.filter((other) => !isReplaced(other))]);
    for (const replaced of before.filter(isReplaced)) this.#discardBytes(replaced);
    return version;
  }

  #drop(version: StoredVersion): void {
    const name = byteName(version.key);
    rmSync(this.#recordPath(version), { force: true });
    this.versions.set(
      name,
      this.versions.all(name).filter((other) => other !== version),
    );
    this.#discardBytes(version);
  }

  #discardBytes(version: StoredVersion): void {
    if (!isDeleteMarker(version)) void this.discardBlob(version.blob);
  }

  #load(): void {
    const blobs = new Set(readdirSync(this.#blobsDir));
    const unnamed = new Set(blobs);
    for (const version of this.#loadVersions(this.#objectsDir, unnamed)) {
      this.versions.set(byteName(version.key), [version]);
    }
    if (existsSync(this.#versionsDir)) {
      const byKey = Map.groupBy(this.#loadVersions(this.#versionsDir, unnamed), ({ key }) => key);
      for (const [key, versions] of byKey) {
        const name = byteName(key);
        this.versions.set(name, [...versions, ...this.versions.all(name)].toSorted(newestFirst));
      }
    }
    for (const upload of readRecords<StoredUpload>(this.#uploadsDir)) {
      const parts = upload.parts.filter((part) => blobs.has(part.blob));
      for (const part of parts) unnamed.delete(part.blob);
      this.uploads.set(upload.uploadId, { ...upload, parts });
    }
    for (const blob of unnamed) rmSync(this.#blobPath(blob), { force: true });
  }

  *#loadVersions(dir: string, unnamed: Set<string>): Generator<StoredVersion> {
    for (const version of readRecords<StoredVersion>(dir)) {
      if (!isDeleteMarker(version) && !unnamed.delete(version.blob)) {
        console.error(`bucket: the bytes of "${version.key}" are gone, the object is left out`);
        continue;
      }
      this.#lastSequence = Math.max(this.#lastSequence, version.sequence ?? 0);
      yield version;
    }
  }

  #blobPath(blob: string): string {
    return join(this.#blobsDir, blob);
  }

  #recordPath({ key, versionId }: StoredVersion): string {
    if (versionId !== undefined) return join(this.#versionsDir, `${versionId}.json`);
    return join(this.#objectsDir, `${sha256Hex(key)}.json`);
  }

  #uploadPath(uploadId: string): string {
    return join(this.#uploadsDir, `${uploadId}.json`);
  }
}

function newestFirst(a: StoredVersion, b: StoredVersion): number {
  return (b.sequence ?? 0) - (a.sequence ?? 0);
}

/** Expects an existing folder. Bucket names are safe folder names: only lower-case host names are valid. */
export class BucketStore {
  readonly #dir: string;
  readonly #buckets = new Map<string, BucketFolder>();

  constructor(dir: string) {
    this.#dir = dir;
    for (const name of readdirSync(dir)) {
      if (isBucketName(name)) this.#buckets.set(name, new BucketFolder(join(dir, name)));
    }
  }

  bucket(name: string): BucketFolder {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw new S3Error('NoSuchBucket', `there is no bucket "${name}"`);
    return bucket;
  }

  create(name: string): void {
    if (!isBucketName(name)) {
      throw new S3Error(
        'InvalidBucketName',
        `"${name}" is not a bucket name, expected 3 to 63 lower-case letters, digits, dots and hyphens`,
      );
    }
    if (!this.#buckets.has(name)) this.#buckets.set(name, new BucketFolder(join(this.#dir, name)));
  }

  list(): { readonly name: string; readonly createdAt: number }[] {
    return [...this.#buckets.keys()]
      .toSorted()
      .map((name) => ({ name, createdAt: statSync(join(this.#dir, name)).birthtimeMs }));
  }
}

function isBucketName(name: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..');
}
