import type { PreparedGraph } from '../prepared-graph.ts';
import type { Preference } from '../question.ts';

export interface Search {
  readonly graph: PreparedGraph;
  readonly from: number;
  readonly to: number;
  readonly prefer: Preference;
  /** By risk list. */
  readonly permitted: Uint8Array;
  /** By risk list: a hop with it counts as risky. */
  readonly risky: Uint8Array;
  /** By node; the ends are never blocked. */
  readonly blocked: Uint8Array;
  /** By node: the first hop must not lead there. */
  readonly barred: Uint8Array | null;
}

/** Cost of a hop, and the extra cost of a risky hop, so that one number orders walks by both. */
interface Weights {
  readonly hop: number;
  readonly risky: number;
}

/**
 * One weight exceeds the sum of all others on a walk. Risky hops weigh nothing if no permitted edge is risky, or if
 * channel switches, which `tallyRest` counts, rank between hops and risky hops.
 */
export function weigh({ graph, prefer, permitted, risky }: Search): Weights {
  const many = graph.nodes.length + 1;
  if (!risky.some((isRisky, list) => isRisky === 1 && permitted[list] === 1)) return { hop: 1, risky: 0 };
  if (prefer === 'safest') return { hop: 1, risky: many };
  return graph.channels.length === 1 ? { hop: many, risky: 1 } : { hop: 1, risky: 0 };
}

/**
 * Least cost per node to reach the target; Infinity if unreachable. Values above the source's cost can be provisional.
 * Runs backward: afterwards a step that pays its exact cost is on a best walk.
 */
function costToGo(search: Search, weights: Weights): Float64Array {
  return weights.risky === 0 ? countHops(search) : weighRisks(search, weights);
}

/** Breadth-first, linear in nodes and edges. */
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
  const { from, to, permitted, risky, blocked, barred } = search;
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
      // Skip sources that are already closer, whatever the risks of this edge.
      if (toGo[source]! <= plainCost || blocked[source] === 1) continue;
      const risks = leaving.risks[arriving.edges[at]!]!;
      const cost = risky[risks] === 0 ? plainCost : plainCost + weights.risky;
      if (cost >= toGo[source]! || permitted[risks] === 0) continue;
      if (source === from && barred?.[node] === 1) continue;
      toGo[source] = cost;
      heap.put(source, cost);
    }
  }
  return toGo;
}

/** Binary heap with each node at most once. Allocates all memory up front. */
class NodeHeap {
  readonly #keys: Float64Array;
  readonly #heap: Uint32Array;
  /** Heap position per node plus one; 0 means absent. */
  readonly #places: Uint32Array;
  #size = 0;

  constructor(nodes: number) {
    this.#keys = new Float64Array(nodes);
    this.#heap = new Uint32Array(nodes);
    this.#places = new Uint32Array(nodes);
  }

  put(node: number, key: number): void {
    let place = this.#places[node]! - 1;
    if (place < 0) place = this.#size++;
    this.#keys[node] = key;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      const above = this.#heap[parent]!;
      if (this.#keys[above]! <= key) break;
      this.#set(place, above);
      place = parent;
    }
    this.#set(place, node);
  }

