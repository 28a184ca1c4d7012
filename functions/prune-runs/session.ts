import type { S3Client } from '@aws-sdk/client-s3';
import type { CountedMetrics } from '../jobs/middleware/count-outcome.ts';
import type { HeldLease } from '../jobs/run-under-lease.ts';
import { RUN_FILE, RunFiles } from '../pruners/files.ts';
import type { Log } from '../runtime/log.ts';
import type { Bucket } from '../store/bucket.ts';
import type { Table } from '../store/table.ts';
import type { FormerRun, PruneProgress, PruneState } from './progress.ts';
import type { RegistryByRole } from './registry-role.ts';
import { RegistryStorage } from './registry-storage.ts';

/** One invocation of a run: its lease, progress and files. */
export class PruneSession {
  readonly dependencies: PruneDependencies;
  readonly pruner: string;
  readonly token: number;
  /** File of condemned objects; null if there is none. */
  readonly condemned: string | null;
  /** The previous run, if it deleted something. */
  readonly former: FormerRun | null;
  readonly storage: RegistryStorage;
  readonly files: RunFiles;
  readonly #lease: HeldLease<PruneState>;
  #progress: PruneProgress;

  constructor(
    dependencies: PruneDependencies,
    lease: HeldLease<PruneState>,
    pruner: string,
    progress: PruneProgress,
  ) {
    this.dependencies = dependencies;
    this.#lease = lease;
    this.pruner = pruner;
    this.token = lease.token;
    this.condemned = lease.state.condemned ?? null;
    this.former = lease.state.former ?? null;
    this.#progress = progress;
    const { spec, slot: run } = progress;
    const byRole = dependencies.registryByRole?.(spec.target, { pruner, run });
    this.storage = new RegistryStorage(byRole ?? dependencies.registry, spec.target.bucket);
    this.files = new RunFiles(dependencies.bucket, pruner);
  }

  get progress(): PruneProgress {
    return this.#progress;
  }

  /** Stored with the next checkpoint. */
  note(change: Partial<PruneProgress>): void {
    this.#progress = { ...this.#progress, ...change };
  }

  /** Stores the progress and renews the lease. Throws LeaseLost if another run holds it. */
  async checkpoint(change: Partial<PruneProgress>): Promise<void> {
    const before = this.#progress;
    this.note(change);
    const { phase, deletedLines } = this.#progress;
    if (phase !== before.phase || deletedLines !== before.deletedLines) this.note({ failures: 0 });
    await this.#lease.checkpoint({ progress: this.#progress });
    await this.#lease.switches.get('prune');
  }

  /** The later of clock and slot: either can be behind. */
  latest(): number {
    return Math.max(this.dependencies.clock(), Date.parse(this.#progress.slot));
  }

  /** Start no further work: pause, and let another invocation continue. */
  readonly isTimeUp = (): boolean => this.isOutOfTime() || this.isStopped();

  isOutOfTime(): boolean {
    return this.dependencies.remainingMs() < PRUNE_LIMITS.reserveMs;
  }

  /** The kill switch stops all pruners. */
  isStopped(): boolean {
    return this.#lease.switches.lately('prune') !== null;
  }

  /** Removes unneeded files, including leftovers of runs that died. */
  async tidyUp(condemned: string): Promise<void> {
    const { slot } = this.#progress;
    await this.files.removeAll(RUN_FILE.inventory(slot));
    await this.files.removeAll(RUN_FILE.outcome(slot));
    await this.files.removeAll(RUN_FILE.condemned(''), condemned);
  }
}

export interface PruneDependencies {
  readonly table: Table;
  /** Cairn's own bucket; run files are below `runs/`. */
  readonly bucket: Bucket;
  /** Client for registry buckets without a role. */
  readonly registry: S3Client;
  /**
   * Client for registries with a role.
   * @default no registry has a role
   */
  readonly registryByRole?: RegistryByRole;
  readonly log: Log;
  readonly count: (...metrics: CountedMetrics) => void;
  /** Wall clock in ms: decides leases only. Ages count from the time of the slot. */
  readonly clock: () => number;
  readonly remainingMs: () => number;
}

export const PRUNE_LIMITS = {
  /** Longer than the Lambda timeout. */
  leaseMs: 16 * 60_000,
  /** Time to finish and store active work; nothing new starts with less left. */
  reserveMs: 60_000,
  listingsAtOnce: 8,
  readsAtOnce: 50,
  /** Limit of DeleteObjects. */
  keysPerDeletion: 1000,
} as const;

/** Incomplete uploads are aborted after this time. */
export const UPLOAD_MAX_AGE_MS = 168 * 3600_000;
