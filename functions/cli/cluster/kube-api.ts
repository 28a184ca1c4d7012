import { setTimeout as delay } from 'node:timers/promises';
import { singleLine, messageOf } from '@cairn/shared/text/quote';
import { backoffMs, retryAfterMs } from '../../outbound/limits.ts';
import { badInput, Failure, notKnown } from '../../runtime/exit.ts';
import type { Host, TrustedAnswer } from '../host.ts';
import { USER_AGENT } from '../service/remote-service.ts';
import { reasonOf } from '../service/service.ts';

export interface KubeLimits {
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly backoffBaseMs: number;
  readonly backoffCapMs: number;
  /** Objects per page; `pageBytes` has room for all of them at the etcd limit of 1.5 MB each. */
  readonly pageObjects: number;
  readonly pageBytes: number;
  /** Restarts of a list that changes faster than it can be read. */
  readonly beginnings: number;
}

export const KUBE_LIMITS: KubeLimits = {
  timeoutMs: 45_000,
  attempts: 3,
  backoffBaseMs: 500,
  backoffCapMs: 8_000,
  pageObjects: 50,
  pageBytes: 96 * 1024 * 1024,
  beginnings: 3,
};

/** A longer Retry-After ends the attempts. */
const LONGEST_WAIT_MS = 30_000;
const MOST_CHARACTERS = 500;
/** Mount point of the service account in every pod. */
const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Checks only reachability and authentication; callers check the status. */
export type AskKube = (path: string, query?: URLSearchParams) => Promise<TrustedAnswer>;

export function kubeApi(account: ServiceAccount, host: Host, limits: KubeLimits): AskKube {
  const askOnce = async (url: URL): Promise<TrustedAnswer> =>
    host.getTrusted(url, {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${await account.token()}`,
        'user-agent': USER_AGENT,
      },
      authority: account.authority,
      timeoutMs: limits.timeoutMs,
      mostBytes: limits.pageBytes,
    });

  return async (path, query) => {
    const url = new URL(path, account.api);
    url.search = String(query ?? '');
    for (let attempt = 1; ; attempt++) {
      const outcome = await askOnce(url).catch((error: unknown) => {
        // Do not retry errors that the user must fix.
        if (error instanceof Failure) throw error;
        return { error };
      });
      const isPassing = 'error' in outcome || outcome.status === 429 || outcome.status >= 500;
      const asked = 'error' in outcome ? 0 : retryAfterMs(outcome.headers['retry-after'], host.clock());
      if (isPassing && attempt < limits.attempts && asked <= LONGEST_WAIT_MS) {
        await delay(asked + backoffMs(attempt, limits, Math.random));
        continue;
      }
      if ('error' in outcome) {
        throw notKnown(`the API of the cluster, ${url.host}, does not answer: ${reasonOf(outcome.error)}`);
      }
      if (outcome.status === 401) {
        throw notKnown(
          `the cluster does not accept the token of this pod: ${statusMessage(outcome)}`,
          'it may have expired, or its service account be gone',
        );
      }
      return outcome;
    }
  };
}

export function statusMessage({ status, body }: TrustedAnswer): string {
  const text = Buffer.from(body.subarray(0, 64 * 1024)).toString('utf8');
  const { message } = { ...(parsed(text) as { readonly message?: unknown } | null) };
  const said = singleLine(typeof message === 'string' ? message : text).slice(0, MOST_CHARACTERS);
  return said === '' ? `status ${status}` : `${said} (${status})`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface ServiceAccount {
  readonly api: URL;
  /** CA certificate of the API in PEM. */
  readonly authority: string;
  /** Read again each time: the cluster rotates it. */
  token(): Promise<string>;
}

export async function serviceAccount(host: Host): Promise<ServiceAccount> {
  const { KUBERNETES_SERVICE_HOST: name, KUBERNETES_SERVICE_PORT: port } = host.variables;
  if (!name || !port) {
    throw badInput(
      '--in-cluster is for a pod of the cluster: KUBERNETES_SERVICE_HOST is not set here, use --oc',
    );
  }
  const text = async (entry: string): Promise<string> => {
    const file = await host.readFile(`${FOLDER}/${entry}`).catch((error: unknown) => {
      throw badInput(
        `the ${entry} of the service account can't be read: ${messageOf(error)}; is automountServiceAccountToken set?`,
      );
    });
    return Buffer.from(file.bytes).toString('utf8').trim();
  };
  const url = `https://${name.includes(':') ? `[${name}]` : name}:${port}`;
  if (!URL.canParse(url)) throw badInput(`KUBERNETES_SERVICE_HOST and _PORT make no address: ${url}`);
  return { api: new URL(url), authority: await text('ca.crt'), token: () => text('token') };
}
