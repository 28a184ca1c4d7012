import type { PrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import type { PRUNE_PHASES, PruneTrigger } from '@cairn/shared/prune/images/values';
import { prunerLeaseKey } from '../store/keys.ts';
import { isLeaseHeld, lastSkipIn, leaseOf, readLeaseItem, type SkippedRun } from '../store/leases.ts';
import { storedCodec } from '../store/migrations.ts';
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
  const { progress } = pruneProgressCodec.view(item ?? {});
  if (item === null || progress === null) return null;
  const { slot, startedAt } = progress;
  return { slot, startedAt, isHeld: isLeaseHeld(leaseOf(item), now), progress };
}

/** The last run of a pruner that did nothing; null when none was skipped. */
export async function lastSkipOf(table: Table, pruner: string): Promise<SkippedRun | null> {
  return lastSkipIn((await readLeaseItem(table, prunerLeaseKey(pruner))) ?? {});
}

export type FormerRun = Pick<PruneProgress, 'slot' | 'startedAt' | 'planBy'>;

/** What is stored with the lease of a pruner. A part that is left out when it is stored stays as it was. */
export interface PruneState {
  /** How far the unfinished run is; null when there is none. */
  readonly progress: PruneProgress | null;
  /** The run before, when it deleted something. */
  readonly former?: FormerRun | null;
  /** The file of what is condemned. */
  readonly condemned?: string | null;
}

/** Each part is a string attribute of the lease item; '' is none. */
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
