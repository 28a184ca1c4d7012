import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checksum } from './checksum.ts';

/** Atomic by rename: a crash leaves the old or the new record. */
export function replaceFile(path: string, record: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(record));
  renameSync(`${path}.new`, path);
}

/** Removes files that a crash left half written. */
export function* readRecords<Content>(dir: string): Generator<Content> {
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

/** Pairs, because header names are untrusted. */
export type StoredHeaders = readonly (readonly [name: string, value: string])[];

export interface StoredBlob {
  readonly blob: string;
  readonly size: number;
  /** MD5 in hex. */
  readonly etag: string;
}

/** Without versioning the optional fields are absent. */
interface Written {
  readonly key: string;
  /** Milliseconds, whole seconds only, as in S3. */
  readonly modifiedAt: number;
  /** Absent for the version that S3 names `null`, which is overwritten. */
  readonly versionId?: string;
  /** Write counter of the bucket: the larger number is the newer version. Absent means 0. */
  readonly sequence?: number;
}

export interface StoredObject extends StoredBlob, Written {
  readonly headers: StoredHeaders;
  readonly checksum?: Checksum;
}

export type NewObject = Omit<StoredObject, 'versionId' | 'sequence'>;

/** Hides older versions; the key has no object while the marker is the newest. */
export interface DeleteMarker extends Written {
  readonly isDeleteMarker: true;
}

export type StoredVersion = StoredObject | DeleteMarker;

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

export function isDeleteMarker(version: StoredVersion): version is DeleteMarker {
  return 'isDeleteMarker' in version;
}
