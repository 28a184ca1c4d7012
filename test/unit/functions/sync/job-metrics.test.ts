import { describe, expect, it } from 'vitest';
import type { PairState, RunRecord } from '../../../../functions/releases/sync-state.ts';
import { type SyncResult, syncMetrics } from '../../../../functions/sync/job.ts';
import type { PairResult } from '../../../../functions/sync/pair-result.ts';

const pairs = { published: 1, unchanged: 2, held: 3, failed: 4, skipped: 5 };

function done(outcome: RunRecord['outcome'], states: readonly Partial<PairState>[]): SyncResult {
  const results = states.map((state) => ({
    state: { error: null, payloadConflicts: [], ...state } as PairState,
  }));
  return {
    status: 'Done',
    record: { outcome, pairs, versionsAdded: 7 } as RunRecord,
    pairs: results as PairResult[],
    futureTimes: 0,
    unsupportedQueries: 0,
  };
}

describe('a run is counted', () => {
  it.each(['Succeeded', 'PartiallySucceeded', 'Failed'] as const)('as %s, with what it found', (outcome) => {
    expect(syncMetrics(done(outcome, [{}, {}]))).toEqual({
      syncSucceeded: 0,
      syncPartiallySucceeded: 0,
      syncFailed: 0,
      [`sync${outcome}`]: 1,
      pairsFollowed: 2,
      pairsHeld: 3,
      pairsFailed: 4,
      pairsSkipped: 5,
      egressRefused: 0,
      payloadConflicts: 0,
      versionsAdded: 7,
      riskQueriesUnsupported: 0,
    });
  });

  it('with the connections that were refused, and no other failures', () => {
    const failedWith = (code: string): Partial<PairState> => ({ error: { code, detail: '' } });
    const states = [failedWith('EgressDenied'), failedWith('ConnectFailed'), failedWith('EgressDenied'), {}];
    expect(syncMetrics(done('PartiallySucceeded', states))).toMatchObject({
      pairsFollowed: 4,
      egressRefused: 2,
    });
  });

  it('with every version whose payload changed', () => {
    const states = [{ payloadConflicts: ['4.14.1', '4.14.2'] }, { payloadConflicts: ['4.15.0'] }];
    expect(syncMetrics(done('Succeeded', states)).payloadConflicts).toBe(3);
  });

  it.each(['Missed', 'Concurrent', 'Superseded'] as const)('as skipped when it is %s', (reason) => {
    expect(syncMetrics({ status: 'Skipped', reason })).toEqual({ syncSkipped: 1 });
  });

  it('as a duplicate when its event came twice, which is not worth an alarm', () => {
    expect(syncMetrics({ status: 'Skipped', reason: 'Duplicate' })).toEqual({ syncDuplicates: 1 });
  });

  it('with the stored times in the future that it replaced', () => {
    const result = { ...done('Succeeded', []), futureTimes: 3 } as SyncResult;
    expect(syncMetrics(result)).toMatchObject({ futureTimes: 3 });
  });

  it('as stopped when an operator stopped it, without an alarm', () => {
    expect(syncMetrics({ status: 'Skipped', reason: 'Stopped' })).toEqual({ syncStopped: 1 });
  });
});
