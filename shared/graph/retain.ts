import { forEachEdge, type EdgeRows } from './edge-rows.ts';
import { nodeIndex, type ReleaseGraph, type ReleaseNode, buildGraph, type GraphParts } from './graph.ts';

const MANIFEST_REF = 'io.openshift.upgrades.graph.release.manifestref';

/** A version never changes its release image: keeps the first one served and reports the conflict. */
export function keepFirstPayloads(
  served: ReleaseGraph | null,
  answer: ReleaseGraph,
): { readonly graph: ReleaseGraph; readonly conflicts: readonly string[] } {
  if (!served) return { graph: answer, conflicts: [] };
  const known = nodeIndex(served);
  const conflicts: string[] = [];
  const nodes = answer.nodes.map((node) => {
    const first = served.nodes[known.get(node.version) ?? -1];
    if (!first || first.payload === node.payload) return node;
    conflicts.push(node.version);
    return withPayload(node, first);
  });
  return conflicts.length === 0 ? { graph: answer, conflicts } : { graph: { ...answer, nodes }, conflicts };
}

function withPayload(node: ReleaseNode, first: ReleaseNode): ReleaseNode {
  const { [MANIFEST_REF]: _other, ...metadata } = node.metadata;
  const manifest = first.metadata[MANIFEST_REF];
  return {
    ...node,
    payload: first.payload,
    metadata: manifest === undefined ? metadata : { ...metadata, [MANIFEST_REF]: manifest },
  };
}

/**
 * Keeps served nodes that the new graph lacks: a cluster on such a version would lose all its updates. They keep their
 * edges to versions of the new graph; edges to them are dropped. Served 4.1.0→4.1.1→4.1.2, new 4.1.0→4.1.2: result
 * 4.1.0→4.1.2, 4.1.1→4.1.2, vanished `['4.1.1']`.
 */
export function retainVanished(
  served: ReleaseGraph | null,
  answer: ReleaseGraph,
): { readonly graph: ReleaseGraph; readonly vanished: readonly string[] } {
  const present = nodeIndex(answer);
  const vanished = (served?.nodes ?? []).filter((node) => !present.has(node.version));
  if (served === null || vanished.length === 0) return { graph: answer, vanished: [] };

  // Per served node, its index in the new graph; vanished nodes are appended, and only they are sources below.
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
