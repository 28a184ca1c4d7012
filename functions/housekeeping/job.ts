import { randomUUID } from 'node:crypto';
import type { HistoryClass } from '@cairn/shared/prune/history/prune-history';
import { createPruner } from '@cairn/shared/prune/objects/pruner';
import { all, keepNewest, olderThan } from '@cairn/shared/prune/objects/strategies';
import { messageOf } from '@cairn/shared/text/quote';
import { WATCH_STATE_KEY } from '../store/keys.ts';
import { acquireLease, finishLease, recordSkip, releaseLease } from '../store/leases.ts';
import { RUN_RECORD, runStore, type JobRun, recordRun, type RunTrigger } from '../store/run-records.ts';
import type { Table } from '../store/table.ts';
import { SwitchReader } from '../switches/store.ts';
import { lowerHistories } from './histories.ts';
import type { WatchedPruners } from './pruners.ts';
import { type HousekeepingDependencies, HOUSEKEEPING_LIMITS, type HousekeepingRun } from './run.ts';

export interface HousekeepingRequest {
  readonly scheduledTime: string;
  readonly trigger: RunTrigger;
}

interface HousekeepingCounts {
  readonly clustersWatched: number;
  readonly historiesPruned: number;
  readonly historyEntriesRemoved: number;
  /** The same, by why they were the ones to go. */
  readonly removedByClass: Readonly<Partial<Record<HistoryClass, number>>>;
  readonly runRecordsRemoved: number;
  /** What was done for pruners is not there where no bucket of a registry is granted. */
  readonly prunersWatched?: number;
  readonly prunersSeeded?: number;
  readonly prunersScheduled?: number;
  readonly prunerRunsResumed?: number;
}

export type HousekeepingRecord = JobRun<HousekeepingCounts>;

export type HousekeepingResult =
  | { readonly status: 'Skipped'; readonly reason: 'Duplicate' | 'Concurrent' | 'Superseded' }
  | { readonly status: 'Done'; readonly record: HousekeepingRecord };

export const HOUSEKEEPING_JOB = 'watch';

/** The log has all of them. */
const MOST_NOTES = 20;
const SKIP_NOTES = {
  Duplicate: 'this slot or a later one is done or under way',
  Concurrent: 'another run is under way',
} as const;

/** Looks after what is stored. A duplicate event is only noted; what a run that dies left undone, the next one does. */
export async function runHousekeeping(
  dependencies: HousekeepingDependencies,
  request: HousekeepingRequest,
): Promise<HousekeepingResult> {
  const { table, log, clock, count } = dependencies;
  const limits = { ...HOUSEKEEPING_LIMITS, ...dependencies.limits };
  const { trigger } = request;
  const slot = new Date(request.scheduledTime).toISOString();
  const startedAt = clock();
  const record = (rest: Pick<HousekeepingRecord, 'outcome' | 'counts' | 'notes'>): HousekeepingRecord => ({
    job: HOUSEKEEPING_JOB,
    slot,
    trigger,
    durationMs: clock() - startedAt,
    ...rest,
  });
  const skip = async (
    reason: Extract<HousekeepingResult, { status: 'Skipped' }>['reason'],
  ): Promise<HousekeepingResult> => {
    // EventBridge delivers some events twice.
    log[reason === 'Duplicate' ? 'info' : 'warn']('watch skipped', { slot, trigger, reason });
    count({ watchSkipped: 1 });
    await recordSkip(table, WATCH_STATE_KEY, { slot, trigger, reason });
    return { status: 'Skipped', reason };
  };

  const outcome = await acquireLease(table, WATCH_STATE_KEY, {
    slot,
    byHand: trigger === 'manual',
    owner: randomUUID(),
    now: startedAt,
    durationMs: limits.leaseMs,
  });
  if (!outcome.acquired) {
    const notes = [SKIP_NOTES[outcome.reason]];
    await recordRun(table, record({ outcome: 'Skipped', counts: null, notes }));
    return skip(outcome.reason);
  }

  const { token, done: slots, future } = outcome;
  if (future.length > 0) {
    log.warn('stored times lie in the future', { slot, times: future });
    count({ futureTimes: future.length });
  }
  try {
    const switches = new SwitchReader(table, clock);
    count({ switchesStopped: Object.keys(await switches.all()).length });
    const done = record(await watch({ dependencies, limits, slot, startedAt, switches }));
    // Before the slot is done, so that no run is done without its record.
    await recordRun(table, done);
    if (!(await finishLease(table, WATCH_STATE_KEY, { token, done: slots }))) return skip('Superseded');
    countRun(count, done);
    return { status: 'Done', record: done };
  } catch (error) {
    count({ watchFailed: 1 });
    await leaveFailed(
      dependencies,
      record({ outcome: 'Failed', counts: null, notes: [messageOf(error)] }),
      token,
    );
    throw error;
  }
}

