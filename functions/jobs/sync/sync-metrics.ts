import type { MetricName } from '../../runtime/metrics.ts';
import type { FetchFailure } from '../../upstream/refusal.ts';
import type { SyncResult } from './run.ts';

const EGRESS_DENIED: FetchFailure = 'EgressDenied';

/** What a run is counted as. One that was stopped by hand is no fault, so it is kept apart from those that were skipped. */
export function syncMetrics(result: SyncResult): Partial<Record<MetricName, number>> {
  if (result.status === 'Skipped') {
    return result.reason === 'Stopped' ? { syncStopped: 1 } : { syncSkipped: 1 };
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
  };
}
