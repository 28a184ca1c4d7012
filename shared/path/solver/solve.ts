/**
 * Path search in four files. `solve.ts` runs a query and describes the walks. `walk.ts` finds the best walk and
 * alternatives. `cost.ts` has the additive costs: hops, channel switches, risky hops. `fewest-risks.ts` has the cost
 * that is not additive: distinct risks.
 */
import type { ReleaseNode, Risk } from '../../graph/graph.ts';
import { type Minor, minorOf } from '../../version/minor.ts';
import { parseVersion, compareVersions } from '../../version/release-version.ts';
import type { PreparedGraph } from '../prepared-graph.ts';
import { permits, permittedLists, type PathQuery } from '../question.ts';
import type { Search } from './cost.ts';
import { COMPARISON_BUDGET, type Budget } from './fewest-risks.ts';
import { findAlternatives, findBestWalk, costWalk, prefixOf, type CostedWalk } from './walk.ts';

export interface Hop {
  readonly conditional: boolean;
  readonly risks: readonly Risk[];
  readonly crossesMinor: boolean;
  readonly channels: readonly string[];
}

export interface PathStep {
  readonly version: string;
  readonly payload: string;
  readonly node: ReleaseNode;
  /** Hop that leads here; null for the source. */
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
  /** Channel to follow up to each version; empty if source and target are equal. */
  readonly channelPlan: readonly { readonly channel: string; readonly untilVersion: string }[];
}

export interface FoundPath extends UpgradePath {
  readonly found: true;
  /** False if there were too many combinations of risks to prove the minimum. */
  readonly exact: boolean;
  /** Next best first. */
  readonly alternatives: readonly UpgradePath[];
}

export interface Reach {
  /** Without the source, oldest first. */
  readonly reachable: readonly string[];
  readonly newestPerMinor: readonly string[];
  readonly nearest: Nearest;
  /** Updates from the source, without regard to the risk policy. */
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
      /** Versions with a permitted path to the target, oldest first. */
      readonly gateways: readonly string[];
      /** Safest path if every risk were accepted; null if there is none. */
      readonly withAllRisks: UpgradePath | null;
    };

/**
 * Ranks paths by hops, channel switches, risky hops, distinct risks, distance to the newest patch of each minor, then
 * newest first. `safest` ranks risky hops before hops.
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
      gateways: versionsIn(graph, reaching(search.graph, to, search), to).filter(isAllowed(graph)),
      withAllRisks: pathWithAllRisks(graph, from, to, query),
    };
  }
  const alternatives = findAlternatives(search, best, query.alternatives, budget);
  return {
    found: true,
    exact: budget.comparisons > 0,
    ...describe(search.graph, best, query),
    alternatives: alternatives.map((walk) => describe(search.graph, walk, query)),
  };
}

function searchFor(graph: PreparedGraph, from: number, to: number, query: PathQuery): Search {
  const blocked = query.prerelease ? new Uint8Array(graph.nodes.length) : graph.isPrerelease.slice();
  blocked[from] = 0;
  blocked[to] = 0;
  const common = { from, to, blocked, barred: null };
  if (query.risk === 'applicable') return { ...common, ...policyOfCluster(graph, from, query) };
  const permitted = permittedLists(graph.riskSets, query);
  return { ...common, graph, prefer: query.prefer, permitted, risky: conditionalLists(graph) };
}

/** All lists but the first, which is empty. */
function conditionalLists({ riskSets }: PreparedGraph): Uint8Array {
  return Uint8Array.from(riskSets, ({ length }) => (length > 0 ? 1 : 0));
}

/**
 * Updates whose risks do not apply count as recommended, but recommended ones win between equal paths. Accepted
 * risks count as risky.
 */
