import type { ReleaseGraph } from '@cairn/shared/graph/graph';
import { prepareGraph, type PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { PathQuery } from '@cairn/shared/path/question';
import { solvePath, type PathResult, type UpgradePath } from '@cairn/shared/path/solver/solve';
import { aGraph, aGroup, aRisk } from './answers.ts';

type Pair = readonly [string, string];

/** Edges such as `'4.1.0 > 4.1.1'`; conditional ones list risks, `'4.1.0 > 4.1.2 A,B'`. A version can be alone. */
export function drawn(...edges: readonly string[]): ReleaseGraph {
  return aGraph(...drawnParts(...edges));
}

/** Splits into versions, recommended updates and groups of conditional ones. */
export function drawnParts(...edges: readonly string[]): Parameters<typeof aGraph> {
  const plain: Pair[] = [];
  const groups = [];
  const versions = new Set<string>();
  for (const edge of edges) {
    const [from, to, names] = edge.split(/ > | /) as [string, string?, string?];
    versions.add(from);
    if (to === undefined) continue;
    versions.add(to);
    if (names === undefined) plain.push([from, to]);
    else groups.push(aGroup([[from, to]], ...names.split(',').map(risk)));
  }
  return [[...versions], plain, groups];
}

/** A name that starts with `Always` applies to every cluster. */
function risk(name: string) {
  return aRisk(name, name.startsWith('Always') ? { matchingRules: [{ type: 'Always' }] } : {});
}

export function channel(name: string, ...edges: readonly string[]): PreparedGraph {
  return prepareGraph([{ channel: name, graph: drawn(...edges) }]);
}

/** Solves with the defaults of most tests. */
export function solve(
  graph: PreparedGraph,
  from: string,
  to: string,
  conditions: Partial<PathQuery> = {},
): PathResult {
  return solvePath(graph, {
    from,
    to,
    risk: 'none',
    prefer: 'safest',
    prerelease: false,
    alternatives: 0,
    ...conditions,
  });
}

/** Throws if there is no path. */
export function versionsOf(path: PathResult | UpgradePath): string[] {
  if (!('path' in path)) throw new Error(`no path: ${path.why}`);
  return path.path.map(({ version }) => version);
}

export function versions(...question: Parameters<typeof solve>): string[] {
  return versionsOf(solve(...question));
}
