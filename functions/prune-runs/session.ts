import type { S3Client } from '@aws-sdk/client-s3';
import type { HeldLease } from '../jobs/run-under-lease.ts';
import { RUN_FILE, RunFiles } from '../pruners/files.ts';
import type { Log } from '../runtime/log.ts';
import type { MetricName } from '../runtime/names.ts';
import type { Bucket } from '../store/bucket.ts';
import type { Table } from '../store/table.ts';
import type { FormerRun, PruneProgress, PruneState } from './progress.ts';
import type { RegistryByRole } from './registry-role.ts';
import { RegistryStorage } from './registry-storage.ts';

interface SessionStart {
  readonly lease: HeldLease<PruneState>;
  readonly pruner: string;
  readonly progress: PruneProgress;
}

/** One invocation's hold on a run: its lease, how far it is, and where its things are. */
export class PruneSession {
  readonly dependencies: PruneDependencies;
  readonly pruner: string;
  readonly token: number;
  /** The file of what is condemned; null when nothing is. */
  readonly condemned: string | null;
  /** The run before, when it deleted something; null when it did not. */
  readonly former: FormerRun | null;
  readonly storage: RegistryStorage;
  readonly files: RunFiles;
  readonly #lease: HeldLease<PruneState>;
  #progress: PruneProgress;

  constructor(dependencies: PruneDependencies, start: SessionStart) {
    this.dependencies = dependencies;
    this.#lease = start.lease;
    this.pruner = start.pruner;
    this.token = start.lease.token;
    this.condemned = start.lease.state.condemned ?? null;
    this.former = start.lease.state.former ?? null;
    this.#progress = start.progress;
    const { spec, slot: run } = start.progress;
    const byRole = dependencies.registryByRole?.(spec.target, { pruner: start.pruner, run });
    this.storage = new RegistryStorage(byRole ?? dependencies.registry, spec.target.bucket);
    this.files = new RunFiles(dependencies.bucket, start.pruner);
  }

  get progress(): PruneProgress {
    return this.#progress;
  }

  /** Is written with the next checkpoint. */
  note(change: Partial<PruneProgress>): void {
    this.#progress = { ...this.#progress, ...change };
  }

  /** Stores the progress and renews the lease; throws LeaseLost when another run has taken over. */
  async checkpoint(change: Partial<PruneProgress>): Promise<void> {
    const before = this.#progress;
    this.note(change);
    const { phase, deletedLines } = this.#progress;
    if (phase !== before.phase || deletedLines !== before.deletedLines) this.note({ failures: 0 });
    await this.#lease.checkpoint({ progress: this.#progress });
    await this.#lease.switches.get('prune');
  }

  /** By the clock or the slot, whichever is later: either may be behind. */
  latest(): number {
    return Math.max(this.dependencies.clock(), Date.parse(this.#progress.slot));
  }

  /** Nothing further is to be begun: it pauses, and another invocation goes on. */
  readonly isTimeUp = (): boolean => this.isOutOfTime() || this.isStopped();

  isOutOfTime(): boolean {
    return this.dependencies.remainingMs() < PRUNE_LIMITS.reserveMs;
  }

  /** By hand, for all pruners. */
  isStopped(): boolean {
    return this.#lease.switches.lately('prune') !== null;
  }

  /** Removes files that nobody reads any more: those of former runs were left by one that died. */
  async tidyUp(condemned: string): Promise<void> {
    const { slot } = this.#progress;
    await this.files.removeAll(RUN_FILE.inventory(slot));
    await this.files.removeAll(RUN_FILE.outcome(slot));
    await this.files.removeOthers(RUN_FILE.condemned(''), condemned);
  }
}

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
