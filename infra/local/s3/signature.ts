import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../../functions/runtime/hash.ts';
import { S3Error } from './errors.ts';

type QueryPair = readonly [name: string, value: string];

/** `key` is empty for a bucket; `bucket` too for the service. */
export interface Target {
  readonly bucket: string;
  readonly key: string;
  /** Path with every segment decoded and re-encoded for the signature. */
  readonly canonicalPath: string;
  readonly query: readonly QueryPair[];
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Defaults to `s3`. */
  readonly service?: string;
}

interface SignedRequest {
  readonly method: string;
  readonly target: Target;
  readonly headers: NodeJS.Dict<string[]>;
  /** SHA-256 of a body that was already read; defaults to the hash in the request. */
  readonly bodyHash?: string;
}

export interface Authorization {
  /** As signed: SHA-256 in hex, `UNSIGNED-PAYLOAD` or a `STREAMING-…` form. */
  readonly payloadHash: string;
  /** Verifies signatures inside a `STREAMING-AWS4-HMAC-SHA256-PAYLOAD…` body. */
  readonly chunks: ChunkSignatures;
}

const MAX_KEY_BYTES = 1024;
const ALGORITHM = 'AWS4-HMAC-SHA256';
const MAX_SKEW_MS = 15 * 60_000;
const MAX_EXPIRES_SECONDS = 7 * 24 * 3600;
const EMPTY_HASH = sha256Hex('');

/** Parses without URL: it would fold `a/../b`, which is a valid key. */
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

export function authorize(request: SignedRequest, credentials: Credentials, now: number): Authorization {
  const header = request.headers['authorization']?.[0];
  const isPresigned = request.target.query.some(([name]) => name === 'X-Amz-Signature');
  if (header !== undefined && isPresigned) {
    throw new S3Error(
      'InvalidArgument',
      'the request is signed in its header and in its query, expected one',
    );
  }
  if (header === undefined && !isPresigned) {
    throw new S3Error('AccessDenied', 'the request is not signed, expected AWS Signature Version 4');
  }
  const claim = header === undefined ? claimOfQuery(request, now) : claimOfHeader(request, header, now);
  const scope = checkScope(claim, credentials);
  checkSignedHeaders(request, claim);

  const key = signingKey(credentials, claim.date.slice(0, 8));
  const canonicalRequest = canonicalRequestOf(request, claim);
  const stringToSign = [ALGORITHM, claim.date, scope, sha256Hex(canonicalRequest)].join('\n');
  if (!sameText(hmac(key, stringToSign).toString('hex'), claim.signature)) {
    throw new S3Error(
      'SignatureDoesNotMatch',
      `the signature does not match, the canonical request begins with "${request.method} ${request.target.canonicalPath}"`,
    );
  }
  const chunks = new ChunkSignatures(key, claim.date, scope, claim.signature);
  return { payloadHash: claim.payloadHash, chunks };
}

/** Chunk signatures; each covers the previous one. */
export class ChunkSignatures {
  readonly #key: KeyObject;
  readonly #date: string;
  readonly #scope: string;
  #previous: string;

  constructor(key: KeyObject, date: string, scope: string, seed: string) {
    this.#key = key;
    this.#date = date;
    this.#scope = scope;
    this.#previous = seed;
  }

  checkChunk(hash: string, signature: string): void {
    this.#check('PAYLOAD', [EMPTY_HASH, hash], signature);
  }

  checkTrailers(lines: readonly string[], signature: string): void {
    this.#check('TRAILER', [sha256Hex(lines.map((line) => `${line}\n`).join(''))], signature);
  }

