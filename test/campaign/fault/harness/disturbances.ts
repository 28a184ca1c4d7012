import type { CairnEvent } from '../../../../functions/runtime/events.ts';
import type { Random } from '../../../helpers/random.ts';
import type { Fault, FaultSource, ProxiedCall } from '../../../helpers/s3/bucket-proxy.ts';
import type { ClientBoundary } from './client-boundary.ts';
import type { FaultList } from './fault-list.ts';
import type { Journal } from './journal.ts';
import { countCall, type ProgramClock } from './program-clock.ts';
import { NO_FAULTS } from './rates.ts';
import type { FaultStage } from './stage.ts';
import { type TableCall, type TableFault, tableFaultsFor, type TableFaultSource } from './table-proxy.ts';
import type { Turns } from './turns.ts';

/** Who is told of what happens to a program. */
export interface Witness {
  wrote(call: TableCall): Promise<void> | void;
  /** It is about to go on after it stood still for longer than its lease. */
  stoodStill(actor: string): void;
  /** What was put into the bucket, and which events came to the bus, where there is a bucket or a bus. */
  readonly archived?: Set<string>;
  tellEvents?(events: readonly CairnEvent[]): void;
}

/** A run as those see it whom it calls: it is in this process, or in one of its own. */
export interface Program {
  readonly clock: ProgramClock;
  readonly boundary?: ClientBoundary;
  /** Told of each call, of which it may die: true. */
  readonly child?: { at(side: 'before' | 'after'): Promise<boolean> };
}

interface Surroundings {
  readonly stage: Pick<FaultStage, 'clock'>;
  readonly random: Random;
  readonly faults: FaultList;
  readonly turns: Turns;
  readonly witness: Witness;
  readonly journal: Journal;
  readonly leaseMs: number;
}

/** Stands where calls arrive: lets them go on one at a time, and decides by the dice what becomes of each. */
export class Disturbances {
  rates = NO_FAULTS;
  /** What is out of order altogether. */
  outage: 'table' | 'bucket' | null = null;
  /** Asked before each call of a run. */
  onCall: (call: { readonly actor: string; readonly number: number }) => void = () => {};
  readonly #scene: Surroundings;
  readonly #programs = new Map<string, Program>();

  constructor(scene: Surroundings) {
    this.#scene = scene;
  }

  /** To be told of each run before its first call. */
  follow(actor: string, program: Program): void {
    this.#programs.set(actor, program);
  }

  readonly ofTable: TableFaultSource = {
    next: (call) => (isOfReader(call) ? this.#readerFault(call) : this.#tableFault(call)),
    carriedOut: async (call, status) => {
      if (call.isWrite && status === 200) await this.#scene.witness.wrote(call);
      await this.#programs.get(call.actor)?.child?.at('after');
      if (call.isWrite && !isOfReader(call)) await this.#mayPause(call.actor, 'after');
    },
  };

  readonly ofBucket: FaultSource = {
    next: (call) => this.#bucketFault(call),
    carriedOut: async ({ actor, method, key }) => {
      if (method === 'PUT') this.#scene.witness.archived?.add(key);
      await this.#programs.get(actor)?.child?.at('after');
    },
    told: () => {},
  };

  /** Events on their way to the bus; gives those that were refused. */
  deliver(events: readonly CairnEvent[]): readonly CairnEvent[] {
    const fault = this.draw(this.rates.events, ['refused', 'failed', 'lost'] as const, () => 'events');
    if (fault !== 'refused' && fault !== 'failed') this.#scene.witness.tellEvents?.(events);
    if (fault === 'failed' || fault === 'lost') throw new Error('planted');
    return fault === 'refused' ? events : [];
  }

  async #readerFault(call: TableCall): Promise<TableFault | null> {
    if (this.outage === 'table') return 'unavailable';
    const stale = tableFaultsFor(call).own.filter((fault) => typeof fault === 'object' && 'stale' in fault);
    return stale.length > 0 ? this.draw(this.rates.stale, stale, () => 'reader') : null;
  }

  async #tableFault(call: TableCall): Promise<TableFault | null> {
    const { actor, operation, keys, isWrite } = call;
    const end = await this.#arrive(actor, `${operation} ${keys.join(' ').slice(0, 120)}`);
    if (end !== null) return end === 'killed' ? 'reset' : null;
    if (this.outage === 'table') return 'unavailable';
    const { refused, lost, own } = tableFaultsFor(call);
    const torn = own.filter((fault) => typeof fault === 'string' || 'unprocessed' in fault);
    const where = () => `${actor} ${operation} ${keys[0]}`;
    return (
      this.draw(this.rates.refused, refused, where) ??
      (isWrite ? this.draw(this.rates.lost, lost, where) : null) ??
      (torn.length > 0 ? this.draw(this.rates.torn, torn, where) : null)
    );
  }

  async #bucketFault({ actor, method, key }: ProxiedCall): Promise<Fault | null> {
    const end = await this.#arrive(actor, `${method} ${key}`);
    if (end !== null) return end === 'killed' ? 'reset' : null;
    if (this.outage === 'bucket') return 'throttled';
    const where = () => `${actor} ${method} ${key}`;
    return (
      this.draw(this.rates.refused, ['throttled', 'failed', 'reset'] as const, where) ??
      this.draw(this.rates.lost, ['lost-answer'] as const, where)
    );
  }

  /** Once a call may go on: null, or what became of the run that made it. */
  async #arrive(actor: string, what: string): Promise<'dead' | 'killed' | null> {
    await this.#scene.turns.wait(actor);
    const program = this.#programs.get(actor)!;
    this.#tick(actor, program, what);
    if (program.boundary?.isDead) return 'dead';
    if (await program.child?.at('before')) return 'killed';
    await this.#mayPause(actor, 'before');
    return null;
  }

  /** Every call takes a moment, and the clock of whoever makes it may jump. */
  #tick(actor: string, { clock }: Program, what: string): void {
    const { journal, random } = this.#scene;
    journal.counts.calls++;
    this.#scene.stage.clock.advance(50 + random.below(1500));
    countCall(clock);
    journal.note(`  ${actor} ${what}`);
    this.onCall({ actor, number: clock.calls });
  }

  async #mayPause(actor: string, side: 'before' | 'after'): Promise<void> {
    const { journal, turns, witness, leaseMs } = this.#scene;
    const pause = this.draw(this.rates.pause, [1.2, 2, 4], () => `${actor} stands still ${side} a call for`);
    if (pause === null) return;
    journal.counts.pauses++;
    turns.pause(actor, Date.now() + pause * leaseMs);
    await turns.wait(actor);
    witness.stoodStill(actor);
  }

  /** Something that goes wrong, by the dice and unless it is left out. */
  draw<Drawn>(rate: number, choices: readonly Drawn[], where: () => string): Drawn | null {
    const { faults, journal } = this.#scene;
    if (rate === 0 || !faults.random.chance(rate)) return null;
    const drawn = faults.random.pick(choices);
    const told = typeof drawn === 'object' ? JSON.stringify(drawn) : String(drawn);
    const taken = faults.take(drawn, `${where()}: ${told}`);
    if (taken !== null) {
      journal.counts.faults++;
      journal.note(`  fault ${told}`);
    }
    return taken;
  }
}

function isOfReader({ actor }: TableCall): boolean {
  return actor.startsWith('reader');
}
