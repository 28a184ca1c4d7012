import { isDeepStrictEqual } from 'node:util';
import { nextTimes } from '@cairn/shared/prune/schedule/next-times';
import type { FleetRequest } from '../../functions/fleet/job.ts';
import type { HousekeepingRequest } from '../../functions/housekeeping/job.ts';
import type { PrunerLaunch, RunLauncher } from '../../functions/jobs/launcher.ts';
import type { PruneRequest } from '../../functions/prune-runs/job.ts';
import type {
  PrunerFiring,
  PrunerScheduleDefinition,
  PrunerSchedules,
} from '../../functions/pruners/schedules.ts';
import type { SyncRequest } from '../../functions/sync/job.ts';

interface Entry {
  readonly definition: PrunerScheduleDefinition;
  since: number;
  timer?: NodeJS.Timeout;
}

/** Upper limit of a timer: timers stop while a machine sleeps, ignore clock changes, and last 24 days at most. */
const LONGEST_WAIT_MS = 60_000;

/** Runs under way; errors go to `onError`. */
class Runs<Name> {
  readonly #onError: (name: Name, error: unknown) => void;
  readonly #underWay = new Set<Promise<void>>();

  constructor(onError: (name: Name, error: unknown) => void) {
    this.#onError = onError;
  }

  start(name: Name, work: () => Promise<unknown>): void {
    const run = this.#report(name, work).finally(() => this.#underWay.delete(run));
    this.#underWay.add(run);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #report(name: Name, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#onError(name, error);
    }
  }
}

/** Pruner schedules on an in-process clock. Times missed while it was off are skipped. */
export class LocalPrunerSchedules implements PrunerSchedules {
  readonly #run: (firing: PrunerFiring) => Promise<unknown>;
  readonly #runs: Runs<string>;
  readonly #entries = new Map<string, Entry>();
  #isStopped = false;

  constructor(
    run: (firing: PrunerFiring) => Promise<unknown>,
    onError: (pruner: string, error: unknown) => void,
  ) {
    this.#run = run;
    this.#runs = new Runs(onError);
  }

  async put(pruner: string, definition: PrunerScheduleDefinition): Promise<void> {
    await this.remove(pruner);
    const entry = { definition, since: Date.now() };
    this.#entries.set(pruner, entry);
    this.#waitForNext(pruner, entry);
  }

  async holds(pruner: string, definition: PrunerScheduleDefinition): Promise<boolean> {
    return isDeepStrictEqual(this.#entries.get(pruner)?.definition, definition);
  }

  async remove(pruner: string): Promise<void> {
    clearTimeout(this.#entries.get(pruner)?.timer);
    this.#entries.delete(pruner);
  }

  /** Waits for running jobs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { timer } of this.#entries.values()) clearTimeout(timer);
    await this.#runs.ended();
  }

  #waitForNext(pruner: string, entry: Entry): void {
    if (entry.definition.suspend) return;
    // The clock was ahead and has been set back.
    entry.since = Math.min(entry.since, Date.now());
    const next = timeAfter(entry, Date.now());
    if (next !== null) this.#waitFor(pruner, entry, next);
  }

  #waitFor(pruner: string, entry: Entry, slot: number): void {
    if (this.#isStopped) return;
    const wait = Math.min(Math.max(slot - Date.now(), 0), LONGEST_WAIT_MS);
    entry.timer = setTimeout(() => {
      if (Date.now() < slot) {
        this.#waitForNext(pruner, entry);
        return;
      }
      this.#fire(pruner, lastDue(entry, slot, Date.now()));
      this.#waitForNext(pruner, entry);
    }, wait);
  }

  #fire(pruner: string, slot: number): void {
    const scheduledTime = new Date(slot).toISOString();
    this.#runs.start(pruner, () => this.#run({ pruner, scheduledTime, trigger: 'schedule' }));
  }
}

function timeAfter({ definition, since }: Entry, after: number): number | null {
  return nextTimes(definition.schedule, definition.timeZone, { after, count: 1, since })[0] ?? null;
}

/** After a sleep only the latest missed time counts, as for a CronJob. */
function lastDue(entry: Entry, slot: number, now: number): number {
  let last = slot;
  let next = timeAfter(entry, last);
  while (next !== null && next <= now) {
    last = next;
    next = timeAfter(entry, last);
  }
  return last;
}

export interface LocalJobs {
  readonly sync: (request: SyncRequest) => Promise<unknown>;
  readonly housekeeping: (request: HousekeepingRequest) => Promise<unknown>;
  readonly fleet: (request: FleetRequest) => Promise<unknown>;
  readonly prune: (request: PruneRequest) => Promise<unknown>;
}

type RepeatedJob = Exclude<keyof LocalJobs, 'prune'>;

export class LocalSchedule implements RunLauncher {
  readonly #jobs: LocalJobs;
  readonly #runs: Runs<keyof LocalJobs>;
  readonly #timers = new Map<RepeatedJob, NodeJS.Timeout>();
  #isStopped = false;

  constructor(jobs: LocalJobs, onError: (job: keyof LocalJobs, error: unknown) => void) {
    this.#jobs = jobs;
    this.#runs = new Runs(onError);
  }

  /** Fires at multiples of the interval; a rate schedule on AWS counts from the deployment. */
  every(job: RepeatedJob, intervalMs: number): void {
    if (this.#isStopped) return;
    const next = Math.ceil((Date.now() + 1) / intervalMs) * intervalMs;
    const timer = setTimeout(() => {
      // The clock can have been set back since.
      const slot = Math.min(next, Math.round(Date.now() / intervalMs) * intervalMs);
      const request = { scheduledTime: new Date(slot).toISOString(), trigger: 'schedule' } as const;
      this.#runs.start(job, () => this.#jobs[job](request));
      this.every(job, intervalMs);
    }, next - Date.now());
    this.#timers.set(job, timer);
  }

  async launchSync({ accept, now }: Parameters<RunLauncher['launchSync']>[0]): Promise<string> {
    const slot = new Date(now).toISOString();
    this.#runs.start('sync', () => this.#jobs.sync({ scheduledTime: slot, trigger: 'manual', accept }));
    return slot;
  }

  async launchPruner({ now, slot = new Date(now).toISOString(), ...launch }: PrunerLaunch): Promise<string> {
    this.#runs.start('prune', () => this.#jobs.prune({ ...launch, scheduledTime: slot }));
    return slot;
  }

  launchHousekeeping(now: number): void {
    const scheduledTime = new Date(now).toISOString();
    this.#runs.start('housekeeping', () => this.#jobs.housekeeping({ scheduledTime, trigger: 'manual' }));
  }

  /** Waits for running jobs. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#runs.ended();
  }
}
