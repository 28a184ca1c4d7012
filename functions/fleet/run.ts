import type { DeliveryLimits, DeliveryRun } from '../notifications/deliver.ts';
import type { PostMessage } from '../notifications/post-webhook.ts';
import type { ReleaseReader } from '../releases/release-reader.ts';
import type { EventSink } from '../runtime/events.ts';
import type { Log } from '../runtime/log.ts';
import type { MetricName } from '../runtime/names.ts';
import type { Table } from '../store/table.ts';

/** All that following the fleet needs of the world. */
export interface FleetDependencies {
  readonly table: Table;
  readonly events: EventSink;
  /** Loaded with the first message, as most runs have none. */
  readonly openWebhook: () => Promise<PostMessage>;
  readonly log: Log;
  readonly count: (counts: Partial<Record<MetricName, number>>) => void;
  /** Wall clock in ms: decides liveness only; times in data are those of the slot. */
  readonly clock: () => number;
  readonly limits?: Partial<FleetLimits>;
}

interface FleetLimits extends DeliveryLimits {
  readonly clustersAtOnce: number;
  readonly clustersPerPage: number;
  /** Of those that reported or wait, how many a run begins with. */
  readonly dueClusters: number;
  /** No cluster is begun later than this into a run; the rest of the time is for telling. */
  readonly beginClustersForMs: number;
  /** Longer than the function may run. */
  readonly leaseMs: number;
  /** Within this time nobody is told twice of one topic of a cluster or pruner. */
  readonly windowMs: number;
}

export const FLEET_LIMITS: FleetLimits = {
  clustersAtOnce: 8,
  clustersPerPage: 500,
  dueClusters: 10_000,
  beginClustersForMs: 3 * 60_000,
  leaseMs: 5.5 * 60_000,
  windowMs: 24 * 3600_000,
  mostMessages: 10,
  messagesKeptMs: 24 * 3600_000,
  messagesKept: 100,
  postForMs: 45_000,
};

/** One run under its lease. */
export interface ReassessmentRun extends DeliveryRun {
  readonly dependencies: FleetDependencies;
  readonly limits: FleetLimits;
  readonly slot: string;
  readonly startedAt: number;
  /** By hand. What is not looked at or told by then waits for the run after it goes on. */
  readonly isStopped: () => Promise<boolean>;
  /** The releases as they are at the start of the run. */
  readonly reader: ReleaseReader;
  /** Clusters that it has looked at or begun to. */
  readonly assessed: Set<string>;
}
