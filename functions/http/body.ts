import { gunzip } from 'node:zlib';
import { jsonExcess, MAX_DEPTH, MAX_VALUES } from '@cairn/shared/json/scan';
import { quoteValue, SENT } from '@cairn/shared/text/quote';
import { listedNames } from './aliases.ts';
import type { HttpEvent } from './endpoint.ts';
import { Problem } from './problem.ts';
import { bodyErrors, invalidRequest } from './request.ts';
import type { Route } from './route.ts';

/** Limit as sent: in base64 it fits into a Lambda request. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
export const MAX_INFLATED_BYTES = 64 * 1024 * 1024;
/** Large chunks: most compressed bodies inflate to megabytes. */
const CHUNK_BYTES = 256 * 1024;

type SentBody = Pick<HttpEvent, 'body' | 'isBase64Encoded' | 'headers'>;

/** Not promisify: node:util loads the standard streams at cold start. */
function inflate(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: MAX_INFLATED_BYTES, chunkSize: CHUNK_BYTES }, (error, inflated) => {
      if (error) reject(error);
      else resolve(inflated);
    });
  });
}

/** Checks the body against the schema of the route. On a route of documents or a resource it is the bytes. */
export async function parseBody(route: Route, request: SentBody): Promise<unknown> {
  const bytes = await readBody(request);
  const body = route.body?.();
  if (route.documents || route.resource || body === undefined) return bytes;
  refuseExcess(bytes, route.bodyValues ?? MAX_VALUES);
  const parsed = body.safeParse(bytes.length === 0 ? {} : parseJson(bytes, request.headers['content-type']));
  if (parsed.success) return parsed.data;
  throw invalidRequest(bodyErrors(parsed.error.issues, listedNames(body.shape)));
}

function parseJson(bytes: Buffer, contentType = ''): unknown {
  // Asking for the type keeps web pages of other origins from posting here with a plain form.
  if (!/^application\/(json|gzip|x-gzip|octet-stream)\b/i.test(contentType)) {
    throw new Problem(
      'unsupported-media-type',
      `content type ${quoteValue(contentType, SENT)} was sent, application/json is accepted, compressed application/gzip`,
    );
  }
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (error) {
    throw new Problem('invalid-body', `the body is not JSON: ${(error as SyntaxError).message}`);
  }
}

/** Inflates gzip. A client with `gzip` piped into it often lacks the header, so the first bytes count as well. */
export async function readBody({ body = '', isBase64Encoded, headers }: SentBody): Promise<Buffer> {
  const sent = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (sent.length > MAX_BODY_BYTES) throw bodyTooLarge(`${sent.length} bytes were sent`);
  const isDeclaredGzip = namesGzip(headers['content-encoding']);
  if (sent.length === 0 || !(isDeclaredGzip || startsLikeGzip(sent))) return sent;
  // A gateway treats a body as text by its content type, ignoring its encoding.
  if (!isBase64Encoded) {
    throw new Problem(
      'invalid-body',
      'the gzip body was taken for text on its way here, send it with content type application/gzip',
    );
  }
  try {
    return await inflate(sent);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw bodyTooLarge(`the body inflates to more than ${MAX_INFLATED_BYTES} bytes`);
    }
    throw new Problem('invalid-body', `the body is not whole gzip: ${message}`);
  }
}

/** Bounds memory: a small body can inflate to millions of values. */
export function refuseExcess(bytes: Uint8Array, most: number): void {
  const excess = jsonExcess(bytes, most);
  if (excess === 'values') {
    throw new Problem(
      'body-too-large',
      `the body holds more than ${most} values, at most so many are accepted`,
    );
  }
  if (excess === 'depth') {
    throw new Problem('invalid-body', `the body is nested deeper than ${MAX_DEPTH} levels`);
  }
}

export function bodyTooLarge(what: string, headers: Readonly<Record<string, string>> = {}): Problem {
  return new Problem(
    'body-too-large',
    `${what}, at most ${MAX_BODY_BYTES} are accepted as sent and ${MAX_INFLATED_BYTES} inflated; documents of a cluster may be larger by POST /v1/uploads`,
    { headers },
  );
}

export function startsLikeGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function namesGzip(contentEncoding = ''): boolean {
  const name = contentEncoding.trim().toLowerCase();
  if (name === 'gzip' || name === 'x-gzip') return true;
  if (name === '' || name === 'identity') return false;
  throw new Problem(
    'unsupported-media-type',
    `content encoding ${JSON.stringify(name.slice(0, 100))} was sent, gzip and identity are accepted`,
    // RFC 7694.
    { headers: { 'accept-encoding': 'gzip, identity' } },
  );
}

/** Inflated. Larger uploads take longer to read than a request may last. */
export const MAX_UPLOAD_BYTES = 512 * 1024 * 1024;
