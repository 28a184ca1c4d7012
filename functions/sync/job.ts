import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { pairName } from '@cairn/shared/releases/channel';
import { type ConfigPair, configPairs } from '@cairn/shared/releases/sources';
import { messageOf } from '@cairn/shared/text/quote';
import { ARCHES } from '@cairn/shared/version/arch';
import {
  type Ended,
  type HeldLease,
  type LeasedJob,
  LeaseLost,
  runUnderLease,
  type SkippedJob,
} from '../jobs/run-under-lease.ts';
import type { FetchFailure } from '../outbound/failures.ts';
import {
  futureTimesOfState,
  type RunRecord,
  type SyncState,
  syncStateCodec,
  withoutFutureTimes,
} from '../releases/sync-state.ts';
import type { CairnEvent } from '../runtime/events.ts';
import type { MetricName } from '../runtime/names.ts';
import { PUBLICATION_NAME, SYNC_STATE_KEY } from '../store/keys.ts';
import { type PublicationHead, readHeads } from '../store/published.ts';
import type { RunTrigger } from '../store/run-records.ts';
import { followChannel } from './follow-channel.ts';
import {
  failed,
  type PairResult,
  skipped,
  STOPPED,
  isStopped,
  outcomeOf,
  countOutcomes,
} from './pair-result.ts';
import { updateRiskIndex } from './publish-risks.ts';
import { fencePublications, updateChannelIndexes, updateReadModel } from './read-model.ts';
import { ReleaseRows } from './release-rows.ts';
import { type SyncDependencies, SYNC_LIMITS, type SyncLimits, type SyncRun, revisionCounter } from './run.ts';

export interface SyncRequest {
  readonly scheduledTime: string;
  readonly trigger: RunTrigger;
  /** Pairs whose held graph an operator accepts. */
  readonly accept?: readonly string[];
}

export type SyncResult = SkippedJob | SyncDone;

interface SyncDone {
  readonly status: 'Done';
  readonly record: RunRecord;
  readonly pairs: readonly PairResult[];
  /** Stored times in the future that this run replaced. */
  readonly futureTimes: number;
  /** Queries of risks that cannot be evaluated; null if the index of risks failed. */
  readonly unsupportedQueries: number | null;
}

const UNDELIVERED_KEPT = 100;
const FUTURE_TIMES_LOGGED = 5;

/** Follows every pair once. The next run completes an interrupted one. */
export async function runSync(dependencies: SyncDependencies, request: SyncRequest): Promise<SyncResult> {
  const limits = { ...SYNC_LIMITS, ...dependencies.limits };
  const { trigger } = request;
  const slot = new Date(request.scheduledTime).toISOString();
  const job: LeasedJob<SyncState, SyncDone> = {
    name: 'sync',
    key: SYNC_STATE_KEY,
    leaseMs: limits.leaseMs,
    stoppedBy: 'sync',
    startingDeadlineMs: limits.startingDeadlineMs,
    state: syncStateCodec,
    run: (lease) => runRound(dependencies, { ...request, slot }, limits, lease),
  };
  const result = await runUnderLease(dependencies, { slot, trigger }, job);
  if (result.status === 'Done') dependencies.log.info('sync finished', { ...result.record });
  return result;
}

async function runRound(
  dependencies: SyncDependencies,
  request: SyncRequest & { readonly slot: string },
  limits: SyncLimits,
  lease: HeldLease<SyncState>,
): Promise<Ended<SyncState, SyncDone>> {
  const { slot } = request;
  const { token, startedAt, switches } = lease;
  const futureTimes = [...lease.futureTimes, ...futureTimesOfState(lease.state, startedAt)];
  if (futureTimes.length > 0) {
    const examples = futureTimes.slice(0, FUTURE_TIMES_LOGGED);
    dependencies.log.warn('stored times in the future', { slot, times: futureTimes.length, examples });
  }
  const before = withoutFutureTimes(lease.state, slot, Math.max(startedAt, Date.parse(slot)));
  const upstream = dependencies.upstream.open();
  const nextRevision = revisionCounter(token);
  const run: SyncRun = { dependencies, limits, switches, upstream, slot, token, nextRevision };
  try {
    const { state, ...done } = await follow(run, request, before, startedAt);
    const result: SyncDone = { status: 'Done', ...done, futureTimes: futureTimes.length };
    return { kind: 'done', state, result };
  } finally {
    await upstream.close();
  }
}

