import type { FaultSource } from '../../../helpers/s3/bucket-proxy.ts';
import type { Break } from '../harness/client-boundary.ts';
import type { FaultList } from '../harness/fault-list.ts';
import { drawWrongSlot, type WrongSlot } from '../harness/program-clock.ts';
import type { FaultStage } from '../harness/stage.ts';
import {
  type TableCall,
  type TableFault,
  tableFaultsFor,
  type TableFaultSource,
} from '../harness/table-proxy.ts';
import type { AttemptTurns } from './attempt-turns.ts';
import type { Instance } from './instance.ts';
import type { Rates } from './rates.ts';

interface Surroundings {
  readonly stage: Pick<FaultStage, 'clock'>;
  readonly rates: Rates;
  readonly faults: FaultList;
  readonly turns: AttemptTurns;
  readonly counts: { calls: number; faults: number };
  note(step: string): void;
}

/** Decides what goes wrong: at the table, at the bucket, and with those who ask there. */
export class Disturbances {
  /** Nothing goes wrong any more. */
  isQuiet = false;
  readonly #scene: Surroundings;
  /** By the name that the proxies are told. */
  readonly #instances = new Map<string, Instance>();
  #killsLeft: number;

  constructor(scene: Surroundings) {
    this.#scene = scene;
    this.#killsLeft = scene.rates.kills;
  }

  /** To be told of each instance before its first call. */
  follow(name: string, instance: Instance): void {
    this.#instances.set(name, instance);
  }

  readonly ofTable: TableFaultSource = {
    next: async (call) => {
      const { stage, rates, faults, turns, counts } = this.#scene;
      stage.clock.advance(50);
      counts.calls++;
      if (this.isQuiet) return null;
      const { random } = faults;
      const { refused, lost, own } = tableFaultsFor(call);
      if (random.chance(rates.refused) && turns.now <= rates.refusedTurns) {
        // The first two are those of a table that is asked too much.
        return this.#tableFault(random.pick(rates.isThrottled ? refused.slice(0, 2) : refused), call);
      }
      if (call.isWrite && random.chance(rates.lost)) return this.#tableFault(random.pick(lost), call);
      if (own.length > 0 && random.chance(rates.partly)) return this.#tableFault(random.pick(own), call);
      return null;
    },
  };

  readonly ofBucket: FaultSource = {
    next: async ({ actor, method, key }) => {
      const { rates, faults, counts } = this.#scene;
      if (this.isQuiet || !faults.random.chance(rates.refused)) return null;
      counts.faults++;
      const fault = faults.random.pick(['throttled', 'failed', 'reset', 'lost-answer'] as const);
      return this.#blame(actor, faults.take(fault, `${fault} at ${method} ${key} of ${actor}`));
    },
    carriedOut: () => {},
    told: () => {},
  };

  /** Where the program of an actor is killed, if it is. */
  drawKill(actor: number): Break | null {
    const { faults } = this.#scene;
    const { random } = faults;
    if (this.isQuiet || this.#killsLeft === 0 || !random.chance(0.2)) return null;
    this.#killsLeft--;
    const at: Break = { call: 1 + random.below(10), isAfter: random.chance(0.5), isKill: true };
    const told = `actor ${actor} is killed ${at.isAfter ? 'after' : 'before'} call ${at.call}`;
    return faults.take(at, told);
  }

  /** For how many turns an actor stalls. */
  drawPause(actor: number): number {
    const { rates, faults } = this.#scene;
    if (this.isQuiet || !faults.random.chance(rates.paused)) return 0;
    const turns = 5 + faults.random.below(40);
    return faults.take(turns, `actor ${actor} stalls for ${turns} turns`) ?? 0;
  }

  /** By how much the clock of who answers is wrong. */
  drawClockJump(jumps: readonly number[]): number {
    const { rates, faults } = this.#scene;
    if (this.isQuiet || !faults.random.chance(rates.clock)) return 0;
    const jump = faults.random.pick(jumps);
    return faults.take(jump, `a clock is wrong by ${jump / 1000} s`) ?? 0;
  }

  drawWrongSlot(): WrongSlot | null {
    const { rates, faults } = this.#scene;
    return drawWrongSlot(faults, rates.wrongSlots);
  }

  #tableFault(fault: TableFault, { actor, operation, keys }: TableCall): TableFault | null {
    const { faults, counts } = this.#scene;
    counts.faults++;
    const what = typeof fault === 'string' ? fault : JSON.stringify(fault);
    // Without what is different each time.
    const told = `${what} at ${operation} ${keys[0]?.replace(/-[0-9a-f]{12}/, '')} of ${actor}`;
    this.#scene.note(`  ${told}`);
    return this.#blame(actor, faults.take(fault, told));
  }

  /** Whoever was hurt may fail. */
  #blame<Drawn>(actor: string, fault: Drawn | null): Drawn | null {
    const asked = this.#instances.get(actor)?.asked;
    if (asked && fault !== null) asked.refusals++;
    return fault;
  }
}
