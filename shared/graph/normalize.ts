import { type ReleaseGraph, arrow, buildGraph } from './graph.ts';
import { readConditionalEdges } from './upstream/conditional-edges.ts';
import { noteRepeatedEdges, readEdges } from './upstream/edges.ts';
import { readNodes, type NodeRules } from './upstream/nodes.ts';
import { Repairs, type RepairReport } from './upstream/repairs.ts';
import { refuse, type Refusal, GRAPH_LIMITS, readShape, type GraphLimits } from './upstream/shape.ts';

export { GRAPH_LIMITS, type GraphLimits } from './upstream/shape.ts';
export type { Refusal, RefusalCode } from './upstream/shape.ts';
export type { Repair, RepairCode, RepairReport } from './upstream/repairs.ts';

export interface NormalizeOptions extends NodeRules {
  readonly limits?: GraphLimits | undefined;
}

export type NormalizedGraph =
  | { readonly ok: true; readonly graph: ReleaseGraph; readonly report: RepairReport }
  | Refusal;

/**
 * Converts any parsed response of an update service into a canonical graph with a list of repairs, or refuses it.
 * Refuses faults of the whole graph (shape, indices, duplicate versions, loops); drops a faulty node or risk. If in
 * doubt, it keeps nodes and withholds edges. `normalizeGraph({nodes: [], edges: [[0, 1]]}, {arch: 'amd64'})` is
 * `{ok: false, code: 'BadEdge', detail: …}`.
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

const UNSEEN = 0;
const OPEN = 1;
const DONE = 2;

/**
 * Returns an edge that closes a loop: 4.1.0→4.1.1 and 4.1.1→4.1.0 give the second. Iterative depth-first search. A
 * backward edge alone is not a loop.
 */
function findLoop(graph: ReleaseGraph): { readonly from: number; readonly to: number } | null {
  const { edges, conditional } = graph;
  const size = graph.nodes.length;
  const state = new Uint8Array(size);
  const nextPlain = edges.offsets.slice(0, size);
  const nextConditional = conditional.offsets.slice(0, size);
  const stack = new Uint32Array(size);
  for (let root = 0; root < size; root++) {
    if (state[root] !== UNSEEN) continue;
    let height = 1;
    stack[0] = root;
    state[root] = OPEN;
    while (height > 0) {
      const node = stack[height - 1]!;
      let target: number;
      if (nextPlain[node]! < edges.offsets[node + 1]!) {
        target = edges.targets[nextPlain[node]!++]!;
      } else if (nextConditional[node]! < conditional.offsets[node + 1]!) {
        target = conditional.targets[nextConditional[node]!++]!;
      } else {
        state[node] = DONE;
        height--;
        continue;
      }
      if (state[target] === OPEN) return { from: node, to: target };
      if (state[target] === DONE) continue;
      state[target] = OPEN;
      stack[height++] = target;
    }
  }
  return null;
}
