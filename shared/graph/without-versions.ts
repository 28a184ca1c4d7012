import { forEachEdge } from './edge-rows.ts';
import { buildGraph, type ReleaseGraph } from './graph.ts';

/** The graph without these versions and every edge that touches one. */
export function withoutVersions(graph: ReleaseGraph, versions: ReadonlySet<string>): ReleaseGraph {
  if (!graph.nodes.some((node) => versions.has(node.version))) return graph;
  const position = new Map<number, number>();
  for (const [index, node] of graph.nodes.entries()) {
    if (!versions.has(node.version)) position.set(index, position.size);
  }
  const edges = { from: [] as number[], to: [] as number[] };
  const conditional = { from: [] as number[], to: [] as number[], riskSet: [] as number[] };
  forEachEdge(graph.edges, (from, to) => {
    if (!position.has(from) || !position.has(to)) return;
    edges.from.push(position.get(from)!);
    edges.to.push(position.get(to)!);
  });
  forEachEdge(graph.conditional, (from, to, edge) => {
    if (!position.has(from) || !position.has(to)) return;
    conditional.from.push(position.get(from)!);
    conditional.to.push(position.get(to)!);
    conditional.riskSet.push(graph.conditional.riskSets[edge]!);
  });
  const nodes = graph.nodes.filter((node) => !versions.has(node.version));
  return buildGraph({ nodes, edges, conditional, riskSets: graph.riskSets });
}