  /** Removes the node with the smallest key; -1 if the heap is empty. */
  take(): number {
    if (this.#size === 0) return -1;
    const first = this.#heap[0]!;
    this.#places[first] = 0;
    this.#size--;
    if (this.#size > 0) this.#sink(this.#heap[this.#size]!);
    return first;
  }

  #sink(node: number): void {
    const key = this.#keys[node]!;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      const right = child + 1;
      if (right < this.#size && this.#keys[this.#heap[right]!]! < this.#keys[this.#heap[child]!]!)
        child = right;
      const below = this.#heap[child]!;
      if (this.#keys[below]! >= key) break;
      this.#set(place, below);
      place = child;
    }
    this.#set(place, node);
  }

  #set(place: number, node: number): void {
    this.#heap[place] = node;
    this.#places[node] = place + 1;
  }
}

/**
 * Steps of all walks that are best in hops and risky hops, or in hops alone if risky hops are counted later. The number
 * of walks can overflow a number, but the steps are few. Nodes are in layers: the n-th node of every walk is in the
 * n-th layer.
 */
export interface BestSteps {
  readonly search: Search;
  /** Nodes on best walks by layer, source first, target last. */
  readonly nodes: Uint32Array;
  /** Steps from `nodes[place]` are `offsets[place]` to `offsets[place + 1] - 1`. */
  readonly offsets: Uint32Array;
  readonly edges: Uint32Array;
  /** Index into `nodes` per graph node; -1 if the node is on no best walk. */
  readonly places: Int32Array;
  readonly hops: number;
  readonly weights: Weights;
  readonly cost: number;
}

export function findBestSteps(search: Search): BestSteps | null {
  const weights = weigh(search);
  const toGo = costToGo(search, weights);
  const { from, permitted, risky, barred } = search;
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
      // Skip edges that make too little progress, whatever their risks.
      if (toGo[target]! > afterPlain) continue;
      const risks = leaving.risks[edge]!;
      const after = risky[risks] === 0 ? afterPlain : afterPlain - weights.risky;
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

/**
 * Costs after hops: channel switches and, if not weighed yet, risky hops. A state is place × channels + channel of the
 * hop that led there, since staying in a channel is free.
 */
export interface Tally {
  readonly rest: Float64Array;
  readonly switchCost: number;
  readonly riskCost: number;
}

export function tallyRest(steps: BestSteps): Tally {
  const { nodes, places, offsets, edges } = steps;
  const { graph, risky: riskyLists } = steps.search;
  const { channels, channelSets, leaving } = graph;
  const width = channels.length;
  const last = nodes.length - 1;
  const riskCost = steps.weights.risky === 0 ? 1 : 0;
  const switchCost = riskCost === 0 ? 1 : steps.hops + 1;
  const rest = new Float64Array((last + 1) * width);
  // With one channel, risky hops are already in the weights.
  if (width === 1) return { rest, switchCost, riskCost };

  rest.fill(Infinity, 0, last * width);
  for (let place = last - 1; place >= 0; place--) {
    const state = place * width;
    const end = offsets[place + 1]!;
    for (let step = offsets[place]!; step < end; step++) {
      const edge = edges[step]!;
      const next = places[leaving.targets[edge]!]! * width;
      const risky = riskyLists[leaving.risks[edge]!] === 0 ? 0 : riskCost;
      const offering = channelSets[leaving.channels[edge]!]!;
      for (let at = 0; at < offering.length; at++) {
        const channel = offering[at]!;
        const cost = rest[next + channel]! + risky;
        if (cost < rest[state + channel]!) rest[state + channel] = cost;
      }
    }
    allowSwitch(rest.subarray(state, state + width), switchCost);
  }
  return { rest, switchCost, riskCost };
}

/** Caps every cost at the minimum plus one switch. */
export function allowSwitch(costs: Float64Array, switchCost: number): void {
  let least = Infinity;
  for (const cost of costs) if (cost < least) least = cost;
  for (let channel = 0; channel < costs.length; channel++) {
    if (costs[channel]! > least + switchCost) costs[channel] = least + switchCost;
  }
}

/** Visits every step from a state that keeps the walk at the best cost. */
export function forEachExactStep(
  steps: BestSteps,
  { rest, switchCost, riskCost }: Tally,
  state: number,
  visit: (nextState: number, edge: number) => void,
): void {
  const { graph, risky: riskyLists } = steps.search;
  const { leaving, channelSets, channels } = graph;
  const width = channels.length;
  const inChannel = state % width;
  const place = (state - inChannel) / width;
  const end = steps.offsets[place + 1]!;
  for (let step = steps.offsets[place]!; step < end; step++) {
    const edge = steps.edges[step]!;
    const next = steps.places[leaving.targets[edge]!]! * width;
    const risky = riskyLists[leaving.risks[edge]!] === 0 ? 0 : riskCost;
    for (const channel of channelSets[leaving.channels[edge]!]!) {
      const cost = risky + (channel === inChannel ? 0 : switchCost) + rest[next + channel]!;
      if (cost === rest[state]) visit(next + channel, edge);
    }
  }
}

/** Risky hops of every best walk from this start state. */
export function riskyHopsFrom(
  { weights, cost }: BestSteps,
  { rest, switchCost }: Tally,
  start: number,
): number {
  if (weights.risky === 0) return rest[start]! % switchCost;
  return weights.risky > weights.hop ? Math.floor(cost / weights.risky) : cost % weights.hop;
}
