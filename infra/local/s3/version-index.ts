import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { S3Error } from './errors.ts';
import { SortedIndex } from './listing.ts';
import { isDeleteMarker, type StoredObject, type StoredVersion } from './records.ts';

const NULL_VERSION = 'null';
const SEQUENCE_DIGITS = 12;

/**
 * Contains the position, so that a listing can resume after the version is deleted. The random half prevents reuse
 * after the newest version is deleted.
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

/** Keeps undefined; rejects an invalid ID like S3. */
export function readVersionId(text: string | undefined): string | undefined {
  if (text === undefined || text === NULL_VERSION || /^[0-9a-f]{32}$/.test(text)) return text;
  throw new S3Error(
    'InvalidArgument',
    `"${text}" is not a version id, expected ${NULL_VERSION} or 32 digits of base 16`,
  );
}

/** Throws the S3 error if there is no object. */
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

/** Versions by byte name. A key with a single object costs one entry. */
export class VersionIndex {
  /** Objects visible without a version ID. */
  readonly current = new SortedIndex<StoredObject>();
  /** Keys with several versions or a delete marker. */
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

  /** First name at or after `name` with any version, delete markers included. */
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

export function readVersioning(path: string): VersioningStatus | null {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  try {
    const { status } = JSON.parse(text) as { readonly status?: unknown };
    if (isVersioningStatus(status)) return status;
  } catch {
    // Not JSON, as after a power cut.
  }
  // Safer of the two: it loses nothing.
  console.error(`bucket: ${path} is not a record, versioning is taken as Enabled`);
  return 'Enabled';
}
