import type { PrunableKinds } from './prunable-kinds.ts';
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

/** A store can return more than the query asks for: the pruner filters again. */
export interface ListQuery {
  readonly kind: GroupVersionKind;
  /** Defaults to all namespaces. */
  readonly namespace?: string;
  readonly labels?: string;
  readonly signal?: AbortSignal;
}

export interface Store<T> {
  /** An error means that the list is incomplete; then nothing of the kind is deleted. */
  list(query: ListQuery): AsyncIterable<T> | Iterable<T>;
  /** `absent` if the object no longer exists, which counts as success. */
  remove(object: T, signal?: AbortSignal): Promise<'deleted' | 'absent'>;
}

/** Matches an owner reference that has all given fields. */
export interface OwnerQuery {
  readonly uid?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly controller?: boolean | undefined;
}

/** Not called in a dry run. */
export interface PruneHooks<T> {
  /** A verdict that is not ok keeps the object. If it throws, the object stays and counts as failed. */
  beforeDelete?(
    object: T,
    context: { readonly reason: string; readonly signal?: AbortSignal },
  ): Verdict | void | Promise<Verdict | void>;
  /** If it throws, the object is in `failed` and also in `deleted` or `absent`. */
  afterDelete?(
    object: T,
    context: {
      readonly reason: string;
      readonly result: 'deleted' | 'absent';
      readonly signal?: AbortSignal;
    },
  ): void | Promise<void>;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** `console` is one. */
export interface PruneLogger {
  /** One line per object that stays. */
  debug?(message: string, fields: LogFields): void;
  /** One line per deleted object, and one for the run. */
  info(message: string, fields: LogFields): void;
  /** Failure of one object. */
  warn(message: string, fields: LogFields): void;
  /** Failure of a kind or the run. */
  error(message: string, fields: LogFields): void;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A logger that throws must not stop a run. */
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
      // No logger is left to report to.
    }
  }
}

/** The store determines the type of the objects. */
export interface PrunerOptions<T> {
  readonly store: Store<T>;
  readonly kinds: readonly KindName[];
  readonly strategy: Strategy<NoInfer<T>>;
  /** Reference time for ages. */
  readonly now: Date | (() => Date);
  /** Prunable kinds; default `PrunableKinds.withDefaults()`. Read when a run reaches the kind. */
  readonly registry?: PrunableKinds | undefined;
  /** Kinds to prune without a registered function; true for all. */
  readonly allowUnregistered?: boolean | readonly KindName[] | undefined;
  /** Judge each kind separately (default) or all together. */
  readonly across?: 'each-kind' | 'all-kinds' | undefined;
  /** Defaults to all. Objects without a namespace match none of them. */
  readonly namespaces?: readonly string[] | undefined;
  /** `app=web,env in (a, b)`, or an object of required labels. */
  readonly labels?: string | Readonly<Record<string, string>> | undefined;
  readonly owner?: OwnerQuery | ((owners: readonly OwnerReference[]) => boolean) | undefined;
  /** Show the strategy objects that must stay too, so that `keepNewest(5)` counts them. */
  readonly countUnprunable?: boolean | undefined;
  /** Report what would be deleted, and delete nothing. */
  readonly dryRun?: boolean | undefined;
  /** Objects judged, and later deleted, at a time; default 1. */
  readonly concurrency?: number | undefined;
  /** Maximum deletions per run, oldest first. */
  readonly maxDeletes?: number | undefined;
  /** `stop`: no deletion after the first failure, and none at all if it occurs before deletions start. */
  readonly onError?: 'continue' | 'stop' | undefined;
  readonly hooks?: PruneHooks<NoInfer<T>> | undefined;
  readonly logger?: PruneLogger | undefined;
  /** Reader for objects that are neither Kubernetes objects nor `Prunable`. */
  readonly describe?: Describe<NoInfer<T>> | undefined;
}
