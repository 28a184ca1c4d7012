import type { ReleaseNode, Risk } from '../../graph/graph.ts';
import { findAlternatives, findBestWalk } from './walk.ts';
import { type Search, costWalk, prefixOf, type CostedWalk } from './cost.ts';
import { COMPARISON_BUDGET, type Budget } from './fewest-risks.ts';
import type { PreparedGraph } from '../prepared-graph.ts';
import {
  newestPerMinor,
  reachableFrom,
  reaching,
  versionsIn,
  versionsNextTo,
  type Nearest,
} from '../nearby.ts';
import { permittedLists, type Preference, type RiskPolicy } from '../question.ts';

export interface PathQuery extends RiskPolicy {
  readonly from: string;
  /** A version; `settleQuestion` makes one of `latest` and of minors. */
  readonly to: string;
  readonly prefer: Preference;
  /** Whether steps may be pre-releases; both ends may be in any case. */
  readonly prerelease: boolean;
  readonly alternatives: 0 | 1 | 2 | 3;
}

export interface Hop {
  readonly conditional: boolean;
  readonly risks: readonly Risk[];
  readonly crossesMinor: boolean;
  /** Those that offer the hop. */
  readonly channels: readonly string[];
}

export interface PathStep {
  readonly version: string;
  readonly payload: string;
  readonly node: ReleaseNode;
  /** How one gets here; null for the source. */
  readonly hop: Hop | null;
}

export interface PathStats {
  readonly hops: number;
  readonly minorsCrossed: number;
  readonly riskyHops: number;
  readonly distinctRisks: number;
  readonly channelSwitches: number;
}

export interface UpgradePath {
  /** Source first, target last. */
  readonly path: readonly PathStep[];
  readonly stats: PathStats;
  /** Which channel to be in, and up to which version; empty when there is nothing to do. */
  readonly channelPlan: readonly { readonly channel: string; readonly untilVersion: string }[];
}

export interface FoundPath extends UpgradePath {
  readonly found: true;
  /** False when there were too many combinations of risks to be sure that none has fewer. */
  readonly exact: boolean;
  /** Other paths, the next best first. */
  readonly alternatives: readonly UpgradePath[];
}

/** What can be reached from the source under the conditions asked for. */
export interface Reach {
  /** Without the source, oldest first. */
  readonly reachable: readonly string[];
  readonly newestPerMinor: readonly string[];
  /** The reachable versions next to the target. */
  readonly nearest: Nearest;
  /** Updates that leave the source, whatever was asked for. */
  readonly updates: { readonly plain: number; readonly conditional: number };
}

export type PathResult =
  | FoundPath
  | { readonly found: false; readonly why: 'source_missing' }
  | { readonly found: false; readonly why: 'target_missing'; readonly reach: Reach }
  | {
      readonly found: false;
      readonly why: 'unreachable';
      readonly reach: Reach;
      /** Versions that do reach the target under the conditions asked for, oldest first. */
      readonly gateways: readonly string[];
      /** The safest path if every risk were accepted; null when there is none even then. */
      readonly withAllRisks: UpgradePath | null;
    };

/**
 * The best way from one version to another. Paths are ranked by hops, then channel switches, risky hops, distinct risks,
 * then by how close each step is to the newest z of its minor, then newest first; `safest` puts risky hops before hops.
 * `solvePath(prepareGraph([{channel: 'stable-4.5', graph}]), {from: '4.4.3', to: '4.5.24', …})`
 */
export function solvePath(graph: PreparedGraph, query: PathQuery): PathResult {
  const from = graph.index.get(query.from);
  const to = graph.index.get(query.to);
  if (from === undefined) return { found: false, why: 'source_missing' };
  if (to === undefined) return { found: false, why: 'target_missing', reach: reachOf(graph, from, query) };

  const search = searchFor(graph, from, to, query);
  const budget = { comparisons: COMPARISON_BUDGET };
  const best = solve(search, budget);
  if (best === null) {
    return {
      found: false,
      why: 'unreachable',
      reach: reachOf(graph, from, query),
      gateways: versionsIn(graph, reaching(graph, to, search), to),
      withAllRisks: pathWithAllRisks(graph, from, to, query),
    };
  }
  const alternatives = findAlternatives(search, best, query.alternatives, budget);
  return {
    found: true,
    exact: budget.comparisons > 0,
    ...describe(graph, best),
    alternatives: alternatives.map((walk) => describe(graph, walk)),
  };
}

function searchFor(graph: PreparedGraph, from: number, to: number, query: PathQuery): Search {
  const blocked = query.prerelease ? new Uint8Array(graph.nodes.length) : graph.isPrerelease.slice();
  blocked[from] = 0;
  blocked[to] = 0;
  const permitted = permittedLists(graph.riskSets, query);
  return { graph, from, to, prefer: query.prefer, permitted, blocked, barred: null };
}

function solve(search: Search, budget: Budget): CostedWalk | null {
  const walk = findBestWalk(search, prefixOf(search.graph, [search.from]), budget);
  return walk === null ? null : costWalk(search.graph, walk);
}

function pathWithAllRisks(
  graph: PreparedGraph,
  from: number,
  to: number,
  query: PathQuery,
): UpgradePath | null {
  const search = searchFor(graph, from, to, { ...query, risk: 'all', prefer: 'safest' });
  const walk = solve(search, { comparisons: COMPARISON_BUDGET });
  return walk === null ? null : describe(graph, walk);
}

function reachOf(graph: PreparedGraph, from: number, query: PathQuery): Reach {
  const reachable = versionsIn(graph, reachableFrom(graph, from, searchFor(graph, from, from, query)), from);
  const leaving = graph.leaving.risks.subarray(graph.leaving.offsets[from], graph.leaving.offsets[from + 1]);
  const plain = leaving.filter((risks) => risks === 0).length;
  return {
    reachable,
    newestPerMinor: newestPerMinor(reachable),
    nearest: versionsNextTo(reachable, query.to),
    updates: { plain, conditional: leaving.length - plain },
  };
}

function describe(graph: PreparedGraph, walk: CostedWalk): UpgradePath {
  const path = walk.nodes.map((node, at): PathStep => {
    const { version, payload } = graph.nodes[node]!;
    return {
      version,
      payload,
      node: graph.nodes[node]!,
      hop: at === 0 ? null : describeHop(graph, walk, at),
    };
  });
  return {
    path,
    stats: {
      hops: walk.edges.length,
      minorsCrossed: path.filter(({ hop }) => hop?.crossesMinor).length,
      riskyHops: walk.riskyHops,
      distinctRisks: walk.distinctRisks,
      channelSwitches: Math.max(0, walk.channelRuns.length - 1),
    },
    channelPlan: walk.channelRuns.map(({ channel, end }) => ({
      channel: graph.channels[channel]!,
      untilVersion: path[end]!.version,
    })),
  };
}

function describeHop(graph: PreparedGraph, { nodes, edges }: CostedWalk, at: number): Hop {
  const edge = edges[at - 1]!;
  const [from, to] = [graph.versions[nodes[at - 1]!]!, graph.versions[nodes[at]!]!];
  const risks = graph.riskSets[graph.leaving.risks[edge]!]!;
  return {
    conditional: risks.length > 0,
    risks,
    crossesMinor: from.major !== to.major || from.minor !== to.minor,
    channels: graph.channelSets[graph.leaving.channels[edge]!]!.map((channel) => graph.channels[channel]!),
  };
}
