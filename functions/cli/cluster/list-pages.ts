import { membersOf } from '@cairn/shared/json/members';
import { notKnown } from '../../runtime/exit.ts';
import type { Host, TrustedAnswer } from '../host.ts';
import {
  type AskKube,
  KUBE_LIMITS,
  kubeApi,
  type KubeLimits,
  serviceAccount,
  statusMessage,
} from './kube-api.ts';
import {
  type ClusterQuery,
  type ClusterSource,
  emptyList,
  listOf,
  mayBeAbsent,
  queryName,
  queryPath,
} from './queries.ts';

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
          const told = `${queryName(query)}: ${error.message}`;
          if (query.isOptional !== true) throw notKnown(told);
          host.err.write(`${told}; goes on without it\n`);
          return null;
        }
      }
    },
  };
}

/** Pages of the response; a missing kind gives one empty list. */
async function* pagesOf(
  ask: AskKube,
  query: ClusterQuery,
  { pageObjects }: Pick<KubeLimits, 'pageObjects'>,
): AsyncGenerator<Uint8Array> {
  const { kind, name, selector } = query;
  const path = queryPath(query);
  if (name !== undefined) {
    const object = shown(await ask(path), query);
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
    const answer = await ask(path, search);
    if (answer.status === 404 && next === '' && mayBeAbsent(query)) {
      yield emptyList(query);
      return;
    }
    const page = shown(answer, query);
    const following = headOf(page, listOf(query).kind);
    if (following !== '' && following === next) throw new NotShown('its list leads to the same page again');
    yield page;
    next = following;
  } while (next !== '');
}

function shown(answer: TrustedAnswer, { name }: ClusterQuery): Uint8Array {
  const { status, body } = answer;
  if (status === 200) return body;
  const said = statusMessage(answer);
  switch (status) {
    case 403:
      throw new NotShown(
        `the service account of this pod may not ${name === undefined ? 'list' : 'get'} it: ${said}`,
      );
    case 404:
      throw new NotShown(`there is none: ${said}`);
    case 410:
      throw new ListExpired(`it changes faster than it can be read: ${said}`);
    default:
      throw new NotShown(`the API of the cluster fails: ${said}`);
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
