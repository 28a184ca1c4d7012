import type { Random } from '../../../helpers/random.ts';
import {
  type Fault,
  isListing,
  type KeyFault,
  type ProxiedCall,
  SMALL_PAGE,
} from '../../../helpers/s3/bucket-proxy.ts';
import type { ClientBoundary } from '../harness/client-boundary.ts';
import type { FaultList } from '../harness/fault-list.ts';
import { countCall, type ProgramClock } from '../harness/program-clock.ts';
import type { StageClock } from '../harness/stage.ts';
import {
  type TableCall,
  type TableFault,
  tableFaultsFor,
  type TableFaultSource,
} from '../harness/table-proxy.ts';
import type { Turns } from '../harness/turns.ts';
import type { PruneProfile } from './profiles.ts';

/** Longer than the lease of one that was killed. */
export const LEASE_OVER_MS = 17 * 60_000;
/** About what a run takes: who stood still goes on in the midst of the one that took over. */
const RUN_MS = 40_000;

/** An invocation as those see it whom it calls. */
export interface PruneProgram {
  readonly boundary: ClientBoundary;
  readonly clock: ProgramClock;
  readonly profile: PruneProfile;
  readonly bucketRate: number;
  /** Pages that it still gets before one fails for good; null when none does. */
  pagesLeft: number | null;
}

/**
 * Pages of a few keys. Blobs that are more than one page are listed in hundreds of parts, which takes most of the time of a
 * trial: so only in some.
 */
export function smallPages(isOfBlobs: boolean): (call: ProxiedCall) => number {
  return ({ query }) => (isOfBlobs || !query.get('prefix')?.endsWith('/blobs/') ? SMALL_PAGE : Infinity);
}

interface Surroundings {
  readonly clock: StageClock;
  readonly faults: FaultList;
  readonly turns: Turns;
  readonly counts: { faults: number; pauses: number };
  readonly note: (step: string) => void;
}

/** Stands where calls arrive: lets them go on one at a time, and decides by the dice what becomes of each. */
export class PruneDisturbances {
  readonly #around: Surroundings;
  readonly #programs = new Map<string, PruneProgram>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** To be told of each invocation before its first call. */
  follow(actor: string, program: PruneProgram): void {
    this.#programs.set(actor, program);
  }

  readonly ofTable: TableFaultSource = {
    next: (call) => this.#tableFault(call),
    carriedOut: async ({ actor, isWrite }) => {
      if (isWrite) await this.#mayPause(actor, 'after');
    },
  };

  /** Once a call may go on: whose it is; null when that one is dead by then. */
  async arrive(actor: string): Promise<PruneProgram | null> {
    const { turns, clock } = this.#around;
    await turns.wait(actor);
    const program = this.#programs.get(actor)!;
    clock.advance(50);
    countCall(program.clock);
    if (program.boundary.isDead) return null;
    await this.#mayPause(actor, 'before');
    return program;
  }

  bucketFault(program: PruneProgram, call: ProxiedCall): Fault | null {
    const { bucketRate, profile } = program;
    const { random } = this.#around.faults;
    const where = `${call.method} ${call.key}`;
    if (isListing(call)) {
      const listing = `${where}?prefix=${call.query.get('prefix')}`;
      if (program.pagesLeft !== null && program.pagesLeft-- === 0) return this.#take('denied', listing);
      const page = random.below(SMALL_PAGE);
      if (random.chance(profile.torn)) return this.#take({ page }, listing);
    }
    if (random.chance(bucketRate)) {
      const drawn = anyFault(random, call);
      return this.#take(drawn, where, typeof drawn === 'string' ? drawn : 'partial');
    }
    const isWrite = !['GET', 'HEAD'].includes(call.method);
    return isWrite && random.chance(profile.lost) ? this.#take('lost-answer', where) : null;
  }

  async #tableFault(call: TableCall): Promise<TableFault | null> {
    const program = await this.arrive(call.actor);
    if (program === null) return null;
    const { refused, lost, own } = tableFaultsFor(call);
    const isStale = (fault: TableFault) => typeof fault === 'object' && 'stale' in fault;
    const { profile } = program;
    const draw = (rate: number, choices: readonly TableFault[]): TableFault | null => {
      const { random } = this.#around.faults;
      if (choices.length === 0 || !random.chance(rate)) return null;
      return this.#take(random.pick(choices), `${call.operation} ${call.keys[0]}`);
    };
    return (
      draw(profile.refused, refused) ??
      draw(profile.lost, call.isWrite ? lost : []) ??
      draw(
        profile.torn,
        own.filter((fault) => !isStale(fault)),
      ) ??
      draw(profile.stale, own.filter(isStale))
    );
  }

  async #mayPause(actor: string, side: 'before' | 'after'): Promise<void> {
    const { faults, turns, counts } = this.#around;
    const { random } = faults;
    if (!random.chance(this.#programs.get(actor)!.profile.pause)) return;
    const drawn = random.pick([1, 1, 1, 2, 4]) * LEASE_OVER_MS + random.below(RUN_MS);
    const told = `stands still for ${drawn} ms ${side} a call`;
    const pause = faults.take(drawn, `${actor} ${told}`);
    if (pause === null) return;
    counts.pauses++;
    this.#around.note(`  ${actor} ${told}`);
    turns.pause(actor, Date.now() + pause);
    await turns.wait(actor);
    this.#around.note(`  ${actor} goes on`);
  }

  #take<Drawn>(drawn: Drawn, where: string, what: string = JSON.stringify(drawn)): Drawn | null {
    const told = `${what} at ${where}`;
    const taken = this.#around.faults.take(drawn, told);
    if (taken !== null) {
      this.#around.counts.faults++;
      this.#around.note(`  ${told}`);
    }
    return taken;
  }
}

const PASSING_CODES = ['SlowDown', 'InternalError'];

/** One that fits the call; of a deletion mostly one that concerns some of its keys. */
function anyFault(random: Random, { deletes }: ProxiedCall): Fault {
  if (deletes.length === 0 || random.chance(0.3)) {
    return random.pick(['throttled', 'failed', 'reset', 'lost-answer'] as const);
  }
  const code = random.chance(0.15) ? 'AccessDenied' : random.pick(PASSING_CODES);
  const faults = new Map<string, KeyFault>();
  for (const key of deletes) {
    if (random.chance(0.5)) faults.set(key, random.pick([{ code }, { code }, 'silent-gone', 'silent-left']));
  }
  return { deletes: faults };
}
