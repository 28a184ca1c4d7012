import type { HistoryClass, HistoryCriterion, HistoryRules, HistoryView, PrunableEntry } from './criteria.ts';

const COMPLETED = 1;
const PARTIAL = 2;

/** What ranks are made of: the table and its weights, `weights[n]` being that of `criteria[n]`. */
export interface RankingTable<E extends PrunableEntry> {
  readonly rules: HistoryRules;
  readonly criteria: readonly HistoryCriterion<E>[];
  readonly weights: Float64Array;
  readonly position: number;
  /** The least that an entry can have which is not protected before all others. */
  readonly leastWeight: number;
}

/**
 * The entries that are left of a history, each with its rank. Versions are read once; a pass over the entries is one
 * loop over numbers and allocates nothing.
 */
export class HistoryRanking<E extends PrunableEntry> implements HistoryView<E> {
  length: number;
  initial = -1;
  newestCompleted = -1;
  readonly #history: readonly E[];
  readonly #table: RankingTable<E>;
  readonly #max: number;
  /** Of each entry that is left: its index in the given list, its state, and numbers that stand for its version. */
  readonly #origins: Int32Array;
  readonly #states: Uint8Array;
  readonly #minors: Int32Array;
  readonly #patches: Int32Array;
  readonly #older: Int32Array;
  readonly #newer: Int32Array;

  constructor(history: readonly E[], table: RankingTable<E>, max: number) {
    const { length } = history;
    this.length = length;
    this.#history = history;
    this.#table = table;
    this.#max = max;
    this.#origins = new Int32Array(length);
    this.#states = new Uint8Array(length);
    this.#minors = new Int32Array(length);
    this.#patches = new Int32Array(length);
    this.#older = new Int32Array(length);
    this.#newer = new Int32Array(length);
    const numbers = new Map<string, number>();
    for (let index = 0; index < length; index++) {
      const { state, version } = history[index]!;
      const { minor, patch } = table.rules.readVersion(version);
      this.#origins[index] = index;
      this.#states[index] = state === 'Completed' ? COMPLETED : state === 'Partial' ? PARTIAL : 0;
      this.#minors[index] = numberOf(minor, numbers);
      this.#patches[index] = numberOf(patch, numbers);
    }
    this.#findCompleted();
  }

  entry(index: number): E {
    return this.#history[this.#origins[index]!]!;
  }

  isCompleted(index: number): boolean {
    return this.#states[index] === COMPLETED;
  }

  isPartial(index: number): boolean {
    return this.#states[index] === PARTIAL;
  }

  olderCompleted(index: number): number {
    return this.#older[index]!;
  }

  newerCompleted(index: number): number {
    return this.#newer[index]!;
  }

  sameMinor(one: number, other: number): boolean {
    return this.#minors[one] === this.#minors[other];
  }

  sameRelease(one: number, other: number): boolean {
    return this.#minors[one] === this.#minors[other] && this.#patches[one] === this.#patches[other];
  }

  originOf(index: number): number {
    return this.#origins[index]!;
  }

  /** The number of the criterion that counts for an entry; that of the criteria when none holds. */
  criterionOf(index: number): number {
    const { criteria } = this.#table;
    for (let number = 0; number < criteria.length; number++) {
      if (criteria[number]!.holds(index, this)) return number;
    }
    return criteria.length;
  }

  rankOf(index: number, criterion: number): number {
    const { criteria, weights, position } = this.#table;
    return (criterion < criteria.length ? weights[criterion]! : 0) + position * index;
  }

  classOf(criterion: number): HistoryClass {
    return this.#table.criteria[criterion]?.class ?? 'other';
  }

  reasonOf(criterion: number): string {
    return this.#table.criteria[criterion]?.reason ?? this.#table.rules.otherReason;
  }

  /**
   * The index of the entry that is the next to go. It looks from the oldest on and stops where even the least weight would
   * outrank what was found, which is after some fifty entries with the usual weights, however long the history.
   */
  lowest(): number {
    const { rules, position, leastWeight } = this.#table;
    const newerGoes = rules.equalRanks === 'newer goes';
    let lowest = this.length - 1;
    let lowestRank = Infinity;
    let isLowestProtected = true;
    for (let index = lowest; index >= 0; index--) {
      // Rounding keeps the order, so no rank from here on is below this sum. With a position that favours older entries
      // the sum is never above what was found.
      if (!isLowestProtected && leastWeight + position * index > lowestRank) break;
      const criterion = this.criterionOf(index);
      const rank = this.rankOf(index, criterion);
      const isProtected = rules.protectedFirst && this.classOf(criterion) === 'protected';
      const isLower =
        isProtected === isLowestProtected
          ? rank < lowestRank || (newerGoes && rank === lowestRank)
          : isLowestProtected;
      if (!isLower) continue;
      lowest = index;
      lowestRank = rank;
      isLowestProtected = isProtected;
    }
    return lowest;
  }

  remove(index: number): void {
    for (const column of [this.#origins, this.#states, this.#minors, this.#patches]) {
      column.copyWithin(index, index + 1, this.length);
    }
    this.length -= 1;
    this.#findCompleted();
  }

  /** Finds the completed entries on both sides of each one. */
  #findCompleted(): void {
    const { length } = this;
    this.initial = this.#table.rules.initialIndex(length, this.#max);
    let newer = -1;
    for (let index = 0; index < length; index++) {
      this.#newer[index] = newer;
      if (this.isCompleted(index)) newer = index;
    }
    let older = -1;
    for (let index = length - 1; index >= 0; index--) {
      this.#older[index] = older;
      if (this.isCompleted(index)) older = index;
    }
    // The last one met on the way to the newest.
    this.newestCompleted = older;
  }
}

function numberOf(text: string, numbers: Map<string, number>): number {
  let number = numbers.get(text);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(text, number);
  }
  return number;
}
