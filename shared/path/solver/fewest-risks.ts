import { forEachExactStep, type Tally, type BestSteps } from './cost.ts';

/** Comparisons of name sets per question. Real channels need hundreds. */
export const COMPARISON_BUDGET = 200_000;

/** Remaining budget. At zero the result is approximate. */
export interface Budget {
  comparisons: number;
}

export interface RisksAhead {
  readonly sets: NameSets;
  namesOn(edge: number): number;
  /** Fewest names in total, given the names met before the state; Infinity if no best walk passes the state. */
  fewest(state: number, met: number): number;
}

/**
 * Distinct risks do not add up: a walk pays for a name once. Each state keeps every minimal set of names for the rest
 * of the walk that is not larger than a greedy walk's set. The worst case is as hard as set cover. Beyond the budget
 * the greedy walk is used.
 */
export function lookAheadForRisks(
  steps: BestSteps,
  tally: Tally,
  { starts, names }: { readonly starts: readonly number[]; readonly names: bigint },
  budget: Budget,
): RisksAhead {
  const { graph } = steps.search;
  const sets = new NameSets();
  const numbers = new Int32Array(graph.riskSets.length).fill(-1);
  const namesOn = (edge: number): number => {
    const list = graph.leaving.risks[edge]!;
    if (numbers[list] === -1) numbers[list] = sets.idOf(graph.riskNames[list]!);
    return numbers[list]!;
  };
  const passed = statesPassed(steps, tally, starts);
  const firstOfTarget = (steps.nodes.length - 1) * graph.channels.length;
  const assess = (keep: (kept: number[], set: number) => void): Map<number, number[]> => {
    const ahead = new Map<number, number[]>();
    for (const state of passed.toReversed()) {
      const kept = state >= firstOfTarget ? [0] : [];
      ahead.set(state, kept);
      forEachExactStep(steps, tally, state, (next, edge) => {
        for (const set of ahead.get(next)!) keep(kept, sets.join(set, namesOn(edge)));
      });
    }
    return ahead;
  };
  const fewestIn = (ahead: ReadonlyMap<number, readonly number[]>, state: number, met: number): number => {
    let fewest = Infinity;
    for (const set of ahead.get(state) ?? []) fewest = Math.min(fewest, sets.sizeOf(sets.join(set, met)));
    return fewest;
  };

  const met = sets.idOf(names);
  const greedy = assess((kept, set) => keepSmallest(kept, set, sets));
  const bound = Math.min(...starts.map((start) => fewestIn(greedy, start, met)));
  const exact = assess((kept, set) => {
    if (budget.comparisons <= 0 || sets.sizeOf(sets.join(set, met)) > bound) return;
    budget.comparisons -= 1 + kept.length;
    keepMinimal(kept, set, sets);
  });
  const ahead = budget.comparisons > 0 ? exact : greedy;
  return { sets, namesOn, fewest: (state, metBefore) => fewestIn(ahead, state, metBefore) };
}

/** States on exact walks, in order of layers. */
function statesPassed(steps: BestSteps, tally: Tally, starts: readonly number[]): number[] {
  const passed = new Set(starts);
  for (const state of passed) forEachExactStep(steps, tally, state, (next) => passed.add(next));
  return [...passed];
}

function keepSmallest(kept: number[], set: number, sets: NameSets): void {
  const [smallest] = kept;
  if (smallest === undefined || sets.sizeOf(set) < sets.sizeOf(smallest)) kept[0] = set;
}

/** Keeps sets minimal: skips a superset of a kept set and drops supersets of the new set. */
function keepMinimal(kept: number[], set: number, sets: NameSets): void {
  if (kept.some((other) => sets.isWithin(other, set))) return;
  let length = 0;
  for (const other of kept) if (!sets.isWithin(set, other)) kept[length++] = other;
  kept[length++] = set;
  kept.length = length;
}

/** Interns sets of risk names, so that repeating a union costs one lookup. 0 is the empty set. */
class NameSets {
  readonly #masks: bigint[] = [0n];
  readonly #sizes: number[] = [0];
  /** Keyed by text: Map hashes a large bigint by its lowest bits only. */
  readonly #numbers = new Map<string, number>([['0', 0]]);
  readonly #joined = new Map<number, number>();

  idOf(mask: bigint): number {
    const text = mask.toString(32);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#masks.length);
    this.#sizes.push(countBits(mask));
    return this.#masks.push(mask) - 1;
  }

  sizeOf(set: number): number {
    return this.#sizes[set]!;
  }

  join(a: number, b: number): number {
    if (a === b || b === 0) return a;
    if (a === 0) return b;
    // Set numbers stay far below 2²⁶: the budget limits the steps that create them.
    const key = a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a;
    const known = this.#joined.get(key);
    if (known !== undefined) return known;
    const joined = this.idOf(this.#masks[a]! | this.#masks[b]!);
    this.#joined.set(key, joined);
    return joined;
  }

  isWithin(inner: number, outer: number): boolean {
    const mask = this.#masks[inner]!;
    return (mask & this.#masks[outer]!) === mask;
  }
}

export function countBits(mask: bigint): number {
  let count = 0;
  for (let rest = mask; rest > 0n; rest &= rest - 1n) count++;
  return count;
}
