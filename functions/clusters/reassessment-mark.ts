import type { StoredUpdateLine } from '@cairn/shared/fleet/update-list';
import { type Attributes, deleteRevision, writeItem } from '../store/item.ts';
import {
  dueListKey,
  type Key,
  placeOfUpdate,
  reassessmentMarkKey,
  sequenceOf,
  updateListKey,
  updateMarkKey,
} from '../store/keys.ts';
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
  await putUnlessLater(table, reassessmentMarkKey(id), revision, { ...dueListKey(id, at), at });
}

/** Writes what a revision of a cluster needs, unless a later one has written it. */
export async function putUnlessLater(
  table: Table,
  key: Key,
  revision: string,
  attributes: Attributes,
): Promise<void> {
  const sequence = sequenceOf(revision);
  await writeItem(table, {
    key,
    write: { put: { ...attributes, revision, sequence } },
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

/** Place of an update in the list; null if it has none. */
export function placeOf(id: string, line: StoredUpdateLine | null): string | null {
  return line && placeOfUpdate(id, line.completedAt);
}

/** Lists the update of a revision of a cluster. */
export async function listUpdate(
  table: Table,
  id: string,
  { revision, place }: { readonly revision: string; readonly place: string },
): Promise<void> {
  await putUnlessLater(table, updateMarkKey(id), revision, { ...updateListKey(place) });
}
