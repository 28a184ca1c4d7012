import { deleteRevision, writeItem } from '../store/item.ts';
import { dueListKey, reassessmentMarkKey, sequenceOf } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** Marks a reported cluster. Written before the report: `revision` is the one the report will have. */
export interface ReassessmentMark {
  readonly revision: string;
  readonly at: string;
}

/**
 * Queues the cluster for reassessment. A stalled writer never replaces the mark of a later one whose report
 * is still pending: its own write can no longer succeed, so the mark would count as settled.
 */
export async function markForReassessment(
  table: Table,
  id: string,
  { revision, at }: ReassessmentMark,
): Promise<void> {
  const sequence = sequenceOf(revision);
  await writeItem(table, {
    key: reassessmentMarkKey(id),
    write: { put: { ...dueListKey(id, at), revision, at, sequence } },
    condition: {
      expression: 'attribute_not_exists(#sequence) OR #sequence <= :sequence',
      names: { '#sequence': 'sequence' },
      values: { ':sequence': sequence },
    },
  });
}

/** Removes the mark unless another report replaced it. */
export async function clearMark(table: Table, id: string, mark: ReassessmentMark): Promise<void> {
  await deleteRevision(table, reassessmentMarkKey(id), mark);
}
