import type { ReleaseNode } from './graph.ts';
import type { Risk } from './risk.ts';

/** A published graph as it lies in its document: Cincinnati JSON in canonical order, fit to serve. */
export interface ServedGraph {
  readonly nodes: readonly ReleaseNode[];
  readonly edges: readonly (readonly [from: number, to: number])[];
  readonly conditionalEdges: readonly {
    readonly edges: readonly { readonly from: string; readonly to: string }[];
    readonly risks: readonly Risk[];
  }[];
}

/** A risk of a channel and how much of it is behind that risk. */
export interface ChannelRisk {
  readonly name: string;
  readonly url: string;
  readonly message: string;
  /** It applies to every cluster, whatever that cluster says of itself. */
  readonly always: boolean;
  readonly edges: number;
}

/** An update between the version asked for and another one; names of risks, none when it is recommended to all. */
export interface VersionUpdate {
  readonly version: string;
  readonly risks: readonly string[];
}

export interface VersionUpdates {
  readonly from: readonly VersionUpdate[];
  readonly to: readonly VersionUpdate[];
}

/**
 * The risks of a graph by name, those with the most edges first. Groups may word a name differently; the texts are
 * those of the first, and it is `always` when it is so in any of them.
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

/**
 * The updates that lead to a version and those that leave it, in release order; null when the graph does not hold it.
 * In 4.1.0→4.1.1→4.1.2 those of 4.1.1 are `{from: [4.1.0], to: [4.1.2]}`.
 */
export function updatesOf(graph: ServedGraph, version: string): VersionUpdates | null {
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
