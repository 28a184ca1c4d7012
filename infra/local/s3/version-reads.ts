import { S3Error } from './errors.ts';
import { isDeleteMarker, type StoredObject, type StoredVersion } from './bucket-records.ts';
import { versionIdOf } from './version-index.ts';

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