function policyOfCluster(
  graph: PreparedGraph,
  from: number,
  query: PathQuery,
): Pick<Search, 'graph' | 'prefer' | 'permitted' | 'risky'> {
  const lists = graph.riskSets.length;
  const own = withOwnFirstHops(graph, from);
  const inBoth = (policy: PathQuery): Uint8Array => {
    const places = (['later', 'first'] as const).map((hop) => permits(policy, hop));
    return Uint8Array.from(own.riskSets, (risks, list) => Number(places[list < lists ? 0 : 1]!(risks)));
  };
  const permitted = inBoth(query);
  const harmless = inBoth({ ...query, acceptedRisks: [] });
  const accepted = permitted.map((isPermitted, list) => (isPermitted === 1 && harmless[list] === 0 ? 1 : 0));
  return own.leaving.risks.some((list) => accepted[list] === 1)
    ? { graph: own, prefer: query.prefer, permitted, risky: accepted }
    : { graph: own, prefer: 'shortest', permitted, risky: conditionalLists(own) };
}

/**
 * Every list twice: the first updates have those of the second half, because their risks are judged on their own. A
 * cluster evaluates one definition per name, that of the newest target.
 */
function withOwnFirstHops(graph: PreparedGraph, from: number): PreparedGraph {
  const { leaving, riskSets, riskNames } = graph;
  const risks = leaving.risks.slice();
  const definitions = new Map<string, Risk>();
  for (let edge = leaving.offsets[from + 1]! - 1; edge >= leaving.offsets[from]!; edge--) {
    const list = risks[edge]!;
    if (list === 0) continue;
    for (const risk of riskSets[list]!) {
      if (!definitions.has(risk.name)) definitions.set(risk.name, risk);
    }
    risks[edge] = list + riskSets.length;
  }
  const first = riskSets.map((list) => list.map((risk) => definitions.get(risk.name) ?? risk));
  return {
    ...graph,
    leaving: { ...leaving, risks },
    riskSets: [...riskSets, ...first],
    riskNames: [...riskNames, ...riskNames],
  };
}

function solve(search: Search, budget: Budget): CostedWalk | null {
  const walk = findBestWalk(search, prefixOf(search.graph, [search.from]), budget);
  return walk === null ? null : costWalk(search, walk);
}

function pathWithAllRisks(
  graph: PreparedGraph,
  from: number,
  to: number,
  query: PathQuery,
): UpgradePath | null {
  const anyRisk: PathQuery = { ...query, risk: 'all', prefer: 'safest' };
  const search = searchFor(graph, from, to, anyRisk);
  const asked = query.risk === 'applicable' ? searchFor(graph, from, to, query) : null;
  // For a cluster, the safest path has the fewest hops that its policy refuses.
  const safest = asked && {
    ...asked,
    prefer: 'safest' as const,
    permitted: asked.permitted.map(() => 1),
    risky: asked.permitted.map((isPermitted) => 1 - isPermitted),
  };
  const { graph: own } = safest ?? search;
  const walk = solve(safest ?? search, { comparisons: COMPARISON_BUDGET });
  return walk === null ? null : describe(own, walk, anyRisk);
}

function reachOf(graph: PreparedGraph, from: number, query: PathQuery): Reach {
  const search = searchFor(graph, from, from, query);
  const reachable = versionsIn(graph, reachableFrom(search.graph, from, search), from);
  const leaving = graph.leaving.risks.subarray(graph.leaving.offsets[from], graph.leaving.offsets[from + 1]);
  const plain = leaving.filter((risks) => risks === 0).length;
  return {
    reachable,
    newestPerMinor: newestPerMinor(reachable),
    nearest: versionsNextTo(reachable, query.to),
    updates: { plain, conditional: leaving.length - plain },
  };
}

