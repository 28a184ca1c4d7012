import { badInput, notKnown } from '../failure.ts';
import type { Given } from '../given.ts';
import type { Flags } from '../flag.ts';
import type { Machine } from '../machine.ts';

/** Which cluster `oc` asks. */
export const OC_FLAGS = {
  oc: { kind: 'switch', help: 'read the documents from the cluster that oc is logged in to' },
  context: { kind: 'text', value: 'NAME', help: 'with --oc: the context of the kubeconfig' },
  kubeconfig: { kind: 'text', value: 'FILE', help: 'with --oc: the kubeconfig' },
} as const satisfies Flags;

/** What is asked of a cluster: `oc get NAME -A -o json`. */
export interface OcQuery {
  /** As `oc get` takes it: `nodes`, `clusterversion/version`. */
  readonly resource: string;
  /** @default those of the whole cluster */
  readonly namespace?: string;
  /** All namespaces. */
  readonly everywhere?: boolean;
  /** What a list of it is: for a kind that the cluster has none of, oc prints a list of nothing in particular. */
  readonly list?: { readonly kind: string; readonly apiVersion: string };
  /** A cluster without it, or one that does not show it, is no failure: what depends on it is not known then. */
  readonly isOptional?: boolean;
}

/** Documents of a cluster, and of what they are: a kind that it has none of does not show in them. */
export interface Collected {
  readonly documents: Uint8Array;
  readonly resources: readonly string[];
}

/** What `oc get` prints of each, one after the other. */
export async function readFromOc(
  queries: readonly OcQuery[],
  given: Given,
  machine: Machine,
): Promise<Collected> {
  const documents: Uint8Array[] = [];
  const resources: string[] = [];
  for (const query of queries) {
    const { resource, isOptional = false } = query;
    const { exitCode, stdout, stderr } = await machine.run('oc', argumentsOf(query, given));
    if (exitCode === null) throw badInput('there is no oc command here; give the documents as files');
    const isUnknownKind = stderr.includes("the server doesn't have a resource type");
    if (exitCode === 0)
      documents.push(query.list && isEmptyList(stdout) ? emptyList(query.list) : stdout, NEWLINE);
    if (exitCode === 0 || isUnknownKind) resources.push(resource);
    else if (isOptional) machine.err.write(`oc get ${resource}: ${lastLine(stderr)}; goes on without it\n`);
    else throw notKnown(`oc get ${resource}: ${lastLine(stderr)}`);
  }
  return { documents: Buffer.concat(documents), resources };
}

const NEWLINE = Buffer.from('\n');
/** Of a list that holds nothing. */
const MOST_CHARACTERS = 1000;

function isEmptyList(printed: Uint8Array): boolean {
  if (printed.length > MOST_CHARACTERS) return false;
  const text = Buffer.from(printed).toString();
  return /"kind":\s*"List"/.test(text) && /"items":\s*\[\s*\]/.test(text);
}

function emptyList({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }): Uint8Array {
  return Buffer.from(JSON.stringify({ kind, apiVersion, items: [] }));
}

function argumentsOf({ resource, namespace, everywhere }: OcQuery, given: Given): string[] {
  const [context, kubeconfig] = [given.text('context'), given.text('kubeconfig')];
  return [
    'get',
    resource,
    ...(namespace === undefined ? [] : ['-n', namespace]),
    ...(everywhere ? ['-A'] : []),
    '-o',
    'json',
    ...(context === undefined ? [] : [`--context=${context}`]),
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
  ];
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