async function follow(run: SyncRun, request: SyncRequest, before: SyncState, startedAt: number) {
  const { dependencies, slot, limits } = run;
  const pairs = configPairs(dependencies.config);
  const heads = await readOwnHeads(run, pairs, before);
  const rows = new ReleaseRows(dependencies.table, limits);
  const round: Round = { run, rows, heads, before, accept: new Set(request.accept), startedAt };
  const results = await followChannels(round, pairs);
  const states = Object.fromEntries(results.map((result) => [nameOf(result.pair), result.state]));

  const notes: string[] = [];
  /** Adds a note about the failure; a lost lease ends the run. */
  const noteFailure = (what: string) => (error: unknown) => {
    if (error instanceof LeaseLost) throw error;
    dependencies.log.error(`${what} update failed`, { slot, error });
    notes.push(`${what} not updated: ${messageOf(error)}`);
    return null;
  };
  const readModel = (await updateReadModel(run, rows, { heads, pairs: states, before }).catch(
    noteFailure('catalogue'),
  )) ?? { retired: before.retired, retirementHeld: before.retirementHeld, catalogueInputs: null };
  const stopped = results.filter(isStopped);
  if (stopped.length > 0) notes.push(`${stopped.length} channels were not asked: the sync was stopped`);
  if (readModel.retirementHeld) notes.push(readModel.retirementHeld);
  // Before the indexes: clusters are reassessed when those change, with the risks of the new graphs.
  const riskIndex = await updateRiskIndex(run, heads, results, before.riskRevision).catch(
    noteFailure('risk index'),
  );
  const indexRevisions =
    (await updateChannelIndexes(run, heads, results, before.indexRevisions).catch(
      noteFailure('channel index'),
    )) ?? before.indexRevisions;
  const undelivered = await deliver(run, [
    ...(before.undelivered as CairnEvent[]),
    ...results.flatMap((result) => result.events),
  ]);
  if (undelivered.length > 0) notes.push(`${undelivered.length} events not delivered yet`);

  const record: RunRecord = {
    slot,
    trigger: request.trigger,
    outcome: outcomeOf(results, notes),
    durationMs: dependencies.clock() - startedAt,
    pairs: countOutcomes(results),
    versionsAdded: countVersionsAdded(results),
    notes,
  };
  const state: SyncState = {
    finishedBy: run.token,
    upstream: { kind: dependencies.upstream.kind, url: dependencies.upstream.url },
    pairs: states,
    runs: [record, ...before.runs].slice(0, limits.runsKept),
    ...readModel,
    indexRevisions,
    riskRevision: riskIndex?.revision ?? before.riskRevision,
    undelivered: undelivered.slice(-UNDELIVERED_KEPT),
  };
  return { state, pairs: results, record, unsupportedQueries: riskIndex?.unsupportedQueries ?? null };
}

/** Fences every publication that a run may write, and returns the heads. */
async function readOwnHeads(run: SyncRun, pairs: readonly ConfigPair[], before: SyncState) {
  const found = await readHeads(run.dependencies.table, [
    ...pairs.map((pair) => PUBLICATION_NAME.graph(pair.channel, pair.arch)),
    ...ARCHES.map((arch) => PUBLICATION_NAME.channelIndex(arch)),
    PUBLICATION_NAME.catalogue,
    PUBLICATION_NAME.configuration,
    PUBLICATION_NAME.risks,
  ]);
  return fencePublications(run, pairs, found, before);
}

