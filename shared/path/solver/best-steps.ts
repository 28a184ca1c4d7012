import { costToGo, weigh, type Search, type Weights } from './cost.ts';

/**
 * The steps of all walks that are best in hops and risky hops, or in hops alone when risky hops are counted later. There
 * may be more walks than fit a number, but their steps are few. Nodes stand in layers: every walk has its n-th node in
 * the n-th layer.
 */
export interface BestSteps {
  readonly search: Search;
  /** The nodes on best walks, layer by layer: the source first, the target last. */
  readonly nodes: Uint32Array;
  /** The steps out of the node at a place are `offsets[place]` up to `offsets[place + 1] - 1`. */
  readonly offsets: Uint32Array;
  /** Per step, the edge. */
  readonly edges: Uint32Array;
  /** Per node of the graph its place in `nodes`; -1 when it is on no best walk. */
  readonly places: Int32Array;
  readonly hops: number;
  readonly weights: Weights;
  /** Of every best walk. */
  readonly cost: number;
}

/** Null when there is no way. */
export function findBestSteps(search: Search): BestSteps | null {
  const weights = weigh(search);
  const toGo = costToGo(search, weights);
  const { from, permitted, barred } = search;
  if (toGo[from] === Infinity) return null;

  const { leaving } = search.graph;
  const size = search.graph.nodes.length;
  const nodes = new Uint32Array(size);
  const places = new Int32Array(size).fill(-1);
  const offsets = new Uint32Array(size + 1);
  const edges = new Uint32Array(leaving.targets.length);
  nodes[0] = from;
  places[from] = 0;
  let [count, steps, layers] = [1, 0, 0];
  for (let place = 0, layerEnd = 1; place < count; place++) {
    const node = nodes[place]!;
    const afterPlain = toGo[node]! - weights.hop;
    const end = leaving.offsets[node + 1]!;
    for (let edge = leaving.offsets[node]!; edge < end; edge++) {
      const target = leaving.targets[edge]!;
      // Most edges lead too little on, whatever their risks.
      if (toGo[target]! > afterPlain) continue;
      const risks = leaving.risks[edge]!;
      const after = risks === 0 ? afterPlain : afterPlain - weights.risky;
      if (toGo[target] !== after || permitted[risks] === 0) continue;
      if (place === 0 && barred?.[target] === 1) continue;
      if (places[target] === -1) {
        places[target] = count;
        nodes[count++] = target;
      }
      edges[steps++] = edge;
    }
    offsets[place + 1] = steps;
    if (place + 1 < layerEnd) continue;
    layerEnd = count;
    layers++;
  }
  return {
    search,
    nodes: nodes.subarray(0, count),
    offsets,
    edges,
    places,
    hops: layers - 1,
    weights,
    cost: toGo[from]!,
  };
}
