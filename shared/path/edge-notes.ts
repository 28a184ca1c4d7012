import { compareRisks, riskText, type Risk } from '../graph/graph.ts';

/** Numbers risk lists: equal ones get one number, 0 is the empty list. */
export class RiskLists {
  readonly lists: (readonly Risk[])[] = [[]];
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #merged = new Map<string, number>();

  idOf(risks: readonly Risk[]): number {
    const text = risks.map(riskText).join(',');
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.lists.length);
    return this.lists.push(risks) - 1;
  }

  /** The list of all risks of both, by name. Where they differ about a name, the stricter risk stays. */
  merge(a: number, b: number): number {
    if (a === b || b === 0) return a;
    if (a === 0) return b;
    const key = `${a} ${b}`;
    const known = this.#merged.get(key);
    if (known !== undefined) return known;
    const all = [...this.lists[a]!, ...this.lists[b]!].toSorted(compareRisks);
    const merged = this.idOf(all.filter((risk, at) => risk.name !== all[at - 1]?.name));
    this.#merged.set(key, merged);
    return merged;
  }

  /** Per list, the names in it: one bit for each name there is. */
  names(): bigint[] {
    const bits = new Map<string, bigint>();
    const bitOf = ({ name }: Risk): bigint => {
      const bit = bits.get(name) ?? 1n << BigInt(bits.size);
      bits.set(name, bit);
      return bit;
    };
    return this.lists.map((list) => list.reduce((mask, risk) => mask | bitOf(risk), 0n));
  }
}

/** Numbers sets of channels that are built by adding in ascending order; 0 is the empty set. */
export class ChannelSets {
  readonly sets: (readonly number[])[] = [[]];
  readonly #extended = new Map<number, number>();
  readonly #channels: number;

  constructor(channels: number) {
    this.#channels = channels;
  }

  add(set: number, channel: number): number {
    const members = this.sets[set]!;
    if (members.at(-1) === channel) return set;
    const key = set * this.#channels + channel;
    const known = this.#extended.get(key);
    if (known !== undefined) return known;
    this.#extended.set(key, this.sets.length);
    return this.sets.push([...members, channel]) - 1;
  }
}
