import type { PrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import type { PRUNE_PHASES, PruneTrigger } from '@cairn/shared/prune/images/values';

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

export type PrunePhase = (typeof PRUNE_PHASES)[number];