function describe(graph: PreparedGraph, walk: CostedWalk, query: PathQuery): UpgradePath {
  const path = walk.nodes.map((place, at): PathStep => {
    const node = graph.nodes[place]!;
    const { version, payload } = node;
    return { version, payload, node, hop: at === 0 ? null : describeHop(graph, walk, at) };
  });
  return {
    path,
    stats: {
      hops: walk.edges.length,
      minorsCrossed: path.filter(({ hop }) => hop?.crossesMinor).length,
      riskyHops: query.risk === 'applicable' ? hopsAtRisk(graph, walk, query) : walk.riskyHops,
      distinctRisks: walk.distinctRisks,
      channelSwitches: Math.max(0, walk.channelRuns.length - 1),
    },
    channelPlan: walk.channelRuns.map(({ channel, end }) => ({
      channel: graph.channels[channel]!,
      untilVersion: path[end]!.version,
    })),
  };
}

/** Without hops whose risks do not apply. */
function hopsAtRisk(graph: PreparedGraph, { edges }: CostedWalk, query: PathQuery): number {
  const unaccepted: PathQuery = { ...query, acceptedRisks: [] };
  return edges.filter((edge, at) => {
    const isHarmless = permits(unaccepted, at === 0 ? 'first' : 'later');
    return !isHarmless(graph.riskSets[graph.leaving.risks[edge]!]!);
  }).length;
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

type Passable = Pick<Search, 'permitted' | 'blocked'>;

/** Marks nodes reachable from `from`, itself included. */
export function reachableFrom(graph: PreparedGraph, from: number, passable: Passable): Uint8Array {
  const { offsets, targets, risks } = graph.leaving;
  return spread(graph, from, passable, { offsets, nodes: targets, risksAt: (at) => risks[at]! });
}

/** Marks nodes that can reach `to`, itself included. */
export function reaching(graph: PreparedGraph, to: number, passable: Passable): Uint8Array {
  const { offsets, sources, edges } = graph.arriving;
  const { risks } = graph.leaving;
  return spread(graph, to, passable, { offsets, nodes: sources, risksAt: (at) => risks[edges[at]!]! });
}

interface Rows {
  readonly offsets: Uint32Array;
  readonly nodes: Uint32Array;
  risksAt(at: number): number;
}

function spread(graph: PreparedGraph, start: number, passable: Passable, rows: Rows): Uint8Array {
  const seen = new Uint8Array(graph.nodes.length);
  const queue = new Uint32Array(graph.nodes.length);
  seen[start] = 1;
  queue[0] = start;
  let length = 1;
  for (let head = 0; head < length; head++) {
    const node = queue[head]!;
    const end = rows.offsets[node + 1]!;
    for (let at = rows.offsets[node]!; at < end; at++) {
      const next = rows.nodes[at]!;
      if (seen[next] === 1 || passable.blocked[next] === 1 || passable.permitted[rows.risksAt(at)] === 0)
        continue;
      seen[next] = 1;
      queue[length++] = next;
    }
  }
  return seen;
}

function isAllowed({ index, isExcluded }: PreparedGraph): (version: string) => boolean {
  return (version) => isExcluded[index.get(version)!] === 0;
}

/** Oldest first. */
export function versionsIn(graph: PreparedGraph, marked: Uint8Array, without: number): string[] {
  return graph.nodes
    .filter((_, node) => marked[node] === 1 && node !== without)
    .map(({ version }) => version);
}

/** Expects versions oldest first: 4.13.1, 4.13.2, 4.14.0 give 4.13.2, 4.14.0. */
export function newestPerMinor(versions: readonly string[]): string[] {
  const newest = new Map<Minor, string>();
  for (const version of versions) newest.set(minorOf(parseVersion(version)!), version);
  return [...newest.values()];
}

export interface Nearest {
  readonly below: string | null;
  readonly above: string | null;
}

/** Expects versions oldest first: `versionsNextTo(['4.1.1', '4.1.5'], '4.1.3')`. */
function versionsNextTo(versions: readonly string[], wanted: string): Nearest {
  const target = parseVersion(wanted);
  if (target === null) return { below: null, above: null };
  const order = (version: string): number => compareVersions(parseVersion(version)!, target);
  return {
    below: versions.findLast((version) => order(version) < 0) ?? null,
    above: versions.find((version) => order(version) > 0) ?? null,
  };
}
