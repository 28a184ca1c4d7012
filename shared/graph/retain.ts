import { forEachEdge, type EdgeRows } from './edge-rows.ts';
import { buildGraph, nodeIndex, type GraphParts, type ReleaseGraph } from './graph.ts';

/**
 * Keeps the nodes that were served and that the new answer lacks, because a cluster standing on one would otherwise
 * lose all its updates: they stay with their edges to versions of the answer, and nothing leads to them any more.
 * Served 4.1.0→4.1.1→4.1.2, answer 4.1.0→4.1.2: the graph is 4.1.0→4.1.2, 4.1.1→4.1.2, vanished `['4.1.1']`.
 */
export function retainVanished(
  served: ReleaseGraph | null,
  answer: ReleaseGraph,
): { readonly graph: ReleaseGraph; readonly vanished: readonly string[] } {
  const present = nodeIndex(answer);
  const vanished = (served?.nodes ?? []).filter((node) => !present.has(node.version));
  if (served === null || vanished.length === 0) return { graph: answer, vanished: [] };

  // Where each served node is in the new graph: at its place in the answer, or appended; only those are sources below.
  const size = answer.nodes.length;
  let appended = size;
  const places = served.nodes.map((node) => present.get(node.version) ?? appended++);

  const edges = toPairs(answer.edges);
  const conditional = { ...toPairs(answer.conditional), riskSet: [...answer.conditional.riskSets] };
  const isKept = (from: number, to: number): boolean => places[from]! >= size && places[to]! < size;
  forEachEdge(served.edges, (from, to) => {
    if (!isKept(from, to)) return;
    edges.from.push(places[from]!);
    edges.to.push(places[to]!);
  });
  forEachEdge(served.conditional, (from, to, position) => {
    if (!isKept(from, to)) return;
    conditional.from.push(places[from]!);
    conditional.to.push(places[to]!);
    conditional.riskSet.push(answer.riskSets.length + served.conditional.riskSets[position]!);
  });
  const parts: GraphParts = {
    nodes: [...answer.nodes, ...vanished],
    edges,
    conditional,
    riskSets: [...answer.riskSets, ...served.riskSets],
  };
  return { graph: buildGraph(parts), vanished: vanished.map((node) => node.version) };
}

function toPairs(rows: EdgeRows): { readonly from: number[]; readonly to: number[] } {
  const from: number[] = [];
  forEachEdge(rows, (source) => from.push(source));
  return { from, to: [...rows.targets] };
}
