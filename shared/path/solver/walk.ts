import { findEdge } from '../../graph/edge-rows.ts';
import type { PreparedGraph } from '../prepared-graph.ts';
import type { Preference } from '../question.ts';
import {
  type Search,
  forEachExactStep,
  riskyHopsFrom,
  tallyRest,
  type Tally,
  type BestSteps,
  findBestSteps,
  allowSwitch,
} from './cost.ts';
import { type Budget, lookAheadForRisks, type RisksAhead, countBits } from './fewest-risks.ts';

/** What a walk brought along when the search goes on from its last node. */
export interface Prefix {
  /** Per channel, the fewest switches with the last hop in it. */
  readonly switches: Float64Array;
  /** Names of the risks met, as bits. */
  readonly names: bigint;
}

/** The nodes of the best walk from source to target, or null when there is none. */
export function findBestWalk(search: Search, prefix: Prefix, budget: Budget): number[] | null {
  const steps = findBestSteps(search);
  if (steps === null) return null;
  const tally = tallyRest(steps);
  const starts = bestStarts(tally, prefix);
  const hasRisks = riskyHopsFrom(steps, tally, starts[0]!) > 0;
  const risks = hasRisks ? lookAheadForRisks(steps, tally, { starts, names: prefix.names }, budget) : null;
  const layers = closestLayers(steps, tally, startWays(starts, prefix, risks), budget);
  return newestOf(layers, steps);
}

/** The states of the source, one per channel, from which switches and risks add up to the least. */
function bestStarts({ rest, switchCost }: Tally, { switches }: Prefix): number[] {
  const costs = Array.from(switches, (count, channel) => count * switchCost + rest[channel]!);
  const least = Math.min(...costs);
  return [...costs.keys()].filter((channel) => costs[channel] === least);
}

/** One way or several equally good ones to be in a state with the same names met. */
interface Way {
  readonly state: number;
  readonly met: number;
  readonly before: Way[];
}

interface Start {
  readonly ways: Way[];
  /** Null when the best walks have none. */
  readonly risks: RisksAhead | null;
  /** Distinct risks of the best walks. */
  readonly fewest: number;
}

function startWays(starts: readonly number[], prefix: Prefix, risks: RisksAhead | null): Start {
  const met = risks === null ? 0 : risks.sets.idOf(prefix.names);
  const ways = starts.map((state): Way => ({ state, met, before: [] }));
  if (risks === null) return { ways, risks, fewest: 0 };
  const fewest = Math.min(...starts.map((state) => risks.fewest(state, met)));
  return { ways: ways.filter(({ state }) => risks.fewest(state, met) === fewest), risks, fewest };
}

/**
 * Layer by layer the ways that are closest to the newest z so far. Within a layer only nodes of different minors can be
 * equally close, so that few are open, if not each with many sets of names met: those cost of the budget, and beyond it
 * a state keeps its first.
 */
function closestLayers(
  steps: BestSteps,
  tally: Tally,
  { ways, risks, fewest }: Start,
  budget: Budget,
): Way[][] {
  const { lag, channels } = steps.search.graph;
  const states = steps.nodes.length * channels.length;
  const layers = [ways];
  for (let hop = 1; hop <= steps.hops; hop++) {
    let closest = Infinity;
    const layer = new Map<number, Way>();
    for (const way of layers.at(-1)!) {
      forEachExactStep(steps, tally, way.state, (state, edge) => {
        const behind = lag[steps.nodes[Math.floor(state / channels.length)]!]!;
        if (behind > closest) return;
        const met = risks === null ? 0 : risks.sets.join(way.met, risks.namesOn(edge));
        if (risks !== null) {
          budget.comparisons--;
          if (risks.fewest(state, met) > fewest) return;
        }
        if (behind < closest) layer.clear();
        closest = behind;
        const key = budget.comparisons > 0 ? met * states + state : state;
        const known = layer.get(key);
        if (known === undefined) layer.set(key, { state, met, before: [way] });
        else if (known.met === met) known.before.push(way);
      });
    }
    layers.push([...layer.values()]);
  }
  return layers;
}

/** Of ways through the layers that are equally good by now, the one with the newest version where they first differ. */
function newestOf(layers: readonly (readonly Way[])[], steps: BestSteps): number[] {
  const channels = steps.search.graph.channels.length;
  const nodeOf = (way: Way): number => steps.nodes[Math.floor(way.state / channels)]!;
  const leading = new Set(layers.at(-1));
  for (const layer of layers.toReversed()) {
    for (const way of layer) if (leading.has(way)) for (const earlier of way.before) leading.add(earlier);
  }
  let open = new Set(layers[0]!.filter((way) => leading.has(way)));
  const walk = [steps.search.from];
  for (const layer of layers.slice(1)) {
    const next = layer.filter((way) => leading.has(way) && way.before.some((earlier) => open.has(earlier)));
    const newest = Math.max(...next.map(nodeOf));
    open = new Set(next.filter((way) => nodeOf(way) === newest));
    walk.push(newest);
  }
  return walk;
}

/** A walk that goes with a chosen one up to a node and leaves it there. */
interface Detour {
  readonly walk: CostedWalk;
  readonly leftAt: number;
}

