import { prunerLeaseKey } from '../store/keys.ts';
import { renewLease } from '../store/leases.ts';
import { PRUNE_LIMITS, type PruneDependencies } from './job.ts';
import type { PruneProgress } from './progress.ts';
import { RegistryStorage } from './registry-storage.ts';
import { RUN_FILE, RunFiles } from '../pruners/files.ts';
import type { SwitchReader } from '../switches/store.ts';

export interface SessionStart {
  readonly switches: SwitchReader;
  readonly pruner: string;
  readonly token: number;
  /** The file of what is condemned; null when nothing is. */
  readonly condemned: string | null;
  /** The run before, when it deleted something; null when it did not. */
  readonly former: FormerRun | null;
  readonly progress: PruneProgress;
}

export type FormerRun = Pick<PruneProgress, 'slot' | 'startedAt' | 'planBy'>;

/** One invocation's hold on a run: its lease, how far it is, and where its things are. */
export class PruneSession {
  readonly dependencies: PruneDependencies;
  readonly pruner: string;
  readonly token: number;
  readonly condemned: string | null;
  readonly former: FormerRun | null;
  readonly storage: RegistryStorage;
  readonly files: RunFiles;
  readonly #switches: SwitchReader;
  #progress: PruneProgress;

  constructor(dependencies: PruneDependencies, start: SessionStart) {
    this.dependencies = dependencies;
    this.#switches = start.switches;
    this.pruner = start.pruner;
    this.token = start.token;
    this.condemned = start.condemned;
    this.former = start.former;
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

  /** Writes down how far it is and prolongs the lease. False when another run has taken over. */
  async checkpoint(change: Partial<PruneProgress>): Promise<boolean> {
    const before = this.#progress;
    this.note(change);
    const { phase, deletedLines } = this.#progress;
    if (phase !== before.phase || deletedLines !== before.deletedLines) this.note({ failures: 0 });
    const { table, clock } = this.dependencies;
    const until = clock() + PRUNE_LIMITS.leaseMs;
    const run = { token: this.token, until };
    const isOurs = await renewLease(table, prunerLeaseKey(this.pruner), run, this.attributes());
    await this.#switches.get('prune');
    return isOurs;
  }

  /** By the clock or the slot, whichever is later: either may be behind. */
  latest(): number {
    return Math.max(this.dependencies.clock(), Date.parse(this.#progress.slot));
  }

  /** What is kept with the lease. */
  attributes(): Readonly<Record<string, string>> {
    return { progress: JSON.stringify(this.#progress) };
  }

  /** Nothing further is to be begun: it pauses, and another invocation goes on. */
  readonly isTimeUp = (): boolean => this.isOutOfTime() || this.isStopped();

  isOutOfTime(): boolean {
    return this.dependencies.remainingMs() < PRUNE_LIMITS.reserveMs;
  }

  /** By hand, for all pruners. */
  isStopped(): boolean {
    return this.#switches.lately('prune') !== null;
  }

  /** Removes files that nobody reads any more: those of former runs were left by one that died. */
  async tidyUp(condemned: string): Promise<void> {
    const { slot } = this.#progress;
    await this.files.removeAll(RUN_FILE.inventory(slot));
    await this.files.removeAll(RUN_FILE.outcome(slot));
    await this.files.removeOthers(RUN_FILE.condemned(''), condemned);
  }
}
