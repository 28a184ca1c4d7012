import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { readLimited } from '../http-server.ts';
import { type Checksum, CHECKSUM_ALGORITHMS, type ChecksumAlgorithm, createChecksum } from './checksum.ts';
import { decodeChunkedBody } from './chunked-body.ts';
import { S3Error } from './errors.ts';
import type { Authorization } from './signature.ts';

const CHECKSUM_PREFIX = 'x-amz-checksum-';
/** Headers with the same prefix that are not checksums. */
const NOT_CHECKSUMS: ReadonlySet<string> = new Set(['algorithm', 'mode', 'type']);

/** Values of `x-amz-content-sha256` other than a digest. `STREAMING-` bodies are framed. */
const FORMS: readonly string[] = [
  'UNSIGNED-PAYLOAD',
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
];

/** Decoded request body. Reading to the end throws unless every digest matches. */
export interface Payload extends AsyncIterable<Uint8Array> {
  /** Available after reading to the end, because it can be a trailer. */
  readonly checksum: Checksum | undefined;
}

export function openPayload(
  source: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
  { payloadHash, chunks }: Authorization,
): Payload {
  const isHashed = isDigest(payloadHash);
  const isFramed = payloadHash.startsWith('STREAMING-');
  const isSigned = payloadHash.startsWith('STREAMING-AWS4-');
  let checksum: Checksum | undefined;

  async function* read(): AsyncGenerator<Uint8Array> {
    const trailers = new Map<string, string>();
    const body = isFramed ? decodeChunkedBody(source, isSigned ? chunks : null, trailers) : source;
    const algorithm = announcedAlgorithm(headers);
    const running = algorithm === null ? null : createChecksum(algorithm);
    const sha256 = isHashed ? createHash('sha256') : null;
    const md5 = headers['content-md5'] === undefined ? null : createHash('md5');
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      running?.update(chunk);
      sha256?.update(chunk);
      md5?.update(chunk);
      yield chunk;
    }
    if (isFramed) checkDecodedLength(headers, size);
    if (sha256 !== null && sha256.digest('hex') !== payloadHash) {
      throw new S3Error(
        'XAmzContentSHA256Mismatch',
        'the body does not have the x-amz-content-sha256 it was sent with',
      );
    }
    if (md5 !== null) checkMd5(headers['content-md5'] as string, md5.digest('base64'));
    if (algorithm !== null && running !== null) {
      checksum = { algorithm, value: running.digest() };
      checkChecksum(checksum, headers, trailers);
    }
  }

  return {
    get checksum() {
      return checksum;
    },
    [Symbol.asyncIterator]: read,
  };
}

export async function readText(payload: Payload, limit: number): Promise<string> {
  const tooLarge = () => new S3Error('EntityTooLarge', `the document is over ${limit} bytes`);
  return (await readLimited(payload, limit, tooLarge)).toString('utf8');
}

function announcedAlgorithm(headers: IncomingHttpHeaders): ChecksumAlgorithm | null {
  const trailers = [headers['x-amz-trailer'] ?? ''].flat().flatMap((names) => names.toLowerCase().split(','));
  const suffixes = [...Object.keys(headers), ...trailers]
    .map((name) => name.trim())
    .filter((name) => name.startsWith(CHECKSUM_PREFIX))
    .map((name) => name.slice(CHECKSUM_PREFIX.length))
    .filter((suffix) => !NOT_CHECKSUMS.has(suffix));
  const [suffix, ...more] = suffixes;
  if (suffix === undefined) return null;
  if (more.length > 0)
    throw new S3Error('InvalidRequest', `${suffixes.length} checksums were sent, expected one`);
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === suffix);
  if (algorithm !== undefined) return algorithm;
  const accepted = CHECKSUM_ALGORITHMS.join(', ');
  throw new S3Error(
    'NotImplemented',
    `the checksum algorithm "${suffix}" is not known here, use one of ${accepted}`,
  );
}

function checkMd5(sent: string, received: string): void {
  if (Buffer.from(sent, 'base64').length !== 16) {
    throw new S3Error('InvalidDigest', `Content-MD5 is "${sent}", expected the base64 of 16 bytes`);
  }
  if (sent !== received) {
    throw new S3Error('BadDigest', `Content-MD5 is "${sent}", the body received has "${received}"`);
  }
}

function isDigest(payloadHash: string): boolean {
  if (FORMS.includes(payloadHash)) return false;
  if (/^[0-9a-f]{64}$/.test(payloadHash)) return true;
  throw new S3Error(
    'InvalidArgument',
    `x-amz-content-sha256 is "${payloadHash}", expected a SHA-256 in lower-case hex or one of ${FORMS.join(', ')}`,
  );
}

function checkDecodedLength(headers: IncomingHttpHeaders, size: number): void {
  const announced = headers['x-amz-decoded-content-length'];
  if (announced === undefined || Number(announced) === size) return;
  throw new S3Error('IncompleteBody', `the body has ${size} bytes, ${String(announced)} were announced`);
}

function checkChecksum(
  { algorithm, value }: Checksum,
  headers: IncomingHttpHeaders,
  trailers: ReadonlyMap<string, string>,
): void {
  const name = `${CHECKSUM_PREFIX}${algorithm}`;
  const sent = trailers.get(name) ?? headers[name];
  if (sent === value) return;
  throw new S3Error('BadDigest', `${name} is "${String(sent)}", the body received has "${value}"`);
}
