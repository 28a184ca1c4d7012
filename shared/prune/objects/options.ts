import type { Registry } from './prunable-kinds.ts';
import type { Verdict } from './report.ts';
import {
  type Describe,
  type GroupVersionKind,
  type KindName,
  type OwnerReference,
  type Resource,
  kindText,
} from './resource.ts';
import type { Strategy } from './selector.ts';

/** What is asked of a store. It may give more than asked for: the pruner looks at everything again. */
export interface ListQuery {
  readonly kind: GroupVersionKind;
  /** All namespaces when it is not there. */
  readonly namespace?: string;
  /** A label selector as Kubernetes takes it. */
  readonly labels?: string;
  readonly signal?: AbortSignal;
}

/** Where the objects are. */
export interface Store<T> {
  /** An error on the way says that the list is not complete; then nothing of the kind is deleted. */
  list(query: ListQuery): AsyncIterable<T> | Iterable<T>;
  /** `absent` when it was gone already, which counts as success. */
  remove(object: T, signal?: AbortSignal): Promise<'deleted' | 'absent'>;
}

/** Which owner reference an object must have: one that has all of the given fields. */
export interface OwnerQuery {
  readonly uid?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly controller?: boolean | undefined;
}

/** Not called in a dry run. */
export interface PruneHooks<T> {
  /** May keep the object by a verdict that is not ok. When it throws, the object stays and counts as failed. */
  beforeDelete?(
    object: T,
    context: { readonly reason: string; readonly signal?: AbortSignal },
  ): Verdict | void | Promise<Verdict | void>;
  /** When it throws, the object is both in `deleted` (or `absent`) and in `failed`. */
  afterDelete?(
    object: T,
    context: {
      readonly reason: string;
      readonly result: 'deleted' | 'absent';
      readonly signal?: AbortSignal;
    },
  ): void | Promise<void>;
}

/** What is said of an object or of the run beside the message. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** `console` is one. */
export interface PruneLogger {
  /** One line per object that stays. */
  debug?(message: string, fields: LogFields): void;
  /** One line per object that goes, and one for the run. */
  info(message: string, fields: LogFields): void;
  /** What failed for one object. */
  warn(message: string, fields: LogFields): void;
  /** What failed for a kind or for the run. */
  error(message: string, fields: LogFields): void;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Tells a logger what a run does. A logger that fails must not stop a run half way. */
export class RunLog<T> {
  readonly #logger: PruneLogger | null;
  readonly #resources: ReadonlyMap<T, Resource>;

  constructor(logger: PruneLogger | null, resources: ReadonlyMap<T, Resource>) {
    this.#logger = logger;
    this.#resources = resources;
  }

  object(level: Level, message: string, object: T, reason: string): void {
    const { kind, namespace, name } = this.#resources.get(object)!;
    this.run(level, message, { kind: kindText(kind), namespace, name, reason });
  }

  run(level: Level, message: string, fields: LogFields): void {
    try {
      this.#logger?.[level]?.(message, fields);
    } catch {
      // There is nobody left to tell.
    }
  }
}

/** The type of the objects is that of the store; the rest has to fit. */
export interface PrunerOptions<T> {
  readonly store: Store<T>;
  readonly kinds: readonly KindName[];
  readonly strategy: Strategy<NoInfer<T>>;
  /** The time that ages are reckoned from. */
  readonly now: Date | (() => Date);
  /** What may go at all; `Registry.withDefaults()` when not given. It is read when a run comes to it. */
  readonly registry?: Registry | undefined;
  /** Kinds that may go although nothing is registered for them; true for all. */
  readonly allowUnregistered?: boolean | readonly KindName[] | undefined;
  /** Whether the strategy judges each kind by itself, as it does when not said, or all together. */
  readonly across?: 'each-kind' | 'all-kinds' | undefined;
  /** All when not given. Objects without a namespace are in none of them. */
  readonly namespaces?: readonly string[] | undefined;
  /** `app=web,env in (a, b)`, or labels that must all be there. */
  readonly labels?: string | Readonly<Record<string, string>> | undefined;
  readonly owner?: OwnerQuery | ((owners: readonly OwnerReference[]) => boolean) | undefined;
  /** The strategy sees what must not go as well, so that `keepNewest(5)` counts it; it stays all the same. */
  readonly countUnprunable?: boolean | undefined;
  /** Says what would go, and deletes nothing. */
  readonly dryRun?: boolean | undefined;
  /** How many objects are judged, and later deleted, at a time; 1 when not given. */
  readonly concurrency?: number | undefined;
  /** At most so many deletions are tried in one run, of the oldest. */
  readonly maxDeletes?: number | undefined;
  /** `stop`: after the first failure nothing more is deleted; one before any deletion, and nothing is. */
  readonly onError?: 'continue' | 'stop' | undefined;
  readonly hooks?: PruneHooks<NoInfer<T>> | undefined;
  readonly logger?: PruneLogger | undefined;
  /** How objects are read that are neither Kubernetes objects nor `Prunable`. */
  readonly describe?: Describe<NoInfer<T>> | undefined;
}
