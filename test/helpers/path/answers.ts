import type { ReleaseGraph, Risk } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import type { Arch } from '@cairn/shared/version/arch';

export const CHANNELS = 'io.openshift.upgrades.graph.release.channels';
export const ARCHITECTURE = 'release.openshift.io/architecture';

/** Stable digest, different for each version. */
export function payloadOf(version: string): string {
  const hex = Array.from(version, (character) => character.charCodeAt(0).toString(16)).join('');
  return `quay.io/openshift-release-dev/ocp-release@sha256:${hex.padEnd(64, '0').slice(0, 64)}`;
}

export interface AnswerNode {
  version: unknown;
  payload: unknown;
  metadata: unknown;
}

export function aNode(version: string, changes: Partial<AnswerNode> = {}): AnswerNode {
  return { version, payload: payloadOf(version), metadata: { [CHANNELS]: 'stable-4.1' }, ...changes };
}

export function aRisk(name: string, changes: Record<string, unknown> = {}): Risk {
  return {
    url: `https://example.com/${name}`,
    name,
    message: `${name} may happen`,
    matchingRules: [{ type: 'PromQL', promql: { promql: `group(${name})` } }],
    ...changes,
  };
}

export interface AnswerGroup {
  edges: { from: string; to: string }[];
  risks: unknown[];
}

/** Format: `aGroup([['4.1.0', '4.1.1']], aRisk('A'))`. */
export function aGroup(pairs: readonly (readonly [string, string])[], ...risks: unknown[]): AnswerGroup {
  return { edges: pairs.map(([from, to]) => ({ from, to })), risks };
}

export interface Answer {
  version: number;
  nodes: AnswerNode[];
  edges: [number, number][];
  conditionalEdges: AnswerGroup[];
}

/** An upstream response. Edges name versions, because indices are hard to read. */
export function anAnswer(
  versions: readonly string[],
  edges: readonly (readonly [string, string])[] = [],
  conditionalEdges: AnswerGroup[] = [],
): Answer {
  return {
    version: 1,
    nodes: versions.map((version) => aNode(version)),
    edges: edges.map(([from, to]) => [versions.indexOf(from), versions.indexOf(to)]),
    conditionalEdges,
  };
}

export function graphOf(answer: unknown, arch: Arch = 'amd64'): ReleaseGraph {
  const result = normalizeGraph(answer, { arch });
  if (!result.ok) throw new Error(`refused: ${result.code} ${result.detail}`);
  return result.graph;
}

export function aGraph(...parts: Parameters<typeof anAnswer>): ReleaseGraph {
  return graphOf(anAnswer(...parts));
}

/** Recommended updates as `4.1.0>4.1.1`. */
export function plainEdges(graph: ReleaseGraph): string[] {
  return [...graph.edges.targets].map((target, at) => pair(graph, graph.edges.offsets, at, target));
}

/** Conditional updates as `4.1.0>4.1.1 A,B`. */
export function conditionalEdges(graph: ReleaseGraph): string[] {
  const { offsets, targets, riskSets } = graph.conditional;
  return [...targets].map((target, at) => {
    const names = graph.riskSets[riskSets[at]!]!.map((risk) => risk.name);
    return `${pair(graph, offsets, at, target)} ${names.join()}`;
  });
}

function pair(graph: ReleaseGraph, offsets: Uint32Array, at: number, target: number): string {
  const source = offsets.findLastIndex((offset) => offset <= at);
  return `${graph.nodes[source]!.version}>${graph.nodes[target]!.version}`;
}
