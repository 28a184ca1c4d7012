import { orderByKeys, forEachEdge, type EdgeRows } from '../graph/edge-rows.ts';
import {
  compareRisks,
  riskText,
  type Risk,
  countEdges,
  type ReleaseGraph,
  type ReleaseNode,
} from '../graph/graph.ts';
import { compareVersions, isPrerelease, type ReleaseVersion } from '../version/release-version.ts';

export interface ChannelGraph {
  readonly channel: string;
  readonly graph: ReleaseGraph;
}

/** One version with two release images. The node of the later channel is dropped, because one of them is wrong. */
export interface PayloadConflict {
  readonly version: string;
  readonly channel: string;
  readonly payload: string;
  readonly keptPayload: string;
}

export interface PreparedEdges extends EdgeRows {
  /** Per edge, index into `riskSets`; 0 means no risk. */
  readonly risks: Uint32Array;
  /** Per edge, index into `channelSets`. */
  readonly channels: Uint32Array;
}

export interface ArrivingEdges {
  readonly offsets: Uint32Array;
  readonly sources: Uint32Array;
  /** Per arriving edge, its index among the leaving edges. */
  readonly edges: Uint32Array;
}

/** Joined and indexed channels of one architecture. Built once per set of graphs. */
export interface PreparedGraph {
  /** In the given order: if several channels offer an update, the first is named. */
  readonly channels: readonly string[];
  /** By semver precedence. */
  readonly nodes: readonly ReleaseNode[];
  readonly versions: readonly ReleaseVersion[];
  readonly index: ReadonlyMap<string, number>;
  readonly isPrerelease: Uint8Array;
  /** No update leads to an excluded release; updates from it stay, because a cluster may run it. */
  readonly isExcluded: Uint8Array;
  /** Per node, the number of newer releases of its minor, without excluded ones. */
  readonly lag: Uint32Array;
  readonly leaving: PreparedEdges;
  readonly arriving: ArrivingEdges;
  /** The first is empty. */
  readonly riskSets: readonly (readonly Risk[])[];
  /** Per risk set, its names as bits. */
  readonly riskNames: readonly bigint[];
  /** Indices into `channels`, ascending. */
  readonly channelSets: readonly (readonly number[])[];
  readonly conflicts: readonly PayloadConflict[];
}

/**
 * Joins channel graphs: one node per version, one edge per update with the channels that offer it. An edge that any
 * channel makes conditional is conditional, with the risks of all. Edges that skip a minor are dropped. Example:
 * `prepareGraph([{channel: 'stable-4.14', graph}])`.
 */
export function prepareGraph(
  channels: readonly ChannelGraph[],
  excluded: ReadonlySet<string> = new Set(),
): PreparedGraph {
  const nodes = joinNodes(channels);
  const joined = {
    ...nodes,
    isExcluded: Uint8Array.from(nodes.nodes, ({ version }) => Number(excluded.has(version))),
  };
  const riskLists = new RiskLists();
  const channelSets = new ChannelSets(channels.length);
  const leaving = joinEdges(channels, joined, riskLists, channelSets);
  return {
    channels: channels.map(({ channel }) => channel),
    nodes: joined.nodes,
    versions: joined.versions,
    index: joined.index,
    isPrerelease: Uint8Array.from(joined.versions, (version) => (isPrerelease(version) ? 1 : 0)),
    isExcluded: joined.isExcluded,
    lag: lags(joined),
    leaving,
    arriving: reverse(leaving, joined.nodes.length),
    riskSets: riskLists.lists,
    riskNames: riskLists.names(),
    channelSets: channelSets.sets,
    conflicts: joined.conflicts,
  };
}

interface JoinedNodes extends Pick<PreparedGraph, 'nodes' | 'versions' | 'index' | 'conflicts'> {
  /** Per channel and node of its graph, the index of the joined node, or -1. */
  readonly places: readonly Int32Array[];
}

function joinNodes(channels: readonly ChannelGraph[]): JoinedNodes {
  const known = new Map<string, { readonly node: ReleaseNode; readonly version: ReleaseVersion }>();
  const conflicts: PayloadConflict[] = [];
  for (const { channel, graph } of channels) {
    for (const [at, node] of graph.nodes.entries()) {
      const kept = known.get(node.version)?.node;
      if (kept === undefined) known.set(node.version, { node, version: graph.versions[at]! });
      else if (kept.payload !== node.payload) {
        const { version, payload } = node;
        conflicts.push({ version, channel, payload, keptPayload: kept.payload });
      }
    }
  }
  const sorted = [...known.values()].toSorted((a, b) => compareVersions(a.version, b.version));
  const nodes = sorted.map(({ node }) => node);
  const index = new Map(nodes.map((node, place) => [node.version, place]));
  const placeOf = (node: ReleaseNode): number => {
    const place = index.get(node.version)!;
    return nodes[place]!.payload === node.payload ? place : -1;
  };
  return {
    nodes,
    versions: sorted.map(({ version }) => version),
    index,
    conflicts,
    places: channels.map(({ graph }) => Int32Array.from(graph.nodes, placeOf)),
  };
}

type Joined = JoinedNodes & Pick<PreparedGraph, 'isExcluded'>;

