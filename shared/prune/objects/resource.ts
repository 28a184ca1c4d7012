import { quoteValue } from '../../text/quote.ts';

/** Reads a nested member: `at(pod, 'status', 'phase')`. Undefined if any part is missing or null. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found ?? undefined;
}

/** Empty if not a string. */
function textAt(value: unknown, ...keys: readonly string[]): string {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : '';
}

export interface GroupVersionKind {
  /** Empty for the core group, and outside of Kubernetes. */
  readonly group: string;
  /** Empty without versions. */
  readonly version: string;
  readonly kind: string;
}

/** `v1/Pod`, `batch/v1/Job`, `RunRecord` (no group and no version), or the three parts. */
export type KindName = string | GroupVersionKind;

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
}

export interface Prunable {
  readonly kind: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Fields that a pruner reads, whatever the form of the object. */
export interface Resource {
  readonly kind: GroupVersionKind;
  readonly namespace: string | null;
  /** Empty if unknown. */
  readonly name: string;
  readonly uid: string | null;
  readonly createdAt: Date | null;
  readonly labels: ReadonlyMap<string, string>;
  readonly owners: readonly OwnerReference[];
  readonly deletionRequested: boolean;
}

/** `asked` is the kind that was listed. */
export type Describe<T> = (object: T, asked: GroupVersionKind | null) => Resource;

const PART = /^[^\s/]+$/;

/**
 * `batch/v1/Job` is group `batch`, version `v1`, kind `Job`; `v1/Pod` has no group; `RunRecord` has no version either.
 * Throws a TypeError if invalid.
 */
export function parseKind(name: KindName): GroupVersionKind {
  if (typeof name === 'string') {
    const parts = name.split('/');
    if (parts.length <= 3 && parts.every((part) => PART.test(part))) {
      return kindOfParts(parts.slice(0, -1).join('/'), parts.at(-1)!);
    }
  } else if (isKind(name)) {
    return { group: name.group, version: name.version, kind: name.kind };
  }
  throw new TypeError(
    `${quoteValue(name)} is no kind; a kind is such as "v1/Pod", "batch/v1/Job" or "RunRecord", or {group, version, kind}`,
  );
}

/** Inverse of `parseKind`: `batch/v1/Job`. */
export function kindText({ group, version, kind }: GroupVersionKind): string {
  return [group, version, kind].filter((part) => part !== '').join('/');
}

/**
 * Reads a Kubernetes object, as JSON or with Dates, or a `Prunable`. Unreadable fields are empty. Items of a typed list
 * have no kind and get the listed one.
 */
export function describeResource(object: unknown, asked: GroupVersionKind | null = null): Resource {
  const metadata = at(object, 'metadata');
  const isKubernetes = typeof metadata === 'object';
  const about = isKubernetes ? metadata : object;
  return {
    kind: readKind(textAt(object, 'apiVersion'), textAt(object, 'kind'), asked),
    namespace: textAt(about, 'namespace') || null,
    name: textAt(about, 'name'),
    uid: textAt(metadata, 'uid') || null,
    createdAt: readTime(isKubernetes ? at(metadata, 'creationTimestamp') : at(object, 'createdAt')),
    labels: readLabels(at(about, 'labels')),
    owners: readOwners(at(metadata, 'ownerReferences')),
    deletionRequested: at(metadata, 'deletionTimestamp') !== undefined,
  };
}

function isKind(value: unknown): value is GroupVersionKind {
  const parts = [at(value, 'group'), at(value, 'version'), at(value, 'kind')];
  return (
    parts.every((part) => typeof part === 'string' && (part === '' || PART.test(part))) && parts[2] !== ''
  );
}

function kindOfParts(apiVersion: string, kind: string): GroupVersionKind {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind };
}

function readKind(apiVersion: string, kind: string, asked: GroupVersionKind | null): GroupVersionKind {
  if (kind === '') return asked ?? kindOfParts(apiVersion, kind);
  // A client can keep only one of the two.
  return apiVersion === '' && kind === asked?.kind ? asked : kindOfParts(apiVersion, kind);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

function readTime(value: unknown): Date | null {
  const time = typeof value === 'string' && TIME.test(value) ? new Date(value) : value;
  return time instanceof Date && !Number.isNaN(time.getTime()) ? time : null;
}

function readLabels(value: unknown): Map<string, string> {
  const labels = new Map<string, string>();
  if (typeof value !== 'object' || value === null) return labels;
  for (const [key, label] of Object.entries(value)) {
    if (typeof label === 'string') labels.set(key, label);
  }
  return labels;
}

function readOwners(value: unknown): OwnerReference[] {
  if (!Array.isArray(value)) return [];
  return value.map((owner: unknown) => ({
    apiVersion: textAt(owner, 'apiVersion'),
    kind: textAt(owner, 'kind'),
    name: textAt(owner, 'name'),
    uid: textAt(owner, 'uid'),
    controller: at(owner, 'controller') === true,
  }));
}

/** By code units, independent of the locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareAge(a: Resource, b: Resource): number {
  return (a.createdAt?.getTime() ?? -Infinity) - (b.createdAt?.getTime() ?? -Infinity) || 0;
}

/** Oldest first, then by kind, namespace, name. */
export function compareForDeletion(a: Resource, b: Resource): number {
  return (
    compareAge(a, b) ||
    compareText(kindText(a.kind), kindText(b.kind)) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.uid ?? '', b.uid ?? '')
  );
}

/** Newest first, then the name that sorts last, since names often end in a growing number or time. */
export function compareForKeeping(a: Resource, b: Resource): number {
  return (
    compareAge(b, a) ||
    compareText(b.name, a.name) ||
    compareText(b.namespace ?? '', a.namespace ?? '') ||
    compareText(kindText(b.kind), kindText(a.kind)) ||
    compareText(b.uid ?? '', a.uid ?? '')
  );
}
