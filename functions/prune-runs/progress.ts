import type { PrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import type { PRUNE_PHASES, PruneTrigger } from '@cairn/shared/prune/images/values';
import type { StoredPruner } from '../pruners/store.ts';
import type { Item } from '../store/item.ts';
import { prunerLeaseKey } from '../store/keys.ts';
import { isLeaseHeld, lastSkipIn, leaseOf, readLeaseItem, type SkippedRun } from '../store/leases.ts';
import { storedCodec, upgradeStored } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

/** What was deleted, or would be, of each kind. */
export type DeletionCounts = Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;

/** How far a run is. It is kept with its lease, so that another invocation can go on. */
export interface PruneProgress {
  /** The time it was scheduled for; identifies it. */
  readonly slot: string;
  /** Of the pruner; one that was made anew under the same name has nothing to do with it. */
  readonly uid: string;
  readonly trigger: PruneTrigger;
  readonly dryRun: boolean;
  readonly agree: string | null;
  /** The spec as it was when the run began: a change holds from the next one on. */
  readonly spec: PrunerSpec;
  readonly startedAt: string;
  readonly phase: PrunePhase;
  /** Listings that are done, by name, and where the others go on; null once all are. */
  readonly listing: {
    readonly done: readonly string[];
    readonly after: Readonly<Record<string, string>>;
  } | null;
  /** Whose listing and plan it goes by; what others wrote was left by one that was overtaken. */
  readonly inventoryBy?: number | undefined;
  readonly planBy?: number | undefined;
  /** Keys listed so far, for who watches. */
  readonly listed: number;
  /** Lines of the plan, and how many of them are carried out. */
  readonly planned: number;
  readonly deletedLines: number;
  readonly deleted: DeletionCounts;
  /** What could not be deleted; nothing after it was. */
  readonly refused?: readonly { readonly key: string; readonly code: string }[];
  /** Why deleting was given up. */
  readonly stopped?: string;
  /** Invocations that failed, one after the other, without getting any further. */
  readonly failures: number;
}

/** The progress in the item of a lease; null when no run is unfinished. */
export const pruneProgressCodec = storedCodec<PruneProgress | null>('pruneProgress', {
  write: (progress) => ({ progress: progress === null ? '' : JSON.stringify(progress) }),
  read({ progress }) {
    const text = textOf(progress);
    return text === null ? undefined : JSON.parse(text);
  },
  none: null,
});

type PrunePhase = (typeof PRUNE_PHASES)[number];

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
  if (item === null) return null;
  const progress = pruneProgressCodec.view(item);
  if (progress === null) return null;
  const { slot, startedAt } = progress;
  return { slot, startedAt, isHeld: isLeaseHeld(leaseOf(item), now), progress };
}

/** The last run of a pruner that did nothing; null when none was skipped. */
export async function lastSkipOf(table: Table, pruner: string): Promise<SkippedRun | null> {
  return lastSkipIn((await readLeaseItem(table, prunerLeaseKey(pruner))) ?? {});
}

export type FormerRun = Pick<PruneProgress, 'slot' | 'startedAt' | 'planBy'>;

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** How far a run of this very pruner is that was not finished; null when there is none. */
export function progressIn(item: Item, { record }: StoredPruner): PruneProgress | null {
  const progress = pruneProgressCodec.unpack(item);
  return progress?.uid === record.uid ? progress : null;
}

/** It has some fields of a progress, so migrations of that must take it. */
export function formerIn(item: Item): FormerRun | null {
  const text = textOf(item['former']);
  return text === null ? null : (upgradeStored('pruneProgress', JSON.parse(text), item['v']) as FormerRun);
}
