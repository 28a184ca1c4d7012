import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import type { EusTerms } from '@cairn/shared/releases/values';
import type { Cincinnati } from '../outbound/cincinnati.ts';
import type { UpstreamKind } from '../releases/sync-state.ts';
import type { EventSink } from '../runtime/events.ts';
import type { Log } from '../runtime/log.ts';
import type { Bucket } from '../store/bucket.ts';
import { revisionOf } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import type { SwitchReader } from '../switches/store.ts';

export interface SyncDependencies {
  readonly table: Table;
  readonly bucket: Bucket;
  readonly config: ReleaseConfig;
  /**
   * Extended Update Support terms that the clusters have.
   * @default every published term
   */
  readonly eusTerms?: EusTerms;
  readonly upstream: {
    readonly kind: UpstreamKind;
    readonly url: string;
    /** Opened once per run: the circuit breaker resets with it. */
    readonly open: () => Cincinnati;
    readonly payloadHosts?: readonly string[];
  };
  readonly events: EventSink;
  readonly log: Log;
  /** Wall clock in ms, for liveness only; data uses the time of the slot. */
  readonly clock: () => number;
  readonly limits?: Partial<SyncLimits>;
  readonly onPair?: (progress: {
    readonly done: number;
    readonly total: number;
    readonly pair: string;
    readonly outcome: string;
  }) => void;
}

export const SYNC_LIMITS = {
  pairsAtOnce: 8,
  rowWritesAtOnce: 16,
  /** No pair starts after this time, so that the run ends within 8 minutes. */
  beginPairsForMs: 7 * 60_000,
  /** Longer than the function timeout, shorter than the interval: a dead run costs at most one slot. */
  leaseMs: 9.5 * 60_000,
  startingDeadlineMs: 5 * 60_000,
  versionsPerMinor: 5000,
  versionsInAll: 50_000,
  retirementGraceMs: 14 * 24 * 3600_000,
  runsKept: 20,
};

export type SyncLimits = Readonly<typeof SYNC_LIMITS>;

/** A run that holds the lease. */
export interface SyncRun {
  readonly dependencies: SyncDependencies;
  readonly limits: SyncLimits;
  readonly switches: SwitchReader;
  readonly upstream: Cincinnati;
  readonly slot: string;
  readonly token: number;
  /** Returns a revision newer than any used before. */
  readonly nextRevision: () => string;
}

export function revisionCounter(token: number): () => string {
  let sequence = 0;
  return () => revisionOf(token, ++sequence);
}
