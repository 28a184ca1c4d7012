import { Random } from '../../../helpers/random.ts';

/**
 * Decides what goes wrong in a trial, by dice of its own: what is left out here changes nothing about what clients and
 * upstream do by theirs.
 */
export class FaultList {
  readonly told: string[] = [];
  readonly random: Random;
  readonly #without: ReadonlySet<number>;

  constructor(seed: number, without: ReadonlySet<number> = new Set()) {
    this.random = new Random(seed ^ 0x5bd1e995);
    this.#without = without;
  }

  /** Takes a fault that was drawn, or leaves it out: null. */
  take<Drawn>(drawn: Drawn, told: string): Drawn | null {
    const number = this.told.length;
    this.told.push(this.#without.has(number) ? `(left out) ${told}` : told);
    return this.#without.has(number) ? null : drawn;
  }
}
