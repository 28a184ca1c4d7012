import type { PrunePlan } from '@cairn/shared/prune/images/plan/plan';
import { runFinished } from '@cairn/shared/prune/images/pruner/record';
import { DELETION_KINDS } from '@cairn/shared/prune/images/values';
import { createPruner } from '@cairn/shared/prune/objects/pruner';
import { any, keepIf, keepNewest } from '@cairn/shared/prune/objects/strategies';
import { isInFuture } from '@cairn/shared/time/future';
import { RUN_FILE } from '../pruners/files.ts';
import { revisePruner } from '../pruners/store.ts';
import {
  recordRun,
  type JobRun,
  listRuns,
  type PrunableRun,
  RUN_RECORD,
  runStore,
} from '../store/run-records.ts';
import type { RunEnd } from './cluster-images.ts';
import { condemnedFile } from './decide.ts';
import { jobOf, type PruneProgress } from './progress.ts';
import type { PruneSession } from './session.ts';

export type PruneReport = Awaited<ReturnType<typeof reportOf>>;
/** Summary in the run record. The run report has the details. */
export type PruneCounts = ReturnType<typeof countsOf>;

const MOST_LISTED = 1000;

/**
 * Stores report, record and pruner status. Each write can be repeated by another invocation. Returns the file of
 * condemned objects, or an empty string.
 */
export async function finishRun(session: PruneSession, end: RunEnd): Promise<string> {
  const { table, clock, log, count } = session.dependencies;
  const { pruner, progress, files } = session;
  const { slot, dryRun, trigger, startedAt, uid } = progress;
  const finishedAt = new Date(clock()).toISOString();
  const { outcome, reason, message } = end;
  const counts = countsOf(progress, end);
  const report = await reportOf(session, end, finishedAt);
  await files.write(RUN_FILE.report(slot), JSON.stringify(report), { json: true });
  await recordRun(table, {
    job: jobOf(pruner),
    slot,
    trigger,
    outcome,
    durationMs: Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)),
    counts,
    notes: message === '' ? [] : [message],
  });
  await revisePruner(table, pruner, uid, (record) =>
    runFinished(record, { id: slot, trigger, dryRun, startedAt, finishedAt, outcome, reason, message }),
  );
  for (const error of await limitHistory(session)) log.warn('run record deletion failed', { pruner, error });
  log[outcome === 'Succeeded' ? 'info' : 'warn']('prune run finished', {
    pruner,
    run: slot,
    dryRun,
    outcome,
    reason,
    message,
    deleted: counts.deleted,
    revived: counts.revived,
  });
  count(
    {
      [outcome === 'Succeeded' ? 'pruneRunSucceeded' : 'pruneRunFailed']: 1,
      ...(end.isBlocked && { pruneRunBlocked: 1 }),
      objectsPruned: total(progress.deleted, 'count'),
      bytesPruned: total(progress.deleted, 'bytes'),
    },
    { Pruner: pruner, DryRun: dryRun ? 'yes' : 'no' },
  );
  return end.isCondemning ? condemnedFile(progress, end.isWhole) : (session.condemned ?? '');
}

function countsOf(
  { dryRun, listed, planned, deleted }: PruneProgress,
  { reason, revived = [] }: Pick<RunEnd, 'reason' | 'revived'>,
) {
  return { dryRun, reason, listed, planned, deleted, revived: revived.length };
}

async function reportOf({ pruner, progress, files }: PruneSession, end: RunEnd, finishedAt: string) {
  const { slot, trigger, startedAt, spec, planBy, refused = [] } = progress;
  const { outcome, message, revived = [], lost = [], cluster = null } = end;
  // Missing if the run ended before it had a plan.
  const stored = await files.read(RUN_FILE.outcome(slot, planBy));
  const plan = stored === null ? null : (JSON.parse(new TextDecoder().decode(stored)) as PlanOutcome);
  return {
    pruner,
    run: slot,
    trigger,
    startedAt,
    finishedAt,
    outcome,
    message,
    spec,
    ...countsOf(progress, end),
    plan,
    refused,
    revivedKeys: revived.slice(0, MOST_LISTED),
    lostKeys: lost.slice(0, MOST_LISTED),
    cluster,
  };
}

function total(deleted: PruneProgress['deleted'], of: 'count' | 'bytes'): number {
  return Object.values(deleted).reduce((sum, kind) => sum + kind[of], 0);
}

const EXAMPLES = 1000;

export function planOutcome(plan: PrunePlan) {
  return {
    planHash: plan.hash,
    breaker: plan.verdict.breaker,
    keptManifests: plan.keptManifests,
    frozen: plan.frozen,
    totals: plan.totals,
    reasons: DELETION_KINDS.flatMap((kind) =>
      Array.from(plan.reasons[kind], ([reason, total]) => ({ kind, reason, ...total })),
    ),
    blobs: plan.blobs,
    examples: DELETION_KINDS.flatMap((kind) =>
      plan.examples(kind, EXAMPLES).map((item) => ({
        ...item,
        since: item.since === null ? null : new Date(item.since).toISOString(),
      })),
    ),
  };
}

type PlanOutcome = ReturnType<typeof planOutcome>;

/** Skipped runs matter only for a short time. */
const SKIPPED_KEPT = 10;

/** Removes the oldest runs over the history limits of the pruner, with their files. */
async function limitHistory(session: PruneSession): Promise<readonly unknown[]> {
  const { dependencies, files, pruner, progress } = session;
  const { table } = dependencies;
  const now = new Date(session.latest());
  const rows = runStore(table);
  const only = (outcome: JobRun['outcome'], newest: number) =>
    keepIf((run: PrunableRun & Pick<JobRun, 'outcome'>) => run.outcome !== outcome, keepNewest(newest));
  const { failed, problems } = await createPruner({
    store: {
      async *list() {
        for (const { job, slot, outcome } of await listRuns(table, jobOf(pruner))) {
          // Runs from a clock that was ahead count as the oldest. Otherwise they would displace every new run.
          const createdAt = new Date(isInFuture(slot, now.getTime()) ? 0 : slot);
          yield { kind: RUN_RECORD, namespace: job, name: slot, createdAt, outcome };
        }
      },
      async remove(run, signal) {
        // Delete the row last: it is needed to find the files.
        await files.removeAll(RUN_FILE.ofRun(run.name));
        return rows.remove(run, signal);
      },
    },
    kinds: [RUN_RECORD],
    allowUnregistered: [RUN_RECORD],
    namespaces: [jobOf(pruner)],
    strategy: any(
      only('Succeeded', progress.spec.successfulJobsHistoryLimit),
      only('Failed', progress.spec.failedJobsHistoryLimit),
      only('Skipped', SKIPPED_KEPT),
    ),
    now,
  }).run();
  return [...failed, ...problems].map(({ error }) => error);
}
