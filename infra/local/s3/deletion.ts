import type { BucketFolder, WriteCheck } from './bucket-folder.ts';
import { isDeleteMarker } from './bucket-records.ts';
import { versionIdOf } from './version-index.ts';

export interface Deletion {
  readonly key: string;
  /** With it exactly that version goes, for good. */
  readonly versionId: string | undefined;
  readonly check: WriteCheck;
}

export interface DeletionResult {
  /** Of the version that was named, or of the delete marker that was made. */
  readonly versionId: string | undefined;
  /** Whether a delete marker was made or removed. */
  readonly isDeleteMarker: boolean;
}

/** Deleting what is not there succeeds, as on S3. */
export function applyDeletion(bucket: BucketFolder, deletion: Deletion, now: number): DeletionResult {
  const { key, versionId, check } = deletion;
  if (versionId !== undefined) {
    const removed = bucket.removeVersion(key, versionId, check);
    return { versionId, isDeleteMarker: removed !== undefined && isDeleteMarker(removed) };
  }
  const marker = bucket.removeObject(key, now, check);
  return marker === undefined
    ? { versionId: undefined, isDeleteMarker: false }
    : { versionId: versionIdOf(marker), isDeleteMarker: true };
}
