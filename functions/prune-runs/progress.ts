import type { PrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import type { PRUNE_PHASES, PruneTrigger } from '@cairn/shared/prune/images/values';
import { readItem } from '../store/item.ts';
import { prunerLeaseKey } from '../store/keys.ts';
import { isLeaseHeld, lastSkipIn, leaseOf, type SkippedRun } from '../store/leases.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

export type DeletionCounts = Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;

/** Progress of a run, stored beside its lease so that another invocation can continue. */
export interface PruneProgress {
  /** Scheduled time; identifies the run. */
  readonly slot: string;
  /** Uid of the pruner: a new pruner of the same name must not continue the run. */
  readonly uid: string;
  readonly trigger: PruneTrigger;
  readonly dryRun: boolean;
  readonly agree: string | null;
  /** Spec at the start of the run. Changes apply to the next run. */
  readonly spec: PrunerSpec;
  readonly startedAt: string;
  readonly phase: (typeof PRUNE_PHASES)[number];
  /** Completed parts, and the last key of each unfinished part; null if all parts are complete. */
  readonly listing: {
    readonly done: readonly string[];
    readonly after: Readonly<Record<string, string>>;
  } | null;
  /** Lease tokens of the writers of inventory and plan. Files with other tokens are leftovers. */
  readonly inventoryBy?: number | undefined;
  readonly planBy?: number | undefined;
  readonly listed: number;
  /** Lines of the plan; `deletedLines` counts the completed ones. */
  readonly planned: number;
  readonly deletedLines: number;
  readonly deleted: DeletionCounts;
  /** Rejected deletions. Nothing after them was deleted. */
  readonly refused?: readonly { readonly key: string; readonly code: string }[];
  /** Reason for giving up deletion. */
  readonly stopped?: string;
  /** Consecutive invocations that failed without progress. */
  readonly failures: number;
}

/** Job name in the run records. */
export function jobOf(pruner: string): string {
  return `image-pruner/${pruner}`;
}

export type UnfinishedRun = NonNullable<Awaited<ReturnType<typeof unfinishedRun>>>;

/** Returns null if the last run ended. `isHeld`: an invocation holds the lease now. */
export async function unfinishedRun(table: Table, pruner: string, now: number) {
  const item = await readItem(table, prunerLeaseKey(pruner));
  const { progress } = pruneProgressCodec.view(item ?? {});
  if (item === null || progress === null) return null;
  const { slot, startedAt } = progress;
  return { slot, startedAt, isHeld: isLeaseHeld(leaseOf(item), now), progress };
}

export async function lastSkipOf(table: Table, pruner: string): Promise<SkippedRun | null> {
  return lastSkipIn((await readItem(table, prunerLeaseKey(pruner))) ?? {});
}

export type FormerRun = Pick<PruneProgress, 'slot' | 'startedAt' | 'planBy'>;

/** The earlier time, because a clock that is ahead would make new links look old. */
export function beganAt({ slot, startedAt }: FormerRun): number {
  return Math.min(Date.parse(slot), Date.parse(startedAt));
}

/** State beside the lease of a pruner. An omitted part keeps its stored value. */
export interface PruneState {
  /** Null if there is no unfinished run. */
  readonly progress: PruneProgress | null;
  /** The previous run, if it deleted something. */
  readonly former?: FormerRun | null;
  /** File of condemned objects. */
  readonly condemned?: string | null;
}

/** Each part is a string attribute of the lease item; an empty string means none. */
export const pruneProgressCodec = storedCodec<PruneState>('pruneProgress', {
  write: ({ progress, former, condemned }) => ({
    progress: progress === null ? '' : JSON.stringify(progress),
    ...(condemned !== undefined && { condemned: condemned ?? '' }),
    ...(former !== undefined && { former: former === null ? '' : JSON.stringify(former) }),
  }),
  read({ progress, former, condemned }) {
    if (!progress && !former && !condemned) return undefined;
    return {
      progress: progress ? JSON.parse(progress as string) : null,
      former: former ? JSON.parse(former as string) : null,
      condemned: condemned || null,
    };
  },
  none: { progress: null, former: null, condemned: null },
});
