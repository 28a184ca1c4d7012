import { setTimeout as delay } from 'node:timers/promises';
import type { Authorize } from '../../outbound/credentials.ts';
import { backoffMs, retryAfterMs } from '../../outbound/limits.ts';
import { strictSearch } from '../../outbound/signing.ts';
import { Failure, notKnown } from '../../runtime/exit.ts';
import { VERSION } from '../../runtime/version.ts';
import type { Host } from '../host.ts';
import { type Question, reasonOf, type Service, type ServiceAnswer } from './service.ts';

export const USER_AGENT = `cairn/${VERSION}`;
/** API Gateway times out after 30 seconds. */
const TIMEOUT_MS = 35_000;
const UPLOAD_TIMEOUT_MS = 10 * 60_000;
const ATTEMPTS = 3;
const BACKOFF = { backoffBaseMs: 500, backoffCapMs: 5_000 };
/** A longer Retry-After ends the attempts. */
const LONGEST_WAIT_MS = 10_000;
/** Transient statuses; all requests here can be repeated. */
const PASSING = new Set([429, 502, 503, 504]);

interface Remote {
  readonly base: URL;
  readonly authorize: Authorize;
  readonly host: Host;
}

export function remoteService(base: URL, authorize: Authorize, host: Host): Service {
  const ask = (question: Question): Promise<ServiceAnswer> =>
    askRepeatedly({ base, authorize, host }, question);
  return {
    ask,
    async upload(bytes) {
      const { status, body } = await ask({ method: 'POST', path: '/v1/uploads' });
      if (status >= 300) throw notKnown(`${base.host} takes no upload: status ${status}`);
      const { upload, url } = JSON.parse(Buffer.from(body).toString()) as { upload: string; url: string };
      const response = await host
        .fetch(new URL(url), { method: 'PUT', body: bytes, signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) })
        .catch((error: unknown) => {
          throw notKnown(`the documents can't be uploaded: ${reasonOf(error)}`);
        });
      await response.body?.cancel();
      if (!response.ok) throw notKnown(`the documents can't be uploaded: status ${response.status}`);
      return upload;
    },
  };
}

async function askRepeatedly(remote: Remote, question: Question): Promise<ServiceAnswer> {
  const { base, host } = remote;
  for (let attempt = 1; ; attempt++) {
    const outcome = await askOnce(remote, question).catch((error: unknown) => {
      // Do not retry errors that the user must fix.
      if (error instanceof Failure) throw error;
      return { error };
    });
    const isPassing = 'error' in outcome || PASSING.has(outcome.status);
    if (!isPassing) return outcome;
    const asked = 'error' in outcome ? 0 : retryAfterMs(outcome.headers['retry-after'], host.clock());
    if (attempt === ATTEMPTS || asked > LONGEST_WAIT_MS) {
      if ('error' in outcome) throw notKnown(`${base.host} does not answer: ${reasonOf(outcome.error)}`);
      return outcome;
    }
    await delay(asked + backoffMs(attempt, BACKOFF, Math.random));
  }
}

async function askOnce(
  { base, authorize, host }: Remote,
  { method, path, query, body, headers = {} }: Question,
): Promise<ServiceAnswer> {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/$/, '')}${path}`;
  url.search = strictSearch(query ?? new URLSearchParams());
  const own = {
    accept: '*/*',
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
    'user-agent': USER_AGENT,
  };
  const sent = body ?? new Uint8Array();
  const request = { method, url, headers: own, body: sent };
  const response = await host.fetch(url, {
    method,
    headers: { ...own, ...(await authorize(request)) },
    ...(body && { body }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
