import { findEdge } from '../graph/edge-rows.ts';
import type { PreparedGraph } from '../path/prepared-graph.ts';
import type { TroubledHop } from './topics.ts';

/** What became of an update that was plain; null when it still is, or when its ends are not in these channels. */
export function troubleOf(
  graph: PreparedGraph,
  { from, to }: { readonly from: string; readonly to: string },
): TroubledHop | null {
  const [source, target] = [graph.index.get(from), graph.index.get(to)];
  if (source === undefined || target === undefined) return null;
  const edge = findEdge(graph.leaving, source, target);
  if (edge < 0) return { from, to, now: 'withdrawn', risks: [] };
  const risks = graph.riskSets[graph.leaving.risks[edge]!]!;
  if (risks.length === 0) return null;
  return { from, to, now: 'conditional', risks: risks.map(({ name }) => name).toSorted() };
}
