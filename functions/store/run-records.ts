import type { Store } from '@cairn/shared/prune/objects/options';
import type { Prunable } from '@cairn/shared/prune/objects/resource';
import { writeItem } from './item.ts';
import { runKey, runPartition } from './keys.ts';
import { queryPartition } from './query.ts';
import type { Table } from './table.ts';

export const RUN_TRIGGERS = ['schedule', 'manual'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

export const RUN_OUTCOMES = ['Succeeded', 'PartiallySucceeded', 'Failed'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** Result of a job run; the counts depend on the job. */
export interface JobRun<
  Counts extends object = Readonly<Record<string, unknown>>,
  Outcome extends RunOutcome = RunOutcome,
> {
  /** Stored name of the job, such as `watch`. */
  readonly job: string;
  /** Scheduled time; a job has one run per slot. */
  readonly slot: string;
  readonly trigger: RunTrigger;
  readonly outcome: Outcome | 'Skipped';
  readonly durationMs: number;
  /** Null if the run did nothing. */
  readonly counts: Counts | null;
  /** Sentences for operators. */
  readonly notes: readonly string[];
}

/** Runs of a job, oldest first. */
export async function listRuns<Run extends JobRun<object> = JobRun>(
  table: Table,
  job: string,
): Promise<Run[]> {
  const items = await queryPartition(table, runPartition(job));
  return items.map((item) => item['run'] as Run);
}

/** Stores a run. A skip never replaces another record of its slot. */
export async function recordRun(table: Table, run: JobRun<object>): Promise<void> {
  const isSkipped = run.outcome === 'Skipped';
  await writeItem(table, {
    key: runKey(run.job, run.slot),
    write: { put: { run } },
    condition: isSkipped ? { expression: 'attribute_not_exists(run)' } : undefined,
  });
}

export const RUN_RECORD = 'RunRecord';

/** Run record for pruning: the namespace is the job, the name is the slot. */
export interface PrunableRun extends Prunable {
  readonly namespace: string;
}

export function runStore(table: Table): Store<PrunableRun> {
  return {
    async *list({ namespace }) {
      if (namespace === undefined) throw new Error('run records are listed by job, name it as the namespace');
      for (const { job, slot } of await listRuns(table, namespace)) {
        yield { kind: RUN_RECORD, namespace: job, name: slot, createdAt: new Date(slot) };
      }
    },
    remove: ({ namespace, name }) => deleteRun(table, namespace, name),
  };
}

async function deleteRun(table: Table, job: string, slot: string): Promise<'deleted' | 'absent'> {
  const condition = { expression: 'attribute_exists(run)' };
  const { applied } = await writeItem(table, { key: runKey(job, slot), write: { remove: true }, condition });
  return applied ? 'deleted' : 'absent';
}
