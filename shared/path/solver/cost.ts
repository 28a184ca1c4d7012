import { NodeHeap } from './node-heap.ts';
import type { PreparedGraph } from '../prepared-graph.ts';
import type { Preference } from '../question.ts';

/** What is asked of one search: the best walk between two nodes over what may be used. */
export interface Search {
  readonly graph: PreparedGraph;
  readonly from: number;
  readonly to: number;
  readonly prefer: Preference;
  /** By risk list. */
  readonly permitted: Uint8Array;
  /** By node; neither end is blocked. */
  readonly blocked: Uint8Array;
  /** By node: the first hop must not lead there. */
  readonly barred: Uint8Array | null;
}

/** What a hop costs, and what a risky one costs on top. The cost of a walk then compares as the numbers of both do. */
export interface Weights {
  readonly hop: number;
  readonly risky: number;
}

/**
 * One weight exceeds what all the others of a walk can add up to. When no usable edge is risky nothing needs weighing;
 * nor when channel switches, which are counted later, come between hops and risky hops.
 */
export function weigh({ graph, prefer, permitted }: Search): Weights {
  const many = graph.nodes.length + 1;
  if (!permitted.includes(1, 1)) return { hop: 1, risky: 0 };
  if (prefer === 'safest') return { hop: 1, risky: many };
  return graph.channels.length === 1 ? { hop: many, risky: 1 } : { hop: 1, risky: 0 };
}

/**
 * Per node the least cost of reaching the target; infinite where it cannot be reached. Numbers larger than that of the
 * source need not be final. Backward, so that afterwards every step that pays its cost exactly is one of a best walk.
 */
export function costToGo(search: Search, weights: Weights): Float64Array {
  return weights.risky === 0 ? countHops(search) : weighRisks(search, weights);
}

/** Layer by layer, linear in nodes and edges. */
function countHops(search: Search): Float64Array {
  const { from, to, permitted, blocked, barred } = search;
  const { arriving, leaving, nodes } = search.graph;
  const toGo = new Float64Array(nodes.length).fill(Infinity);
  const queue = new Uint32Array(nodes.length);
  toGo[to] = 0;
  queue[0] = to;
  let length = 1;
  for (let head = 0; head < length && toGo[from] === Infinity; head++) {
    const node = queue[head]!;
    const end = arriving.offsets[node + 1]!;
    for (let at = arriving.offsets[node]!; at < end; at++) {
      const source = arriving.sources[at]!;
      if (toGo[source] !== Infinity || blocked[source] === 1) continue;
      if (permitted[leaving.risks[arriving.edges[at]!]!] === 0) continue;
      if (source === from && barred?.[node] === 1) continue;
      toGo[source] = toGo[node]! + 1;
      queue[length++] = source;
    }
  }
  return toGo;
}

/** Dijkstra. */
function weighRisks(search: Search, weights: Weights): Float64Array {
  const { from, to, permitted, blocked, barred } = search;
  const { arriving, leaving, nodes } = search.graph;
  const toGo = new Float64Array(nodes.length).fill(Infinity);
  const heap = new NodeHeap(nodes.length);
  toGo[to] = 0;
  heap.put(to, 0);
  for (let node = heap.take(); node >= 0 && node !== from; node = heap.take()) {
    const plainCost = toGo[node]! + weights.hop;
    const end = arriving.offsets[node + 1]!;
    for (let at = arriving.offsets[node]!; at < end; at++) {
      const source = arriving.sources[at]!;
      // Most sources are known to be closer, whatever the risks of this edge.
      if (toGo[source]! <= plainCost || blocked[source] === 1) continue;
      const risks = leaving.risks[arriving.edges[at]!]!;
      const cost = risks === 0 ? plainCost : plainCost + weights.risky;
      if (cost >= toGo[source]! || permitted[risks] === 0) continue;
      if (source === from && barred?.[node] === 1) continue;
      toGo[source] = cost;
      heap.put(source, cost);
    }
  }
  return toGo;
}
