import { compareVersions, mustParseVersion } from '../version/release-version.ts';
import { layOutGraph, type PairColumns, type ReleaseGraph, type ReleaseNode, type Risk } from './graph.ts';

/**
 * Reads a graph published by Cairn without validating it again. Use `normalizeGraph` for other services.
 * `readServedGraph(await response.json())`
 */
export function readServedGraph({ nodes, edges, conditionalEdges }: ServedGraph): ReleaseGraph {
  const versions = nodes.map(({ version }) => mustParseVersion(version));
  for (let node = 1; node < versions.length; node++) {
    if (compareVersions(versions[node - 1]!, versions[node]!) >= 0)
      throw new Error(`${versions[node]!.raw} is not after ${versions[node - 1]!.raw} in a published graph`);
  }
  const places = new Map(nodes.map(({ version }, place) => [version, place]));
  return layOutGraph({
    nodes,
    versions,
    edges: plainColumns(edges, nodes.length),
    conditional: conditionalColumns(conditionalEdges, places),
    riskSets: conditionalEdges.map(({ risks }) => risks),
  });
}

function plainColumns(edges: ServedGraph['edges'], size: number): PairColumns {
  const from = new Uint32Array(edges.length);
  const to = new Uint32Array(edges.length);
  for (let position = 0; position < edges.length; position++) {
    const edge = edges[position]!;
    if (!(edge[0] < size && edge[1] < size))
      throw new RangeError(`the edge ${edge[0]} → ${edge[1]} is out of range, there are ${size} nodes`);
    from[position] = edge[0];
    to[position] = edge[1];
  }
  return { from, to };
}

function conditionalColumns(
  groups: ServedGraph['conditionalEdges'],
  places: ReadonlyMap<string, number>,
): PairColumns & { readonly riskSet: Uint32Array } {
  const placeOf = (version: string): number => {
    const place = places.get(version);
    if (place === undefined) throw new Error(`a conditional edge names ${version}, which is no node`);
    return place;
  };
  const length = groups.reduce((sum, { edges }) => sum + edges.length, 0);
  const [from, to, riskSet] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
  let position = 0;
  for (const [set, { edges }] of groups.entries()) {
    for (const edge of edges) {
      from[position] = placeOf(edge.from);
      to[position] = placeOf(edge.to);
      riskSet[position++] = set;
    }
  }
  return { from, to, riskSet };
}

/** Published graph: valid Cincinnati JSON in canonical order. */
export interface ServedGraph {
  readonly nodes: readonly ReleaseNode[];
  readonly edges: readonly (readonly [from: number, to: number])[];
  readonly conditionalEdges: readonly {
    readonly edges: readonly { readonly from: string; readonly to: string }[];
    readonly risks: readonly Risk[];
  }[];
}

export interface ChannelRisk {
  readonly name: string;
  readonly url: string;
  readonly message: string;
  readonly always: boolean;
  readonly edges: number;
}

/** Names of risks; empty for a recommended update. */
interface VersionUpdate {
  readonly version: string;
  readonly risks: readonly string[];
}

/**
 * Risks by number of edges, most first. If groups differ in the text of a risk, the first text is used; `always` is set
 * if any group sets it.
 */
export function listRisks(graph: ServedGraph): ChannelRisk[] {
  const byName = new Map<string, ChannelRisk>();
  for (const { edges, risks } of graph.conditionalEdges) {
    for (const { name, url, message, matchingRules } of risks) {
      const known = byName.get(name);
      const always = matchingRules.some((rule) => rule.type === 'Always');
      byName.set(name, {
        ...(known ?? { name, url, message }),
        always: always || known?.always === true,
        edges: edges.length + (known?.edges ?? 0),
      });
    }
  }
  return [...byName.values()].toSorted((a, b) => b.edges - a.edges || (a.name < b.name ? -1 : 1));
}

