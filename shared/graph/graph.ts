import { compareVersions, mustParseVersion, type ReleaseVersion } from '../version/release-version.ts';
import { forEachEdge, orderByKeys, type EdgeRows } from './edge-rows.ts';

export interface ReleaseNode {
  readonly version: string;
  /** Release image by digest. */
  readonly payload: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Update graph of one channel and architecture in canonical form, independent of the order of its source. Edges are
 * typed arrays of node indices, without an object per edge.
 */
export interface ReleaseGraph {
  /** By semver precedence. */
  readonly nodes: readonly ReleaseNode[];
  readonly versions: readonly ReleaseVersion[];
  readonly edges: EdgeRows;
  /** `riskSets` has, per edge, an index into those of the graph. */
  readonly conditional: EdgeRows & { readonly riskSets: Uint32Array };
  /** Distinct risk lists in canonical order, numbered by their first edge. */
  readonly riskSets: readonly (readonly Risk[])[];
}

export interface PairList {
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
}

/** Node indices, already checked to be in range. */
export interface PairColumns {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

export interface GraphParts {
  readonly nodes: readonly ReleaseNode[];
  readonly edges: PairList;
  readonly conditional: PairList & { readonly riskSet: ArrayLike<number> };
  readonly riskSets: readonly (readonly Risk[])[];
}

/** Sorted nodes, and sorted risk lists without duplicates. */
interface CanonicalParts extends Pick<ReleaseGraph, 'nodes' | 'versions' | 'riskSets'> {
  readonly edges: PairColumns;
  readonly conditional: PairColumns & { readonly riskSet: Uint32Array };
}

export const EMPTY_GRAPH: ReleaseGraph = {
  nodes: [],
  versions: [],
  edges: { offsets: new Uint32Array(1), targets: new Uint32Array(0) },
  conditional: { offsets: new Uint32Array(1), targets: new Uint32Array(0), riskSets: new Uint32Array(0) },
  riskSets: [],
};

/**
 * Builds a graph from parts in any order and removes duplicate edges. Does not validate. Nodes `[4.1.1, 4.1.0]` with
 * edge 1→0 become `[4.1.0, 4.1.1]` with edge 0→1.
 */
export function buildGraph(parts: GraphParts): ReleaseGraph {
  const parsed = parts.nodes.map((node) => mustParseVersion(node.version));
  const order = parsed.map((_, index) => index);
  order.sort((a, b) => compareVersions(parsed[a]!, parsed[b]!) || comparePayloads(parts.nodes, a, b));
  const rank = new Uint32Array(order.length);
  for (const [position, index] of order.entries()) rank[index] = position;

  const sets = canonicalRiskSets(parts.riskSets);
  return layOutGraph({
    nodes: order.map((index) => parts.nodes[index]!),
    versions: order.map((index) => parsed[index]!),
    edges: translated(parts.edges, rank),
    conditional: {
      ...translated(parts.conditional, rank),
      riskSet: translate(parts.conditional.riskSet, sets.rank, 'risk set'),
    },
    riskSets: sets.distinct,
  });
}

/** Expects canonical parts; only edges can be in any order. */
export function layOutGraph({ nodes, versions, edges, conditional, riskSets }: CanonicalParts): ReleaseGraph {
  const plain = layOut(nodes.length, edges);
  const rows = layOut(nodes.length, conditional, { tags: conditional.riskSet, bound: riskSets.length });
  // Number sets by first use, so that the served groups are in the order of their first edge.
  const number = new Map<number, number>();
  for (const tag of rows.tags) if (!number.has(tag)) number.set(tag, number.size);
  return {
    nodes,
    versions,
    edges: { offsets: plain.offsets, targets: plain.targets },
    conditional: {
      offsets: rows.offsets,
      targets: rows.targets,
      riskSets: rows.tags.map((tag) => number.get(tag)!),
    },
    riskSets: [...number.keys()].map((tag) => riskSets[tag]!),
  };
}

export function nodeIndex(graph: ReleaseGraph): Map<string, number> {
  return new Map(graph.nodes.map((node, index) => [node.version, index]));
}

/** Per node, its index in the other graph or -1: `[a, b]` in `[b, c]` is `[-1, 0]`. */
export function alignNodes(graph: ReleaseGraph, other: ReleaseGraph): Int32Array {
  const index = nodeIndex(other);
  return Int32Array.from(graph.nodes, (node) => index.get(node.version) ?? -1);
}

export function countEdges(graph: ReleaseGraph): number {
  return graph.edges.targets.length + graph.conditional.targets.length;
}

/** `4.1.0 → 4.1.1` */
export function arrow(nodes: readonly ReleaseNode[], from: number, to: number): string {
  return `${nodes[from]!.version} → ${nodes[to]!.version}`;
}

/**
 * Serializes to Cincinnati JSON with deterministic bytes: sorted keys, edges by (from, to), one group per risk list in
 * the order of first edges.
 */
export function serializeGraph(graph: ReleaseGraph): string {
  const quoted = graph.nodes.map((node) => JSON.stringify(node.version));
  const nodes = graph.nodes.map(
    (node, index) =>
      `{"metadata":${metadataText(node.metadata)},"payload":${JSON.stringify(node.payload)},"version":${quoted[index]!}}`,
  );
  const edges: string[] = [];
  forEachEdge(graph.edges, (from, to) => edges.push(`[${from},${to}]`));
  const members: string[][] = graph.riskSets.map(() => []);
  forEachEdge(graph.conditional, (from, to, position) => {
    members[graph.conditional.riskSets[position]!]!.push(`{"from":${quoted[from]!},"to":${quoted[to]!}}`);
  });
  const groups = graph.riskSets.map(
    (risks, set) => `{"edges":[${members[set]!.join(',')}],"risks":[${risks.map(riskText).join(',')}]}`,
  );
  return `{"conditionalEdges":[${groups.join(',')}],"edges":[${edges.join(',')}],"nodes":[${nodes.join(',')}],"version":1}`;
}

function metadataText(metadata: ReleaseNode['metadata']): string {
  const members = Object.keys(metadata)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(metadata[key])}`);
  return `{${members.join(',')}}`;
}

/** Merges edges with equal source, target and tag. */
function layOut(
  size: number,
  { from, to }: PairColumns,
  tagged: { readonly tags: Uint32Array; readonly bound: number } = {
    tags: new Uint32Array(from.length),
    bound: 1,
  },
): EdgeRows & { readonly tags: Uint32Array } {
  const order = orderByKeys(from.length, [
    [tagged.tags, tagged.bound],
    [to, size],
    [from, size],
  ]);
  const offsets = new Uint32Array(size + 1);
  const targets = new Uint32Array(order.length);
  const tags = new Uint32Array(order.length);
  let length = 0;
  let before = -1;
  for (const position of order) {
    const source = from[position]!;
    const target = to[position]!;
    const tag = tagged.tags[position]!;
    const isRepeated =
      before >= 0 && from[before] === source && targets[length - 1] === target && tags[length - 1] === tag;
    before = position;
    if (isRepeated) continue;
    targets[length] = target;
    tags[length] = tag;
    length++;
    offsets[source + 1]!++;
  }
  for (let node = 0; node < size; node++) offsets[node + 1]! += offsets[node]!;
  return { offsets, targets: targets.slice(0, length), tags: tags.slice(0, length) };
}

/** `rank` maps each given list to its distinct list. */
function canonicalRiskSets(riskSets: GraphParts['riskSets']): {
  readonly distinct: readonly (readonly Risk[])[];
  readonly rank: Uint32Array;
} {
  const texts = new Map<Risk, string>();
  const textOf = (risk: Risk): string => {
    const text = texts.get(risk) ?? riskText(risk);
    texts.set(risk, text);
    return text;
  };
  const sorted = riskSets.map((risks) => risks.toSorted(compareRisks));
  const keys = sorted.map((risks) => risks.map(textOf).join(','));
  const byKey = new Map(keys.map((key, set) => [key, sorted[set]!]));
  const distinct = [...byKey.keys()].toSorted();
  const position = new Map(distinct.map((key, index) => [key, index]));
  return {
    distinct: distinct.map((key) => byKey.get(key)!),
    rank: Uint32Array.from(keys, (key) => position.get(key)!),
  };
}

function comparePayloads(nodes: readonly ReleaseNode[], a: number, b: number): number {
  const [payload, other] = [nodes[a]!.payload, nodes[b]!.payload];
  return payload < other ? -1 : payload > other ? 1 : 0;
}

function translated({ from, to }: PairList, rank: Uint32Array): PairColumns {
  return { from: translate(from, rank, 'node'), to: translate(to, rank, 'node') };
}

/** A loop: `Uint32Array.from` with a callback is slow. */
function translate(indices: ArrayLike<number>, table: Uint32Array, what: string): Uint32Array {
  const translated = new Uint32Array(indices.length);
  for (let position = 0; position < translated.length; position++) {
    const value = table[indices[position]!];
    if (value === undefined) {
      throw new RangeError(`${what} ${indices[position]} is out of range, there are ${table.length}`);
    }
    translated[position] = value;
  }
  return translated;
}

export type MatchingRule =
  | { readonly type: 'Always' }
  | { readonly type: 'PromQL'; readonly promql: { readonly promql: string } };

/** Known risk of a conditional update. A cluster evaluates the rules in order; the first it can evaluate decides. */
export interface Risk {
  readonly url: string;
  readonly name: string;
  readonly message: string;
  readonly matchingRules: readonly MatchingRule[];
}

/** Canonical JSON with sorted keys. Equal texts mean equal risks. */
export function riskText(risk: Risk): string {
  const rules = risk.matchingRules.map((rule) =>
    rule.type === 'Always'
      ? '{"type":"Always"}'
      : `{"promql":{"promql":${JSON.stringify(rule.promql.promql)}},"type":"PromQL"}`,
  );
  return (
    `{"matchingRules":[${rules.join(',')}],"message":${JSON.stringify(risk.message)},` +
    `"name":${JSON.stringify(risk.name)},"url":${JSON.stringify(risk.url)}}`
  );
}

/** By name, `Always` first, then by text. Of risks with one name the first is kept: the stricter one. */
export function compareRisks(a: Risk, b: Risk): number {
  if (a === b) return 0;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  const [always, otherAlways] = [a, b].map((risk) => risk.matchingRules[0]?.type === 'Always');
  if (always !== otherAlways) return always ? -1 : 1;
  const [text, otherText] = [riskText(a), riskText(b)];
  return text < otherText ? -1 : text > otherText ? 1 : 0;
}
