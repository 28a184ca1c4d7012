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
