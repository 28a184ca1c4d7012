import { createPruner } from '@cairn/shared/prune/objects/pruner';
import type { PrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { any, keepIf, keepNewest } from '@cairn/shared/prune/objects/strategies';
import { isInFuture } from '@cairn/shared/time/future';
import { jobOf } from './prune-runs.ts';
import { type JobRun, listRuns, RUN_RECORD, runStore } from '../store/run-records.ts';
import type { Table } from '../store/table.ts';
import { RUN_FILE, type RunFiles } from '../pruners/files.ts';

/** Runs that did nothing are of interest for a while only. */
const SKIPPED_KEPT = 10;

interface Finished {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly outcome: JobRun['outcome'];
}

/** Removes the oldest runs over the limits of the pruner, with their files. */
export async function limitHistory(
  table: Table,
  files: RunFiles,
  pruner: string,
  limits: Pick<PrunerSpec, 'successfulJobsHistoryLimit' | 'failedJobsHistoryLimit'>,
  now: Date,
): Promise<{ readonly removed: number; readonly failures: readonly unknown[] }> {
  const rows = runStore(table);
  const only = (outcome: JobRun['outcome'], newest: number) =>
    keepIf((run: Finished) => run.outcome !== outcome, keepNewest(newest));
  const { deleted, failed, problems } = await createPruner<Finished>({
    store: {
      async *list({ namespace }) {
        for (const { job, slot, outcome } of await listRuns(table, namespace!)) {
          // Those of a clock that was ahead are the oldest: as the newest they would take the place of every new run.
          const createdAt = new Date(isInFuture(slot, now.getTime()) ? 0 : slot);
          yield { kind: RUN_RECORD, namespace: job, name: slot, createdAt, outcome };
        }
      },
      async remove(run, signal) {
        // The row last: while it is there, the files can be found.
        await files.removeAll(RUN_FILE.ofRun(run.name));
        return rows.remove(run, signal);
      },
    },
    kinds: [RUN_RECORD],
    allowUnregistered: [RUN_RECORD],
    namespaces: [jobOf(pruner)],
    strategy: any(
      only('Succeeded', limits.successfulJobsHistoryLimit),
      only('Failed', limits.failedJobsHistoryLimit),
      only('Skipped', SKIPPED_KEPT),
    ),
    now,
  }).run();
  return { removed: deleted.length, failures: [...failed, ...problems].map(({ error }) => error) };
}