/** In release order; null if the graph lacks the version. `{from: [4.1.0], to: [4.1.2]}` */
export function updatesOf(
  graph: ServedGraph,
  version: string,
): Readonly<Record<'from' | 'to', readonly VersionUpdate[]>> | null {
  const place = graph.nodes.findIndex((node) => node.version === version);
  if (place === -1) return null;
  const from = new Map<string, readonly string[]>();
  const to = new Map<string, readonly string[]>();
  for (const [source, target] of graph.edges) {
    if (target === place) from.set(graph.nodes[source]!.version, []);
    if (source === place) to.set(graph.nodes[target]!.version, []);
  }
  for (const { edges, risks } of graph.conditionalEdges) {
    const names = risks.map((risk) => risk.name);
    for (const edge of edges) {
      if (edge.to === version) from.set(edge.from, names);
      if (edge.from === version) to.set(edge.to, names);
    }
  }
  return { from: inReleaseOrder(graph, from), to: inReleaseOrder(graph, to) };
}

function inReleaseOrder(
  graph: ServedGraph,
  updates: ReadonlyMap<string, readonly string[]>,
): VersionUpdate[] {
  return graph.nodes.flatMap(({ version }) => {
    const risks = updates.get(version);
    return risks ? [{ version, risks }] : [];
  });
}

/**
 * Drops updates to excluded versions; the versions and the updates from them stay, because a cluster may run one. The
 * graph itself if it has no such update.
 */
export function withoutUpdatesTo(graph: ServedGraph, isExcluded: (version: string) => boolean): ServedGraph {
  const excluded = new Set(graph.nodes.map(({ version }) => version).filter(isExcluded));
  if (excluded.size === 0) return graph;
  const edges = graph.edges.filter(([, to]) => !excluded.has(graph.nodes[to]!.version));
  const groups = graph.conditionalEdges.map((group) => ({
    ...group,
    edges: group.edges.filter(({ to }) => !excluded.has(to)),
  }));
  const isSame =
    edges.length === graph.edges.length &&
    groups.every((group, at) => group.edges.length === graph.conditionalEdges[at]!.edges.length);
  if (isSame) return graph;
  return { ...graph, conditionalEdges: groups.filter((group) => group.edges.length > 0), edges };
}

/**
 * Keeps the version and everything reachable from it, conditional updates included; empty if the graph lacks it. In
 * 4.1.0→4.1.1→4.1.2, 4.1.1 keeps 4.1.1→4.1.2.
 */
export function trimToReachable(graph: ServedGraph, version: string): ServedGraph {
  const reached = reachedFrom(graph, version);
  const nodes = graph.nodes.filter((node) => reached.has(node.version));
  const place = new Map(nodes.map((node, index) => [node.version, index]));
  const placeOf = (index: number): number | undefined => place.get(graph.nodes[index]!.version);
  return {
    ...graph,
    conditionalEdges: graph.conditionalEdges
      .map((group) => ({ ...group, edges: group.edges.filter(({ from }) => reached.has(from)) }))
      .filter(({ edges }) => edges.length > 0),
    edges: graph.edges.flatMap(([from, to]) => {
      const [source, target] = [placeOf(from), placeOf(to)];
      return source === undefined || target === undefined ? [] : [[source, target] as const];
    }),
    nodes,
  };
}

function reachedFrom(graph: ServedGraph, version: string): ReadonlySet<string> {
  const updates = new Map<string, string[]>(graph.nodes.map((node) => [node.version, []]));
  for (const [from, to] of graph.edges)
    updates.get(graph.nodes[from]!.version)!.push(graph.nodes[to]!.version);
  for (const { edges } of graph.conditionalEdges) {
    for (const { from, to } of edges) updates.get(from)?.push(to);
  }
  const reached = new Set(updates.has(version) ? [version] : []);
  // A Set that grows during iteration is a queue without duplicates.
  for (const from of reached) for (const to of updates.get(from)!) reached.add(to);
  return reached;
}
