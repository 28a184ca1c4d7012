import { runFinished } from '@cairn/shared/prune/images/pruner/record';
import type { PrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { jobOf } from './prune-runs.ts';
import { revisePruner } from '../pruners/store.ts';
import { recordRun } from '../store/run-records.ts';
import type { PruneDependencies } from './job.ts';
import { condemnedFile } from './decide.ts';
import type { ClusterOutcome } from './cluster-images.ts';
import type { PlanOutcome } from './outcome.ts';
import { RUN_FILE } from '../pruners/files.ts';
import { limitHistory } from './run-history.ts';
import type { PruneSession } from './session.ts';
import type { PruneOutcome, PruneTrigger } from '@cairn/shared/prune/images/values';

/** How a run ended. */
export interface RunEnd {
  readonly outcome: PruneOutcome;
  /** In one word, as a condition has it. */
  readonly reason: string;
  readonly message: string;
  /** All that was planned is deleted. */
  readonly isWhole: boolean;
  /** What is condemned after it holds from now on. */
  readonly isCondemning?: boolean;
  /** A circuit breaker kept it from deleting. */
  readonly isBlocked?: boolean;
  readonly revived?: readonly string[];
  readonly lost?: readonly string[];
  /** Of the objects of a cluster, where the storage is not pruned. */
  readonly cluster?: ClusterOutcome;
}

/** Told of a run in its record; the report has all of it. */
export interface PruneCounts {
  readonly dryRun: boolean;
  readonly reason: string;
  readonly listed: number;
  readonly planned: number;
  readonly deleted: PruneSession['progress']['deleted'];
  readonly revived: number;
}

/** What is kept of a run for whoever wants to know all of it. */
export interface PruneReport extends PruneCounts {
  readonly pruner: string;
  readonly run: string;
  readonly trigger: PruneTrigger;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly outcome: RunEnd['outcome'];
  readonly message: string;
  readonly spec: PrunerSpec;
  /** Null when it did not come so far. */
  readonly plan: PlanOutcome | null;
  readonly refused: readonly { readonly key: string; readonly code: string }[];
  readonly revivedKeys: readonly string[];
  readonly lostKeys: readonly string[];
  readonly cluster: ClusterOutcome | null;
}

const MOST_LISTED = 1000;

/**
 * Writes down how a run ended: report, record, pruner. Each may be done again by another invocation. Gives the file of what
 * is condemned from now on, empty for none.
 */
export async function finishRun(
  session: PruneSession,
  dependencies: PruneDependencies,
  end: RunEnd,
): Promise<string> {
  const { table, clock, log, count } = dependencies;
  const { pruner, progress, files } = session;
  const { slot, dryRun, trigger, startedAt, uid, spec } = progress;
  const finishedAt = new Date(clock()).toISOString();
  const { outcome, reason, message } = end;
  const revived = end.revived ?? [];
  const counts: PruneCounts = {
    dryRun,
    reason,
    listed: progress.listed,
    planned: progress.planned,
    deleted: progress.deleted,
    revived: revived.length,
  };
  const stored = await files.read(RUN_FILE.outcome(slot, progress.planBy));
  const plan = stored === null ? null : (JSON.parse(new TextDecoder().decode(stored)) as PlanOutcome);
  const report: PruneReport = {
    pruner,
    run: slot,
    trigger,
    startedAt,
    finishedAt,
    outcome,
    message,
    spec,
    ...counts,
    plan,
    refused: progress.refused ?? [],
    revivedKeys: revived.slice(0, MOST_LISTED),
    lostKeys: (end.lost ?? []).slice(0, MOST_LISTED),
    cluster: end.cluster ?? null,
  };
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
  const history = await limitHistory(table, files, pruner, spec, new Date(session.latest()));
  for (const error of history.failures) log.warn('run record not removed', { pruner, error });
  tell(session, dependencies, end);
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

function tell({ pruner, progress }: PruneSession, { log }: PruneDependencies, end: RunEnd): void {
  const { slot, dryRun, deleted } = progress;
  const { outcome, reason, message } = end;
  const fields = {
    pruner,
    run: slot,
    dryRun,
    outcome,
    reason,
    message,
    deleted,
    revived: end.revived?.length ?? 0,
  };
  if (outcome === 'Succeeded') log.info('prune run finished', fields);
  else log.warn('prune run finished', fields);
}

function total(deleted: PruneCounts['deleted'], of: 'count' | 'bytes'): number {
  return Object.values(deleted).reduce((sum, kind) => sum + kind[of], 0);
}
