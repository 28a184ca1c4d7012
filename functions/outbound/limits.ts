/** Cost limits of a fetch. Tests shorten the times. */
export const FETCH_LIMITS = {
  /** DNS, TCP and TLS together. */
  connectMs: 3_000,
  headersMs: 10_000,
  /** Longest silence within a body. */
  idleMs: 5_000,
  /** All attempts for one graph, with their waits. An idle limit alone fails against a byte now and then. */
  totalMs: 30_000,
  headerBytes: 16 * 1024,
  wireBytes: 8 * 1024 * 1024,
  inflatedBytes: 32 * 1024 * 1024,
  /** Inflated bytes per wire byte, enforced above `ratioFreeBytes`. */
  ratio: 200,
  ratioFreeBytes: 64 * 1024,
  attempts: 3,
  backoffBaseMs: 500,
  backoffCapMs: 5_000,
  /** Consecutive connection failures or timeouts after which the upstream counts as down. */
  breakerFailures: 8,
};

export type FetchLimits = Readonly<typeof FETCH_LIMITS>;

/** Full jitter, from zero to the doubled base: callers that failed together retry at different times. */
export function backoffMs(
  attempt: number,
  limits: Pick<FetchLimits, 'backoffBaseMs' | 'backoffCapMs'>,
  random: () => number,
): number {
  return random() * Math.min(limits.backoffCapMs, limits.backoffBaseMs * 2 ** (attempt - 1));
}

/** Parses seconds or a date; 0 if missing or invalid. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number {
  if (typeof header !== 'string') return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(header)
    ? Date.parse(header)
    : NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
