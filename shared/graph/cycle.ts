import type { ReleaseGraph } from './graph.ts';

const UNSEEN = 0;
const OPEN = 1;
const DONE = 2;

/**
 * An edge that closes a loop of plain and conditional edges, or null: 4.1.0→4.1.1 and 4.1.1→4.1.0 give the second.
 * Depth first without recursion, linear in nodes and edges. A backward edge alone is no loop.
 */
export function findLoop(graph: ReleaseGraph): { readonly from: number; readonly to: number } | null {
  const { edges, conditional } = graph;
  const size = graph.nodes.length;
  const state = new Uint8Array(size);
  const nextPlain = edges.offsets.slice(0, size);
  const nextConditional = conditional.offsets.slice(0, size);
  const stack = new Uint32Array(size);
  for (let root = 0; root < size; root++) {
    if (state[root] !== UNSEEN) continue;
    let height = 1;
    stack[0] = root;
    state[root] = OPEN;
    while (height > 0) {
      const node = stack[height - 1]!;
      let target: number;
      if (nextPlain[node]! < edges.offsets[node + 1]!) {
        target = edges.targets[nextPlain[node]!++]!;
      } else if (nextConditional[node]! < conditional.offsets[node + 1]!) {
        target = conditional.targets[nextConditional[node]!++]!;
      } else {
        state[node] = DONE;
        height--;
        continue;
      }
      if (state[target] === OPEN) return { from: node, to: target };
      if (state[target] === DONE) continue;
      state[target] = OPEN;
      stack[height++] = target;
    }
  }
  return null;
}
