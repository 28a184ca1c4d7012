import type { ManifestGraph } from '../registry/manifest-graph.ts';

/**
 * These manifests so that each index comes before the manifests it refers to, the rest as they came. Deleting in this
 * order never leaves an index whose manifests are gone.
 */
export function parentsFirst(graph: ManifestGraph, nodes: readonly number[]): readonly number[] {
  const among = new Set(nodes);
  const childrenOf = (node: number): number[] => {
    const children: number[] = [];
    for (let reference = graph.referencesFrom(node); reference < graph.referencesTo(node); reference++) {
      const child = graph.child(reference);
      if (child !== -1 && among.has(child)) children.push(child);
    }
    return children;
  };
  const indexes = nodes.filter((node) => childrenOf(node).length > 0);
  if (indexes.length === 0) return nodes;
  const isIndex = new Set(indexes);
  const seen = new Set<number>();
  const childrenFirst: number[] = [];
  for (const index of indexes.toReversed()) {
    // By hand, as nobody limits how deep indexes are nested.
    const open = [{ node: index, isDone: false }];
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      if (top.isDone) childrenFirst.push(top.node);
      else if (!seen.has(top.node)) {
        seen.add(top.node);
        open.push({ node: top.node, isDone: true });
        for (const child of childrenOf(top.node))
          if (isIndex.has(child)) open.push({ node: child, isDone: false });
      }
    }
  }
  return [...childrenFirst.toReversed(), ...nodes.filter((node) => !isIndex.has(node))];
}
