/** One run of one side; returns what it cost. */
export type Side = () => number | Promise<number>;

/**
 * The smallest cost of each side. They take turns (A, B, A, B, …), so that whatever else the machine does meets all of
 * them alike, and the smallest is the run that it met least.
 */
export async function smallestCosts<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(sides) as Name[];
  const smallest = Object.fromEntries(names.map((name) => [name, Infinity])) as Record<Name, number>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) smallest[name] = Math.min(smallest[name], await sides[name]());
  }
  return smallest;
}

/**
 * The median over all rounds of what `measured` cost against what `against` cost in the same round. Each round begins
 * with the other side, so that a machine that gets slower or faster meets both alike. For sides whose cost varies by
 * itself, as with garbage collection: there the smallest of each may come from different luck.
 */
export async function medianRatio(measured: Side, against: Side, rounds: number): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const cost = await measured();
      ratios.push(cost / (await against()));
    } else {
      const base = await against();
      ratios.push((await measured()) / base);
    }
  }
  return median(ratios);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** CPU time of some work in this process; unlike time on the clock it does not count what others did meanwhile. */
export function cpuCostOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export function repeat(times: number, work: () => unknown): void {
  for (let time = 0; time < times; time++) work();
}
