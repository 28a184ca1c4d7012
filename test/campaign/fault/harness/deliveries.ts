import type { FaultKind } from '../scenario.ts';
import { type Break, drawBreak } from './client-boundary.ts';
import { type ClockFault, drawClock, drawWrongSlot } from './program-clock.ts';
import { NO_FAULTS } from './rates.ts';
import type { Scene } from './scene.ts';

interface DeliveryProfile {
  /** Kills in the whole trial. */
  readonly kills: readonly [least: number, most: number];
  /** Deliveries of one slot at once, as often as each is here. */
  readonly atOnce: readonly number[];
  readonly wrongClocks: number;
  /** Of trials: in these, of slots. */
  readonly wrongSlots?: readonly [trials: number, slots: number];
}

export const DELIVERIES: Readonly<Record<FaultKind, DeliveryProfile>> = {
  any: { kills: [1, 3], atOnce: [1, 1, 1, 2, 3], wrongClocks: 0.1 },
  'lost-answers': { kills: [0, 0], atOnce: [1], wrongClocks: 0 },
  duplicates: { kills: [0, 1], atOnce: [2, 3, 4, 5], wrongClocks: 0 },
  clock: { kills: [0, 2], atOnce: [1, 1, 2], wrongClocks: 0.8, wrongSlots: [0.5, 0.4] },
  concurrent: { kills: [0, 1], atOnce: [2, 3, 4], wrongClocks: 0.2 },
  throttled: { kills: [0, 0], atOnce: [1], wrongClocks: 0 },
};

/** A run of a slot, and what goes wrong with it. */
export interface Delivery {
  readonly slot: number;
  readonly breakAt?: Break | null | undefined;
  readonly clock?: ClockFault | null | undefined;
  /** It is of a scheduler whose clock is wrong. */
  readonly isSlotWrong?: boolean;
}

/** What goes wrong with the deliveries of a trial. */
export class Deliveries {
  readonly #scene: Scene;
  readonly #wrongClocks: number;
  readonly #wrongSlots: number;
  readonly #breaks: readonly number[];
  #killsLeft: number;

  /** Programs break within some of their first calls, one of the numbers in `breaks`. */
  constructor(scene: Scene, kind: FaultKind, breaks: readonly number[]) {
    const { kills, wrongClocks, wrongSlots = [0, 0] } = DELIVERIES[kind];
    const { random } = scene.faults;
    this.#scene = scene;
    this.#breaks = breaks;
    this.#killsLeft = kills[0] + random.below(kills[1] - kills[0] + 1);
    this.#wrongClocks = wrongClocks;
    this.#wrongSlots = random.chance(wrongSlots[0]) ? wrongSlots[1] : 0;
  }

  draw(slot: number): Delivery {
    const { faults, journal } = this.#scene;
    const breakAt = this.mayBreak(0.6);
    const wrong = drawWrongSlot(faults, this.#wrongSlots);
    const clock = wrong ? (wrong.clock ?? null) : drawClock(faults, this.#wrongClocks);
    if (wrong || clock) journal.counts.clockJumps++;
    return { slot: slot + (wrong?.offset ?? 0), breakAt, clock, isSlotWrong: wrong !== null };
  }

  mayBreak(chance: number): Break | null {
    const { faults, disturbances } = this.#scene;
    if (this.#killsLeft === 0 || disturbances.rates === NO_FAULTS || !faults.random.chance(chance))
      return null;
    this.#killsLeft--;
    return drawBreak(faults, this.#breaks, 0.8);
  }
}
