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

/** What a run of a job came to; what is counted differs by job. */
export interface JobRun<
  Counts extends object = Readonly<Record<string, unknown>>,
  Outcome extends RunOutcome = RunOutcome,
> {
  /** The name under which its runs are kept: `watch`. */
  readonly job: string;
  /** The time it was scheduled for; a job has one run for each. */
  readonly slot: string;
  readonly trigger: RunTrigger;
  readonly outcome: Outcome | 'Skipped';
  readonly durationMs: number;
  /** Null when it did nothing. */
  readonly counts: Counts | null;
  /** What a person should know, in sentences. */
  readonly notes: readonly string[];
}

/** The runs of a job, oldest first. */
export async function listRuns<Run extends JobRun<object> = JobRun>(
  table: Table,
  job: string,
): Promise<Run[]> {
  const items = await queryPartition(table, runPartition(job));
  return items.map((item) => item['run'] as Run);
}

/** Keeps what a run came to. That it was skipped is kept only where nothing else is known of its slot. */
export async function recordRun(table: Table, run: JobRun<object>): Promise<void> {
  const isSkipped = run.outcome === 'Skipped';
  await writeItem(table, {
    key: runKey(run.job, run.slot),
    write: { put: { run } },
    condition: isSkipped ? { expression: 'attribute_not_exists(run)' } : undefined,
  });
}

/** The kind of run records, for pruners of them. */
export const RUN_RECORD = 'RunRecord';

/** A run record as pruners see it: its namespace is the job, its name the slot. */
export interface PrunableRun extends Prunable {
  readonly namespace: string;
}

/** Run records as something that can be pruned, job by job. */
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
