import { errors } from 'undici';
import { EgressDeniedError } from './egress.ts';
import { scanJson } from '@cairn/shared/json/scan';

export type Phase = 'headers' | 'body';

const UNDICI_FAILURES: ReadonlyMap<string, Failure> = new Map([
  ['UND_ERR_BODY_TIMEOUT', { code: 'TimedOut', detail: 'the body stalled' }],
  ['UND_ERR_CONNECT_TIMEOUT', { code: 'ConnectFailed', detail: 'no connection in time' }],
  ['UND_ERR_HEADERS_OVERFLOW', { code: 'BadHttp', detail: 'the headers are too large' }],
  ['UND_ERR_HEADERS_TIMEOUT', { code: 'TimedOut', detail: 'no headers in time' }],
]);

const CONNECT_CODES: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENODATA',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

// OpenSSL's names of handshake and certificate errors have no common prefix.
const TLS_CODE =
  /^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|CRL_|DEPTH_ZERO_|HOSTNAME_|INVALID_|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;

/** Names what undici, a socket or zlib threw while a request was in the given phase. Rethrows what must be a bug. */
export function nameFailure(error: unknown, phase: Phase): Failure {
  if (error instanceof Refusal) return { code: error.code, detail: error.message };
  if (error instanceof EgressDeniedError) return { code: 'EgressDenied', detail: error.message };
  if (error instanceof errors.HTTPParserError) return { code: 'BadHttp', detail: printable(error.message) };
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
  const { code } = error;
  const known = UNDICI_FAILURES.get(code);
  if (known !== undefined) return known;
  if (CONNECT_CODES.has(code)) return { code: 'ConnectFailed', detail: printable(error.message || code) };
  if (code.startsWith('Z_')) return { code: 'BadEncoding', detail: `the gzip body is broken (${code})` };
  if (TLS_CODE.test(code)) return { code: 'TlsRefused', detail: `TLS failed: ${tlsReason(error)} (${code})` };
  if (phase === 'body') return { code: 'Truncated', detail: `the body ended too early (${code})` };
  // undici finds contradicting Content-Length headers only after it believed the first.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return { code: 'BadHttp', detail: 'the Content-Length headers contradict each other' };
  }
  return { code: 'ConnectionLost', detail: `the connection ended before an answer (${code})` };
}

/** The short form of a TLS error: OpenSSL's messages hold its source lines, Node's end with advice. */
function tlsReason(error: Error): string {
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  return printable(reason.split(';')[0]!);
}

/** Outside text made fit for logs and answers: one line, control characters escaped, cut to a length. */
export function printable(text: string, length = 120): string {
  const escaped = JSON.stringify(text.slice(0, length)).slice(1, -1).replaceAll('\\"', '"');
  return text.length > length ? `${escaped}…` : escaped;
}

/** Parses bytes of a stranger: what `JSON.parse` would accept to our harm is refused before it sees it. */
export function parseHostileJson(bytes: Buffer): unknown {
  const scan = scanJson(bytes);
  if (!scan.ok) throw new Refusal(scan.code, scan.detail);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The parser's own message quotes the body.
    throw new Refusal('NotJson', `the body of ${bytes.length} bytes is not JSON`);
  }
}

/** Why a graph could not be fetched. The words are stable: they are stored, counted and alarmed on. */
export type FetchFailure =
  | 'Aborted'
  | 'BadContentType'
  | 'BadEncoding'
  | 'BadHttp'
  | 'BadStatus'
  | 'ConnectFailed'
  | 'ConnectionLost'
  | 'DuplicateKey'
  | 'EgressDenied'
  | 'NotJson'
  | 'NotUtf8'
  | 'StringTooLong'
  | 'TimedOut'
  | 'TlsRefused'
  | 'TooDeep'
  | 'TooLarge'
  | 'TooManyKeys'
  | 'TooManyValues'
  | 'Truncated'
  | 'UpstreamDown';

export interface Failure {
  readonly code: FetchFailure;
  readonly detail: string;
}

/** A failure on its way through streams, which know exceptions only. */
export class Refusal extends Error {
  readonly code: FetchFailure;

  constructor(code: FetchFailure, detail: string) {
    super(detail);
    this.code = code;
  }
}
