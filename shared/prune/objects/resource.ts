import { quoteValue } from '../../text/quote.ts';

/**
 * The member below these keys of something that came from anywhere: `at(pod, 'status', 'phase')`. Undefined for what is
 * missing or null, on the way too.
 */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found ?? undefined;
}

/** Empty for what is no text. */
function textAt(value: unknown, ...keys: readonly string[]): string {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : '';
}

export interface GroupVersionKind {
  /** Empty for the core group, and for what is not of Kubernetes. */
  readonly group: string;
  /** Empty for what has no versions. */
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

/** Anything with a kind, a name and a creation time. */
export interface Prunable {
  readonly kind: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What a pruner reads of an object, whatever its form. */
export interface Resource {
  readonly kind: GroupVersionKind;
  readonly namespace: string | null;
  /** Empty: unknown. */
  readonly name: string;
  readonly uid: string | null;
  /** Null: unknown. */
  readonly createdAt: Date | null;
  readonly labels: ReadonlyMap<string, string>;
  readonly owners: readonly OwnerReference[];
  readonly deletionRequested: boolean;
}

/** Reads an object that came when a kind was asked for. */
export type Describe<T> = (object: T, asked: GroupVersionKind | null) => Resource;

const PART = /^[^\s/]+$/;

/**
 * The parts of a kind: `batch/v1/Job` is group `batch`, version `v1`, kind `Job`; `v1/Pod` has no group, `RunRecord` no
 * version either. A TypeError for what is no such name.
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

/** The name that `parseKind` reads: `batch/v1/Job`. */
export function kindText({ group, version, kind }: GroupVersionKind): string {
  return [group, version, kind].filter((part) => part !== '').join('/');
}

/**
 * Reads a Kubernetes object, as JSON or with Dates, or a `Prunable`. What cannot be read is empty; nothing is refused.
 * Items of a typed list lack their kind and are of the kind that was asked for.
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
  // A client may keep one of the two only.
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

/** By code units: the same everywhere, whatever the language of the machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareAge(a: Resource, b: Resource): number {
  return (a.createdAt?.getTime() ?? -Infinity) - (b.createdAt?.getTime() ?? -Infinity) || 0;
}

/** The order of deletion: oldest first, of equally old ones by kind, namespace, name. */
export function compareForDeletion(a: Resource, b: Resource): number {
  return (
    compareAge(a, b) ||
    compareText(kindText(a.kind), kindText(b.kind)) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.uid ?? '', b.uid ?? '')
  );
}

/**
 * The order in which strategies keep: newest first, of equally old ones the name that sorts last, since names often end
 * in a number or a time that grows; then the same of namespace and kind.
 */
export function compareForKeeping(a: Resource, b: Resource): number {
  return (
    compareAge(b, a) ||
    compareText(b.name, a.name) ||
    compareText(b.namespace ?? '', a.namespace ?? '') ||
    compareText(kindText(b.kind), kindText(a.kind)) ||
    compareText(b.uid ?? '', a.uid ?? '')
  );
}
