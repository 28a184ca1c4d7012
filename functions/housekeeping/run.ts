import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import type { PrunerSchedules } from '../pruners/schedules.ts';
import type { Log } from '../runtime/log.ts';
import type { MetricName } from '../runtime/names.ts';
import type { Table } from '../store/table.ts';
import type { SwitchReader } from '../switches/store.ts';

/** All that the watch needs of the world. */
export interface HousekeepingDependencies {
  readonly table: Table;
  /** Most entries that the history of a cluster keeps. */
  readonly historyLimit: number;
  /** Loads what looking after pruners needs; absent where no bucket of a registry is granted. */
  readonly openPruning?: () => Promise<HousekeepingPruning>;
  readonly log: Log;
  readonly count: (
    counts: Partial<Record<MetricName, number>>,
    dimensions?: Readonly<Record<string, string>>,
  ) => void;
  /** Wall clock in ms: decides liveness only; times in data are those of the slot. */
  readonly clock: () => number;
  readonly limits?: Partial<HousekeepingLimits>;
}

/** What looking after pruners needs. */
export interface HousekeepingPruning {
  readonly grantedBuckets: readonly RegistryTarget[];
  readonly schedules: PrunerSchedules;
  /** Whether a registry has already put something there. */
  readonly holdsRegistry: (target: RegistryTarget) => Promise<boolean>;
  /** Starts a run again that was cut; once is enough, however often it is asked. */
  readonly resume: (pruner: string, slot: string) => Promise<void>;
}

interface HousekeepingLimits {
  readonly clustersAtOnce: number;
  readonly clustersPerPage: number;
  readonly prunersAtOnce: number;
  /** No cluster is begun later than this into a run: half of what the function may take. */
  readonly beginClustersForMs: number;
  /** Longer than the function may run. */
  readonly leaseMs: number;
}

export const HOUSEKEEPING_LIMITS: HousekeepingLimits = {
  clustersAtOnce: 4,
  clustersPerPage: 500,
  prunersAtOnce: 4,
  beginClustersForMs: 2.5 * 60_000,
  leaseMs: 5.5 * 60_000,
};

/** One run under its lease. */
export interface HousekeepingRun {
  readonly dependencies: HousekeepingDependencies;
  readonly limits: HousekeepingLimits;
  readonly slot: string;
  readonly startedAt: number;
  readonly switches: SwitchReader;
}
