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
