import type { Field } from './field.ts';

/** The node from which a drain would move the pod; null for a pod that stays, has ended or has no node yet. */
export function readMovedFrom(object: Field): string | null {
  const metadata = object.at('metadata');
  const isOfDaemonSet = metadata
    .at('ownerReferences')
    .items()
    .some((owner) => owner.at('kind').text() === 'DaemonSet');
  const isStatic = !metadata.at('annotations', 'kubernetes.io/config.mirror').isMissing;
  const phase = object.at('status', 'phase').text();
  const node = object.at('spec', 'nodeName').textOrNull();
  return isOfDaemonSet || isStatic || phase === 'Succeeded' || phase === 'Failed' ? null : node;
}

/** How many pods a drain of each node moves, in the order of the nodes' names. */
export function countPerNode(nodes: readonly string[]): { node: string; pods: number }[] {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(node, (counts.get(node) ?? 0) + 1);
  return Array.from(counts, ([node, pods]) => ({ node, pods })).toSorted((a, b) =>
    a.node < b.node ? -1 : 1,
  );
}
