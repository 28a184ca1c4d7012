import type { HistoryClass } from '@cairn/shared/prune/history/prune-history';
import type { PrunerOptions } from '@cairn/shared/prune/objects/options';
import { createPruner } from '@cairn/shared/prune/objects/pruner';
import { all, any, keepNewest, olderThan } from '@cairn/shared/prune/objects/strategies';
import { messageOf } from '@cairn/shared/text/quote';
import type { CountedMetrics } from '../jobs/middleware/count-outcome.ts';
import {
  type LeasedJob,
  reportFutureTimes,
  runUnderLease,
  SKIP_NOTES,
  type SkippedJob,
} from '../jobs/run-under-lease.ts';
import { ENDED_ACCEPTANCE, endedAcceptances } from '../risk-acceptances/store.ts';
import { HOUSEKEEPING_STATE_KEY } from '../store/keys.ts';
import { RUN_RECORD, runStore, type JobRun, recordRun, type RunTrigger } from '../store/run-records.ts';
import { pruneHistories } from './histories.ts';
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
  /** Removed entries by history class. */
  readonly removedByClass: Readonly<Partial<Record<HistoryClass, number>>>;
  readonly runRecordsRemoved: number;
  /** Absent if there were none. */
  readonly acceptancesRemoved?: number;
  /** Pruner counts are absent if no registry bucket is granted. */
  readonly prunersWatched?: number;
  readonly prunersSeeded?: number;
  readonly prunersScheduled?: number;
  readonly prunerRunsResumed?: number;
}

export type HousekeepingRecord = JobRun<HousekeepingCounts>;

export type HousekeepingResult = SkippedJob | HousekeepingDone;

interface HousekeepingDone {
  readonly status: 'Done';
  readonly record: HousekeepingRecord;
}

/** Stored with every run record: frozen. */
export const HOUSEKEEPING_JOB = 'watch';

const NEWEST_KEPT = 50;
const KEPT_FOR = '7d';
/** After their end. */
const ACCEPTANCES_KEPT_FOR = '90d';
const ENDED_ACCEPTANCES_KEPT = 2000;
/** Limits the damage of a mistake; a backlog takes a few runs. */
const MOST_AT_ONCE = 100;

/** The log has all notes. */
const MOST_NOTES = 20;

/** Enforces limits and resumes runs. The next run completes an interrupted one. */
export async function runHousekeeping(
  dependencies: HousekeepingDependencies,
  request: HousekeepingRequest,
): Promise<HousekeepingResult> {
  const { table, log, clock, count } = dependencies;
  const limits = { ...HOUSEKEEPING_LIMITS, ...dependencies.limits };
  const { trigger } = request;
  const slot = new Date(request.scheduledTime).toISOString();
  const startedAt = clock();
  const recordOf = (rest: Pick<HousekeepingRecord, 'outcome' | 'counts' | 'notes'>): HousekeepingRecord => ({
    job: HOUSEKEEPING_JOB,
    slot,
    trigger,
    durationMs: clock() - startedAt,
    ...rest,
  });
  const job: LeasedJob<null, HousekeepingDone> = {
    name: 'housekeeping',
    key: HOUSEKEEPING_STATE_KEY,
    leaseMs: limits.leaseMs,
    stoppedBy: null,
    startingDeadlineMs: null,
    state: NO_STATE,
    async run({ switches, futureTimes }) {
      reportFutureTimes(dependencies, { slot }, futureTimes);
      count({ switchesStopped: Object.keys(await switches.all()).length });
      const record = recordOf(await maintain({ dependencies, limits, slot, startedAt, switches }));
      // Record the run before its slot is done: no finished run lacks a record.
      await recordRun(table, record);
      return { kind: 'done', state: null, result: { status: 'Done', record } };
    },
    async onSkipped(reason) {
      const notes = [SKIP_NOTES[reason] ?? reason];
      await recordRun(table, recordOf({ outcome: 'Skipped', counts: null, notes }));
    },
    async onFailed(cause) {
      const failure = recordOf({ outcome: 'Failed', counts: null, notes: [messageOf(cause)] });
      await recordRun(table, failure).catch((error: unknown) => {
        log.error('run recording failed', { slot, error });
      });
    },
  };
  return runUnderLease(dependencies, { slot, trigger }, job);
}

