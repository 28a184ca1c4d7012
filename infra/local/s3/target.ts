import { S3Error } from './errors.ts';

export type QueryPair = readonly [name: string, value: string];

/** What a request names. `key` is empty for a bucket, `bucket` too for the service itself. */
export interface Target {
  readonly bucket: string;
  readonly key: string;
  /** The path with every segment decoded and encoded again the way signatures want it. */
  readonly canonicalPath: string;
  readonly query: readonly QueryPair[];
}

const MAX_KEY_BYTES = 1024;

/** Reads a path-style request target by hand: URL parsers fold `a/../b`, which is an ordinary key here. */
export function parseTarget(requestTarget: string): Target {
  const cut = requestTarget.indexOf('?');
  const path = cut === -1 ? requestTarget : requestTarget.slice(0, cut);
  const search = cut === -1 ? '' : requestTarget.slice(cut + 1);
  if (!path.startsWith('/')) throw invalidUri(requestTarget);
  const segments = path.slice(1).split('/').map(decode);
  const bucket = segments[0] ?? '';
  const key = segments.slice(1).join('/');
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new S3Error('KeyTooLongError', `the key has ${Buffer.byteLength(key)} bytes, at most 1024 fit`);
  }
  return { bucket, key, canonicalPath: `/${segments.map(encodeUri).join('/')}`, query: parseQuery(search) };
}

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
export function encodeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function parseQuery(search: string): QueryPair[] {
  return search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const cut = pair.indexOf('=');
      return cut === -1 ? [decode(pair), ''] : [decode(pair.slice(0, cut)), decode(pair.slice(cut + 1))];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUri(text);
  }
}

function invalidUri(text: string): S3Error {
  return new S3Error('InvalidURI', `cannot read "${text}", expected a path of percent-encoded UTF-8`);
}
