import { noteRepeatedEdges, readEdges } from './upstream/edges.ts';
import { readConditionalEdges } from './upstream/conditional-edges.ts';
import { readNodes, type NodeRules } from './upstream/nodes.ts';
import { refuse, type Refusal } from './upstream/shape.ts';
import { Repairs, type RepairReport } from './upstream/repairs.ts';
import { GRAPH_LIMITS, readShape, type GraphLimits } from './upstream/answer-shape.ts';
import { findLoop } from './cycle.ts';
import { arrow, buildGraph, type ReleaseGraph } from './graph.ts';

export { GRAPH_LIMITS, type GraphLimits } from './upstream/answer-shape.ts';
export type { Refusal, RefusalCode } from './upstream/shape.ts';
export type { Repair, RepairCode, RepairReport } from './upstream/repairs.ts';

export interface NormalizeOptions extends NodeRules {
  readonly limits?: GraphLimits | undefined;
}

export type NormalizedGraph =
  | { readonly ok: true; readonly graph: ReleaseGraph; readonly report: RepairReport }
  | Refusal;

/**
 * Turns a parsed answer of an update service, whatever it holds, into a canonical graph with a report of what was
 * repaired, or refuses it. Faults that put the whole answer in doubt (shape, indices, a version twice, loops) refuse it;
 * a fault of one node or risk costs only that one. Nodes fail toward keeping, edges toward withholding.
 *
 * `normalizeGraph({nodes: [], edges: [[0, 1]]}, {arch: 'amd64'})` is `{ok: false, code: 'BadEdge', detail: …}`.
 */
export function normalizeGraph(answer: unknown, options: NormalizeOptions): NormalizedGraph {
  const limits = options.limits ?? GRAPH_LIMITS;
  const shape = readShape(answer, limits);
  if (!shape.ok) return shape;
  const repairs = new Repairs();
  const nodes = readNodes(shape.nodes, options, repairs);
  if (!nodes.ok) return nodes;
  const conditional = readConditionalEdges(shape.groups, nodes, limits, repairs);
  if (!conditional.ok) return conditional;
  const edges = readEdges(shape.edges, nodes, conditional.rows, repairs);
  if (!edges.ok) return edges;

  const graph = buildGraph({
    nodes: nodes.nodes,
    edges,
    conditional: conditional.pairs,
    riskSets: conditional.riskSets,
  });
  if (graph.edges.targets.length < edges.from.length) noteRepeatedEdges(edges, nodes, repairs);
  const loop = findLoop(graph);
  if (loop !== null) {
    return refuse('Cycle', `the edge ${arrow(graph.nodes, loop.from, loop.to)} closes a loop`);
  }
  return { ok: true, graph, report: repairs.report() };
}
