import type { PrunerRecord } from '@cairn/shared/prune/images/pruner/record';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { readItems } from '../store/batch.ts';
import { readItem, reviseItem } from '../store/item.ts';
import { PRUNER_LIST, prunerKey, prunerListKey } from '../store/keys.ts';
import { storedCodec } from '../store/migrations.ts';
import { indexPage, type PageRequest } from '../store/query.ts';
import type { Table } from '../store/table.ts';

export interface StoredPruner {
  readonly name: string;
  readonly record: PrunerRecord;
}

/**
 * The only item of a pruner. It is listed while it has a record. The empty item stays, so that a stalled write fails.
 */
interface PrunerItem {
  readonly name: string;
  readonly record: PrunerRecord | null;
  /** The pruner is deleted, but its schedule can still exist. */
  readonly isRemoved: boolean;
}

const prunerCodec = storedCodec<PrunerItem>('pruner', {
  write: ({ name, record, isRemoved }) => ({
    ...(record && prunerListKey(name)),
    name,
    isRemoved,
    // Stored as text: pod placement can be nested deeper than DynamoDB accepts.
    record: record && JSON.stringify(record),
  }),
  read: ({ name, record, isRemoved }) => ({
    name,
    isRemoved: Boolean(isRemoved),
    record: record === null ? null : JSON.parse(record as string),
  }),
});

type PrunerChange =
  | { readonly outcome: 'changed' | 'unchanged'; readonly pruner: StoredPruner; readonly isNew: boolean }
  /** Concurrent changes exhausted the attempts. */
  | { readonly outcome: 'contended' };

type PrunerRevision =
  | { readonly outcome: 'changed' | 'unchanged'; readonly pruner: StoredPruner }
  | { readonly outcome: 'unknown' | 'contended' };

const NAMES_PER_PAGE = 1000;

export async function readPruner(table: Table, name: string): Promise<StoredPruner | null> {
  const item = await readItem(table, prunerKey(name));
  return item && living(prunerCodec.view(item));
}

/**
 * Changes or creates a pruner. `change` can throw to reject, runs again after a conflict, and returns its input to
 * write nothing.
 */
export async function changePruner(
  table: Table,
  name: string,
  change: (former: StoredPruner | null) => PrunerRecord,
): Promise<PrunerChange> {
  let isNew = false;
  const revised = await reviseItem(table, prunerKey(name), prunerCodec, (item) => {
    const former = living(item);
    isNew = former === null;
    const record = change(former);
    return former?.record === record ? null : { name, record, isRemoved: false };
  });
  if (revised === 'contended') return { outcome: 'contended' };
  return { outcome: revised.isWritten ? 'changed' : 'unchanged', pruner: living(revised.value)!, isNew };
}

/** Changes a pruner only if its `uid` matches: a run must not report to a new pruner of the same name. */
export async function revisePruner(
  table: Table,
  name: string,
  uid: string,
  revise: (record: PrunerRecord) => PrunerRecord,
): Promise<PrunerRevision> {
  const revised = await reviseItem(table, prunerKey(name), prunerCodec, (item) => {
    const former = living(item);
    if (former?.record.uid !== uid) return null;
    const record = revise(former.record);
    return former.record === record ? null : { name, record, isRemoved: false };
  });
  if (revised === 'contended') return { outcome: 'contended' };
  const pruner = living(revised.value);
  if (pruner?.record.uid !== uid) return { outcome: 'unknown' };
  return { outcome: revised.isWritten ? 'changed' : 'unchanged', pruner };
}

/**
 * Hides a pruner from readers. Its name stays listed until `forgetPruner`, because its schedule still has to be
 * removed. `check` can throw to reject.
 */
export async function removePruner(
  table: Table,
  name: string,
  check: (stored: StoredPruner) => void,
): Promise<'removed' | 'unknown' | 'contended'> {
  const revised = await reviseItem(table, prunerKey(name), prunerCodec, (item) => {
    const stored = living(item);
    if (stored === null) return null;
    check(stored);
    return { ...stored, isRemoved: true };
  });
  if (revised === 'contended') return 'contended';
  return revised.isWritten ? 'removed' : 'unknown';
}

/** Empties the item of a deleted pruner, unless the pruner was created again. */
export async function forgetPruner(table: Table, name: string): Promise<void> {
  await reviseItem(table, prunerKey(name), prunerCodec, (item) =>
    item?.record && item.isRemoved ? { name, record: null, isRemoved: true } : null,
  );
}

/** Pruners by name. The index gives the order only, because it can lag. The next page starts after `last`. */
export async function listPruners(
  table: Table,
  page: PageRequest,
): Promise<{ readonly pruners: readonly StoredPruner[]; readonly last: string | null }> {
  const { names, last } = await indexPage(table, PRUNER_LIST, page);
  const items = (await readItems(table, names.map(prunerKey))).map(prunerCodec.view);
  const byName = new Map(items.map((item) => [item.name, living(item)]));
  return { pruners: names.flatMap((name) => byName.get(name) ?? []), last };
}

/** All pruners, by name. */
export async function* allPruners(table: Table): AsyncGenerator<StoredPruner> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listPruners>> = await listPruners(table, { after, limit: 100 });
    yield* page.pruners;
    after = page.last;
  } while (after !== null);
}

/** Includes deleted pruners until `forgetPruner`. */
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

function living(item: PrunerItem | null): StoredPruner | null {
  if (item === null || item.record === null || item.isRemoved) return null;
  return { name: item.name, record: item.record };
}

/** Unique, because bucket names contain no slash. */
export function placeOf({ bucket, prefix }: RegistryTarget): string {
  return `${bucket}/${prefix}`;
}
