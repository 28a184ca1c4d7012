import { buildGraph, type ReleaseGraph } from './graph.ts';
import type { ServedGraph } from './served-graph.ts';

/**
 * The graph that a document of ours holds. What we serve was checked before it was published, so that it is only laid out
 * here; answers of anybody else are for `normalizeGraph`. `readServedGraph(await response.json())`
 */
export function readServedGraph({ nodes, edges, conditionalEdges }: ServedGraph): ReleaseGraph {
  const places = new Map(nodes.map(({ version }, place) => [version, place]));
  const placeOf = (version: string): number => {
    const place = places.get(version);
    if (place === undefined) throw new Error(`a conditional edge names ${version}, which is no node`);
    return place;
  };
  const conditional = conditionalEdges.flatMap((group, riskSet) =>
    group.edges.map(({ from, to }) => ({ from: placeOf(from), to: placeOf(to), riskSet })),
  );
  return buildGraph({
    nodes,
    edges: { from: edges.map(([from]) => from), to: edges.map(([, to]) => to) },
    conditional: {
      from: conditional.map(({ from }) => from),
      to: conditional.map(({ to }) => to),
      riskSet: conditional.map(({ riskSet }) => riskSet),
    },
    riskSets: conditionalEdges.map(({ risks }) => risks),
  });
}
