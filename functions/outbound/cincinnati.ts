import { setTimeout as delay } from 'node:timers/promises';
import { escapeForLog } from '@cairn/shared/text/quote';
import { Agent, type Dispatcher, errors } from 'undici';
import {
  checkUpstreamUrl,
  DEFAULT_UPSTREAM,
  EgressDeniedError,
  type EgressPolicy,
  hostOf,
  type Resolve,
  vettedLookup,
} from './egress.ts';
import { type Failure, type FetchFailure, parseHostileJson, Refusal } from './failures.ts';
import { backoffMs, FETCH_LIMITS, type FetchLimits, retryAfterMs } from './limits.ts';
import { encodingOf, isJsonType, readBody } from './response-body.ts';

const HOST_FAILURES: ReadonlySet<FetchFailure> = new Set(['ConnectFailed', 'TimedOut', 'TlsRefused']);

export interface Breaker {
  isOpen(): boolean;
  /** Records the result of one call; null is success. */
  record(failure: FetchFailure | null): void;
}

/**
 * Counts consecutive calls that did not reach the host. Never closes again: a sync run is short, and the next one
 * creates a new instance.
 */
export function createBreaker(limit: number): Breaker {
  let failuresInARow = 0;
  const isOpen = (): boolean => failuresInARow >= limit;
  return {
    isOpen,
    record(failure) {
      // Calls in flight when it opened do not close it, and neither does a call that was never sent.
      if (isOpen() || failure === 'Aborted' || failure === 'EgressDenied') return;
      failuresInARow = failure !== null && HOST_FAILURES.has(failure) ? failuresInARow + 1 : 0;
    },
  };
}

export interface CincinnatiOptions {
  /** Cairn version, for the User-Agent. */
  readonly version: string;
  /** @default DEFAULT_UPSTREAM */
  readonly url?: string;
  /** @default the host of `url`, public addresses only */
  readonly policy?: Partial<EgressPolicy>;
  /** PEM text of the only trusted CAs, instead of Node's. */
  readonly ca?: string;
  readonly limits?: Partial<FetchLimits>;
  readonly resolve?: Resolve;
  /** @default Math.random */
  readonly random?: () => number;
}

export type FetchResult =
  | {
      readonly ok: true;
      /** Parsed but unvalidated response, input of `normalizeGraph`. */
      readonly answer: unknown;
      /** Bytes on the wire, before inflating. */
      readonly bytes: number;
      readonly attempts: number;
    }
  | {
      readonly ok: false;
      readonly code: FetchFailure;
      readonly detail: string;
      /** Started requests; 0 if nothing was sent. */
      readonly attempts: number;
    };

export interface Cincinnati {
  /** Fetches the graph of a channel with retries. Returns upstream failures instead of throwing. */
  fetchGraph(channel: string, arch: string, signal?: AbortSignal): Promise<FetchResult>;
  /** Closes all connections, including those in use. */
  close(): Promise<void>;
}

interface Budget {
  readonly signal: AbortSignal;
  leftMs(): number;
  /** Failure of a call that the signal aborted. */
  failure(): Failure;
}

type Attempt =
  | { ok: true; answer: unknown; bytes: number }
  | ({ ok: false; canRetry: boolean; askedWaitMs: number } & Failure);

interface Client {
  readonly agent: Agent;
  readonly version: string;
  readonly limits: FetchLimits;
}

const RETRIED: ReadonlySet<FetchFailure> = new Set(['ConnectFailed', 'ConnectionLost', 'Truncated']);

/** Client of one update service. Trusts no response and enforces `limits` on all. */
export function createCincinnati(options: CincinnatiOptions): Cincinnati {
  const limits: FetchLimits = { ...FETCH_LIMITS, ...options.limits };
  const random = options.random ?? Math.random;
  const base = options.url ?? DEFAULT_UPSTREAM;
  const policy = policyFor(base, options.policy);
  const verdict = checkUpstreamUrl(base, policy);
  const breaker = createBreaker(limits.breakerFailures);
  const client: Client = { agent: createAgent(limits, policy, options), version: options.version, limits };

  async function fetchGraph(channel: string, arch: string, signal?: AbortSignal): Promise<FetchResult> {
    if (!verdict.ok) return { ok: false, code: 'EgressDenied', detail: verdict.detail, attempts: 0 };
    if (breaker.isOpen()) {
      const detail = `${limits.breakerFailures} calls in a row did not get through to ${verdict.url.host}`;
      return { ok: false, code: 'UpstreamDown', detail, attempts: 0 };
    }
    const url = graphUrl(verdict.url, channel, arch);
    const result = await fetchWithRetries(url, startBudget(limits.totalMs, signal));
    breaker.record(result.ok ? null : result.code);
    return result;
  }

  async function fetchWithRetries(url: URL, budget: Budget): Promise<FetchResult> {
    for (let attempts = 1; ; attempts++) {
      const attempt = await tryOnce(client, url, budget);
      if (attempt.ok) return { ...attempt, attempts };
      const { code, detail, canRetry, askedWaitMs } = attempt;
      const waitMs = askedWaitMs + backoffMs(attempts, limits, random);
      if (!canRetry || attempts >= limits.attempts || waitMs >= budget.leftMs()) {
        return { ok: false, code, detail, attempts };
      }
      await delay(waitMs, undefined, { signal: budget.signal }).catch(() => {});
      if (budget.signal.aborted) return { ok: false, ...budget.failure(), attempts };
    }
  }

  return { fetchGraph, close: () => client.agent.destroy() };
}

