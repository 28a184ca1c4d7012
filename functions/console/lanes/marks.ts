import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { Shape } from './curves.ts';
import type { Frontier } from './model.ts';
import { neighboursOf, type Direction } from './updates.ts';

/** What a release is in what is shown now. Every one has a shape or an outline of its own, never only a colour. */
export type Mark = 'release' | 'recommended' | 'conditional' | 'reached' | 'leading';

export const MARK_SHAPES: Readonly<Record<Mark, Shape>> = {
  release: 'circle',
  recommended: 'circle',
  conditional: 'triangle',
  reached: 'circle',
  leading: 'diamond',
};

/** A mark per node of the graph. What is selected counts more than the frontier of a path that is not there. */
export function marksOf(
  graph: PreparedGraph,
  selected: string | null,
  direction: Direction,
  frontier: Frontier | null,
): Mark[] {
  const marks = graph.nodes.map(({ version }): Mark => {
    if (frontier?.reachable.has(version)) return 'reached';
    return frontier?.reaching.has(version) ? 'leading' : 'release';
  });
  const place = selected === null ? undefined : graph.index.get(selected);
  if (place !== undefined) {
    for (const neighbour of neighboursOf(graph, place, direction)) {
      marks[neighbour.place] = neighbour.conditional ? 'conditional' : 'recommended';
    }
  }
  return marks;
}
