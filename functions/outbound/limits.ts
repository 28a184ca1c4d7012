/** Everything a fetch may cost. Tests shorten the times; production runs with `FETCH_LIMITS`. */
export interface FetchLimits {
  /** Name look-up, TCP and TLS together. */
  readonly connectMs: number;
  readonly headersMs: number;
  /** The longest silence inside a body. */
  readonly idleMs: number;
  /** All attempts at one graph and the waits between them. An idle time alone is defeated by a byte now and then. */
  readonly totalMs: number;
  readonly headerBytes: number;
  readonly wireBytes: number;
  readonly inflatedBytes: number;
  /** Inflated bytes per wire byte, looked at once more than `ratioFreeBytes` came out. */
  readonly ratio: number;
  readonly ratioFreeBytes: number;
  readonly attempts: number;
  readonly backoffBaseMs: number;
  readonly backoffCapMs: number;
  /** Calls in a row that could not connect or timed out, after which the upstream counts as down. */
  readonly breakerFailures: number;
}

export const FETCH_LIMITS: FetchLimits = {
  connectMs: 3_000,
  headersMs: 10_000,
  idleMs: 5_000,
  totalMs: 30_000,
  headerBytes: 16 * 1024,
  wireBytes: 8 * 1024 * 1024,
  inflatedBytes: 32 * 1024 * 1024,
  ratio: 200,
  ratioFreeBytes: 64 * 1024,
  attempts: 3,
  backoffBaseMs: 500,
  backoffCapMs: 5_000,
  breakerFailures: 8,
};

/** Full jitter: anywhere between nothing and the doubled base, so that callers who failed together come back apart. */
export function backoffMs(
  attempt: number,
  limits: Pick<FetchLimits, 'backoffBaseMs' | 'backoffCapMs'>,
  random: () => number,
): number {
  return random() * Math.min(limits.backoffCapMs, limits.backoffBaseMs * 2 ** (attempt - 1));
}

/** What a Retry-After header asks for, in seconds or as a date; 0 when there is none or it makes no sense. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number {
  if (typeof header !== 'string') return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(header)
    ? Date.parse(header)
    : NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
