import { randomUUID } from 'node:crypto';
import type { Log } from '../runtime/log.ts';
import type { Codec } from '../store/item.ts';
import type { Key } from '../store/keys.ts';
import {
  acquireLease,
  type EventTrigger,
  finishLease,
  type FutureTime,
  type LeaseOutcome,
  recordSkip,
  releaseLease,
  renewLease,
  type SkipReason,
  withRun,
} from '../store/leases.ts';
import type { Table } from '../store/table.ts';
import { type Stop, type SwitchName, SwitchReader } from '../switches/store.ts';
import type { Job } from './pipeline.ts';

export interface JobDependencies {
  readonly table: Table;
  readonly log: Log;
  readonly clock: () => number;
}

export interface JobSlot {
  readonly slot: string;
  readonly trigger: EventTrigger;
}

export interface LeasedJob<State, Result> {
  /** Prefix of log messages. */
  readonly name: string;
  /** Fields of every log line of the job. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Logs skipped runs at this level instead of as warnings. */
  readonly skipLevel?: 'info';
  readonly key: Key;
  readonly leaseMs: number;
  /** A checkpoint restarts the lease. Otherwise the lease ends `leaseMs` after the start of the run. */
  readonly extendsLease?: boolean;
  readonly stoppedBy: SwitchName | null;
  /** A scheduled event later than this is missed. */
  readonly startingDeadlineMs: number | null;
  readonly state: Pick<Codec<State>, 'pack' | 'unpack'>;
  readonly run: (lease: HeldLease<State>) => Promise<Ended<State, Result>>;
  /** Called for a run that did not start, before the skip is stored. */
  readonly onSkipped?: (reason: SkipReason, stop: Stop | null) => Promise<void>;
  /** Called when another run has the lease, possibly twice. */
  readonly onSuperseded?: () => Promise<void>;
  /** Called before a failed run releases its lease; may return a state to store with the release. */
  readonly onFailed?: (error: unknown) => Promise<State | void>;
}

export type Ended<State, Result> =
  /** The slot is finished. */
  | { readonly kind: 'done'; readonly state: State; readonly result: Result }
  /** The slot stays open for an event that continues the run. */
  | { readonly kind: 'paused'; readonly state: State; readonly result: Result }
  /** Nothing was done; the slot is finished unless `isSlotOpen`. */
  | {
      readonly kind: 'refused';
      readonly state: State;
      readonly reason: SkipReason;
      readonly isSlotOpen?: boolean;
    };

export interface HeldLease<State> {
  readonly token: number;
  readonly startedAt: number;
  readonly state: State;
  /** Stored times in the future that this run replaces. */
  readonly futureTimes: readonly FutureTime[];
  readonly switches: SwitchReader;
  /** Stores the state and renews the lease; throws LeaseLost if another run has it. */
  checkpoint(state: State): Promise<void>;
  /** Continues an earlier run: the end of this run finishes both slots. */
  continueRun(run: JobSlot, options: { readonly isSlotWrong: boolean }): void;
}

export interface SkippedJob {
  readonly status: 'Skipped';
  readonly reason: SkipReason;
}

/** Another run has the lease: this one must not publish or delete anything. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export const SKIP_NOTES: Readonly<Partial<Record<SkipReason, string>>> = {
  Duplicate: 'this slot or a later one is done or under way',
  Concurrent: 'another run is under way',
};

/** Runs a job once per slot, never two runs at a time, and not while its kill switch is on. */
export async function runUnderLease<State, Result>(
  dependencies: JobDependencies,
  event: JobSlot,
  job: LeasedJob<State, Result>,
): Promise<Result | SkippedJob> {
  const { table, clock } = dependencies;
  const { slot, trigger } = event;
  const startedAt = clock();
  const switches = new SwitchReader(table, clock);
  const skipUnstarted = async (reason: SkipReason, stop: Stop | null = null): Promise<SkippedJob> => {
    await job.onSkipped?.(reason, stop);
    return skip(dependencies, job, event, reason);
  };
  const lateness = startedAt - Date.parse(slot);
  if (trigger === 'schedule' && lateness > (job.startingDeadlineMs ?? Infinity)) {
    return skipUnstarted('Missed');
  }
  const stop = job.stoppedBy && (await switches.get(job.stoppedBy));
  if (stop !== null) return skipUnstarted('Stopped', stop);
  const acquired = await acquireLease(table, job.key, {
    slot,
    byHand: trigger !== 'schedule',
    owner: randomUUID(),
    now: startedAt,
    durationMs: job.leaseMs,
  });
  if (!acquired.acquired) return skipUnstarted(acquired.reason);
  const lease = holdLease(dependencies, job, { event, startedAt, switches, acquired });
  const ended = await runToEnd(dependencies.log, job, lease);
  if (ended === null) return skip(dependencies, job, lease.run(), 'Superseded');
  return ended.kind === 'refused' ? skip(dependencies, job, event, ended.reason) : ended.result;
}

