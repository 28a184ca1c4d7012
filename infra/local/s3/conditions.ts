import type { IncomingHttpHeaders } from 'node:http';
import type { WriteCheck } from './bucket-folder.ts';
import { S3Error } from './errors.ts';
import type { StoredObject } from './bucket-records.ts';

export type ReadVerdict = 'send' | 'not-modified';

/**
 * The conditions of a read, in the order of RFC 9110: an ETag condition makes the date beside it void. With the
 * prefix `x-amz-copy-source-` it judges the source of a copy.
 */
export function checkRead(headers: IncomingHttpHeaders, object: StoredObject, prefix = ''): ReadVerdict {
  const header = (name: string): string | undefined => [headers[`${prefix}${name}`]].flat()[0];
  const ifMatch = header('if-match');
  const ifNoneMatch = header('if-none-match');
  const changed = (since: string | undefined): boolean | null => {
    const time = Date.parse(since ?? '');
    return Number.isNaN(time) ? null : object.modifiedAt > time;
  };
  const isTooNew = changed(header('if-unmodified-since')) === true;
  if (ifMatch === undefined ? isTooNew : !matches(ifMatch, object.etag)) throw preconditionFailed(object.key);
  const isKnown = changed(header('if-modified-since')) === false;
  return (ifNoneMatch === undefined ? isKnown : matches(ifNoneMatch, object.etag)) ? 'not-modified' : 'send';
}

/** The conditions of a write: `If-None-Match: *` wants no object, `If-Match` wants this one. */
export function writeCheck(headers: IncomingHttpHeaders): WriteCheck {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new S3Error('NotImplemented', `If-None-Match is "${ifNoneMatch}", a write takes only *`);
  }
  return (current) => {
    if (ifNoneMatch === '*' && current !== undefined) throw preconditionFailed(current.key);
    if (ifMatch === undefined) return;
    if (current === undefined) throw new S3Error('NoSuchKey', 'If-Match was sent and there is no object');
    if (!matches(ifMatch, current.etag)) throw preconditionFailed(current.key);
  };
}

function matches(header: string, etag: string): boolean {
  return header.split(',').some((candidate) => {
    const value = candidate.trim();
    return value === '*' || value === etag || value === `"${etag}"`;
  });
}

function preconditionFailed(key: string): S3Error {
  return new S3Error('PreconditionFailed', `a condition of the request does not hold for "${key}"`);
}
