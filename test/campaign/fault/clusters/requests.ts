import { ask, type Instance, type Message } from './instance.ts';
import type { Answer, Asked } from './ledger.ts';

/** A request as it is drawn, before it is known who answers it. */
export type Wish = Pick<Asked, 'what' | 'id' | 'report' | 'ifMatch' | 'isFirst'>;

export function wishOf(wish: Partial<Wish> & Pick<Wish, 'what'>): Wish {
  return { id: '', report: null, ifMatch: null, isFirst: false, ...wish };
}

/** How it is asked of the API; documents that were uploaded are named instead of sent. */
export function messageOf({ what, id, report, ifMatch, isFirst }: Wish, uploaded: string | null): Message {
  const headers = {
    ...(ifMatch !== null && { 'if-match': ifMatch }),
    ...(isFirst && { 'if-none-match': '*' }),
  };
  const target = `/v1/clusters/${id}`;
  if (what === 'list') return { method: 'GET', target: '/v1/clusters' };
  if (what === 'history') return { method: 'GET', target: `${target}/history` };
  if (what === 'get') return { method: 'GET', target };
  if (what === 'delete') return { method: 'DELETE', target, headers };
  const { documents, collectedAt, replace } = report!;
  const body = {
    ...(uploaded === null ? { documents } : { upload: uploaded }),
    ...(collectedAt !== null && { collected_at: collectedAt }),
    ...(replace && { replace }),
  };
  return { method: 'PUT', target, headers, body: JSON.stringify(body) };
}

/** All pages of a list as one answer, from its first page; one that is refused is the answer. */
export async function withOtherPages(
  instance: Instance,
  asked: Asked,
  first: Answer | null,
): Promise<Answer | null> {
  const clusters: unknown[] = [];
  for (let answer = first; ;) {
    if (answer === null || answer.status !== 200) return answer;
    const page = answer.body as {
      readonly clusters: readonly object[];
      readonly nextCursor: string | null;
    };
    clusters.push(...page.clusters);
    if (page.nextCursor === null) return { ...answer, body: { clusters } };
    const target = `/v1/clusters?cursor=${page.nextCursor}`;
    answer = await ask(instance, { method: 'GET', target }, asked);
  }
}
