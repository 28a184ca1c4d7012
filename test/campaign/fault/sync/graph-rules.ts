import type { GivenAnswer, PlainGraph } from './upstream-model.ts';

const HOUR = 3600_000;

/**
 * What is wrong with a graph that was made of an answer over the one served before, by the promises themselves: all
 * of the answer, nothing but it between the versions it has, and what it lacks kept with its ways out.
 */
export function faultOfGraph(
  graph: PlainGraph,
  answer: PlainGraph,
  before: PlainGraph | null,
): string | null {
  for (const [version, payload] of answer.nodes) {
    const expected = before?.nodes.get(version) ?? payload;
    if (!graph.nodes.has(version)) return `${version} of the answer is missing`;
    if (graph.nodes.get(version) !== expected) return `the payload of ${version} changed`;
  }
  for (const [version, payload] of before?.nodes ?? []) {
    if (!graph.nodes.has(version)) return `${version} vanished`;
    if (graph.nodes.get(version) !== payload) return `the payload of ${version} changed`;
  }
  for (const version of graph.nodes.keys()) {
    if (!answer.nodes.has(version) && !before?.nodes.has(version)) return `${version} was never there`;
  }
  const isKept = (edge: string) =>
    !answer.nodes.has(fromOf(edge)) && answer.nodes.has(toOf(edge)) && graph.nodes.has(fromOf(edge));
  const expected = new Set([...answer.edges, ...[...(before?.edges ?? [])].filter(isKept)]);
  for (const edge of graph.edges) if (!expected.has(edge)) return `${edge} is not of the answer`;
  for (const edge of expected) if (!graph.edges.has(edge)) return `${edge} is missing`;
  return null;
}

/** Why an answer that lost much of the one before may not have been believed yet; null when it may. */
export function faultOfBelief(
  answer: GivenAnswer,
  before: GivenAnswer | null,
  earlier: readonly GivenAnswer[],
): string | null {
  if (before === null || before.graph.nodes.size === 0) return null;
  const lost = [...before.graph.nodes.keys()].filter((version) => !answer.graph.nodes.has(version)).length;
  const allowed = Math.max(5, before.graph.nodes.size / 10);
  if (lost <= allowed && answer.graph.nodes.size > 0) return null;
  const what = `an answer without ${lost} of ${before.graph.nodes.size} versions was believed`;
  if (answer.graph.nodes.size === 0) return what;
  const same = earlier.filter(({ graph }) => isSame(graph, answer.graph));
  const spanMs = answer.at - (same[0]?.at ?? answer.at);
  // Slots may begin a few minutes before the run that takes them.
  return same.length >= 3 && spanMs >= 6 * HOUR - 10 * 60_000 ? null : what;
}

export function isSame(a: PlainGraph, b: PlainGraph): boolean {
  const isEqual = (x: ReadonlySet<string>, y: ReadonlySet<string>) =>
    x.size === y.size && [...x].every((one) => y.has(one));
  return isEqual(a.edges, b.edges) && isEqual(new Set(pairsOf(a)), new Set(pairsOf(b)));
}

function pairsOf({ nodes }: PlainGraph): string[] {
  return [...nodes].map((node) => node.join(' '));
}

function fromOf(edge: string): string {
  return edge.split('>')[0]!;
}

function toOf(edge: string): string {
  return edge.split('>')[1]!.split('?')[0]!;
}
