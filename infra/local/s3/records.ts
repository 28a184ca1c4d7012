import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checksum } from './checksum.ts';

/** Puts the record in place by a rename, so that a crash leaves the old one or the new one. */
export function replaceFile(path: string, record: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(record));
  renameSync(`${path}.new`, path);
}

/** Reads every record of a folder; what a crash left half written is removed. */
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

/** Response headers kept with an object, as pairs because their names come from outside. */
export type StoredHeaders = readonly (readonly [name: string, value: string])[];

export interface StoredBlob {
  readonly blob: string;
  readonly size: number;
  /** MD5 in hex. */
  readonly etag: string;
}

/** What one write made of a key. A bucket that never had versioning keeps neither of the optional fields. */
interface Written {
  readonly key: string;
  /** Milliseconds, whole seconds only: S3 keeps no finer time. */
  readonly modifiedAt: number;
  /** Absent for the one version of a key that S3 names `null`, which is written over. */
  readonly versionId?: string;
  /** Counts the writes of the bucket: of two versions, the one with the larger number is the newer. Absent is 0. */
  readonly sequence?: number;
}

export interface StoredObject extends StoredBlob, Written {
  readonly headers: StoredHeaders;
  readonly checksum?: Checksum;
}

/** An object before the bucket gives it its place among the versions. */
export type NewObject = Omit<StoredObject, 'versionId' | 'sequence'>;

/** Hides the versions below it; the key holds no object while it is the newest. */
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
