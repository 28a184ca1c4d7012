import { quoteValue, messageOf } from '../../text/quote.ts';
import type { ListQuery } from './options.ts';
import type { ListProblem } from './report.ts';
import { type GroupVersionKind, kindText, type Resource, compareForDeletion } from './resource.ts';
import type { Settings } from './validate-options.ts';

export interface Candidate<T> {
  readonly object: T;
  readonly resource: Resource;
  readonly unreadable: string | null;
}

export interface Listing<T> {
  /** In order of deletion. */
  readonly candidates: readonly Candidate<T>[];
  readonly filtered: number;
  readonly problems: readonly ListProblem[];
  readonly incomplete: ReadonlySet<string>;
}

/** Lists each object once and filters again, since a store can ignore parts of the query. */
export async function listCandidates<T>(
  settings: Settings<T>,
  signal: AbortSignal | undefined,
): Promise<Listing<T>> {
  const found = new Map<unknown, Candidate<T>>();
  const outside = new Set<unknown>();
  const problems: ListProblem[] = [];
  const incomplete = new Set<string>();
  const filter = makeFilter(settings);
  for (const [kind, namespace] of questionsOf(settings)) {
    if (signal?.aborted) break;
    try {
      for await (const object of settings.store.list(makeQuery(settings, kind, namespace, signal))) {
        if (signal?.aborted) break;
        const candidate = readCandidate(object, kind, settings, filter);
        const key = identityOf(object, candidate);
        // If pages shift and list an object twice, the later state counts.
        found.delete(key);
        outside.delete(key);
        if (candidate.isOutside) outside.add(key);
        else found.set(key, candidate);
      }
    } catch (error) {
      // A store that honors the signal throws; that is not a problem of the store.
      if (!signal?.aborted) problems.push({ kind: kindText(kind), namespace, stage: 'list', error });
      incomplete.add(kindText(kind));
    }
  }
  const candidates = [...found.values()].toSorted((a, b) => compareForDeletion(a.resource, b.resource));
  return { candidates, filtered: outside.size, problems, incomplete };
}

function questionsOf<T>({ kinds, namespaces }: Settings<T>): (readonly [GroupVersionKind, string | null])[] {
  return kinds.flatMap((kind) => (namespaces ?? [null]).map((namespace) => [kind, namespace] as const));
}

function makeQuery<T>(
  { selector }: Settings<T>,
  kind: GroupVersionKind,
  namespace: string | null,
  signal: AbortSignal | undefined,
): ListQuery {
  return {
    kind,
    ...(namespace !== null && { namespace }),
    ...(selector !== null && { labels: selector.text }),
    ...(signal !== undefined && { signal }),
  };
}

type Filter = (resource: Resource) => boolean;

function makeFilter<T>({ kinds, namespaces, selector, isOwned }: Settings<T>): Filter {
  const asked = new Set(kinds.map(kindText));
  const within = namespaces === null ? null : new Set(namespaces);
  return ({ kind, namespace, labels, owners }) =>
    asked.has(kindText(kind)) &&
    (within === null || (namespace !== null && within.has(namespace))) &&
    (selector === null || selector.matches(labels)) &&
    isOwned(owners);
}

const NOTHING: Omit<Resource, 'kind'> = {
  namespace: null,
  name: '',
  uid: null,
  createdAt: null,
  labels: new Map(),
  owners: [],
  deletionRequested: false,
};

function readCandidate<T>(
  object: T,
  kind: GroupVersionKind,
  { describe }: Settings<T>,
  isWithin: Filter,
): Candidate<T> & { readonly isOutside: boolean } {
  try {
    const resource = checkDescription(describe(object, kind));
    return { object, resource, unreadable: null, isOutside: !isWithin(resource) };
  } catch (error) {
    // An unreadable object could match the filter, so it is reported and kept.
    const resource = { kind, ...NOTHING };
    return { object, resource, unreadable: `it cannot be read: ${messageOf(error)}`, isOutside: false };
  }
}

/** A custom `describe` can come from untyped code. */
function checkDescription(resource: Resource): Resource {
  const { name, createdAt }: { name: unknown; createdAt: unknown } = resource;
  if (typeof name !== 'string') throw new TypeError(`describe gave it the name ${quoteValue(name)}`);
  const isTime = createdAt instanceof Date && !Number.isNaN(createdAt.getTime());
  return isTime ? resource : { ...resource, createdAt: null };
}

/** Objects without a name have no identity but themselves. */
function identityOf<T>(object: T, { resource }: Candidate<T>): unknown {
  const { kind, namespace, name, uid } = resource;
  return uid ?? (name === '' ? object : JSON.stringify([kindText(kind), namespace, name]));
}
