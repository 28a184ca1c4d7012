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

/** Costs of the hops before the search starts. */
export interface Prefix {
  /** Per channel, the fewest switches with the last hop in it. */
  readonly switches: Float64Array;
  /** Names of the risks met, as bits. */
  readonly names: bigint;
}

export function findBestWalk(search: Search, prefix: Prefix, budget: Budget): number[] | null {
  const steps = findBestSteps(search);
  if (steps === null) return null;
  const tally = tallyRest(steps);
  const starts = bestStarts(tally, prefix);
  const hasRisks = riskyHopsFrom(steps, tally, starts[0]!) > 0 || hasHarmlessRisks(steps);
  const risks = hasRisks ? lookAheadForRisks(steps, tally, { starts, names: prefix.names }, budget) : null;
  const layers = closestLayers(steps, tally, startWays(starts, prefix, risks), budget);
  return newestOf(layers, steps);
}

/** Some step has risks without counting as risky. */
function hasHarmlessRisks({ search, nodes, offsets, edges }: BestSteps): boolean {
  const { risks } = search.graph.leaving;
  return edges
    .subarray(0, offsets[nodes.length])
    .some((edge) => risks[edge] !== 0 && search.risky[risks[edge]!] === 0);
}

/** States of the source, one per channel, with the least cost in switches and risks. */
function bestStarts({ rest, switchCost }: Tally, { switches }: Prefix): number[] {
  const costs = Array.from(switches, (count, channel) => count * switchCost + rest[channel]!);
  const least = Math.min(...costs);
  return [...costs.keys()].filter((channel) => costs[channel] === least);
}

/** Equally good walks to a state that met the same names. */
interface Way {
  readonly state: number;
  readonly met: number;
  readonly before: Way[];
}

interface Start {
  readonly ways: Way[];
  /** Null if the best walks have no risks. */
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
 * Keeps, per layer, the walks closest to the newest patch. Only nodes of different minors can tie in a layer, so few
 * stay open. Many sets of met names per node are the exception: they use the budget. Beyond it a state keeps its first
 * set.
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

/** Breaks ties by the newest version where the walks first differ. */
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

interface Detour {
  readonly walk: CostedWalk;
  readonly leftAt: number;
}

/**
 * Next best walks by cost, all different. Leaves every found walk at each node by an unused hop (Yen). Skips nodes
 * before the one where the walk itself branched off (Lawler), so no walk repeats.
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

/** Best walks that leave the last chosen walk at each node by a hop no chosen walk takes. */
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
    if (rest !== null) found.push({ walk: costWalk(search, [...root, ...rest.slice(1)]), leftAt });
  }
  return found;
}

export interface CostedWalk {
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly riskyHops: number;
  readonly distinctRisks: number;
  /** Hops offered by one channel; `end` is the number of hops up to its end. */
  readonly channelRuns: readonly { readonly channel: number; readonly end: number }[];
}

export function costWalk(
  { graph, risky }: Pick<Search, 'graph' | 'risky'>,
  nodes: readonly number[],
): CostedWalk {
  const edges = edgesOf(graph, nodes);
  return {
    nodes,
    edges,
    riskyHops: edges.filter((edge) => risky[graph.leaving.risks[edge]!] === 1).length,
    distinctRisks: countBits(namesOn(graph, edges)),
    channelRuns: channelRuns(graph, edges),
  };
}

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

/** Negative if `a` is better; 0 only for the same walk. */
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

/** Expects walks of equal length with the same ends. */
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

/** Fewest runs: a run continues while one channel offers all its hops. */
function channelRuns({ leaving, channelSets }: PreparedGraph, edges: readonly number[]) {
  const runs: { channel: number; end: number }[] = [];
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