/** Null if another run has the lease. */
async function runToEnd<State, Result>(
  log: Log,
  job: LeasedJob<State, Result>,
  lease: JobLease<State>,
): Promise<Ended<State, Result> | null> {
  const notReleased = (error: unknown): void => {
    const { slot } = lease.run();
    log.error('lease release failed', { ...job.fields, slot, error });
  };
  try {
    const ended = await runAndSettle(job, lease);
    if (!(ended instanceof LeaseLost)) return ended;
    log.warn('lease lost', { ...job.fields, slot: lease.run().slot, error: ended });
    // The run may have learned it from a publication and still hold the lease.
    if (!lease.isLost()) await lease.release().catch(notReleased);
    await job.onSuperseded?.();
    return null;
  } catch (error) {
    const state = await job.onFailed?.(error);
    try {
      if (!(await lease.release(state ?? undefined))) await job.onSuperseded?.();
    } catch (failure) {
      notReleased(failure);
    }
    throw error;
  }
}

async function runAndSettle<State, Result>(
  job: LeasedJob<State, Result>,
  lease: JobLease<State>,
): Promise<Ended<State, Result> | LeaseLost> {
  try {
    const ended = await job.run(lease);
    await lease.settle(ended);
    return ended;
  } catch (error) {
    if (error instanceof LeaseLost) return error;
    throw error;
  }
}

async function skip(
  { table, log }: JobDependencies,
  job: Pick<LeasedJob<unknown, unknown>, 'name' | 'fields' | 'skipLevel' | 'key'>,
  { slot, trigger }: JobSlot,
  reason: SkipReason,
): Promise<SkippedJob> {
  // EventBridge can deliver an event twice.
  const level = job.skipLevel ?? (reason === 'Duplicate' ? 'info' : 'warn');
  log[level](`${job.name} skipped`, { ...job.fields, slot, trigger, reason });
  await recordSkip(table, job.key, { slot, trigger, reason });
  return { status: 'Skipped', reason };
}

interface LeaseStart {
  readonly event: JobSlot;
  readonly startedAt: number;
  readonly switches: SwitchReader;
  readonly acquired: Extract<LeaseOutcome, { readonly acquired: true }>;
}

interface JobLease<State> extends HeldLease<State> {
  /** Run that a skip is recorded for: that of the event, or the one it continues. */
  run(): JobSlot;
  /** Whether the table rejected a write of this run. */
  isLost(): boolean;
  settle(ended: Ended<State, unknown>): Promise<void>;
  /** Releases the lease and leaves the slot open; false if another run has the lease. */
  release(state?: State): Promise<boolean>;
}

function holdLease<State>(
  { table, clock }: JobDependencies,
  { key, leaseMs, extendsLease = false, state: { pack, unpack } }: LeasedJob<State, unknown>,
  { event, startedAt, switches, acquired }: LeaseStart,
): JobLease<State> {
  const { token, item, future } = acquired;
  let { done } = acquired;
  let run = event;
  let isLost = false;
  const expectOurs = (isOurs: boolean): void => {
    if (isOurs) return;
    isLost = true;
    throw new LeaseLost('the lease is of a later run');
  };
  const finish = (state: State) => finishLease(table, key, { token, done }, pack(state));
  const release = (state?: State) =>
    releaseLease(table, key, { token }, state === undefined ? {} : pack(state));
  return {
    token,
    startedAt,
    switches,
    // Unpack inside the run: an unreadable state then releases the lease.
    get state() {
      return unpack(item);
    },
    futureTimes: future,
    run: () => run,
    isLost: () => isLost,
    release,
    async checkpoint(state) {
      const until = (extendsLease ? clock() : startedAt) + leaseMs;
      expectOurs(await renewLease(table, key, { token, until }, pack(state)));
    },
    continueRun(continued, { isSlotWrong }) {
      const { slot, trigger } = continued;
      const isScheduled = trigger === 'schedule';
      const isLater = isScheduled && !isSlotWrong && (done.finishedSlot ?? '') < slot;
      run = continued;
      done = { ...done, ...withRun(done, slot, !isScheduled), ...(isLater && { finishedSlot: slot }) };
    },
    async settle(ended) {
      if (ended.kind === 'done') expectOurs(await finish(ended.state));
      // A rejected write loses nothing here: the other run has the slot.
      else if (ended.kind === 'paused' || ended.isSlotOpen) await release(ended.state);
      else await finish(ended.state);
    },
  };
}

/** Logs and counts stored times that a wrong clock wrote. */
export function reportFutureTimes(
  { log, count }: Pick<Job<unknown, unknown>, 'log' | 'count'>,
  run: Readonly<Record<string, string>>,
  times: readonly FutureTime[],
): void {
  if (times.length === 0) return;
  log.warn('stored times in the future', { ...run, times });
  count({ futureTimes: times.length });
}
