import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import type { Cincinnati } from '../outbound/cincinnati.ts';
import type { UpstreamKind } from '../releases/sync-state.ts';
import type { EventSink } from '../runtime/events.ts';
import type { Log } from '../runtime/log.ts';
import type { Bucket } from '../store/bucket.ts';
import { revisionOf } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import type { SwitchReader } from '../switches/store.ts';

/** All that the sync needs of the world. */
export interface SyncDependencies {
  readonly table: Table;
  readonly bucket: Bucket;
  readonly config: ReleaseConfig;
  readonly upstream: {
    readonly kind: UpstreamKind;
    readonly url: string;
    /** One per run: its breaker forgets with it. */
    readonly open: () => Cincinnati;
    readonly payloadHosts?: readonly string[];
  };
  readonly events: EventSink;
  readonly log: Log;
  /** Wall clock in ms: decides liveness only; times in data are those of the slot. */
  readonly clock: () => number;
  readonly limits?: Partial<SyncLimits>;
  readonly onPair?: (progress: {
    readonly done: number;
    readonly total: number;
    readonly pair: string;
    readonly outcome: string;
  }) => void;
}

export interface SyncLimits {
  readonly pairsAtOnce: number;
  readonly rowWritesAtOnce: number;
  /** No pair is begun later than this into a run, so that the run ends by 8 minutes. */
  readonly beginPairsForMs: number;
  /** Longer than the function may run, shorter than the interval: a dead run costs one round at most. */
  readonly leaseMs: number;
  readonly startingDeadlineMs: number;
  readonly versionsPerMinor: number;
  readonly versionsInAll: number;
  readonly retirementGraceMs: number;
  readonly runsKept: number;
}

export const SYNC_LIMITS: SyncLimits = {
  pairsAtOnce: 8,
  rowWritesAtOnce: 16,
  beginPairsForMs: 7 * 60_000,
  leaseMs: 9.5 * 60_000,
  startingDeadlineMs: 5 * 60_000,
  versionsPerMinor: 5000,
  versionsInAll: 50_000,
  retirementGraceMs: 14 * 24 * 3600_000,
  runsKept: 20,
};

/** One run under its lease. */
export interface SyncRun {
  readonly dependencies: SyncDependencies;
  readonly limits: SyncLimits;
  readonly switches: SwitchReader;
  readonly upstream: Cincinnati;
  readonly slot: string;
  readonly token: number;
  /** A revision newer than every one this run or a former one has used. */
  readonly nextRevision: () => string;
}

export function revisionCounter(token: number): () => string {
  let sequence = 0;
  return () => revisionOf(token, ++sequence);
}
