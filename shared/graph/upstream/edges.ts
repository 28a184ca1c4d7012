import { findEdge, orderByKeys, type EdgeRows } from '../edge-rows.ts';
import { arrow, type PairList, type ReleaseNode } from '../graph.ts';
import type { ReadNodes } from './nodes.ts';
import type { Repairs } from './repairs.ts';
import { refuse, type Refusal, quoted } from './shape.ts';

/** If an edge is also conditional, the conditional edge wins. */
export function readEdges(
  raw: readonly unknown[],
  read: ReadNodes,
  conditional: EdgeRows,
  repairs: Repairs,
): (PairList & { readonly ok: true }) | Refusal {
  const { nodes, places } = read;
  const from = new Uint32Array(raw.length);
  const to = new Uint32Array(raw.length);
  let length = 0;
  for (let position = 0; position < raw.length; position++) {
    const edge = raw[position];
    if (!isIndexPair(edge, places.length)) {
      const found = Array.isArray(edge) ? `[${edge.slice(0, 3).map(quoted).join(', ')}]` : quoted(edge);
      return refuse('BadEdge', `edges[${position}] is ${found}, not two indices below ${places.length}`);
    }
    if (edge[0] === edge[1]) {
      return refuse('SelfEdge', `edges[${position}] leads from node ${edge[0]} to itself`);
    }
    const source = places[edge[0]]!;
    const target = places[edge[1]]!;
    if (source < 0 || target < 0) {
      repairs.note('EdgeWithoutNode', `${nameOf(nodes, source)} → ${nameOf(nodes, target)}`);
    } else if (read.isAmbiguous[target] === 1) {
      repairs.note('SharedPayload', arrow(nodes, source, target));
    } else if (findEdge(conditional, source, target) >= 0) {
      repairs.note('PlainAndConditional', arrow(nodes, source, target));
    } else {
      from[length] = source;
      to[length] = target;
      length++;
    }
  }
  return { ok: true, from: from.subarray(0, length), to: to.subarray(0, length) };
}

/** Separate from reading: it sorts, and duplicates are rare. */
export function noteRepeatedEdges(pairs: PairList, { nodes }: ReadNodes, repairs: Repairs): void {
  const { from, to } = pairs;
  const order = orderByKeys(from.length, [
    [to, nodes.length],
    [from, nodes.length],
  ]);
  for (let position = 1; position < order.length; position++) {
    const [before, here] = [order[position - 1]!, order[position]!];
    if (from[before] !== from[here] || to[before] !== to[here]) continue;
    repairs.note('DuplicateEdge', arrow(nodes, from[here]!, to[here]!));
  }
}

function nameOf(nodes: readonly ReleaseNode[], place: number): string {
  return nodes[place]?.version ?? 'a node left out';
}

function isIndexPair(edge: unknown, bound: number): edge is [number, number] {
  return Array.isArray(edge) && edge.length === 2 && isIndex(edge[0], bound) && isIndex(edge[1], bound);
}

function isIndex(value: unknown, bound: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < bound;
}
