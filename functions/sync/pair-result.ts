import type { ChannelFacts } from '@cairn/shared/graph/channel-index';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import type { CairnEvent } from '../runtime/events.ts';
import type { PairState, RunRecord } from '../releases/sync-state.ts';
import type { SyncRun } from './run.ts';

const DETAIL_LENGTH = 300;

export interface PairResult {
  readonly pair: ConfigPair;
  readonly state: PairState;
  readonly versionsAdded: readonly string[];
  readonly events: readonly CairnEvent[];
  /** Of the graph that this run published. */
  readonly facts?: ChannelFacts;
}

export function failed(
  run: SyncRun,
  pair: ConfigPair,
  before: PairState | undefined,
  error: { code: string; detail: string },
): PairResult {
  const detail = error.detail.slice(0, DETAIL_LENGTH);
  return pairResult(run, pair, before, { outcome: 'Failed', error: { code: error.code, detail } });
}

export function skipped(
  run: SyncRun,
  pair: ConfigPair,
  before: PairState | undefined,
  code: string,
  detail: string,
): PairResult {
  return pairResult(run, pair, before, {
    outcome: 'Skipped',
    error: { code, detail },
    lastAttemptAt: before?.lastAttemptAt ?? '',
  });
}

/** The state of a pair after this run: what it was before, but for what changed. */
export function pairResult(
  run: SyncRun,
  pair: ConfigPair,
  before: PairState | undefined,
  change: Partial<PairState> & Pick<PairState, 'outcome'>,
  more: Partial<Pick<PairResult, 'events' | 'versionsAdded' | 'facts'>> = {},
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

/** That it was stopped is no failure. */
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
