import { gzipSync } from 'node:zlib';
import { sha256Hex } from '../runtime/hash.ts';
import type { SentFields } from './endpoint.ts';
import { GZIP_TAG, isNotModified, prefersGzip } from './negotiation.ts';
import type { HttpResult } from './reply.ts';

/** Gzip of less saves no packet. */
const MIN_GZIP_BYTES = 1024;
const HASH_CHARACTERS = 32;

/**
 * Adds an entity tag to a 200 response, compresses it for clients that accept gzip, and answers 304 if the client has
 * it.
 */
export function conditionalResult(result: HttpResult, sent: SentFields): HttpResult {
  const { body = '' } = result;
  const { 'content-type': type, 'x-content-type-options': sniffing, ...headers } = result.headers ?? {};
  const own = String(headers['etag'] ?? `"${sha256Hex(body).slice(0, HASH_CHARACTERS)}"`);
  const gzipped = `${own.slice(0, -1)}${GZIP_TAG}"`;
  const isGzip = Buffer.byteLength(body) >= MIN_GZIP_BYTES && prefersGzip(sent['accept-encoding']);
  const validators = {
    ...headers,
    etag: isGzip ? gzipped : own,
    vary: headers['vary'] === undefined ? 'Accept-Encoding' : `${headers['vary']}, Accept-Encoding`,
    // Stored only to be compared: every use asks again.
    ...(headers['cache-control'] === 'no-store' && { 'cache-control': 'private, no-cache' }),
  };
  if (isNotModified(sent, [own, gzipped])) return { statusCode: 304, headers: validators, body: '' };
  const content = { 'content-type': type!, 'x-content-type-options': sniffing! };
  if (!isGzip) return { ...result, headers: { ...validators, ...content } };
  return {
    ...result,
    headers: { ...validators, ...content, 'content-encoding': 'gzip' },
    // API Gateway requires base64 for binary bodies.
    body: gzipSync(body).toString('base64'),
    isBase64Encoded: true,
  };
}
