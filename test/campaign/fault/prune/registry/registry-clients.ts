import type { StageClock } from '../../harness/stage.ts';
import { type Deed, finish, type RegistryModel } from './registry-model.ts';

/** Those who push to the registry, one deed after the other, each of which may be left half done for a while. */
export class RegistryClients {
  readonly #model: RegistryModel;
  readonly #clock: StageClock;
  #deed: Deed | null = null;

  constructor(model: RegistryModel, clock: StageClock) {
    this.#model = model;
    this.#clock = clock;
  }

  /** Some of their calls. */
  async step(calls: number): Promise<void> {
    for (let call = 0; call < calls; call++) {
      this.#deed ??= this.#model.anyDeed();
      this.#clock.advance(20);
      if ((await this.#deed.next()).done) this.#deed = null;
    }
  }

  /** The rest of what they are at. */
  async finish(): Promise<void> {
    if (this.#deed !== null) await finish(this.#deed);
    this.#deed = null;
  }
}
