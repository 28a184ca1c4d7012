import { compareVersions, mustParseVersion } from '../version/release-version.ts';
import { layOutGraph, type PairColumns, type ReleaseGraph } from './graph.ts';
import type { ServedGraph } from './served-graph.ts';

/**
 * Reads a graph that Cairn published. It was checked before, so this only lays it out; use `normalizeGraph` for the
 * graph of another service. `readServedGraph(await response.json())`
 */
export function readServedGraph({ nodes, edges, conditionalEdges }: ServedGraph): ReleaseGraph {
  const versions = nodes.map(({ version }) => mustParseVersion(version));
  for (let node = 1; node < versions.length; node++) {
    if (compareVersions(versions[node - 1]!, versions[node]!) >= 0)
      throw new Error(`${versions[node]!.raw} is not after ${versions[node - 1]!.raw} in a published graph`);
  }
  return layOutGraph(
    nodes,
    versions,
    plainColumns(edges, nodes.length),
    conditionalColumns(conditionalEdges, new Map(nodes.map(({ version }, place) => [version, place]))),
    conditionalEdges.map(({ risks }) => risks),
  );
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
