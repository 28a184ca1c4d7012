import { nodeIndex, type ReleaseGraph, type ReleaseNode } from './graph.ts';

const MANIFEST_REF = 'io.openshift.upgrades.graph.release.manifestref';

/**
 * A release image never changes under its version: where an answer names another payload for a version that is
 * already served, the one served first stays and the version is reported.
 */
export function keepFirstPayloads(
  served: ReleaseGraph | null,
  answer: ReleaseGraph,
): { readonly graph: ReleaseGraph; readonly conflicts: readonly string[] } {
  if (!served) return { graph: answer, conflicts: [] };
  const known = nodeIndex(served);
  const conflicts: string[] = [];
  const nodes = answer.nodes.map((node) => {
    const first = served.nodes[known.get(node.version) ?? -1];
    if (!first || first.payload === node.payload) return node;
    conflicts.push(node.version);
    return withPayload(node, first);
  });
  return conflicts.length === 0 ? { graph: answer, conflicts } : { graph: { ...answer, nodes }, conflicts };
}

function withPayload(node: ReleaseNode, first: ReleaseNode): ReleaseNode {
  const { [MANIFEST_REF]: _other, ...metadata } = node.metadata;
  const manifest = first.metadata[MANIFEST_REF];
  return {
    ...node,
    payload: first.payload,
    metadata: manifest === undefined ? metadata : { ...metadata, [MANIFEST_REF]: manifest },
  };
}
