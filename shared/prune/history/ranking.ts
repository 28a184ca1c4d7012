import type { HistoryClass, HistoryCriterion, HistoryRules, HistoryView, PrunableEntry } from './criteria.ts';

const COMPLETED = 1;
const PARTIAL = 2;

/** `weights[n]` belongs to `criteria[n]`. */
export interface RankingTable<E extends PrunableEntry> {
  readonly rules: HistoryRules;
  readonly criteria: readonly HistoryCriterion<E>[];
  readonly weights: Float64Array;
  readonly position: number;
  /** Lowest possible weight of an unprotected entry. */
  readonly leastWeight: number;
}

/** Parses versions once; a pass over the entries is one loop over numbers without allocation. */
export class HistoryRanking<E extends PrunableEntry> implements HistoryView<E> {
  length: number;
  initial = -1;
  newestCompleted = -1;
  readonly #history: readonly E[];
  readonly #table: RankingTable<E>;
  readonly #max: number;
  /** Per remaining entry: index in the given list, state, and numbers for its version. */
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

  /** Index of the criterion that counts; `criteria.length` if none holds. */
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
   * Scans from the oldest entry and stops once the lowest weight would exceed the rank found. With the default weights
   * that is after about fifty entries, however long the history.
   */
  lowest(): number {
    const { rules, position, leastWeight } = this.#table;
    const newerGoes = rules.equalRanks === 'newer goes';
    let lowest = this.length - 1;
    let lowestRank = Infinity;
    let isLowestProtected = true;
    for (let index = lowest; index >= 0; index--) {
      // Rounding is monotonic, so no later rank is below this sum. With a position weight that favors older entries,
      // the sum never exceeds the rank found.
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
    // The last completed entry in the scan is the newest.
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