function joinEdges(
  channels: readonly ChannelGraph[],
  joined: Joined,
  riskLists: RiskLists,
  channelSets: ChannelSets,
): PreparedEdges {
  const all = listEdges(channels, joined, riskLists);
  const size = joined.nodes.length;
  const order = orderByKeys(all.length, [
    [all.channel, channels.length],
    [all.to, size],
    [all.from, size],
  ]);
  const offsets = new Uint32Array(size + 1);
  const targets = new Uint32Array(order.length);
  const risks = new Uint32Array(order.length);
  const sets = new Uint32Array(order.length);
  let length = 0;
  let from = -1;
  for (const position of order) {
    const [source, target] = [all.from[position]!, all.to[position]!];
    if (source !== from || target !== targets[length - 1]) {
      from = source;
      targets[length++] = target;
      offsets[source + 1]!++;
    }
    risks[length - 1] = riskLists.merge(risks[length - 1]!, all.risks[position]!);
    sets[length - 1] = channelSets.add(sets[length - 1]!, all.channel[position]!);
  }
  for (let node = 0; node < size; node++) offsets[node + 1]! += offsets[node]!;
  return {
    offsets,
    targets: targets.slice(0, length),
    risks: risks.slice(0, length),
    channels: sets.slice(0, length),
  };
}

function listEdges(channels: readonly ChannelGraph[], joined: Joined, riskLists: RiskLists) {
  const total = channels.reduce((sum, { graph }) => sum + countEdges(graph), 0);
  const [from, to] = [new Uint32Array(total), new Uint32Array(total)];
  const [channel, risks] = [new Uint32Array(total), new Uint32Array(total)];
  let length = 0;
  for (const [number, { graph }] of channels.entries()) {
    const places = joined.places[number]!;
    const lists = graph.riskSets.map((list) => riskLists.idOf(list));
    const add = (source: number, target: number, list: number): void => {
      const [start, end] = [places[source]!, places[target]!];
      if (start < 0 || end < 0 || joined.isExcluded[end] === 1) return;
      if (skipsMinor(joined.versions[start]!, joined.versions[end]!)) return;
      from[length] = start;
      to[length] = end;
      channel[length] = number;
      risks[length] = list;
      length++;
    };
    forEachEdge(graph.edges, (source, target) => add(source, target, 0));
    forEachEdge(graph.conditional, (source, target, position) => {
      add(source, target, lists[graph.conditional.riskSets[position]!]!);
    });
  }
  return { length, from, to, channel, risks };
}

/** 4.12 → 4.14 skips a minor. 4.22 → 5.0 does not: only upstream knows the last minor of a major. */
function skipsMinor(from: ReleaseVersion, to: ReleaseVersion): boolean {
  if (to.major === from.major) return to.minor > from.minor + 1;
  return to.major > from.major && (to.major > from.major + 1 || to.minor > 0);
}

function lags({ versions, isExcluded }: Pick<Joined, 'versions' | 'isExcluded'>): Uint32Array {
  const lag = new Uint32Array(versions.length);
  for (let place = versions.length - 2; place >= 0; place--) {
    const [version, next] = [versions[place]!, versions[place + 1]!];
    if (version.major !== next.major || version.minor !== next.minor) continue;
    lag[place] = lag[place + 1]! + 1 - isExcluded[place + 1]!;
  }
  return lag;
}

function reverse(leaving: EdgeRows, size: number): ArrivingEdges {
  const count = leaving.targets.length;
  const offsets = new Uint32Array(size + 1);
  for (const target of leaving.targets) offsets[target + 1]!++;
  for (let node = 0; node < size; node++) offsets[node + 1]! += offsets[node]!;
  const next = offsets.slice(0, size);
  const [sources, edges] = [new Uint32Array(count), new Uint32Array(count)];
  forEachEdge(leaving, (from, to, position) => {
    const place = next[to]!++;
    sources[place] = from;
    edges[place] = position;
  });
  return { offsets, sources, edges };
}

/** Interns risk lists: equal lists share a number; 0 is the empty list. */
class RiskLists {
  readonly lists: (readonly Risk[])[] = [[]];
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #merged = new Map<string, number>();

  idOf(risks: readonly Risk[]): number {
    const text = risks.map(riskText).join(',');
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.lists.length);
    return this.lists.push(risks) - 1;
  }

  /** Union by name. If the lists disagree about a name, the stricter risk wins. */
  merge(a: number, b: number): number {
    if (a === b || b === 0) return a;
    if (a === 0) return b;
    const key = `${a} ${b}`;
    const known = this.#merged.get(key);
    if (known !== undefined) return known;
    const all = [...this.lists[a]!, ...this.lists[b]!].toSorted(compareRisks);
    const merged = this.idOf(all.filter((risk, at) => risk.name !== all[at - 1]?.name));
    this.#merged.set(key, merged);
    return merged;
  }

  names(): bigint[] {
    const bits = new Map<string, bigint>();
    const bitOf = ({ name }: Risk): bigint => {
      const bit = bits.get(name) ?? 1n << BigInt(bits.size);
      bits.set(name, bit);
      return bit;
    };
    return this.lists.map((list) => list.reduce((mask, risk) => mask | bitOf(risk), 0n));
  }
}

/** Interns channel sets that grow in ascending order; 0 is the empty set. */
class ChannelSets {
  readonly sets: (readonly number[])[] = [[]];
  readonly #extended = new Map<number, number>();
  readonly #channels: number;

  constructor(channels: number) {
    this.#channels = channels;
  }

  add(set: number, channel: number): number {
    const members = this.sets[set]!;
    if (members.at(-1) === channel) return set;
    const key = set * this.#channels + channel;
    const known = this.#extended.get(key);
    if (known !== undefined) return known;
    this.#extended.set(key, this.sets.length);
    return this.sets.push([...members, channel]) - 1;
  }
}
