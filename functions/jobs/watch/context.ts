import type { MetricName } from '../../runtime/job-telemetry.ts';
import type { Log } from '../../runtime/telemetry.ts';
import type { Table } from '../../store/table.ts';

/** All that the watch needs of the world. */
export interface WatchDependencies {
  readonly table: Table;
  /** Most entries that the history of a cluster keeps. */
  readonly historyLimit: number;
  readonly log: Log;
  readonly count: (
    counts: Partial<Record<MetricName, number>>,
    dimensions?: Readonly<Record<string, string>>,
  ) => void;
  /** Wall clock in ms: decides liveness only; times in data are those of the slot. */
  readonly clock: () => number;
  readonly limits?: Partial<WatchLimits>;
}

export interface WatchLimits {
  readonly clustersAtOnce: number;
  readonly clustersPerPage: number;
  /** No cluster is begun later than this into a run: half of what the function may take. */
  readonly beginClustersForMs: number;
  /** Longer than the function may run. */
  readonly leaseMs: number;
}

export const WATCH_LIMITS: WatchLimits = {
  clustersAtOnce: 4,
  clustersPerPage: 500,
  beginClustersForMs: 2.5 * 60_000,
  leaseMs: 5.5 * 60_000,
};

/** One run under its lease. */
export interface WatchRun {
  readonly dependencies: WatchDependencies;
  readonly limits: WatchLimits;
  readonly slot: string;
  readonly startedAt: number;
}
