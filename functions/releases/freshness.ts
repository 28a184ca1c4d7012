import { CACHE_LIMITS } from '../store/publication-cache.ts';
import type { Table } from '../store/table.ts';
import { type PairState, readSyncState } from './sync-state.ts';

/** Caches the state of every followed pair in a warm function for the trust window. */
export class PairStates {
  readonly #table: Table;
  readonly #clock: () => number;
  #held: { readonly readAt: number; readonly pairs: Promise<ReadonlyMap<string, PairState>> } | undefined;

  constructor(table: Table, clock: () => number) {
    this.#table = table;
    this.#clock = clock;
  }

  /** Undefined for a pair that is not synced yet, such as `get('stable-4.14/amd64')`. */
  async get(pair: string): Promise<PairState | undefined> {
    const now = this.#clock();
    if (!this.#held || Math.abs(now - this.#held.readAt) >= CACHE_LIMITS.trustMs) {
      this.#held = { readAt: now, pairs: this.#read() };
    }
    const { pairs } = this.#held;
    try {
      return (await pairs).get(pair);
    } catch (error) {
      if (this.#held?.pairs === pairs) this.#held = undefined;
      throw error;
    }
  }

  async #read(): Promise<ReadonlyMap<string, PairState>> {
    const state = await readSyncState(this.#table, { consistent: false });
    return new Map(Object.entries(state?.book.pairs ?? {}));
  }
}

export type KnownPairs = Pick<PairStates, 'get'>;