/** Records the failure and gives the lease back, as far as that works. */
async function leaveFailed(
  { table, log }: HousekeepingDependencies,
  failure: HousekeepingRecord,
  token: number,
): Promise<void> {
  const { slot } = failure;
  await recordRun(table, failure).catch((error: unknown) => {
    log.error('run not recorded', { slot, error });
  });
  await releaseLease(table, WATCH_STATE_KEY, { token }).catch((error: unknown) => {
    log.error('lease not released, the next run waits for its end', { slot, error });
  });
}

async function watch(
  run: HousekeepingRun,
): Promise<Pick<HousekeepingRecord, 'outcome' | 'counts' | 'notes'>> {
  const { watched, pruned, removed, failures, stoppedBefore } = await lowerHistories(run);
  const pruners = await lookAfterPruners(run);
  const records = await removeRunRecords(run);

  const notes = [
    ...(stoppedBefore === null
      ? []
      : [`no time was left for ${stoppedBefore} and those after it, the next run goes on`]),
    ...new Set(records.failures.map((error) => `run records were not removed: ${messageOf(error)}`)),
    ...failures,
    ...(pruners?.failures ?? []),
  ];
  return {
    outcome: notes.length === 0 ? 'Succeeded' : 'PartiallySucceeded',
    counts: {
      clustersWatched: watched,
      historiesPruned: pruned,
      historyEntriesRemoved: removed.length,
      removedByClass: countByClass(removed),
      runRecordsRemoved: records.removed,
      ...(pruners && prunerCounts(pruners)),
    },
    notes:
      notes.length <= MOST_NOTES
        ? notes
        : [...notes.slice(0, MOST_NOTES), `and ${notes.length - MOST_NOTES} more, which the log has`],
  };
}

async function removeRunRecords({
  dependencies,
  switches,
  slot,
}: HousekeepingRun): ReturnType<typeof pruneRunRecords> {
  const { table, log } = dependencies;
  if ((await switches.get('prune')) !== null) return { removed: 0, failures: [] };
  const records = await pruneRunRecords(table, HOUSEKEEPING_JOB, new Date(slot)).catch((error: unknown) => ({
    removed: 0,
    failures: [error],
  }));
  for (const error of records.failures) log.warn('run records not removed', { slot, error });
  return records;
}

/** Most deployments prune no registry; only the others load what it takes. */
async function lookAfterPruners(run: HousekeepingRun): Promise<WatchedPruners | null> {
  const { openPruning } = run.dependencies;
  if (openPruning === undefined) return null;
  const [{ watchPruners }, pruning] = await Promise.all([import('./pruners.ts'), openPruning()]);
  return watchPruners(run, pruning);
}

function prunerCounts({ watched, seeded, scheduled, resumed }: WatchedPruners) {
  return {
    prunersWatched: watched,
    prunersSeeded: seeded,
    prunersScheduled: scheduled,
    prunerRunsResumed: resumed,
  };
}

function countByClass(
  removed: readonly { readonly class: HistoryClass }[],
): HousekeepingCounts['removedByClass'] {
  const byClass = Map.groupBy(removed, (entry) => entry.class);
  return Object.fromEntries(Array.from(byClass, ([name, entries]) => [name, entries.length]));
}

function countRun(count: HousekeepingDependencies['count'], { outcome, counts }: HousekeepingRecord): void {
  const { removedByClass = {}, ...totals } = counts ?? {};
  count({ [`watch${outcome}` as const]: 1, ...totals });
  for (const [name, entries] of Object.entries(removedByClass)) {
    count({ historyEntriesRemoved: entries }, { class: name });
  }
}

const NEWEST_KEPT = 50;
const KEPT_FOR = '7d';

/** A mistake costs no more at once, and a backlog goes in a few runs. */
const MOST_AT_ONCE = 100;

/** Removes old run records of a job; returns how many went, and what went wrong. */
async function pruneRunRecords(
  table: Table,
  job: string,
  now: Date,
): Promise<{ readonly removed: number; readonly failures: readonly unknown[] }> {
  const pruner = createPruner({
    store: runStore(table),
    kinds: [RUN_RECORD],
    allowUnregistered: [RUN_RECORD],
    namespaces: [job],
    strategy: all(keepNewest(NEWEST_KEPT), olderThan(KEPT_FOR)),
    maxDeletes: MOST_AT_ONCE,
    now,
  });
  const { deleted, failed, problems } = await pruner.run();
  return { removed: deleted.length, failures: [...failed, ...problems].map(({ error }) => error) };
}
