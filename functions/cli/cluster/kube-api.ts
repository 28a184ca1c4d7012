import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { ClusterReader } from '@cairn/shared/cluster/kinds';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import { membersOf } from '@cairn/shared/json/members';
import { singleLine, messageOf } from '@cairn/shared/text/quote';
import { badInput, Failure, notKnown } from '../../runtime/exit.ts';
import type { Host, TrustedAnswer } from '../host.ts';
import { askRepeatedly, USER_AGENT } from '../service/remote-service.ts';
import {
  absentDocument,
  type ClusterQuery,
  type ClusterSource,
  countedDocument,
  listOf,
  type ListPage,
  mayLackKind,
  queryName,
  queryPath,
} from './queries.ts';

export const KUBE_LIMITS = {
  timeoutMs: 45_000,
  attempts: 3,
  backoffBaseMs: 500,
  backoffCapMs: 8_000,
  longestWaitMs: 30_000,
  /** Objects per page; `pageBytes` has room for all of them at the etcd limit of 1.5 MB each. */
  pageObjects: 50,
  pageBytes: 96 * 1024 * 1024,
  /** Restarts of a list that changes faster than it can be read. */
  beginnings: 3,
};
type KubeLimits = Readonly<typeof KUBE_LIMITS>;

const MOST_CHARACTERS = 500;
/** Bytes of an error response. */
const LONGEST_STATUS = 64 * 1024;
/** Mount point of the service account in every pod. */
const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The cluster refuses a query, with the reason. */
class NotShown extends Error {
  override readonly name: string = 'NotShown';
}

/** The continue token has expired; the list must be read from its start. */
class ListExpired extends NotShown {
  override readonly name = 'ListExpired';
}

/** Reads the current cluster with the service account of the pod. */
export async function inCluster(host: Host, limits: KubeLimits = KUBE_LIMITS): Promise<ClusterSource> {
  const ask = kubeApi(await serviceAccount(host), host, limits);
  return {
    async read(query, take) {
      for (let beginning = 1; ; beginning++) {
        try {
          return await take(pagesOf(ask, query, limits));
        } catch (error) {
          if (!(error instanceof NotShown)) throw error;
          if (error instanceof ListExpired && beginning < limits.beginnings) continue;
          const message = `${queryName(query)}: ${error.message}`;
          if (query.isOptional !== true) throw notKnown(message);
          host.err.write(`${message}; goes on without it\n`);
          return null;
        }
      }
    },
  };
}

/** Alerts take a report no longer than a few lists do. */
const ALERT_LIMITS: KubeLimits = { ...KUBE_LIMITS, timeoutMs: 15_000, attempts: 2 };
const ALERTS_PATH = '/api/v1/alerts';

/** Alerts that fire, from the Thanos or Prometheus of the cluster; null if it refuses, after a warning. */
export async function readAlerts(
  text: string,
  host: Host,
  limits: KubeLimits = ALERT_LIMITS,
): Promise<ClusterFacts['alerts']> {
  const api = URL.parse(text);
  // The token of the pod goes there.
  if (api?.protocol !== 'https:') throw badInput(`--alerts "${text}" is not accepted, an https URL is`);
  const ask = await askMonitoring(api, host, limits);
  try {
    const body = shown(await ask(ALERTS_PATH), { name: ALERTS_PATH });
    const reading = splitDocuments(body, new ClusterReader({ isRemovedApi: () => false }));
    if (reading.ok && reading.facts.alerts !== null) return reading.facts.alerts;
    throw new NotShown('what is answered has no alerts');
  } catch (error) {
    if (!(error instanceof NotShown) && !(error instanceof Failure)) throw error;
    host.err.write(`alerts: ${error.message}; goes on without them\n`);
    return null;
  }
}

/** Services of the cluster have certificates of another authority than its API. */
export async function askMonitoring(api: URL, host: Host, limits: KubeLimits): Promise<AskKube> {
  return kubeApi({ ...(await serviceAccount(host, 'service-ca.crt')), api }, host, limits);
}

/** Pages of the response; a missing kind gives one empty list. */
async function* pagesOf(
  ask: AskKube,
  query: ClusterQuery,
  { pageObjects }: Pick<KubeLimits, 'pageObjects'>,
): AsyncGenerator<Uint8Array> {
  const { kind, name, selector, isMetadata = false } = query;
  const path = queryPath(query);
  if (query.counted) {
    yield await countOf(ask, query);
    return;
  }
  if (name !== undefined) {
    const answer = await ask(path);
    if (isAbsent(answer, query)) {
      yield absentDocument(query);
      return;
    }
    const object = shown(answer, query);
    headOf(object, kind);
    yield object;
    return;
  }
  let next = '';
  do {
    const search = new URLSearchParams({
      limit: String(pageObjects),
      ...(selector !== undefined && { labelSelector: selector }),
      ...(next !== '' && { continue: next }),
    });
    const answer = await ask(path, search, isMetadata ? METADATA_TYPE : JSON_TYPE);
    if (next === '' && isAbsent(answer, query)) {
      yield absentDocument(query);
      return;
    }
    const page = shown(answer, query);
    const following = headOf(page, isMetadata ? METADATA_LIST : listOf(query).kind);
    if (following !== '' && following === next) throw new NotShown('its list leads to the same page again');
    yield isMetadata ? listOfMetadata(page, query) : page;
    next = following;
  } while (next !== '');
}

const JSON_TYPE = 'application/json';
const METADATA_LIST = 'PartialObjectMetadataList';
const METADATA_TYPE = `${JSON_TYPE};as=${METADATA_LIST};g=meta.k8s.io;v=v1`;

