export interface Judged<T> {
  readonly object: T;
  readonly reason: string;
}

export type FailedStage = 'is-prunable' | 'before-delete' | 'delete' | 'after-delete';

export interface Failed<T> extends Judged<T> {
  readonly stage: FailedStage;
  readonly error: unknown;
}

/** Incomplete list; nothing of its kind is deleted. */
export interface ListProblem {
  readonly kind: string;
  /** Null if all namespaces were listed. */
  readonly namespace: string | null;
  readonly stage: 'list';
  readonly error: unknown;
}

/**
 * Every examined object is in `skipped`, `kept` or `selected`. Every selected one is in `deleted`, `absent` or
 * `notTried`, or failed before its deletion. Lists are in order of deletion: oldest first, then by kind, namespace,
 * name.
 */
export interface PruneReport<T> {
  readonly dryRun: boolean;
  /** `incomplete`: something failed, or selected objects are left for another run. */
  readonly outcome: 'completed' | 'incomplete' | 'aborted';
  /** Each object counts once. */
  readonly examined: number;
  /** Objects that the store listed outside of kinds, namespaces, labels or owner. */
  readonly filtered: number;
  /** Protected, with the reason. */
  readonly skipped: readonly Judged<T>[];
  readonly kept: readonly Judged<T>[];
  readonly selected: readonly Judged<T>[];
  readonly deleted: readonly Judged<T>[];
  /** No longer existed at deletion. */
  readonly absent: readonly Judged<T>[];
  /** Selected but left: dry run, limit, abort, stop, or a hook's refusal. */
  readonly notTried: readonly Judged<T>[];
  readonly failed: readonly Failed<T>[];
  readonly problems: readonly ListProblem[];
}

/** The strategy failed or returned objects it was not given. Nothing was deleted. */
export class PruneError<T = unknown> extends Error {
  override readonly name = 'PruneError';
  readonly report: PruneReport<T>;

  constructor(message: string, report: PruneReport<T>, options: { readonly cause: unknown }) {
    super(message, options);
    this.report = report;
  }
}

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Decides if an object can be deleted at all. If it throws, the object stays and counts as failed. */
export type IsPrunable<T> = (object: T, context: { readonly now: Date }) => Verdict | Promise<Verdict>;

export const PRUNABLE: Verdict = { ok: true };

export function notPrunable(reason: string): Verdict {
  return { ok: false, reason };
}

/** Untyped code can return anything; an invalid verdict must not delete. */
export function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  return value.ok === true || (value.ok === false && 'reason' in value && typeof value.reason === 'string');
}