const NO_STATE = { pack: () => ({}), unpack: () => null };

async function maintain(
  run: HousekeepingRun,
): Promise<Pick<HousekeepingRecord, 'outcome' | 'counts' | 'notes'>> {
  const { watched, pruned, removed, failures, stoppedBefore } = await pruneHistories(run);
  const pruners = await maintainPruners(run);
  const records = await removeRunRecords(run);
  const acceptances = await removeAcceptances(run);

  const notes = [
    ...(stoppedBefore === null
      ? []
      : [`no time was left for ${stoppedBefore} and those after it, the next run goes on`]),
    ...new Set(records.failures.map((error) => `run records were not removed: ${messageOf(error)}`)),
    ...new Set(acceptances.failures.map((error) => `acceptances were not removed: ${messageOf(error)}`)),
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
      ...(acceptances.removed > 0 && { acceptancesRemoved: acceptances.removed }),
      ...pruners?.counts,
    },
    notes:
      notes.length <= MOST_NOTES
        ? notes
        : [...notes.slice(0, MOST_NOTES), `and ${notes.length - MOST_NOTES} more, which the log has`],
  };
}

interface Removal {
  readonly removed: number;
  readonly failures: readonly unknown[];
}

/** Deletes what is kept long enough, unless pruning is stopped. */
async function removeOld<T>(
  { dependencies: { log }, switches, slot }: HousekeepingRun,
  kind: string,
  selection: Pick<PrunerOptions<T>, 'store' | 'strategy' | 'namespaces'>,
): Promise<Removal> {
  if ((await switches.get('prune')) !== null) return { removed: 0, failures: [] };
  const pruner = createPruner<T>({
    ...selection,
    kinds: [kind],
    allowUnregistered: [kind],
    maxDeletes: MOST_AT_ONCE,
    now: new Date(slot),
  });
  const { deleted, failed, problems } = await pruner
    .run()
    .catch((error: unknown) => ({ deleted: [], failed: [{ error }], problems: [] }));
  const failures = [...failed, ...problems].map(({ error }) => error);
  for (const error of failures) log.warn('deletion of old items failed', { slot, kind, error });
  return { removed: deleted.length, failures };
}

/** Run records of this job. */
function removeRunRecords(run: HousekeepingRun): Promise<Removal> {
  return removeOld(run, RUN_RECORD, {
    store: runStore(run.dependencies.table),
    namespaces: [HOUSEKEEPING_JOB],
    strategy: all(keepNewest(NEWEST_KEPT), olderThan(KEPT_FOR)),
  });
}

/** Acceptances that ended long ago; of many deleted ones only the newest stay. */
function removeAcceptances(run: HousekeepingRun): Promise<Removal> {
  return removeOld(run, ENDED_ACCEPTANCE, {
    store: endedAcceptances(run.dependencies.table, Date.parse(run.slot)),
    strategy: any(olderThan(ACCEPTANCES_KEPT_FOR), keepNewest(ENDED_ACCEPTANCES_KEPT)),
  });
}

/** Loads the pruner code only where registry buckets are granted: most deployments have none. */
async function maintainPruners(run: HousekeepingRun): Promise<WatchedPruners | null> {
  const { openPruning } = run.dependencies;
  if (openPruning === undefined) return null;
  const [{ watchPruners }, pruning] = await Promise.all([import('./pruners.ts'), openPruning()]);
  return watchPruners(run, pruning);
}

function countByClass(
  removed: readonly { readonly class: HistoryClass }[],
): HousekeepingCounts['removedByClass'] {
  const byClass = Map.groupBy(removed, (entry) => entry.class);
  return Object.fromEntries(Array.from(byClass, ([name, entries]) => [name, entries.length]));
}

export function housekeepingMetrics(result: HousekeepingResult): readonly CountedMetrics[] {
  if (result.status === 'Skipped') return [[{ watchSkipped: 1 }]];
  const { outcome, counts } = result.record;
  const { removedByClass = {}, ...totals } = counts ?? {};
  return [
    [{ [`watch${outcome}` as const]: 1, ...totals }],
    ...Object.entries(removedByClass).map(([name, entries]): CountedMetrics => [
      { historyEntriesRemoved: entries },
      { class: name },
    ]),
  ];
}
