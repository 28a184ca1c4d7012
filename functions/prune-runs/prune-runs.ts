import type { PruneProgress } from './progress.ts';
import { prunerLeaseKey } from '../store/keys.ts';
import { isLeaseHeld, lastSkipIn, leaseOf, readLeaseItem, type SkippedRun } from '../store/leases.ts';
import type { Table } from '../store/table.ts';

/** The name under which the runs of a pruner are kept. */
export function jobOf(pruner: string): string {
  return `image-pruner/${pruner}`;
}

export interface UnfinishedRun {
  readonly slot: string;
  readonly startedAt: string;
  /** Whether an invocation is at it. */
  readonly isHeld: boolean;
  readonly progress: PruneProgress;
}

/** The run of a pruner that has not come to its end; null when there is none. */
export async function unfinishedRun(
  table: Table,
  pruner: string,
  now: number,
): Promise<UnfinishedRun | null> {
  const item = await readLeaseItem(table, prunerLeaseKey(pruner));
  const text = item?.['progress'];
  if (item === null || typeof text !== 'string' || text === '') return null;
  const progress = JSON.parse(text) as PruneProgress;
  const { slot, startedAt } = progress;
  return { slot, startedAt, isHeld: isLeaseHeld(leaseOf(item), now), progress };
}

/** The last run of a pruner that did nothing; null when none was skipped. */
export async function lastSkipOf(table: Table, pruner: string): Promise<SkippedRun | null> {
  return lastSkipIn((await readLeaseItem(table, prunerLeaseKey(pruner))) ?? {});
}