/** Metadata of one object suffice for the number of all. */
async function countOf(ask: AskKube, query: ClusterQuery): Promise<Uint8Array> {
  const pages: ListPage[] = [];
  let next = '';
  do {
    const limit = query.counted === 'number' ? '1' : '500';
    const search = new URLSearchParams({ limit, ...(next !== '' && { continue: next }) });
    const answer = await ask(queryPath(query), search, METADATA_TYPE);
    if (isAbsent(answer, query)) return absentDocument(query);
    const page = shown(answer, query);
    const following = headOf(page, METADATA_LIST);
    if (following !== '' && following === next) throw new NotShown('its list leads to the same page again');
    pages.push(parsed(Buffer.from(page).toString('utf8')) as ListPage);
    next = following;
  } while (next !== '' && query.counted === 'names');
  const document = countedDocument(query, pages);
  if (document === null) throw new NotShown('its list does not say how many objects there are');
  return document;
}

/** The items say that they are metadata, but not of which kind. */
function listOfMetadata(page: Uint8Array, query: ClusterQuery): Uint8Array {
  const { items } = {
    ...(parsed(Buffer.from(page).toString('utf8')) as { readonly items?: unknown } | null),
  };
  if (!Array.isArray(items)) throw new NotShown('what is answered is no JSON');
  const named = items.map(({ metadata }: { readonly metadata?: unknown }) => ({ metadata }));
  return Buffer.from(JSON.stringify({ ...listOf(query), items: named }));
}

/** The cluster lacks the kind, or has it without this object. */
function isAbsent({ status, body }: TrustedAnswer, query: ClusterQuery): boolean {
  if (status !== 404 || query.isOptional !== true) return false;
  const text = Buffer.from(body.subarray(0, LONGEST_STATUS)).toString('utf8');
  const { reason } = { ...(parsed(text) as { readonly reason?: unknown } | null) };
  return mayLackKind(query) || (query.name !== undefined && reason === 'NotFound');
}

function shown(answer: TrustedAnswer, { name }: Pick<ClusterQuery, 'name'>): Uint8Array {
  const { status, body } = answer;
  if (status === 200) return body;
  const reason = statusMessage(answer);
  switch (status) {
    case 403:
      throw new NotShown(
        `the service account of this pod may not ${name === undefined ? 'list' : 'get'} it: ${reason}`,
      );
    case 404:
      throw new NotShown(`there is none: ${reason}`);
    case 410:
      throw new ListExpired(`it changes faster than it can be read: ${reason}`);
    default:
      throw new NotShown(`the API of the cluster fails: ${reason}`);
  }
}

/** Continue token, empty at the end. Another kind means that the response is not from a cluster. */
function headOf(document: Uint8Array, expected: string): string {
  const head = membersByName(document);
  if (head['kind'] !== expected) throw new NotShown(`what is answered is no ${expected}`);
  const { continue: next } = { ...(head['metadata'] as { readonly continue?: unknown } | undefined) };
  return typeof next === 'string' ? next : '';
}

/** Parses only kind and metadata, and skips the items. */
function membersByName(document: Uint8Array): Record<string, unknown> {
  const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const { key, start, end } of membersOf(document)) {
    if (key !== 'kind' && key !== 'metadata') continue;
    try {
      found[key] = JSON.parse(Buffer.from(document.subarray(start, end)).toString('utf8'));
    } catch {
      throw new NotShown('what is answered is no JSON');
    }
    if ('kind' in found && 'metadata' in found) break;
  }
  return found;
}

/** Checks only reachability and authentication; callers check the status. */
export type AskKube = (path: string, query?: URLSearchParams, accept?: string) => Promise<TrustedAnswer>;

function kubeApi(account: ServiceAccount, host: Host, limits: KubeLimits): AskKube {
  const askOnce = async (url: URL, accept: string): Promise<TrustedAnswer> =>
    host.getTrusted(url, {
      headers: {
        accept,
        authorization: `Bearer ${await account.token()}`,
        'user-agent': USER_AGENT,
      },
      authority: account.authority,
      timeoutMs: limits.timeoutMs,
      mostBytes: limits.pageBytes,
    });

  return async (path, query, accept = JSON_TYPE) => {
    const url = new URL(path, account.api);
    url.search = String(query ?? '');
    const answer = await askRepeatedly(
      () => askOnce(url, accept),
      host,
      `the API of the cluster, ${url.host},`,
      {
        ...limits,
        isTransient: (status) => status === 429 || status >= 500,
      },
    );
    if (answer.status === 401) {
      throw notKnown(
        `the cluster does not accept the token of this pod: ${statusMessage(answer)}`,
        'it may have expired, or its service account be gone',
      );
    }
    return answer;
  };
}

function statusMessage({ status, body }: TrustedAnswer): string {
  const text = Buffer.from(body.subarray(0, LONGEST_STATUS)).toString('utf8');
  const { message } = { ...(parsed(text) as { readonly message?: unknown } | null) };
  const reason = singleLine(typeof message === 'string' ? message : text).slice(0, MOST_CHARACTERS);
  return reason === '' ? `status ${status}` : `${reason} (${status})`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface ServiceAccount {
  readonly api: URL;
  /** CA certificate of the API in PEM. */
  readonly authority: string;
  /** Read again each time: the cluster rotates it. */
  token(): Promise<string>;
}

export async function serviceAccount(host: Host, authority = 'ca.crt'): Promise<ServiceAccount> {
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
  return { api: new URL(url), authority: await text(authority), token: () => text('token') };
}
