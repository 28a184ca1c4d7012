import { randomBytes } from 'node:crypto';
import { S3Error } from './errors.ts';
import type { StoredVersion } from './bucket-records.ts';

/** How S3 names the version that was written without versioning. */
export const NULL_VERSION = 'null';
const SEQUENCE_DIGITS = 12;

/**
 * An id that tells the place of its version even when that is gone, so that a listing goes on where it stopped; the
 * random half keeps an id from being given out again after the newest version was removed.
 */
export function newVersionId(sequence: number): string {
  return sequence.toString(16).padStart(SEQUENCE_DIGITS, '0') + randomBytes(10).toString('hex');
}

export function sequenceOfId(versionId: string): number {
  return Number.parseInt(versionId.slice(0, SEQUENCE_DIGITS), 16);
}

export function versionIdOf(version: StoredVersion): string {
  return version.versionId ?? NULL_VERSION;
}

/** A version id from outside: absent stays absent, and what was never one is refused as S3 does it. */
export function readVersionId(text: string | undefined): string | undefined {
  if (text === undefined || text === NULL_VERSION || /^[0-9a-f]{32}$/.test(text)) return text;
  throw new S3Error(
    'InvalidArgument',
    `"${text}" is not a version id, expected ${NULL_VERSION} or 32 digits of base 16`,
  );
}
