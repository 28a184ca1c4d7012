import { randomUUID } from 'node:crypto';
import { allDone } from '@cairn/shared/collection/map-concurrent';
import { type ConfigPair, configPairs } from '@cairn/shared/releases/sources';
import { messageOf } from '@cairn/shared/text/quote';
import { ARCHES } from '@cairn/shared/version/arch';
import pLimit from 'p-limit';
import type { FetchFailure } from '../outbound/failures.ts';
import {
  acquireSyncLease,
  finishSyncRun,
  releaseSyncLease,
  type RunRecord,
  type SyncState,
  withoutFutureTimes,
} from '../releases/sync-state.ts';
import type { CairnEvent } from '../runtime/events.ts';
import type { MetricName } from '../runtime/names.ts';
import { DOCUMENT, SYNC_STATE_KEY } from '../store/keys.ts';
import { recordSkip } from '../store/leases.ts';
import { type DocumentHead, readHeads } from '../store/published.ts';
import type { RunTrigger } from '../store/run-records.ts';
import { SwitchReader } from '../switches/store.ts';
import { updateChannelIndexes } from './channel-index.ts';
import { followPair } from './follow-channel.ts';
import {
  failed,
  type PairResult,
  skipped,
  STOPPED,
  isStopped,
  outcomeOf,
  countOutcomes,
} from './pair-result.ts';
import { claimHeads, updateReadModel } from './read-model.ts';
import { ReleaseRows } from './release-rows.ts';
import { type SyncDependencies, SYNC_LIMITS, type SyncRun, revisionCounter, LeaseLost } from './run.ts';

export interface SyncRequest {
  readonly scheduledTime: string;
  readonly trigger: RunTrigger;
  /** Pairs whose held answer an operator takes as true. */
  readonly accept?: readonly string[];
}

export type SyncResult =
  | {
      readonly status: 'Skipped';
      readonly reason: 'Missed' | 'Duplicate' | 'Concurrent' | 'Superseded' | 'Stopped';
    }
  | {
      readonly status: 'Done';
      readonly record: RunRecord;
      readonly pairs: readonly PairResult[];
      /** Stored times that lay in the future, which this run replaced. */
      readonly futureTimes: number;
    };

const UNDELIVERED_KEPT = 100;
const FUTURE_TIMES_LOGGED = 5;

/** One round over every followed pair. A duplicate event is only noted; a run that dies leaves nothing that the next one cannot complete. */
export async function runSync(dependencies: SyncDependencies, request: SyncRequest): Promise<SyncResult> {
  const { table, log, clock } = dependencies;
  const limits = { ...SYNC_LIMITS, ...dependencies.limits };
  const { trigger } = request;
  const slot = new Date(request.scheduledTime).toISOString();
  const startedAt = clock();
  const skip = async (reason: Extract<SyncResult, { status: 'Skipped' }>['reason']): Promise<SyncResult> => {
    // EventBridge delivers some events twice.
    log[reason === 'Duplicate' ? 'info' : 'warn']('sync skipped', { slot, trigger, reason });
    await recordSkip(table, SYNC_STATE_KEY, { slot, trigger, reason });
    return { status: 'Skipped', reason };
  };

  if (trigger === 'schedule' && startedAt - Date.parse(slot) > limits.startingDeadlineMs) {
    return skip('Missed');
  }
  const switches = new SwitchReader(table, clock);
  if ((await switches.get('sync')) !== null) return skip('Stopped');
  const lease = await acquireSyncLease(table, {
    slot,
    byHand: trigger === 'manual',
    owner: randomUUID(),
    now: startedAt,
    durationMs: limits.leaseMs,
  });
  if (!lease.acquired) return skip(lease.reason);

  const { token, done, future } = lease;
  if (future.length > 0) {
    const examples = future.slice(0, FUTURE_TIMES_LOGGED);
    log.warn('stored times lie in the future', { slot, times: future.length, examples });
  }
  const book = withoutFutureTimes(lease.book, slot, Math.max(startedAt, Date.parse(slot)));
  const upstream = dependencies.upstream.open();
  const nextRevision = revisionCounter(token);
  const run: SyncRun = { dependencies, limits, switches, upstream, slot, token, nextRevision };
  try {
    const { next, results, record } = await follow(run, request, book, startedAt);
    if (!(await finishSyncRun(table, { token, done, book: next }))) return skip('Superseded');
    log.info('sync finished', { ...record });
    return { status: 'Done', record, pairs: results, futureTimes: future.length };
  } catch (error) {
    await releaseSyncLease(table, { token }).catch((releaseError: unknown) => {
      log.error('lease not released, the next run waits for its end', { slot, error: releaseError });
    });
    if (!(error instanceof LeaseLost)) throw error;
    log.warn('another run took over', { slot, error });
    return skip('Superseded');
  } finally {
    await upstream.close();
  }
}

