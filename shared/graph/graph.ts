import { compareVersions, mustParseVersion, type ReleaseVersion } from '../version/release-version.ts';
import { forEachEdge, orderByKeys, type EdgeRows } from './edge-rows.ts';

export type { EdgeRows } from './edge-rows.ts';

export interface ReleaseNode {
  readonly version: string;
  /** Release image by digest. */
  readonly payload: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ConditionalEdgeRows extends EdgeRows {
  /** Per edge, the index of its risks in `riskSets` of the graph. */
  readonly riskSets: Uint32Array;
}

/**
 * The update graph of one channel and architecture in canonical form: two answers with the same content in any order
 * are the same graph. Edges are typed arrays of node indices; no object is kept per edge.
 */
export interface ReleaseGraph {
  /** By semver precedence. */
  readonly nodes: readonly ReleaseNode[];
  /** The parsed version of each node. */
  readonly versions: readonly ReleaseVersion[];
  readonly edges: EdgeRows;
  readonly conditional: ConditionalEdgeRows;
  /** The distinct risk lists, each in canonical order, numbered as their first edges come. */
  readonly riskSets: readonly (readonly Risk[])[];
}

export interface PairList {
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
}

/** Pairs of node indices that are in range. */
export interface PairColumns {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

export interface GraphParts {
  readonly nodes: readonly ReleaseNode[];
  /** Indices into `nodes`, pair by pair. */
  readonly edges: PairList;
  readonly conditional: PairList & { readonly riskSet: ArrayLike<number> };
  readonly riskSets: readonly (readonly Risk[])[];
}

/** Nodes sorted, each risk list once and sorted. */
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
 * Lays parts in any order out as a graph. Repeated edges become one; what makes a graph fit to serve is not judged here.
 * Nodes `[4.1.1, 4.1.0]` with the edge 1→0 give nodes `[4.1.0, 4.1.1]` with the edge 0→1.
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

/** The same for parts that are canonical but for the order of their edges. */
export function layOutGraph({ nodes, versions, edges, conditional, riskSets }: CanonicalParts): ReleaseGraph {
  const plain = layOut(nodes.length, edges);
  const rows = layOut(nodes.length, conditional, { tags: conditional.riskSet, bound: riskSets.length });
  // Sets are numbered as they are first used, which orders the groups of the served answer by their first edge.
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

/** Where each node of one graph is in another, -1 where it is not: nodes `[a, b]` in `[b, c]` are at `[-1, 0]`. */
export function alignNodes(graph: ReleaseGraph, other: ReleaseGraph): Int32Array {
  const index = nodeIndex(other);
  return Int32Array.from(graph.nodes, (node) => index.get(node.version) ?? -1);
}

/** Plain and conditional together. */
export function countEdges(graph: ReleaseGraph): number {
  return graph.edges.targets.length + graph.conditional.targets.length;
}

/** An edge in words, for reports: `4.1.0 → 4.1.1`. */
export function arrow(nodes: readonly ReleaseNode[], from: number, to: number): string {
  return `${nodes[from]!.version} → ${nodes[to]!.version}`;
}

/**
 * The graph as Cincinnati JSON, byte for byte the same for the same content: keys sorted, edges by (from, to), one group
 * per risk list in the order of their first edges.
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

/** Rows of one kind of edge. Edges that agree in source, target and tag are one edge. */
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

/** Each list sorted, equal lists made one, and for every list given the number of the one that stands for it. */
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

/** Each index replaced by what the table has for it. A loop, because `Uint32Array.from` with a callback is slow. */
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

/** Why an update may be wrong for some clusters. A cluster tries the rules in order; the first it can evaluate decides. */
export interface Risk {
  readonly url: string;
  readonly name: string;
  readonly message: string;
  readonly matchingRules: readonly MatchingRule[];
}

/** The risk as canonical JSON, keys sorted. Equal texts are equal risks. */
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

/**
 * Canonical order: by name, then the one that always applies, then by text. Always comes first because where two risks
 * claim one name the first is kept, and that has to be the stricter.
 */
export function compareRisks(a: Risk, b: Risk): number {
  if (a === b) return 0;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  const [always, otherAlways] = [a, b].map((risk) => risk.matchingRules[0]?.type === 'Always');
  if (always !== otherAlways) return always ? -1 : 1;
  const [text, otherText] = [riskText(a), riskText(b)];
  return text < otherText ? -1 : text > otherText ? 1 : 0;
}
