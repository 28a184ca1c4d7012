import { findEdge } from '../../graph/edge-rows.ts';
import type { Prefix } from './best-walk.ts';
import type { Preference } from '../question.ts';
import { countBits } from './name-sets.ts';
import type { PreparedGraph } from '../prepared-graph.ts';
import { allowSwitch } from './tally.ts';

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
export function compareWalks(graph: PreparedGraph, prefer: Preference, a: CostedWalk, b: CostedWalk): number {
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