async function follow(run: SyncRun, request: SyncRequest, book: SyncState, startedAt: number) {
  const { dependencies, slot, limits } = run;
  const pairs = configPairs(dependencies.config);
  const heads = await readOwnHeads(run, pairs, book);
  const rows = new ReleaseRows(dependencies.table, limits);
  const round: Round = { run, rows, heads, book, accept: new Set(request.accept), startedAt };
  const results = await followPairs(round, pairs);
  const states = Object.fromEntries(results.map((result) => [nameOf(result.pair), result.state]));

  const notes: string[] = [];
  /** Notes what failed, unless another run has taken over. */
  const noteFailure = (what: string) => (error: unknown) => {
    if (error instanceof LeaseLost) throw error;
    dependencies.log.error(`${what} not updated`, { slot, error });
    notes.push(`${what} not updated: ${messageOf(error)}`);
    return null;
  };
  const readModel = (await updateReadModel(run, rows, { heads, pairs: states, before: book }).catch(
    noteFailure('catalogue'),
  )) ?? { retired: book.retired, retirementHeld: book.retirementHeld, catalogueInputs: null };
  const stopped = results.filter(isStopped);
  if (stopped.length > 0) notes.push(`${stopped.length} channels were not asked: the sync was stopped`);
  if (readModel.retirementHeld) notes.push(readModel.retirementHeld);
  const indexRevisions =
    (await updateChannelIndexes(run, heads, results, book.indexRevisions).catch(
      noteFailure('channel index'),
    )) ?? book.indexRevisions;
  const undelivered = await deliver(run, [
    ...(book.undelivered as CairnEvent[]),
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
  const next: SyncState = {
    finishedBy: run.token,
    upstream: { kind: dependencies.upstream.kind, url: dependencies.upstream.url },
    pairs: states,
    runs: [record, ...book.runs].slice(0, limits.runsKept),
    ...readModel,
    indexRevisions,
    undelivered: undelivered.slice(-UNDELIVERED_KEPT),
  };
  return { next, results, record };
}

/** The heads of every document that a run may write, claimed for this one. */
async function readOwnHeads(run: SyncRun, pairs: readonly ConfigPair[], book: SyncState) {
  const found = await readHeads(run.dependencies.table, [
    ...pairs.map((pair) => DOCUMENT.graph(pair.channel, pair.arch)),
    ...ARCHES.map((arch) => DOCUMENT.channelIndex(arch)),
    DOCUMENT.catalogue,
    DOCUMENT.configuration,
  ]);
  return claimHeads(run, pairs, found, book);
}

/** What every pair of a run is followed with. */
interface Round {
  readonly run: SyncRun;
  readonly rows: ReleaseRows;
  readonly heads: ReadonlyMap<string, DocumentHead>;
  readonly book: SyncState;
  readonly accept: ReadonlySet<string>;
  readonly startedAt: number;
}

/** At most a few at once, those asked longest ago first, so that a run that is cut short starves nobody. */
async function followPairs(round: Round, pairs: readonly ConfigPair[]): Promise<PairResult[]> {
  const { dependencies, limits } = round.run;
  const limit = pLimit(limits.pairsAtOnce);
  const lastAttempt = (pair: ConfigPair) => round.book.pairs[nameOf(pair)]?.lastAttemptAt ?? '';
  const order = pairs.toSorted((a, b) =>
    lastAttempt(a) < lastAttempt(b) ? -1 : lastAttempt(a) > lastAttempt(b) ? 1 : 0,
  );
  let done = 0;
  let lost: LeaseLost | null = null;
  const results = await allDone(
    order.map((pair) =>
      limit(async () => {
        // Those that have not begun need not.
        if (lost) throw lost;
        const result = await followOne(round, pair).catch((error: unknown) => {
          if (error instanceof LeaseLost) lost = error;
          throw error;
        });
        done++;
        const { outcome } = result.state;
        dependencies.onPair?.({ done, total: pairs.length, pair: nameOf(pair), outcome });
        return result;
      }),
    ),
  );
  return results.toSorted((a, b) => pairs.indexOf(a.pair) - pairs.indexOf(b.pair));
}

async function followOne(round: Round, pair: ConfigPair): Promise<PairResult> {
  const { run, rows, heads, book, accept, startedAt } = round;
  const { dependencies, limits, switches } = run;
  const name = nameOf(pair);
  const attempt = { run, pair, before: book.pairs[name] };
  if (dependencies.clock() - startedAt > limits.beginPairsForMs) {
    const detail = 'the run had no time left, the next one begins with this pair';
    return skipped(attempt, { code: 'OutOfTime', detail });
  }
  try {
    const stop = await switches.get('sync');
    if (stop !== null) {
      return skipped(attempt, { code: STOPPED, detail: `the sync is stopped: ${stop.reason}` });
    }
    const head = heads.get(DOCUMENT.graph(pair.channel, pair.arch));
    return await followPair({ ...attempt, rows, head, acceptedByHand: accept.has(name) });
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    dependencies.log.error('pair failed', { pair: name, error });
    return failed(attempt, { code: 'InternalError', detail: messageOf(error) });
  }
}

/** Two channels of a minor may both find a new version in the same round. */
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
    // Events tell of what is already published: they wait in the book, the run goes on.
    run.dependencies.log.error('events not delivered', { slot: run.slot, error });
    return events;
  }
}

function nameOf(pair: ConfigPair): string {
  return `${pair.channel}/${pair.arch}`;
}

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
