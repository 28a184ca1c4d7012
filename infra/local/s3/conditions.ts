import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { BucketFolder, BucketStore, WriteCheck } from './bucket-folder.ts';
import { S3Error } from './errors.ts';
import type { Payload } from './payload.ts';
import type { StoredObject } from './records.ts';
import { encodeUri } from './signature.ts';

export interface Call {
  readonly store: BucketStore;
  readonly region: string;
  readonly bucketName: string;
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: IncomingHttpHeaders;
  /** Starts the body; a client that waits for `100 Continue` sends it only now. */
  readonly payload: () => Payload;
  readonly now: number;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Text is sent as XML. */
  readonly body?: string | Readable;
}

export type Operation = (call: Call) => Answer | Promise<Answer>;

export function bucketOf(call: Call): BucketFolder {
  return call.store.bucket(call.bucketName);
}

/** Defaults to `most` and caps at it, like S3. */
export function countParameter(call: Call, name: string, most: number): number {
  const text = call.query.get(name);
  if (text === undefined || text === '') return most;
  if (!/^[0-9]{1,10}$/.test(text)) {
    throw new S3Error('InvalidArgument', `${name} is "${text}", expected a number from 0 to ${most}`);
  }
  return Math.min(Number(text), most);
}

export function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** Plain, or percent-encoded except slashes. */
export function nameEncoder(call: Call): (name: string) => string {
  const encoding = call.query.get('encoding-type');
  if (encoding === undefined || encoding === '') return (name) => name;
  if (encoding !== 'url') {
    throw new S3Error('InvalidArgument', `encoding-type is "${encoding}", expected url`);
  }
  return (name) => encodeUri(name).replaceAll('%2F', '/');
}

type ReadVerdict = 'send' | 'not-modified';

/**
 * Evaluates in the order of RFC 9110: an ETag condition overrides the date condition. The prefix `x-amz-copy-source-`
 * selects the source of a copy.
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

/** `If-None-Match: *` requires no object, `If-Match` requires this one. */
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
