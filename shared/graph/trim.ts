import type { ServedGraph } from './served-graph.ts';

/**
 * The part of a graph that can be reached from a version, by conditional updates too, and the version itself; empty when
 * the graph does not hold it. In 4.1.0→4.1.1→4.1.2 the part from 4.1.1 on is 4.1.1→4.1.2.
 */
export function trimToReachable(graph: ServedGraph, version: string): ServedGraph {
  const reached = reachedFrom(graph, version);
  const nodes = graph.nodes.filter((node) => reached.has(node.version));
  const place = new Map(nodes.map((node, index) => [node.version, index]));
  const placeOf = (index: number): number | undefined => place.get(graph.nodes[index]!.version);
  return {
    ...graph,
    conditionalEdges: graph.conditionalEdges
      .map((group) => ({ ...group, edges: group.edges.filter(({ from }) => reached.has(from)) }))
      .filter(({ edges }) => edges.length > 0),
    edges: graph.edges.flatMap(([from, to]) => {
      const [source, target] = [placeOf(from), placeOf(to)];
      return source === undefined || target === undefined ? [] : [[source, target] as const];
    }),
    nodes,
  };
}

function reachedFrom(graph: ServedGraph, version: string): ReadonlySet<string> {
  const updates = new Map<string, string[]>(graph.nodes.map((node) => [node.version, []]));
  for (const [from, to] of graph.edges)
    updates.get(graph.nodes[from]!.version)!.push(graph.nodes[to]!.version);
  for (const { edges } of graph.conditionalEdges) {
    for (const { from, to } of edges) updates.get(from)?.push(to);
  }
  const reached = new Set(updates.has(version) ? [version] : []);
  // A set that grows while it is walked is a queue in which nobody stands twice.
  for (const from of reached) for (const to of updates.get(from)!) reached.add(to);
  return reached;
}
