import { isObject } from '@cairn/shared/input/input-value';
import type { Flags } from '../../command-line/flags.ts';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { badInput, notKnown } from '../../runtime/exit.ts';
import type { Host } from '../host.ts';
import { inCluster } from './kube-api.ts';
import {
  absentDocument,
  type ClusterQuery,
  type ClusterSource,
  countedDocument,
  listOf,
  mayLackKind,
  queryName,
  queryPath,
} from './queries.ts';

export const OC_FLAGS = {
  oc: { kind: 'switch', help: 'read the documents from the cluster that oc is logged in to' },
  context: { kind: 'text', value: 'NAME', help: 'with --oc: the context of the kubeconfig' },
  kubeconfig: { kind: 'text', value: 'FILE', help: 'with --oc: the kubeconfig' },
} as const satisfies Flags;

export const CLUSTER_FLAGS = {
  'in-cluster': {
    kind: 'switch',
    help: 'read the documents from the cluster that this runs in, as a pod, with its service account',
  },
  ...OC_FLAGS,
} as const satisfies Flags;

export interface OcQuery {
  /** Argument of `oc get`: `nodes`, `clusterversions.config.openshift.io/version`. */
  readonly resource: string;
  /** @default those of the whole cluster */
  readonly namespace?: string;
  /** Asked for instead of the resource. */
  readonly path?: string;
  readonly everywhere?: boolean;
  readonly selector?: string;
  /** List kind: for a kind without objects, oc prints a generic list. */
  readonly list?: { readonly kind: string; readonly apiVersion: string };
  /** Not a failure if missing or forbidden; the dependent checks are then unknown. */
  readonly isOptional?: boolean;
}

/** `resources` are the requested kinds: a kind without objects does not show in the documents. */
export interface Collected {
  readonly documents: Uint8Array;
  readonly resources: readonly string[];
}

const NEWLINE = Buffer.from('\n');
const NOT_FOUND = /^Error from server \(NotFound\)/;
/** Characters of an empty list. */
const MOST_CHARACTERS = 1000;

/** Null without a cluster flag; documents then come from files. */
export async function openSource(args: ParsedArgs, host: Host): Promise<ClusterSource | null> {
  const named = [
    ...(args.arguments.length > 0 ? ['files'] : []),
    ...['oc', 'in-cluster'].filter((flag) => args.isSet(flag)).map((flag) => `--${flag}`),
  ];
  if (named.length > 1) throw badInput(`${named.join(' and ')} are both given, one of them is accepted`);
  if (args.isSet('in-cluster')) return inCluster(host);
  return args.isSet('oc') ? ocSource(args, host) : null;
}

export async function readFromOc(
  queries: readonly OcQuery[],
  args: ParsedArgs,
  host: Host,
): Promise<Collected> {
  const documents: Uint8Array[] = [];
  const resources: string[] = [];
  for (const query of queries) {
    const printed = await ocGet(query, args, host);
    if ('document' in printed) documents.push(printed.document, NEWLINE);
    if ('document' in printed || printed.isAbsent) resources.push(query.resource);
    else goWithout(query, printed.why, host);
  }
  return { documents: Buffer.concat(documents), resources };
}

function ocSource(args: ParsedArgs, host: Host): ClusterSource {
  return {
    async read(query, take) {
      const asked = ocQuery(query);
      const printed = await ocGet(asked, args, host);
      if ('document' in printed) {
        const document = query.counted ? countOf(query, printed.document) : printed.document;
        if (document !== null) return take(pages(document, ...wholeList(query, document)));
        goWithout(asked, 'its list does not say how many objects there are', host);
        return null;
      }
      const isAbsent = printed.isAbsent
        ? mayLackKind(query)
        : NOT_FOUND.test(printed.why) && (query.counted ? mayLackKind(query) : isOptionalObject(query));
      if (isAbsent) return take(pages(absentDocument(query)));
      goWithout(asked, printed.why, host);
      return null;
    },
  };
}

function isOptionalObject({ isOptional = false, name }: ClusterQuery): boolean {
  return isOptional && name !== undefined;
}

/** `oc get` prints whole lists only. */
function countOf(query: ClusterQuery, printed: Uint8Array): Uint8Array | null {
  let page: unknown;
  try {
    page = JSON.parse(Buffer.from(printed).toString());
  } catch {
    return null;
  }
  return isObject(page) ? countedDocument(query, [page]) : null;
}

function ocQuery(query: ClusterQuery): OcQuery {
  const { name, namespace, selector, isOptional } = query;
  if (query.counted) {
    const limit = query.counted === 'number' ? '?limit=1' : '';
    return { resource: queryName(query), path: `${queryPath(query)}${limit}`, isOptional: true };
  }
  return {
    resource: queryName(query),
    ...(namespace !== undefined && { namespace }),
    ...(selector !== undefined && { selector }),
    ...(isOptional !== undefined && { isOptional }),
    ...(name === undefined && { everywhere: true, list: listOf(query) }),
  };
}

async function* pages(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

type Printed =
  | { readonly document: Uint8Array }
  /** The cluster lacks the kind, or the command failed for another reason. */
  | { readonly isAbsent: boolean; readonly why: string };

async function ocGet(query: OcQuery, args: ParsedArgs, host: Host): Promise<Printed> {
  const { exitCode, stdout, stderr } = await host.run('oc', argumentsOf(query, args));
  if (exitCode === null) throw badInput('there is no oc command here; give the documents as files');
  if (exitCode === 0) {
    const isUsable = query.list === undefined || !isEmptyList(stdout);
    return { document: isUsable ? stdout : emptyList(query) };
  }
  // oc prints the same for a kind whose server is unavailable, with that reason before it.
  const isAbsent =
    stderr.includes("the server doesn't have a resource type") && !/unable to|couldn't get/i.test(stderr);
  return { isAbsent, why: lastLine(stderr) };
}

function goWithout({ resource, isOptional = false }: OcQuery, why: string, host: Host): void {
  if (!isOptional) throw notKnown(`oc get ${resource}: ${why}`);
  host.err.write(`oc get ${resource}: ${why}; goes on without it\n`);
}

/** What oc prints of all namespaces looks like what it prints of one: a list of the kind says that it is whole. */
function wholeList(query: ClusterQuery, { length }: Uint8Array): readonly Uint8Array[] {
  const isOfAll = query.isNamespaced === true && query.name === undefined && !query.counted;
  return isOfAll && length > 0 ? [emptyList({ list: listOf(query) })] : [];
}

function emptyList({ list }: Pick<OcQuery, 'list'>): Uint8Array {
  return Buffer.from(JSON.stringify({ ...list, items: [] }));
}

function isEmptyList(printed: Uint8Array): boolean {
  if (printed.length > MOST_CHARACTERS) return false;
  const text = Buffer.from(printed).toString();
  return /"kind":\s*"List"/.test(text) && /"items":\s*\[\s*\]/.test(text);
}

function argumentsOf(query: OcQuery, args: ParsedArgs): string[] {
  const { resource, path, namespace, everywhere, selector } = query;
  const [context, kubeconfig] = [args.text('context'), args.text('kubeconfig')];
  return [
    'get',
    ...(path === undefined
      ? [
          resource,
          ...(namespace === undefined ? [] : ['-n', namespace]),
          ...(everywhere ? ['-A'] : []),
          ...(selector === undefined ? [] : ['-l', selector]),
          '-o',
          'json',
        ]
      : ['--raw', path]),
    ...(context === undefined ? [] : [`--context=${context}`]),
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
  ];
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