async function tryOnce({ agent, version, limits }: Client, url: URL, budget: Budget): Promise<Attempt> {
  let phase: Phase = 'headers';
  try {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, identity',
        'user-agent': `cairn/${version}`,
      },
      signal: budget.signal,
    });
    phase = 'body';
    return await readAnswer(response, limits);
  } catch (error) {
    const failure = budget.signal.aborted ? budget.failure() : nameFailure(error, phase);
    return { ok: false, ...failure, canRetry: RETRIED.has(failure.code), askedWaitMs: 0 };
  }
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  limits: FetchLimits,
): Promise<Attempt> {
  // An abandoned body emits an error that has no other listener.
  body.on('error', () => {});
  try {
    if (statusCode !== 200) {
      const location = typeof headers.location === 'string' ? ` to ${escapeForLog(headers.location)}` : '';
      return {
        ok: false,
        code: 'BadStatus',
        detail: `status ${statusCode}${location}, accepted is 200`,
        canRetry: statusCode === 429 || statusCode >= 500,
        askedWaitMs: retryAfterMs(headers['retry-after'], Date.now()),
      };
    }
    if (!isJsonType(headers['content-type'])) {
      const type = escapeForLog(String(headers['content-type'] ?? 'none'));
      throw new Refusal('BadContentType', `content type ${type}, accepted is application/json`);
    }
    const encoding = encodingOf(headers['content-encoding']);
    if (encoding === null) {
      const name = escapeForLog(String(headers['content-encoding']));
      throw new Refusal('BadEncoding', `content encoding ${name}, accepted are identity and gzip, once`);
    }
    const { bytes, wireBytes } = await readBody(body, encoding, limits);
    return { ok: true, answer: parseHostileJson(bytes), bytes: wireBytes };
  } finally {
    body.destroy();
  }
}

/** Time budget of one call, combined with the caller's abort signal. */
function startBudget(totalMs: number, caller: AbortSignal | undefined): Budget {
  const startedMs = performance.now();
  const deadline = AbortSignal.timeout(totalMs);
  return {
    signal: caller === undefined ? deadline : AbortSignal.any([caller, deadline]),
    leftMs: () => totalMs - (performance.now() - startedMs),
    failure: () =>
      caller?.aborted === true
        ? { code: 'Aborted', detail: 'stopped by the caller' }
        : { code: 'TimedOut', detail: `no whole answer within ${totalMs} ms` },
  };
}

function policyFor(base: string, given: Partial<EgressPolicy> = {}): EgressPolicy {
  const url = URL.parse(base);
  return { allowedHosts: url === null ? [] : [hostOf(url)], allowLoopbackHttp: false, ...given };
}

function createAgent(limits: FetchLimits, policy: EgressPolicy, options: CincinnatiOptions): Agent {
  return new Agent({
    // HTTP/2 would add a second parser to defend, for no gain.
    allowH2: false,
    pipelining: 1,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
    connect: {
      timeout: limits.connectMs,
      lookup: vettedLookup(policy, options.resolve),
      minVersion: 'TLSv1.2',
      // Explicit, so NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
      rejectUnauthorized: true,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    },
  });
}

/** Keeps the query of the base URL. */
function graphUrl(base: URL, channel: string, arch: string): URL {
  const url = new URL(base);
  url.searchParams.set('channel', channel);
  url.searchParams.set('arch', arch);
  return url;
}

type Phase = 'headers' | 'body';

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

// OpenSSL's handshake and certificate errors have no common prefix.
const TLS_CODE =
  /^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|CRL_|DEPTH_ZERO_|HOSTNAME_|INVALID_|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;

/** Classifies errors of undici, sockets and zlib by request phase. Rethrows anything else as a bug. */
function nameFailure(error: unknown, phase: Phase): Failure {
  if (error instanceof Refusal) return { code: error.code, detail: error.message };
  if (error instanceof EgressDeniedError) return { code: 'EgressDenied', detail: error.message };
  if (error instanceof errors.HTTPParserError)
    return { code: 'BadHttp', detail: escapeForLog(error.message) };
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
  const { code } = error;
  const known = UNDICI_FAILURES.get(code);
  if (known !== undefined) return known;
  if (CONNECT_CODES.has(code)) return { code: 'ConnectFailed', detail: escapeForLog(error.message || code) };
  if (code.startsWith('Z_')) return { code: 'BadEncoding', detail: `the gzip body is broken (${code})` };
  if (TLS_CODE.test(code)) return { code: 'TlsRefused', detail: `TLS failed: ${tlsReason(error)} (${code})` };
  if (phase === 'body') return { code: 'Truncated', detail: `the body ended too early (${code})` };
  // undici detects conflicting Content-Length headers only after it has used the first.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return { code: 'BadHttp', detail: 'the Content-Length headers contradict each other' };
  }
  return { code: 'ConnectionLost', detail: `the connection ended before an answer (${code})` };
}

/** Shortens a TLS error: OpenSSL adds source lines, Node adds advice. */
function tlsReason(error: Error): string {
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  return escapeForLog(reason.split(';')[0]!);
}
