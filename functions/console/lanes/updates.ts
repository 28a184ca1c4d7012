import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';

export type Direction = 'out' | 'in';

/** Where the updates of a release lead to, or come from. */
export interface Neighbour {
  readonly place: number;
  readonly conditional: boolean;
}

export function neighboursOf(graph: PreparedGraph, place: number, direction: Direction): Neighbour[] {
  const { offsets, sources, edges } = graph.arriving;
  const rows = direction === 'out' ? graph.leaving.offsets : offsets;
  const neighbours: Neighbour[] = [];
  for (let position = rows[place]!; position < rows[place + 1]!; position++) {
    neighbours.push(
      direction === 'out'
        ? { place: graph.leaving.targets[position]!, conditional: graph.leaving.risks[position] !== 0 }
        : { place: sources[position]!, conditional: graph.leaving.risks[edges[position]!] !== 0 },
    );
  }
  return neighbours;
}

export interface UpdateCounts {
  readonly recommended: number;
  readonly conditional: number;
}

export function countUpdates(graph: PreparedGraph, place: number, direction: Direction): UpdateCounts {
  const neighbours = neighboursOf(graph, place, direction);
  const conditional = neighbours.filter((neighbour) => neighbour.conditional).length;
  return { recommended: neighbours.length - conditional, conditional };
}
