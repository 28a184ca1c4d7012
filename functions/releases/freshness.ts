import { isStale, type PairState, readSyncState } from './sync-state.ts';
import type { ReleaseSnapshot } from './release-reader.ts';
import { CACHE_LIMITS } from '../store/publication-cache.ts';
import type { Table } from '../store/table.ts';

/** How fresh the graphs are that an answer comes from. */
export interface GraphFreshness {
  /** Of the one that was renewed longest ago. */
  readonly syncedAt: string | null;
  readonly stale: boolean;
  /** What their entity tags begin with. */
  readonly etag: string;
}

export interface FreshnessSources {
  readonly states: KnownPairs;
  readonly clock: () => number;
  readonly sync: { readonly intervalMs: number };
}

export async function graphFreshness(
  channels: readonly string[],
  snapshot: ReleaseSnapshot,
  { states, clock, sync }: FreshnessSources,
): Promise<GraphFreshness> {
  const graphs = await Promise.all(
    channels.map(async (channel) => ({
      etag: await snapshot.entityTag(channel),
      syncedAt: (await states.get(`${channel}/${snapshot.arch}`))?.lastSuccessAt ?? null,
    })),
  );
  return {
    etag: graphs.flatMap(({ etag }) => etag ?? []).join(', '),
    syncedAt: graphs.flatMap(({ syncedAt }) => syncedAt ?? []).toSorted()[0] ?? null,
    stale: graphs.some(({ syncedAt }) => isStale({ lastSuccessAt: syncedAt }, clock(), sync.intervalMs)),
  };
}

/** The state of every followed pair as a warm function holds it, read again when the trust window has passed. */
export class PairStates {
  readonly #table: Table;
  readonly #clock: () => number;
  #held: { readonly readAt: number; readonly pairs: Promise<ReadonlyMap<string, PairState>> } | undefined;

  constructor(table: Table, clock: () => number) {
    this.#table = table;
    this.#clock = clock;
  }

  /** Undefined for a pair that the sync has not met yet; `get('stable-4.14/amd64')`. */
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

/** Whoever knows the state of pairs. */
export type KnownPairs = Pick<PairStates, 'get'>;
