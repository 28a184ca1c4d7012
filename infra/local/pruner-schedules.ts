import { isDeepStrictEqual } from 'node:util';
import { nextTimes } from '@cairn/shared/prune/schedule/next-times';
import type {
  PrunerFiring,
  PrunerScheduleDefinition,
  PrunerSchedules,
} from '../../functions/pruners/schedules.ts';

interface Entry {
  readonly definition: PrunerScheduleDefinition;
  /** From when on intervals count. */
  since: number;
  timer?: NodeJS.Timeout;
}

/**
 * Timers stand still while a machine sleeps, know nothing of a clock that is set, and take at most 24 days: so none of
 * them waits longer than this before it looks at the clock again.
 */
const LONGEST_WAIT_MS = 60_000;

/** The schedules of pruners in the local run, on a clock in this process. Those missed while it was off are not made up for. */
export class LocalPrunerSchedules implements PrunerSchedules {
  readonly #run: (firing: PrunerFiring) => Promise<unknown>;
  readonly #onError: (pruner: string, error: unknown) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  constructor(
    run: (firing: PrunerFiring) => Promise<unknown>,
    onError: (pruner: string, error: unknown) => void,
  ) {
    this.#run = run;
    this.#onError = onError;
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

  /** Fires no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { timer } of this.#entries.values()) clearTimeout(timer);
    await Promise.all(this.#running);
  }

  #waitForNext(pruner: string, entry: Entry): void {
    if (entry.definition.suspend) return;
    // A clock that was ahead has been set back.
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
    const run = this.#report(pruner, { pruner, scheduledTime, trigger: 'schedule' }).finally(() =>
      this.#running.delete(run),
    );
    this.#running.add(run);
  }

  async #report(pruner: string, firing: PrunerFiring): Promise<void> {
    try {
      await this.#run(firing);
    } catch (error) {
      this.#onError(pruner, error);
    }
  }
}

function timeAfter({ definition, since }: Entry, after: number): number | null {
  return nextTimes(definition.schedule, definition.timeZone, after, 1, since)[0] ?? null;
}

/** After a sleep only the latest of all that were missed is of use, as a CronJob has it. */
function lastDue(entry: Entry, slot: number, now: number): number {
  let last = slot;
  let next = timeAfter(entry, last);
  while (next !== null && next <= now) {
    last = next;
    next = timeAfter(entry, last);
  }
  return last;
}
