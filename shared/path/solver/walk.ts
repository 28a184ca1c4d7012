import { findBestWalk } from './best-walk.ts';
import type { Search } from './cost.ts';
import type { Budget } from './fewest-risks.ts';
import { compareWalks, costWalk, prefixOf, type CostedWalk } from './walk-cost.ts';

/** A walk that goes with a chosen one up to a node and leaves it there. */
interface Detour {
  readonly walk: CostedWalk;
  readonly leftAt: number;
}

/**
 * The next best walks after the best one, each different from all others, in the order of their cost. Every walk found
 * is left at each of its nodes in turn, by a hop that no walk before took there (Yen's method); nodes before the one at
 * which a walk itself was left have been tried (Lawler), so that no walk comes up twice.
 */
export function findAlternatives(
  search: Search,
  best: CostedWalk,
  count: number,
  budget: Budget,
): CostedWalk[] {
  const chosen: Detour[] = [{ walk: best, leftAt: 0 }];
  let open: Detour[] = [];
  while (chosen.length <= count) {
    open.push(...detours(search, chosen, budget));
    open = open.toSorted((a, b) => compareWalks(search.graph, search.prefer, a.walk, b.walk));
    const next = open.shift();
    if (next === undefined) break;
    chosen.push(next);
  }
  return chosen.slice(1).map(({ walk }) => walk);
}

/** From each node of the last walk chosen, the best walk on that leaves it by another hop than the chosen ones. */
function detours(search: Search, chosen: readonly Detour[], budget: Budget): Detour[] {
  const { graph } = search;
  const last = chosen.at(-1)!;
  const { nodes } = last.walk;
  const found: Detour[] = [];
  for (let leftAt = last.leftAt; leftAt < nodes.length - 1; leftAt++) {
    const root = nodes.slice(0, leftAt + 1);
    const barred = new Uint8Array(graph.nodes.length);
    for (const { walk } of chosen) {
      if (root.every((node, at) => walk.nodes[at] === node)) barred[walk.nodes[leftAt + 1]!] = 1;
    }
    const blocked = search.blocked.slice();
    for (const node of root) blocked[node] = 1;
    const from = root.at(-1)!;
    blocked[from] = 0;
    const rest = findBestWalk({ ...search, from, blocked, barred }, prefixOf(graph, root), budget);
    if (rest !== null) found.push({ walk: costWalk(graph, [...root, ...rest.slice(1)]), leftAt });
  }
  return found;
}
