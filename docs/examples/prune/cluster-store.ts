import { kindText, type Store } from '@cairn/shared/prune';

export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
  };
}

interface Page {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly Omit<ClusterObject, 'apiVersion' | 'kind'>[];
}

const PATHS = new Map([
  ['v1/Pod', ['/api/v1', 'pods']],
  ['batch/v1/Job', ['/apis/batch/v1', 'jobs']],
] as const);

/** The objects of a cluster, by its API: pages, deletes in the background, and only what has not changed since. */
export function clusterStore(server: string, token: string): Store<ClusterObject> {
  async function ask(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const answer = await fetch(new URL(path, server), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    if (!answer.ok && answer.status !== 404) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer;
  }

  return {
    async *list({ kind, namespace, labels, signal }) {
      const query = new URLSearchParams({
        limit: '500',
        ...(labels !== undefined && { labelSelector: labels }),
      });
      for (;;) {
        const answer = await ask('GET', `${pathOf(kindText(kind), namespace)}?${query}`, undefined, signal);
        if (!answer.ok) throw new Error(`the cluster has no ${kindText(kind)}`);
        const { metadata, items } = (await answer.json()) as Page;
        const apiVersion = [kind.group, kind.version].filter(Boolean).join('/');
        // Items of a list do not tell their kind.
        for (const item of items) yield { apiVersion, kind: kind.kind, ...item };
        if (!metadata.continue) return;
        query.set('continue', metadata.continue);
      }
    },

    async remove({ apiVersion, kind, metadata }, signal) {
      const { name, namespace, uid, resourceVersion } = metadata;
      const path = `${pathOf(`${apiVersion}/${kind}`, namespace)}/${encodeURIComponent(name)}`;
      const options = { propagationPolicy: 'Background', preconditions: { uid, resourceVersion } };
      const answer = await ask('DELETE', path, options, signal);
      return answer.status === 404 ? 'absent' : 'deleted';
    },
  };
}

function pathOf(kind: string, namespace: string | undefined): string {
  const [root, plural] = PATHS.get(kind as 'v1/Pod') ?? [];
  if (root === undefined) throw new Error(`no path is known for ${kind}`);
  return namespace === undefined
    ? `${root}/${plural}`
    : `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}
