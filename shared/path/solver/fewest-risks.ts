import type { BestSteps } from './best-steps.ts';
import { NameSets } from './name-sets.ts';
import { forEachExactStep, type Tally } from './tally.ts';

/** How many comparisons of name sets one question may cost. Real channels need hundreds. */
export const COMPARISON_BUDGET = 200_000;

/** What is left of the budget. Used up, the search is a good guess and no longer exact. */
export interface Budget {
  comparisons: number;
}

/** The sets of risk names that the rest of a walk may meet. */
export interface RisksAhead {
  readonly sets: NameSets;
  /** The set of names on an edge. */
  namesOn(edge: number): number;
  /** The fewest names altogether when these were met before the state; infinite when no best walk passes it. */
  fewest(state: number, met: number): number;
}

/**
 * How few distinct risks are possible is not a sum: a walk pays for a name once. So each state keeps every set of names
 * that the rest of a walk may have, without those that contain another, and without those that are larger than what a
 * greedy walk meets. In the worst case it is as hard as set cover, hence the budget: beyond it the greedy walk stands.
 */
export function lookAheadForRisks(
  steps: BestSteps,
  tally: Tally,
  starts: readonly number[],
  names: bigint,
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
  const lookAhead = (keep: (kept: number[], set: number) => void): Map<number, number[]> => {
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
  const greedy = lookAhead((kept, set) => keepSmallest(kept, set, sets));
  const bound = Math.min(...starts.map((start) => fewestIn(greedy, start, met)));
  const exact = lookAhead((kept, set) => {
    if (budget.comparisons <= 0 || sets.sizeOf(sets.join(set, met)) > bound) return;
    budget.comparisons -= 1 + kept.length;
    keepMinimal(kept, set, sets);
  });
  const ahead = budget.comparisons > 0 ? exact : greedy;
  return { sets, namesOn, fewest: (state, metBefore) => fewestIn(ahead, state, metBefore) };
}

/** Every state on an exact walk from one of the starts, those of a layer before those of the next. */
function statesPassed(steps: BestSteps, tally: Tally, starts: readonly number[]): number[] {
  const passed = new Set(starts);
  for (const state of passed) forEachExactStep(steps, tally, state, (next) => passed.add(next));
  return [...passed];
}

function keepSmallest(kept: number[], set: number, sets: NameSets): void {
  const [smallest] = kept;
  if (smallest === undefined || sets.sizeOf(set) < sets.sizeOf(smallest)) kept[0] = set;
}

/** Adds a set unless it contains one that is kept; drops those that contain it. */
function keepMinimal(kept: number[], set: number, sets: NameSets): void {
  if (kept.some((other) => sets.isWithin(other, set))) return;
  let length = 0;
  for (const other of kept) if (!sets.isWithin(set, other)) kept[length++] = other;
  kept[length++] = set;
  kept.length = length;
}
