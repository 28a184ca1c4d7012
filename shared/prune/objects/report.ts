/** An object and why it is where it stands in the report. */
export interface Judged<T> {
  readonly object: T;
  readonly reason: string;
}

export type FailedStage = 'is-prunable' | 'before-delete' | 'delete' | 'after-delete';

export interface Failed<T> extends Judged<T> {
  readonly stage: FailedStage;
  readonly error: unknown;
}

/** A list that did not come to its end; nothing of its kind is deleted. */
export interface ListProblem {
  readonly kind: string;
  /** Null when all namespaces were asked for. */
  readonly namespace: string | null;
  readonly stage: 'list';
  readonly error: unknown;
}

/**
 * What a run found and did. Every examined object is in one of `skipped`, `kept` and `selected`; every selected one is in
 * one of `deleted`, `absent` and `notTried`, or failed before it was deleted. All lists are in the order of deletion:
 * oldest first, ties by kind, namespace, name.
 */
export interface PruneReport<T> {
  readonly dryRun: boolean;
  /** `incomplete`: something failed, or what was selected is left for another run. */
  readonly outcome: 'completed' | 'incomplete' | 'aborted';
  /** How many objects were looked at, each once. */
  readonly examined: number;
  /** How many the store listed besides, which are outside of kinds, namespaces, labels or owner. */
  readonly filtered: number;
  /** Protected, with why. */
  readonly skipped: readonly Judged<T>[];
  /** The strategy left them. */
  readonly kept: readonly Judged<T>[];
  /** What the strategy takes. */
  readonly selected: readonly Judged<T>[];
  readonly deleted: readonly Judged<T>[];
  /** Gone already when it came to deleting them. */
  readonly absent: readonly Judged<T>[];
  /** Selected and left: dry run, cap, abort, stop, or a hook that said no. */
  readonly notTried: readonly Judged<T>[];
  readonly failed: readonly Failed<T>[];
  readonly problems: readonly ListProblem[];
}

/** The strategy failed or gave back what it was not given. Nothing at all was deleted. */
export class PruneError<T = unknown> extends Error {
  override readonly name = 'PruneError';
  /** What was found out until then. */
  readonly report: PruneReport<T>;

  constructor(message: string, report: PruneReport<T>, options: { readonly cause: unknown }) {
    super(message, options);
    this.report = report;
  }
}

/** Whether an object may go, and if not, why. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Looks at one object and says whether it may go at all, whatever the strategy wants. When it throws, the object stays
 * and is reported as failed.
 */
export type IsPrunable<T> = (object: T, context: { readonly now: Date }) => Verdict | Promise<Verdict>;

export const PRUNABLE: Verdict = { ok: true };

export function notPrunable(reason: string): Verdict {
  return { ok: false, reason };
}

/** A program without types may return anything, and what is not understood must not delete. */
export function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  return value.ok === true || (value.ok === false && 'reason' in value && typeof value.reason === 'string');
}

/** Whether what has failed may go. */
export const FAILED_RULES = ['keep', 'prune'] as const;
