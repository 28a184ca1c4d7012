import type { ClusterState, Offer } from './drawn-state.ts';

interface Since<State> {
  readonly order: number;
  readonly state: State;
}

/** All that upstream and the clusters ever were, in the order in which it became so. */
export class Truth {
  /** Counts everything that happens in a trial. */
  #order = 0;
  readonly #offers: Since<Offer>[] = [];
  readonly #clusters = new Map<string, Since<ClusterState | null>[]>();

  next(): number {
    return ++this.#order;
  }

  get offer(): Offer {
    return this.#offers.at(-1)!.state;
  }

  get ids(): readonly string[] {
    return [...this.#clusters.keys()];
  }

  offered(state: Offer): void {
    this.#offers.push({ order: this.next(), state });
  }

  became(id: string, state: ClusterState | null): void {
    const all = this.#clusters.get(id) ?? [];
    this.#clusters.set(id, all);
    all.push({ order: this.next(), state });
  }

  clusterNow(id: string): ClusterState | null {
    return this.#clusters.get(id)?.at(-1)?.state ?? null;
  }

  lives(id: string): number {
    return Math.max(0, ...(this.#clusters.get(id) ?? []).map(({ state }) => state?.life ?? 0));
  }

  offersBetween(from: number, to: number): readonly Offer[] {
    return between(this.#offers, from, to);
  }

  /** Those that it was at some moment of the time, without the moments in which it was not there. */
  clusterBetween(id: string, from: number, to: number): readonly ClusterState[] {
    return between(this.#clusters.get(id) ?? [], from, to).filter((state) => state !== null);
  }

  /** When the life began that a cluster has now. */
  birthOf(id: string): number {
    const { life } = this.clusterNow(id)!;
    return this.#clusters.get(id)!.find(({ state }) => state?.life === life)!.order;
  }
}

function between<State>(all: readonly Since<State>[], from: number, to: number): readonly State[] {
  return all
    .filter(({ order }, at) => order <= to && (all[at + 1]?.order ?? Infinity) > from)
    .map(({ state }) => state);
}
