import type { ChannelFacts } from '@cairn/shared/graph/channel-index';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import type { ChannelRisks } from '@cairn/shared/risk/risk-index';
import type { PairState, RunRecord } from '../releases/sync-state.ts';
import type { CairnEvent } from '../runtime/events.ts';
import type { SyncRun } from './run.ts';

const DETAIL_LENGTH = 300;

export interface PairResult {
  readonly pair: ConfigPair;
  readonly state: PairState;
  readonly versionsAdded: readonly string[];
  readonly events: readonly CairnEvent[];
  /** Facts of the graph that this run published. */
  readonly facts?: ChannelFacts;
  readonly risks?: ChannelRisks;
}

export interface PairAttempt {
  readonly run: SyncRun;
  readonly pair: ConfigPair;
  /** State after the previous run. */
  readonly before: PairState | undefined;
}

interface PairError {
  readonly code: string;
  readonly detail: string;
}

export function failed(attempt: PairAttempt, { code, detail }: PairError): PairResult {
  const error = { code, detail: detail.slice(0, DETAIL_LENGTH) };
  return pairResult(attempt, { outcome: 'Failed', error });
}

export function skipped(attempt: PairAttempt, error: PairError): PairResult {
  return pairResult(attempt, {
    outcome: 'Skipped',
    error,
    lastAttemptAt: attempt.before?.lastAttemptAt ?? '',
  });
}

/** Applies the change to the former state of the pair. */
export function pairResult(
  { run, pair, before }: PairAttempt,
  change: Partial<PairState> & Pick<PairState, 'outcome'>,
  more: Partial<Pick<PairResult, 'events' | 'versionsAdded' | 'facts' | 'risks'>> = {},
): PairResult {
  const state: PairState = {
    revision: null,
    followedSince: run.slot,
    lastSuccessAt: null,
    lastChangeAt: null,
    nodes: 0,
    edges: 0,
    error: null,
    held: null,
    missing: {},
    repairs: [],
    payloadConflicts: [],
    ...before,
    lastAttemptAt: run.slot,
    ...change,
  };
  return { pair, state, versionsAdded: [], events: [], ...more };
}

export const STOPPED = 'Stopped';

export function isStopped({ state }: PairResult): boolean {
  return state.outcome === 'Skipped' && state.error?.code === STOPPED;
}

/** A pair skipped because the sync is stopped is not a failure. */
export function outcomeOf(results: readonly PairResult[], notes: readonly string[]): RunRecord['outcome'] {
  const good = results.filter(
    (result) =>
      result.state.outcome === 'Published' || result.state.outcome === 'Unchanged' || isStopped(result),
  ).length;
  if (good === results.length) return notes.length === 0 ? 'Succeeded' : 'PartiallySucceeded';
  return good > 0 ? 'PartiallySucceeded' : 'Failed';
}

export function countOutcomes(results: readonly PairResult[]): RunRecord['pairs'] {
  const count = (outcome: PairState['outcome']) =>
    results.filter(({ state }) => state.outcome === outcome).length;
  return {
    published: count('Published'),
    unchanged: count('Unchanged'),
    held: count('Held'),
    failed: count('Failed'),
    skipped: count('Skipped'),
  };
}