interface Round {
  readonly run: SyncRun;
  readonly rows: ReleaseRows;
  readonly heads: ReadonlyMap<string, PublicationHead>;
  readonly before: SyncState;
  readonly accept: ReadonlySet<string>;
  readonly startedAt: number;
}

/** Follows the pairs with the oldest attempt first, so that interrupted runs starve no pair. */
async function followChannels(round: Round, pairs: readonly ConfigPair[]): Promise<PairResult[]> {
  const { dependencies, limits } = round.run;
  const lastAttempt = (pair: ConfigPair) => round.before.pairs[nameOf(pair)]?.lastAttemptAt ?? '';
  const order = pairs.toSorted((a, b) =>
    lastAttempt(a) < lastAttempt(b) ? -1 : lastAttempt(a) > lastAttempt(b) ? 1 : 0,
  );
  let done = 0;
  let lost: LeaseLost | null = null;
  const results = await mapConcurrent(order, limits.pairsAtOnce, async (pair) => {
    // Start no more pairs after the lease is lost.
    if (lost) throw lost;
    const result = await followOne(round, pair).catch((error: unknown) => {
      if (error instanceof LeaseLost) lost = error;
      throw error;
    });
    done++;
    const { outcome } = result.state;
    dependencies.onPair?.({ done, total: pairs.length, pair: nameOf(pair), outcome });
    return result;
  });
  return results.toSorted((a, b) => pairs.indexOf(a.pair) - pairs.indexOf(b.pair));
}

async function followOne(round: Round, pair: ConfigPair): Promise<PairResult> {
  const { run, rows, heads, before, accept, startedAt } = round;
  const { dependencies, limits, switches } = run;
  const name = nameOf(pair);
  const attempt = { run, pair, before: before.pairs[name] };
  if (dependencies.clock() - startedAt > limits.beginPairsForMs) {
    const detail = 'the run had no time left, the next one begins with this pair';
    return skipped(attempt, { code: 'OutOfTime', detail });
  }
  try {
    const stop = await switches.get('sync');
    if (stop !== null) {
      return skipped(attempt, { code: STOPPED, detail: `the sync is stopped: ${stop.reason}` });
    }
    const head = heads.get(PUBLICATION_NAME.graph(pair.channel, pair.arch));
    return await followChannel({ ...attempt, rows, head, acceptedByHand: accept.has(name) });
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    dependencies.log.error('pair failed', { pair: name, error });
    return failed(attempt, { code: 'InternalError', detail: messageOf(error) });
  }
}

/** Counts a version once if two channels of a minor add it in the same run. */
function countVersionsAdded(results: readonly PairResult[]): number {
  const added = results.flatMap(({ pair, versionsAdded }) =>
    versionsAdded.map((version) => `${version}/${pair.arch}`),
  );
  return new Set(added).size;
}

async function deliver(run: SyncRun, events: readonly CairnEvent[]): Promise<readonly CairnEvent[]> {
  if (events.length === 0) return [];
  try {
    return await run.dependencies.events.publish(events);
  } catch (error) {
    // The changes are already published: keep the events in the state for the next run.
    run.dependencies.log.error('event delivery failed', { slot: run.slot, error });
    return events;
  }
}

const nameOf = ({ channel, arch }: ConfigPair): string => pairName(channel, arch);

const EGRESS_DENIED: FetchFailure = 'EgressDenied';

/** A stopped or duplicate run is not a fault and does not count as skipped. */
export function syncMetrics(result: SyncResult): Partial<Record<MetricName, number>> {
  if (result.status === 'Skipped') {
    const { reason } = result;
    if (reason === 'Duplicate') return { syncDuplicates: 1 };
    return reason === 'Stopped' ? { syncStopped: 1 } : { syncSkipped: 1 };
  }
  const { outcome, pairs, versionsAdded } = result.record;
  return {
    // Emit zeros too: an alarm computes with all three.
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
    ...(result.unsupportedQueries !== null && { riskQueriesUnsupported: result.unsupportedQueries }),
  };
}
