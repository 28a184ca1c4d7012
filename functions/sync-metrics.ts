import type { MetricName } from './runtime/names.ts';
import type { FetchFailure } from './outbound/failures.ts';
import type { SyncResult } from './sync/job.ts';

const EGRESS_DENIED: FetchFailure = 'EgressDenied';

/** What a run is counted as. One that was stopped by hand or came twice is no fault: it does not count as skipped. */
export function syncMetrics(result: SyncResult): Partial<Record<MetricName, number>> {
  if (result.status === 'Skipped') {
    const { reason } = result;
    if (reason === 'Duplicate') return { syncDuplicates: 1 };
    return reason === 'Stopped' ? { syncStopped: 1 } : { syncSkipped: 1 };
  }
  const { outcome, pairs, versionsAdded } = result.record;
  return {
    // Noughts as well: an alarm reckons with all three of them.
    syncSucceeded: Number(outcome === 'Succeeded'),
    syncPartiallySucceeded: Number(outcome === 'PartiallySucceeded'),
    syncFailed: Number(outcome === 'Failed'),
    pairsFollowed: result.pairs.length,
    pairsHeld: pairs.held,
    pairsFailed: pairs.failed,
    pairsSkipped: pairs.skipped,
    egressRefused: result.pairs.filter(({ state }) => state.error?.code === EGRESS_DENIED).length,
    payloadConflicts: result.pairs.reduce((sum, { state }) => sum + state.payloadConflicts.length, 0),
    versionsAdded,
    ...(result.futureTimes > 0 && { futureTimes: result.futureTimes }),
  };
}
