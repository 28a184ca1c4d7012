import { minorOf, type Minor } from '../version/minor.ts';
import { compareVersions, parseVersion } from '../version/release-version.ts';
import type { PreparedGraph } from './prepared-graph.ts';

/** What may be passed: edges by risk list, nodes by number. */
export interface Passable {
  readonly permitted: Uint8Array;
  readonly blocked: Uint8Array;
}

/** 1 for every node that can be reached from the one given, itself included. */
export function reachableFrom(graph: PreparedGraph, from: number, passable: Passable): Uint8Array {
  const { offsets, targets, risks } = graph.leaving;
  return spread(graph, from, passable, { offsets, nodes: targets, risksAt: (at) => risks[at]! });
}

/** 1 for every node from which the one given can be reached, itself included. */
export function reaching(graph: PreparedGraph, to: number, passable: Passable): Uint8Array {
  const { offsets, sources, edges } = graph.arriving;
  const { risks } = graph.leaving;
  return spread(graph, to, passable, { offsets, nodes: sources, risksAt: (at) => risks[edges[at]!]! });
}

interface Rows {
  readonly offsets: Uint32Array;
  readonly nodes: Uint32Array;
  risksAt(at: number): number;
}

function spread(graph: PreparedGraph, start: number, passable: Passable, rows: Rows): Uint8Array {
  const seen = new Uint8Array(graph.nodes.length);
  const queue = new Uint32Array(graph.nodes.length);
  seen[start] = 1;
  queue[0] = start;
  let length = 1;
  for (let head = 0; head < length; head++) {
    const node = queue[head]!;
    const end = rows.offsets[node + 1]!;
    for (let at = rows.offsets[node]!; at < end; at++) {
      const next = rows.nodes[at]!;
      if (seen[next] === 1 || passable.blocked[next] === 1 || passable.permitted[rows.risksAt(at)] === 0)
        continue;
      seen[next] = 1;
      queue[length++] = next;
    }
  }
  return seen;
}

/** The versions of the marked nodes, oldest first, without one of them. */
export function versionsIn(graph: PreparedGraph, marked: Uint8Array, without: number): string[] {
  return graph.nodes
    .filter((_, node) => marked[node] === 1 && node !== without)
    .map(({ version }) => version);
}

/** The newest of each minor: 4.13.1, 4.13.2, 4.14.0 give 4.13.2, 4.14.0. Expects them oldest first. */
export function newestPerMinor(versions: readonly string[]): string[] {
  const newest = new Map<Minor, string>();
  for (const version of versions) newest.set(minorOf(parseVersion(version)!), version);
  return [...newest.values()];
}

export interface Nearest {
  readonly below: string | null;
  readonly above: string | null;
}

/** The versions next to one that is missing: `versionsNextTo(['4.1.1', '4.1.5'], '4.1.3')`. Expects them oldest first. */
export function versionsNextTo(versions: readonly string[], wanted: string): Nearest {
  const target = parseVersion(wanted);
  if (target === null) return { below: null, above: null };
  const order = (version: string): number => compareVersions(parseVersion(version)!, target);
  return {
    below: versions.findLast((version) => order(version) < 0) ?? null,
    above: versions.find((version) => order(version) > 0) ?? null,
  };
}
