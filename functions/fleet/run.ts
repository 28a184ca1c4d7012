import type { RiskAcceptance } from '@cairn/shared/risk/acceptances';
import type { SharedVerdicts } from '@cairn/shared/risk/cluster-risks';
import { STALLED_AFTER, type StalledAfter } from '@cairn/shared/update-status/answer';
import type { FleetDurations } from '@cairn/shared/update-status/forecast/fleet';
import type { DeliveryDependencies, DeliveryLimits, DeliveryRun } from '../notifications/deliver.ts';
import type { ReleaseReader } from '../releases/release-reader.ts';
import type { ListedAcceptance } from '../risk-acceptances/store.ts';

export interface FleetDependencies extends DeliveryDependencies {
  readonly limits?: Partial<FleetLimits>;
}

interface FleetLimits extends DeliveryLimits {
  readonly clustersAtOnce: number;
  readonly clustersPerPage: number;
  /** Due clusters read at the start of a run. */
  readonly dueClusters: number;
  /** No cluster starts after this time; the rest of the run is for delivery. */
  readonly beginClustersForMs: number;
  /** Longer than the function timeout. */
  readonly leaseMs: number;
  /** Sends at most one notification per topic of a cluster or pruner within this time. */
  readonly windowMs: number;
  readonly stalledAfter: StalledAfter;
}

export const FLEET_LIMITS: FleetLimits = {
  clustersAtOnce: 8,
  clustersPerPage: 500,
  dueClusters: 10_000,
  beginClustersForMs: 3 * 60_000,
  leaseMs: 5.5 * 60_000,
  windowMs: 24 * 3600_000,
  stalledAfter: STALLED_AFTER,
  mostMessages: 10,
  messagesKeptMs: 24 * 3600_000,
  messagesKept: 100,
  postForMs: 45_000,
};

/** A run that holds the lease. */
export interface ReassessmentRun extends DeliveryRun {
  readonly dependencies: FleetDependencies;
  readonly limits: FleetLimits;
  readonly startedAt: number;
  /** Releases as of the start of the run. */
  readonly reader: ReleaseReader;
  /** What updates of the fleet took, as of the last run. */
  readonly fleet: FleetDurations;
  /** Of the clusters of this run. */
  readonly verdicts: SharedVerdicts;
  /** As of the start of the run, also deleted ones. */
  readonly acceptances: readonly ListedAcceptance[];
  readonly activeAcceptances: readonly RiskAcceptance[];
  /** Clusters assessed or being assessed. */
  readonly assessed: Set<string>;
}

export function isOutOfTime({ dependencies, limits, startedAt }: ReassessmentRun): boolean {
  return dependencies.clock() - startedAt > limits.beginClustersForMs;
}
