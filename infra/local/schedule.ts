import type { PruneRequest } from '../../functions/prune-runs/job.ts';
import type { FleetRequest } from '../../functions/fleet/run.ts';
import type { SyncRequest } from '../../functions/sync/run.ts';
import type { WatchRequest } from '../../functions/housekeeping/run.ts';
import type { PrunerLaunch, RunLauncher } from '../../functions/jobs/launcher.ts';

/** The jobs of the local run, each as its function on AWS takes it. */
export interface LocalJobs {
  readonly sync: (request: SyncRequest) => Promise<unknown>;
  readonly watch: (request: WatchRequest) => Promise<unknown>;
  readonly fleet: (request: FleetRequest) => Promise<unknown>;
  readonly prune: (request: PruneRequest) => Promise<unknown>;
}

type RepeatedJob = 'sync' | 'watch' | 'fleet';

/** The schedules of the local run, on a clock in this process. */
export class LocalSchedule implements RunLauncher {
  readonly #jobs: LocalJobs;
  readonly #onError: (job: keyof LocalJobs, error: unknown) => void;
  readonly #timers = new Map<RepeatedJob, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  constructor(jobs: LocalJobs, onError: (job: keyof LocalJobs, error: unknown) => void) {
    this.#jobs = jobs;
    this.#onError = onError;
  }

  /** Fires at whole multiples of the interval, as a rate schedule on AWS keeps its distance from the deployment. */
  every(job: RepeatedJob, intervalMs: number): void {
    if (this.#isStopped) return;
    const next = Math.ceil((Date.now() + 1) / intervalMs) * intervalMs;
    const timer = setTimeout(() => {
      // A clock that was ahead when this was planned may have been set back since.
      const slot = Math.min(next, Math.round(Date.now() / intervalMs) * intervalMs);
      const request = { scheduledTime: new Date(slot).toISOString(), trigger: 'schedule' } as const;
      this.#fire(job, () => this.#jobs[job](request));
      this.every(job, intervalMs);
    }, next - Date.now());
    this.#timers.set(job, timer);
  }

  async launchSync({
    accept,
    now,
  }: {
    readonly accept: readonly string[];
    readonly now: number;
  }): Promise<string> {
    const slot = new Date(now).toISOString();
    this.#fire('sync', () => this.#jobs.sync({ scheduledTime: slot, trigger: 'manual', accept }));
    return slot;
  }

  async launchPruner({ now, slot = new Date(now).toISOString(), ...launch }: PrunerLaunch): Promise<string> {
    this.#fire('prune', () => this.#jobs.prune({ ...launch, scheduledTime: slot }));
    return slot;
  }

  launchWatch(now: number): void {
    const scheduledTime = new Date(now).toISOString();
    this.#fire('watch', () => this.#jobs.watch({ scheduledTime, trigger: 'manual' }));
  }

  /** Fires no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #fire(job: keyof LocalJobs, work: () => Promise<unknown>): void {
    const run = this.#run(job, work).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #run(job: keyof LocalJobs, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#onError(job, error);
    }
  }
}
