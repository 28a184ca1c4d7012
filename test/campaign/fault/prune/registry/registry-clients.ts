import type { StageClock } from '../../rig/stage.ts';
import { type Deed, finish, type RegistryWorld } from './registry-world.ts';

/** Those who push to the registry, one deed after the other, each of which may be left half done for a while. */
export class RegistryClients {
  readonly #world: RegistryWorld;
  readonly #clock: StageClock;
  #deed: Deed | null = null;

  constructor(world: RegistryWorld, clock: StageClock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Some of their calls. */
  async step(calls: number): Promise<void> {
    for (let call = 0; call < calls; call++) {
      this.#deed ??= this.#world.anyDeed();
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
