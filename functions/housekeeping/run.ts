import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import type { CountedMetrics } from '../jobs/middleware/count-outcome.ts';
import type { PrunerSchedules } from '../pruners/schedules.ts';
import type { Log } from '../runtime/log.ts';
import type { Table } from '../store/table.ts';
import type { SwitchReader } from '../switches/store.ts';

export interface HousekeepingDependencies {
  readonly table: Table;
  /** Entries kept in the history of a cluster. */
  readonly historyLimit: number;
  /** Loads the pruner dependencies; absent if no registry bucket is granted. */
  readonly openPruning?: () => Promise<HousekeepingPruning>;
  readonly log: Log;
  readonly count: (...metrics: CountedMetrics) => void;
  /** Wall clock in ms, for liveness only; data uses the time of the slot. */
  readonly clock: () => number;
  readonly limits?: Partial<HousekeepingLimits>;
}

export interface HousekeepingPruning {
  readonly grantedBuckets: readonly RegistryTarget[];
  readonly schedules: PrunerSchedules;
  /** Whether a registry already stores objects there. */
  readonly holdsRegistry: (target: RegistryTarget) => Promise<boolean>;
  /** Restarts an interrupted run; idempotent. */
  readonly resume: (pruner: string, slot: string) => Promise<void>;
}

interface HousekeepingLimits {
  readonly clustersAtOnce: number;
  readonly clustersPerPage: number;
  readonly prunersAtOnce: number;
  /** No cluster starts after this time: half of the function timeout. */
  readonly beginClustersForMs: number;
  /** Longer than the function timeout. */
  readonly leaseMs: number;
}

export const HOUSEKEEPING_LIMITS: HousekeepingLimits = {
  clustersAtOnce: 4,
  clustersPerPage: 500,
  prunersAtOnce: 4,
  beginClustersForMs: 2.5 * 60_000,
  leaseMs: 5.5 * 60_000,
};

/** A run that holds the lease. */
export interface HousekeepingRun {
  readonly dependencies: HousekeepingDependencies;
  readonly limits: HousekeepingLimits;
  readonly slot: string;
  readonly startedAt: number;
  readonly switches: SwitchReader;
}
