import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { S3Error } from './errors.ts';
import { SortedIndex } from './listing.ts';
import { isDeleteMarker, replaceFile, type StoredObject, type StoredVersion } from './records.ts';

/** How S3 names the version that was written without versioning. */
const NULL_VERSION = 'null';
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

/** What a read of the key, or of the version with the id, found, as an object; otherwise throws what S3 answers. */
export function objectIn(found: StoredVersion | undefined, key: string, versionId?: string): StoredObject {
  if (found === undefined) {
    throw versionId === undefined
      ? new S3Error('NoSuchKey', `there is no object "${key}"`)
      : new S3Error('NoSuchVersion', `there is no version "${versionId}" of "${key}"`);
  }
  if (!isDeleteMarker(found)) return found;
  const headers = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': versionIdOf(found) };
  if (versionId === undefined) {
    throw new S3Error('NoSuchKey', `there is no object "${key}", it was deleted`, headers);
  }
  throw new S3Error('MethodNotAllowed', `version "${versionId}" of "${key}" is a delete marker`, {
    ...headers,
    allow: 'DELETE',
    'last-modified': new Date(found.modifiedAt).toUTCString(),
  });
}

/** What every key of a bucket holds, by byte name. A key with one object and nothing else costs one entry. */
export class VersionIndex {
  /** The objects that reads and listings without a version see. */
  readonly current = new SortedIndex<StoredObject>();
  /** All versions of the other keys: those with more than one, or with a delete marker. */
  readonly #histories = new SortedIndex<readonly StoredVersion[]>();

  latest(name: string): StoredVersion | undefined {
    return this.current.get(name) ?? this.#histories.get(name)?.[0];
  }

  /** Newest first. */
  all(name: string): readonly StoredVersion[] {
    const history = this.#histories.get(name);
    if (history !== undefined) return history;
    const only = this.current.get(name);
    return only === undefined ? [] : [only];
  }

  set(name: string, versions: readonly StoredVersion[]): void {
    const [latest] = versions;
    const isObject = latest !== undefined && !isDeleteMarker(latest);
    if (isObject) this.current.set(name, latest);
    else this.current.delete(name);
    if (versions.length > 1 || (latest !== undefined && !isObject)) this.#histories.set(name, versions);
    else this.#histories.delete(name);
  }

  /** The first name that is `name` or comes after it and holds any version, delete markers included. */
  ceiling(name: string): string | undefined {
    const object = this.current.ceiling(name)?.name;
    const history = this.#histories.ceiling(name)?.name;
    if (object === undefined || history === undefined) return object ?? history;
    return object < history ? object : history;
  }
}

export type VersioningStatus = 'Enabled' | 'Suspended';

export function isVersioningStatus(text: unknown): text is VersioningStatus {
  return text === 'Enabled' || text === 'Suspended';
}

/** The status of a bucket, null when it never had one. */
export function readVersioning(path: string): VersioningStatus | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const status = statusIn(text);
  if (status !== null) return status;
  // Of the two it may have been, this one loses nothing.
  console.error(`bucket: ${path} is not a record, versioning is taken as Enabled`);
  return 'Enabled';
}

export function writeVersioning(path: string, status: VersioningStatus): void {
  replaceFile(path, { status });
}

function statusIn(text: string): VersioningStatus | null {
  try {
    const { status } = JSON.parse(text) as { readonly status?: unknown };
    return isVersioningStatus(status) ? status : null;
  } catch {
    return null;
  }
}
