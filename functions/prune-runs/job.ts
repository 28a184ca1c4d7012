import type { S3Client } from '@aws-sdk/client-s3';
import type { MetricName } from '../runtime/names.ts';
import type { Log } from '../runtime/log.ts';
import type { Bucket } from '../store/bucket.ts';
import type { Table } from '../store/table.ts';
import type { RegistryByRole } from './registry-role.ts';
import type { EventTrigger } from '../store/leases.ts';

/** All that a run needs of the world. */
export interface PruneDependencies {
  readonly table: Table;
  /** The product's own; runs keep their files below `runs/`. */
  readonly bucket: Bucket;
  /** For the buckets of registries. */
  readonly registry: S3Client;
  /**
   * For those that ask for a role.
   * @default none does
   */
  readonly registryByRole?: RegistryByRole;
  readonly log: Log;
  readonly count: (
    counts: Partial<Record<MetricName, number>>,
    dimensions?: Readonly<Record<string, string>>,
  ) => void;
  /** Wall clock in ms: decides liveness; what is old is judged by the time of the slot. */
  readonly clock: () => number;
  /** What is left of this invocation, in ms. */
  readonly remainingMs: () => number;
}

export interface PruneRequest {
  readonly pruner: string;
  readonly scheduledTime: string;
  readonly trigger: EventTrigger;
  /** Of a run by hand: only tell what would go, whatever the pruner says. */
  readonly dryRun?: boolean | undefined;
  /** Of a run by hand: the hash of a plan that may go although it is large. */
  readonly agree?: string | undefined;
}

export const PRUNE_LIMITS = {
  /** Longer than an invocation may take. */
  leaseMs: 16 * 60_000,
  /** With less than this left no further work is begun, so that what is under way can be finished and noted. */
  reserveMs: 60_000,
  listingsAtOnce: 8,
  readsAtOnce: 50,
  /** The most that DeleteObjects takes. */
  keysPerDeletion: 1000,
} as const;

/** Unfinished uploads of a registry are given up after this time. */
export const UPLOAD_MAX_AGE_MS = 168 * 3600_000;