/**
 * The next best walks after the best one, each different from all others, in the order of their cost. Every walk found
 * is left at each of its nodes in turn, by a hop that no walk before took there (Yen's method); nodes before the one at
 * which a walk itself was left have been tried (Lawler), so that no walk comes up twice.
 */
export function findAlternatives(
  search: Search,
  best: CostedWalk,
  count: number,
  budget: Budget,
): CostedWalk[] {
  const chosen: Detour[] = [{ walk: best, leftAt: 0 }];
  let open: Detour[] = [];
  while (chosen.length <= count) {
    open.push(...detours(search, chosen, budget));
    open = open.toSorted((a, b) => compareWalks(search.graph, search.prefer, a.walk, b.walk));
    const next = open.shift();
    if (next === undefined) break;
    chosen.push(next);
  }
  return chosen.slice(1).map(({ walk }) => walk);
}

/** From each node of the last walk chosen, the best walk on that leaves it by another hop than the chosen ones. */
function detours(search: Search, chosen: readonly Detour[], budget: Budget): Detour[] {
  const { graph } = search;
  const last = chosen.at(-1)!;
  const { nodes } = last.walk;
  const found: Detour[] = [];
  for (let leftAt = last.leftAt; leftAt < nodes.length - 1; leftAt++) {
    const root = nodes.slice(0, leftAt + 1);
    const barred = new Uint8Array(graph.nodes.length);
    for (const { walk } of chosen) {
      if (root.every((node, at) => walk.nodes[at] === node)) barred[walk.nodes[leftAt + 1]!] = 1;
    }
    const blocked = search.blocked.slice();
    for (const node of root) blocked[node] = 1;
    const from = root.at(-1)!;
    blocked[from] = 0;
    const rest = findBestWalk({ ...search, from, blocked, barred }, prefixOf(graph, root), budget);
    if (rest !== null) found.push({ walk: costWalk(graph, [...root, ...rest.slice(1)]), leftAt });
  }
  return found;
}

/** A walk with all that its rank depends on. */
export interface CostedWalk {
  readonly nodes: readonly number[];
  /** Per hop, its place among the edges. */
  readonly edges: readonly number[];
  readonly riskyHops: number;
  readonly distinctRisks: number;
  readonly channelRuns: readonly ChannelRun[];
}

/** Hops that one channel offers; `end` is how many hops are done after it. */
export interface ChannelRun {
  readonly channel: number;
  readonly end: number;
}

export function costWalk(graph: PreparedGraph, nodes: readonly number[]): CostedWalk {
  const edges = edgesOf(graph, nodes);
  return {
    nodes,
    edges,
    riskyHops: edges.filter((edge) => graph.leaving.risks[edge] !== 0).length,
    distinctRisks: countBits(namesOn(graph, edges)),
    channelRuns: channelRuns(graph, edges),
  };
}

/** What a search has to know of the hops that lead to its source. */
export function prefixOf(graph: PreparedGraph, nodes: readonly number[]): Prefix {
  const edges = edgesOf(graph, nodes);
  let switches = new Float64Array(graph.channels.length);
  for (const edge of edges) {
    allowSwitch(switches, 1);
    const offered = new Float64Array(switches.length).fill(Infinity);
    for (const channel of graph.channelSets[graph.leaving.channels[edge]!]!) {
      offered[channel] = switches[channel]!;
    }
    switches = offered;
  }
  return { switches, names: namesOn(graph, edges) };
}

/** Negative when `a` is the better walk, as the preference ranks them; 0 only for the same walk. */
function compareWalks(graph: PreparedGraph, prefer: Preference, a: CostedWalk, b: CostedWalk): number {
  const risky = a.riskyHops - b.riskyHops;
  return (
    (prefer === 'safest' ? risky : 0) ||
    a.edges.length - b.edges.length ||
    a.channelRuns.length - b.channelRuns.length ||
    risky ||
    a.distinctRisks - b.distinctRisks ||
    firstDifference(a, b, (node) => graph.lag[node]!) ||
    firstDifference(a, b, (node) => -node)
  );
}

/** By the first pair of nodes that differ in the number; the walks are equally long and their ends are the same. */
function firstDifference(a: CostedWalk, b: CostedWalk, rank: (node: number) => number): number {
  for (const [at, node] of a.nodes.entries()) {
    const difference = rank(node) - rank(b.nodes[at]!);
    if (difference !== 0) return difference;
  }
  return 0;
}

function edgesOf({ leaving }: PreparedGraph, nodes: readonly number[]): number[] {
  return nodes.slice(1).map((node, hop) => findEdge(leaving, nodes[hop]!, node));
}

function namesOn(graph: PreparedGraph, edges: readonly number[]): bigint {
  return edges.reduce((names, edge) => names | graph.riskNames[graph.leaving.risks[edge]!]!, 0n);
}

/** As few runs as possible: each goes on as long as some channel offers all its hops. */
function channelRuns({ leaving, channelSets }: PreparedGraph, edges: readonly number[]): ChannelRun[] {
  const runs: ChannelRun[] = [];
  let offering: readonly number[] = [];
  for (const [hop, edge] of edges.entries()) {
    const offered = channelSets[leaving.channels[edge]!]!;
    const still = offering.filter((channel) => offered.includes(channel));
    if (still.length > 0) runs.pop();
    offering = still.length > 0 ? still : offered;
    runs.push({ channel: offering[0]!, end: hop + 1 });
  }
  return runs;
}
