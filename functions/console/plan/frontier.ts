import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { reachableFrom, reaching } from '@cairn/shared/path/solver/solve';
import { permittedLists, type PathQuery } from '@cairn/shared/path/question';
import type { Frontier } from '../lanes/model.ts';

/**
 * What the start reaches and what reaches the target under the conditions of a question that has no path, so that the
 * gap between them can be seen. Of an end that the graph does not hold nothing is known; null when it holds neither.
 */
export function frontierOf(
  graph: PreparedGraph,
  query: Pick<PathQuery, 'from' | 'to' | 'risk' | 'acceptedRisks' | 'prerelease'>,
): Frontier | null {
  const { from, to } = query;
  const [start, target] = [graph.index.get(from), graph.index.get(to)];
  if (start === undefined && target === undefined) return null;
  const passable = {
    permitted: permittedLists(graph.riskSets, query),
    blocked: query.prerelease ? new Uint8Array(graph.nodes.length) : graph.isPrerelease,
  };
  const named = (marks: Uint8Array | null): Set<string> =>
    new Set(graph.nodes.flatMap(({ version }, place) => (marks?.[place] === 1 ? [version] : [])));
  return {
    reachable: named(start === undefined ? null : reachableFrom(graph, start, passable)),
    reaching: named(target === undefined ? null : reaching(graph, target, passable)),
    from,
    to,
  };
}
