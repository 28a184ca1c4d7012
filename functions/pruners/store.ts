import type { PrunerRecord } from '@cairn/shared/prune/images/pruner/record';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { readItems } from '../store/batch.ts';
import { readRevised, type Revised, writeRevised, whileOthersWrite } from '../store/item.ts';
import { PRUNER_LIST, prunerKey, prunerListKey } from '../store/keys.ts';
import { indexPage, type PageRequest } from '../store/query.ts';
import type { Table } from '../store/table.ts';

export interface StoredPruner {
  readonly name: string;
  readonly record: PrunerRecord;
}

/**
 * The one item of a pruner. It is in the list while there is a record in it. Once it is empty it stays: a writer that
 * stalled can then tell.
 */
interface PrunerItem extends Revised {
  readonly name: string;
  readonly record: PrunerRecord | null;
  /** There is no such pruner any more, but its schedule may still be there. */
  readonly isRemoved: boolean;
}

type PrunerChange =
  | { readonly outcome: 'changed' | 'unchanged'; readonly pruner: StoredPruner; readonly isNew: boolean }
  /** Others changed it at the same time, again and again. */
  | { readonly outcome: 'contended' };

type PrunerRevision =
  | { readonly outcome: 'changed' | 'unchanged'; readonly pruner: StoredPruner }
  | { readonly outcome: 'unknown' | 'contended' };

const NAMES_PER_PAGE = 1000;

export async function readPruner(table: Table, name: string): Promise<StoredPruner | null> {
  return living(await readItem(table, name));
}

/**
 * Changes a pruner or makes it. `change` gets what is stored and may refuse by throwing; when somebody else was quicker it
 * is asked again with what that one stored. Nothing is written where it gives back the record it got.
 */
export async function changePruner(
  table: Table,
  name: string,
  change: (former: StoredPruner | null) => PrunerRecord,
): Promise<PrunerChange> {
  const changed = await whileOthersWrite(async (): Promise<PrunerChange | null> => {
    const found = await readItem(table, name);
    const former = living(found);
    const record = change(former);
    if (former?.record === record) return { outcome: 'unchanged', pruner: former, isNew: false };
    const next = { name, record, isRemoved: false };
    if (!(await writeItem(table, found, next))) return null;
    return { outcome: 'changed', pruner: { name, record }, isNew: former === null };
  });
  return changed ?? { outcome: 'contended' };
}

/**
 * Changes a pruner that is there, and is still the one with this `uid`: what a run has to tell must not reach another one
 * that was made anew under its name.
 */
export async function revisePruner(
  table: Table,
  name: string,
  uid: string,
  revise: (record: PrunerRecord) => PrunerRecord,
): Promise<PrunerRevision> {
  const revised = await whileOthersWrite(async (): Promise<PrunerRevision | null> => {
    const found = await readItem(table, name);
    const former = living(found);
    if (former === null || former.record.uid !== uid) return { outcome: 'unknown' };
    const record = revise(former.record);
    if (former.record === record) return { outcome: 'unchanged', pruner: former };
    if (!(await writeItem(table, found, { name, record, isRemoved: false }))) return null;
    return { outcome: 'changed', pruner: { name, record } };
  });
  return revised ?? { outcome: 'contended' };
}

/**
 * Removes a pruner for everybody who asks for it. It stays in the list of names until `forgetPruner`, which tells that
 * there is still a schedule to be removed. `check` gets what is stored and may refuse by throwing.
 */
export async function removePruner(
  table: Table,
  name: string,
  check: (stored: StoredPruner) => void,
): Promise<'removed' | 'unknown' | 'contended'> {
  const removed = await whileOthersWrite(async () => {
    const found = await readItem(table, name);
    const stored = living(found);
    if (stored === null) return 'unknown';
    check(stored);
    return (await writeItem(table, found, { ...stored, isRemoved: true })) ? 'removed' : null;
  });
  return removed ?? 'contended';
}

/** Empties the item of a pruner that was removed; that of one that was made anew meanwhile stays as it is. */
export async function forgetPruner(table: Table, name: string): Promise<void> {
  const found = await readItem(table, name);
  if (found?.record && found.isRemoved)
    await writeItem(table, found, { name, record: null, isRemoved: true });
}

/** A page of the pruners, by name. The index gives the order only, as it may lag behind. `last` is where the next goes on. */
export async function listPruners(
  table: Table,
  page: PageRequest,
): Promise<{ readonly pruners: readonly StoredPruner[]; readonly last: string | null }> {
  const { names, last } = await indexPage(table, PRUNER_LIST, page);
  const items = (await readItems(table, names.map(prunerKey))).map(itemOf);
  const byName = new Map(items.map((item) => [item.name, living(item)]));
  return { pruners: names.flatMap((name) => byName.get(name) ?? []), last };
}

/** The names of all pruners, also of those that were removed but not forgotten yet. */
export async function* prunerNames(table: Table): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof indexPage>> = await indexPage(table, PRUNER_LIST, {
      after,
      limit: NAMES_PER_PAGE,
    });
    yield* page.names;
    after = page.last;
  } while (after !== null);
}

async function readItem(table: Table, name: string): Promise<PrunerItem | null> {
  const item = await readRevised(table, prunerKey(name));
  return item && itemOf(item);
}

function itemOf(item: Readonly<Record<string, unknown>>): PrunerItem {
  const record = item['record'] as string | null;
  return {
    name: String(item['name']),
    revision: String(item['revision']),
    previous: item['previous'] as string | null,
    isRemoved: Boolean(item['isRemoved']),
    record: record === null ? null : (JSON.parse(record) as PrunerRecord),
  };
}

function living(item: PrunerItem | null): StoredPruner | null {
  if (item === null || item.record === null || item.isRemoved) return null;
  return { name: item.name, record: item.record };
}

/** The one write that makes a change. It is made only while the item is still the one that was read. */
async function writeItem(
  table: Table,
  found: PrunerItem | null,
  next: Pick<PrunerItem, 'name' | 'record' | 'isRemoved'>,
): Promise<boolean> {
  const { name, record, isRemoved } = next;
  const written = await writeRevised(table, prunerKey(name), found, {
    ...(record && prunerListKey(name)),
    name,
    isRemoved,
    // As text: how a pod is placed may be nested deeper than the table takes.
    record: record && JSON.stringify(record),
  });
  return written !== null;
}

/** No bucket has a slash in its name. */
export function placeOf({ bucket, prefix }: RegistryTarget): string {
  return `${bucket}/${prefix}`;
}
