import { deleteRevision, writeItem } from '../store/item.ts';
import { dueListKey, reassessmentMarkKey, sequenceOf } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** That a cluster reported. It is written before the report is: `revision` is the one that the report is to have. */
export interface ReassessmentMark {
  readonly revision: string;
  readonly at: string;
}

/**
 * Has the cluster reassessed soon. A writer that stalled never replaces the mark of a later one, whose report is not there
 * yet: the mark would be taken for settled. The write of the stalled one cannot succeed any more.
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

/** Removes the mark, unless another report has set it anew. */
export async function clearMark(table: Table, id: string, mark: ReassessmentMark): Promise<void> {
  await deleteRevision(table, reassessmentMarkKey(id), mark);
}
