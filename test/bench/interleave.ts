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

/** CPU time of some work in this process; unlike time on the clock it does not count what others did meanwhile. */
export function cpuCostOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
