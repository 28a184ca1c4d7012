import { createServer, type Server } from 'node:https';
import {
  type ClusterQuery,
  COUNT_QUERIES,
  REPORT_QUERIES,
  listOf,
  queryPath,
  IMAGE_QUERIES,
  IN_USE_QUERIES,
  WORKLOAD_QUERIES,
} from '../../../functions/cli/cluster/queries.ts';
import type { Json } from '../cluster/objects.ts';
import { listen } from '../listen.ts';
import { type Authority, createAuthority } from '../upstream/certificates.ts';
import type { CliOptions } from './cli.ts';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN = 'token-of-the-pod';
const HOST = '127.0.0.1';

export interface KubeCall {
  /** Format: `/api/v1/nodes`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The client accepts only the metadata of objects. */
  readonly isMetadata: boolean;
  /** Earlier requests to this path. */
  readonly before: number;
}

export interface KubeAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KubeOptions {
  /** Objects of the cluster, each with its kind; a function if they change. */
  readonly objects: readonly Json[] | (() => readonly Json[]);
  /** Kinds whose API group does not exist. */
  readonly absent?: readonly string[];
  /** Kinds that the service account cannot read. */
  readonly forbidden?: readonly string[];
  /** Replaces a response; `hang` sends none. */
  readonly instead?: (call: KubeCall) => KubeAnswer | 'hang' | null;
  /** Issuer of the server certificate. Pods always trust the cluster's authority. */
  readonly certifiedBy?: Authority;
}

/** A local Kubernetes API over TLS: lists and single objects. */
export interface Kube {
  /** Requested paths in order. */
  readonly paths: readonly string[];
  /** Environment of a pod in the cluster. */
  readonly pod: Required<Pick<CliOptions, 'variables' | 'files'>>;
  close(): Promise<void>;
}

export async function startKube(options: KubeOptions): Promise<Kube> {
  const authority = createAuthority('kube-apiserver');
  const { certificate, key } = (options.certifiedBy ?? authority).issue({ host: HOST });
  const paths: string[] = [];
  const server: Server = createServer({ cert: certificate, key }, (request, response) => {
    const url = new URL(request.url!, 'https://kube');
    const before = paths.filter((path) => path.split('?')[0] === url.pathname).length;
    paths.push(request.url!);
    const isMetadata = request.headers.accept?.includes('as=PartialObjectMetadataList;') ?? false;
    const call = { path: url.pathname, query: url.searchParams, isMetadata, before };
    const answer =
      request.method !== 'GET'
        ? status(405, 'only GET is expected')
        : (options.instead?.(call) ??
          (request.headers.authorization === `Bearer ${TOKEN}`
            ? answerOf(call, options)
            : status(401, 'Unauthorized')));
    if (answer === 'hang') return;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  });
  const { port, close } = await listen(server);
  return {
    paths,
    pod: {
      variables: {
        KUBERNETES_SERVICE_HOST: HOST,
        KUBERNETES_SERVICE_PORT: String(port),
      },
      files: { [`${FOLDER}/token`]: `${TOKEN}\n`, [`${FOLDER}/ca.crt`]: authority.certificate },
    },
    close,
  };
}

export function status(code: number, message: string, reason = ''): KubeAnswer {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { status: code, body: JSON.stringify(body) };
}

const KINDS: Readonly<Record<string, string>> = {
  configmaps: 'ConfigMap',
  egressips: 'EgressIP',
  kubeletconfigs: 'KubeletConfig',
  'network-attachment-definitions': 'NetworkAttachmentDefinition',
  networkpolicies: 'NetworkPolicy',
  performanceprofiles: 'PerformanceProfile',
};
const QUERIES: readonly ClusterQuery[] = [
  ...REPORT_QUERIES,
  ...WORKLOAD_QUERIES,
  ...IN_USE_QUERIES,
  ...IMAGE_QUERIES,
  // The answer to these is of another kind than the objects.
  ...COUNT_QUERIES.map((query) => ({ ...query, kind: KINDS[query.resource] ?? query.kind })),
];

function answerOf({ path, query, isMetadata }: KubeCall, options: KubeOptions): KubeAnswer {
  const { objects, absent = [], forbidden = [] } = options;
  const asked = QUERIES.find((known) => queryPath(known) === path);
  if (!asked || absent.includes(asked.kind)) {
    return { status: 404, body: '404 page not found\n', headers: { 'content-type': 'text/plain' } };
  }
  const { kind, group, name, namespace, resource } = asked;
  if (forbidden.includes(kind)) {
    return status(403, `${resource} is forbidden: User "system:serviceaccount:x:y" cannot list resource`);
  }
  const all = typeof objects === 'function' ? objects() : objects;
  const isOfGroup = ({ apiVersion }: Json): boolean =>
    (apiVersion as string).split('/').slice(0, -1).join('/') === group;
  const found = all.filter((object) => object['kind'] === kind && isOfGroup(object));
  if (name !== undefined) {
    const one = found.find(({ metadata }) => {
      const own = metadata as Json;
      return own['name'] === name && own['namespace'] === namespace;
    });
    return one
      ? { status: 200, body: JSON.stringify(one) }
      : status(404, `${resource} "${name}" not found`, 'NotFound');
  }
  const chosen = found
    .filter(({ metadata }) => namespace === undefined || (metadata as Json)['namespace'] === namespace)
    .filter(chosenBy(query.get('labelSelector')));
  if (!isMetadata) return pageOf(chosen, query, listOf(asked));
  const head = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
  const heads = chosen.map(({ metadata }) => ({ ...head, metadata }));
  return pageOf(heads, query, { ...head, kind: `${head.kind}List` }, head);
}

/** Items of a typed list have no kind, those of metadata have. */
function pageOf(found: readonly Json[], query: URLSearchParams, list: Json, itemHead: Json = {}): KubeAnswer {
  const start = Number(query.get('continue')?.replace('from-', '') ?? 0);
  const end = start + Number(query.get('limit') ?? found.length);
  const metadata = {
    resourceVersion: '42',
    ...(end < found.length && { continue: `from-${end}`, remainingItemCount: found.length - end }),
  };
  const items = found
    .slice(start, end)
    .map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => ({ ...itemHead, ...rest }));
  return { status: 200, body: JSON.stringify({ ...list, metadata, items }) };
}

/** Supports only the exclusion of a label. */
function chosenBy(selector: string | null): (object: Json) => boolean {
  const label = selector?.replace(/^!/, '');
  return ({ metadata }) => {
    const labels = ((metadata as Json)['labels'] ?? {}) as Json;
    return label === undefined || !Object.hasOwn(labels, label);
  };
}
