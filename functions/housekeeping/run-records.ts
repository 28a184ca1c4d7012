import { createPruner } from '@cairn/shared/prune/objects/pruner';
import { all, keepNewest, olderThan } from '@cairn/shared/prune/objects/strategies';
import { RUN_RECORD, runStore } from '../store/run-records.ts';
import type { Table } from '../store/table.ts';

const NEWEST_KEPT = 50;
const KEPT_FOR = '7d';
/** A mistake costs no more at once, and a backlog goes in a few runs. */
const MOST_AT_ONCE = 100;

/** Removes old run records of a job; returns how many went, and what went wrong. */
export async function pruneRunRecords(
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
