import type { FetchFailure } from './refusal.ts';

const HOST_FAILURES: ReadonlySet<FetchFailure> = new Set(['ConnectFailed', 'TimedOut', 'TlsRefused']);

export interface Breaker {
  isOpen(): boolean;
  /** Takes the outcome of one call: null is success. */
  record(failure: FetchFailure | null): void;
  reset(): void;
}

/**
 * Counts calls in a row that did not get through to the host. Once open it stays open: a run of the sync is short, and
 * the next one starts with a new instance.
 */
export function createBreaker(limit: number): Breaker {
  let failuresInARow = 0;
  const isOpen = (): boolean => failuresInARow >= limit;
  return {
    isOpen,
    record(failure) {
      // Calls that were under way when it opened do not close it again, nor does a call that never left.
      if (isOpen() || failure === 'Aborted' || failure === 'EgressDenied') return;
      failuresInARow = failure !== null && HOST_FAILURES.has(failure) ? failuresInARow + 1 : 0;
    },
    reset() {
      failuresInARow = 0;
    },
  };
}