  #check(kind: string, hashes: readonly string[], signature: string): void {
    const parts = [`${ALGORITHM}-${kind}`, this.#date, this.#scope, this.#previous, ...hashes];
    const expected = hmac(this.#key, parts.join('\n')).toString('hex');
    if (!sameText(expected, signature)) {
      throw new S3Error('SignatureDoesNotMatch', 'the signature of a chunk of the body does not match');
    }
    this.#previous = expected;
  }
}

interface Claim {
  readonly credential: string;
  readonly date: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payloadHash: string;
  readonly query: readonly QueryPair[];
  readonly malformed: (message: string) => S3Error;
}

function claimOfHeader({ headers, target, bodyHash }: SignedRequest, header: string, now: number): Claim {
  const malformed = (message: string): S3Error => new S3Error('AuthorizationHeaderMalformed', message);
  const fields =
    /^AWS4-HMAC-SHA256 +Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/.exec(
      header.trim(),
    );
  if (fields === null)
    throw malformed(`the header must be "${ALGORITHM} Credential=…, SignedHeaders=…, Signature=…"`);
  const [, credential, signedHeaders, signature] = fields;
  const payloadHash = bodyHash ?? headers['x-amz-content-sha256']?.[0];
  if (payloadHash === undefined)
    throw new S3Error('InvalidRequest', 'the header x-amz-content-sha256 is missing');
  const date = headers['x-amz-date']?.[0] ?? '';
  const signedAt = parseDate(date);
  if (signedAt === null)
    throw new S3Error('AccessDenied', `x-amz-date is "${date}", expected yyyymmddThhmmssZ`);
  if (Math.abs(now - signedAt) > MAX_SKEW_MS) {
    throw new S3Error('RequestTimeTooSkewed', `signed at ${date}, more than 15 minutes from the time here`);
  }
  return {
    credential: credential!,
    date,
    signedHeaders: signedHeaders!.split(';'),
    signature: signature!,
    payloadHash,
    query: target.query,
    malformed,
  };
}

function claimOfQuery({ headers, target, bodyHash }: SignedRequest, now: number): Claim {
  const malformed = (message: string): S3Error => new S3Error('AuthorizationQueryParametersError', message);
  const fields = new Map(target.query);
  const field = (name: string): string => {
    const value = fields.get(name);
    if (value === undefined) throw malformed(`the query parameter ${name} is missing`);
    return value;
  };
  if (field('X-Amz-Algorithm') !== ALGORITHM) throw malformed(`X-Amz-Algorithm must be ${ALGORITHM}`);
  const date = field('X-Amz-Date');
  const signedAt = parseDate(date);
  if (signedAt === null) throw malformed(`X-Amz-Date is "${date}", expected yyyymmddThhmmssZ`);
  const expires = field('X-Amz-Expires');
  const seconds = /^[0-9]{1,7}$/.test(expires) ? Number(expires) : 0;
  if (seconds < 1 || seconds > MAX_EXPIRES_SECONDS) {
    throw malformed(`X-Amz-Expires is "${expires}", expected 1 to ${MAX_EXPIRES_SECONDS} seconds`);
  }
  if (now > signedAt + seconds * 1000) throw new S3Error('AccessDenied', 'the presigned request has expired');
  if (now < signedAt - MAX_SKEW_MS)
    throw new S3Error('AccessDenied', 'the presigned request is not valid yet');
  return {
    credential: field('X-Amz-Credential'),
    date,
    signedHeaders: field('X-Amz-SignedHeaders').split(';'),
    signature: field('X-Amz-Signature'),
    payloadHash:
      bodyHash ??
      fields.get('X-Amz-Content-Sha256') ??
      headers['x-amz-content-sha256']?.[0] ??
      'UNSIGNED-PAYLOAD',
    query: target.query.filter(([name]) => name !== 'X-Amz-Signature'),
    malformed,
  };
}

function checkScope(claim: Claim, credentials: Credentials): string {
  // Key IDs contain no slash, so the scope starts after the first one.
  const [accessKeyId, ...scope] = claim.credential.split('/');
  if (accessKeyId !== credentials.accessKeyId) {
    throw new S3Error('InvalidAccessKeyId', `the access key "${accessKeyId}" is not known here`);
  }
  const expected = scopeOf(credentials, claim.date.slice(0, 8)).join('/');
  if (scope.join('/') !== expected) {
    throw claim.malformed(`the credential is for "${scope.join('/')}", expected "${expected}"`);
  }
  return expected;
}

function checkSignedHeaders({ headers }: SignedRequest, claim: Claim): void {
  const unsigned = Object.keys(headers).find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !claim.signedHeaders.includes(name),
  );
  if (unsigned !== undefined) throw new S3Error('AccessDenied', `the header ${unsigned} was not signed`);
}

function canonicalRequestOf({ method, target, headers }: SignedRequest, claim: Claim): string {
  const query = claim.query
    .map(([name, value]) => [encodeUri(name), encodeUri(value)] as const)
    .toSorted(([nameA, valueA], [nameB, valueB]) => compareText(nameA, nameB) || compareText(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`);
  const headerLines = claim.signedHeaders.map((name) => {
    const values = (headers[name] ?? []).map((value) => value.trim().replace(/ +/g, ' '));
    return `${name}:${values.join(',')}\n`;
  });
  return [
    method,
    target.canonicalPath,
    query.join('&'),
    headerLines.join(''),
    claim.signedHeaders.join(';'),
    claim.payloadHash,
  ].join('\n');
}

/** Caches the key of the last day: deriving it takes longer than the rest of the check. */
const signingKeys = new WeakMap<Credentials, { readonly day: string; readonly key: KeyObject }>();

function signingKey(credentials: Credentials, day: string): KeyObject {
  const kept = signingKeys.get(credentials);
  if (kept?.day === day) return kept.key;
  const steps = scopeOf(credentials, day);
  const key = createSecretKey(steps.reduce<Buffer>(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`)));
  signingKeys.set(credentials, { day, key });
  return key;
}

function scopeOf({ region, service = 's3' }: Credentials, day: string): readonly string[] {
  return [day, region, service, 'aws4_request'];
}

function parseDate(text: string): number | null {
  const [, ...fields] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const [year, month, day, hour, minute, second] = fields;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}

function hmac(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sameText(a: string, b: string): boolean {
  const [bytesA, bytesB] = [Buffer.from(a), Buffer.from(b)];
  return bytesA.length === bytesB.length && timingSafeEqual(bytesA, bytesB);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
