import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, retryAfterMs } from '../../outbound/limits.ts';
import { type Authorize, strictSearch } from '../../outbound/signing.ts';
import { Failure, notKnown } from '../../runtime/exit.ts';
import { VERSION } from '../../runtime/version.ts';
import type { Host, TrustedAnswer } from '../host.ts';
import { type Question, reasonOf, type Service, type ServiceAnswer } from './service.ts';

export const USER_AGENT = `cairn/${VERSION}`;
/** API Gateway times out after 30 seconds. */
const TIMEOUT_MS = 35_000;
const UPLOAD_TIMEOUT_MS = 10 * 60_000;
/** All requests here can be repeated. */
const REPEATED: Repetition = {
  attempts: 3,
  backoffBaseMs: 500,
  backoffCapMs: 5_000,
  longestWaitMs: 10_000,
  isTransient: (status) => [429, 502, 503, 504].includes(status),
};

interface Remote {
  readonly base: URL;
  readonly authorize: Authorize;
  readonly host: Host;
}

export function remoteService(base: URL, authorize: Authorize, host: Host): Service {
  const ask = (question: Question): Promise<ServiceAnswer> =>
    askRepeatedly(() => askOnce({ base, authorize, host }, question), host, base.host, REPEATED);
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

export interface Repetition {
  readonly attempts: number;
  readonly backoffBaseMs: number;
  readonly backoffCapMs: number;
  /** A longer Retry-After ends the attempts. */
  readonly longestWaitMs: number;
  readonly isTransient: (status: number) => boolean;
}

/** Returns the last answer, transient or not. `who` is the service in the error without an answer. */
export async function askRepeatedly<Answer extends Pick<TrustedAnswer, 'status' | 'headers'>>(
  ask: () => Promise<Answer>,
  { clock }: Pick<Host, 'clock'>,
  who: string,
  repetition: Repetition,
): Promise<Answer> {
  const { attempts, longestWaitMs, isTransient } = repetition;
  for (let attempt = 1; ; attempt++) {
    const outcome = await ask().catch((error: unknown) => {
      // Do not retry errors that the user must fix.
      if (error instanceof Failure) throw error;
      return { error };
    });
    const canRetry = attempt < attempts && ('error' in outcome || isTransient(outcome.status));
    const asked = 'error' in outcome ? 0 : retryAfterMs(outcome.headers['retry-after'], clock());
    if (canRetry && asked <= longestWaitMs) {
      await delay(asked + backoffMs(attempt, repetition, Math.random));
      continue;
    }
    if ('error' in outcome) throw notKnown(`${who} does not answer: ${reasonOf(outcome.error)}`);
    return outcome;
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
