import { type Channel, parseChannel } from '../releases/channel.ts';
import { compareMinors, minorOf, type Minor } from '../version/minor.ts';
import { channelChains } from './channel-choice.ts';
import type { ListedChannel } from './channel-directory.ts';
import type { PreparedGraph } from './prepared-graph.ts';
import { solvePath, type UpgradePath } from './solver/solve.ts';
import { isBackward, type KnownReleases, pathQuery, type SettledQuestion } from './question.ts';
import { CHANNEL_ORDER } from '../releases/release-sources.ts';
import { compareVersions, parseVersion } from '../version/release-version.ts';

/** A path to the target by other channels, or to another target. */
export interface NearbyPath extends UpgradePath {
  /** Those of its plan. */
  readonly channels: readonly string[];
  readonly to: string;
}

const MOST = 3;
/** Graphs that are read for them. */
const GRAPHS = 4;

interface Proposal {
  readonly channels: readonly string[];
  readonly to: string | null;
  /** Whether an older one that can be reached is welcome too. */
  readonly orBefore: boolean;
}

/**
 * Up to three paths for a question that has none, under the same conditions. Who asked for a version gets other channels
 * to it first, then joined ones, then what else can be reached in its minor; who asked for the newest of a channel gets
 * the newest of the channels nearest to it. Nearest is the same prefix in the minors next to it, then other prefixes of
 * its minor, then the rest: from 4.4.3, which stable-4.6 does not hold, it is stable-4.5 to 4.5.24.
 */
export async function findNearbyPaths(
  question: SettledQuestion,
  searched: readonly string[],
  releases: KnownReleases,
): Promise<NearbyPath[]> {
  const read = new Set<string>();
  const whole: NearbyPath[] = [];
  // Those that lead less far than proposed are welcome only where nothing better is.
  const partial: NearbyPath[] = [];
  for (const { channels, to, orBefore } of proposals(question, searched, releases)) {
    const graphs = new Set([...read, ...channels]);
    if (to === null || to === question.from.raw || graphs.size > GRAPHS) continue;
    for (const name of channels) read.add(name);
    const nearby = pathTo(await releases.prepare(channels), question, to, orBefore);
    if (nearby) (nearby.to === to ? whole : partial).push(nearby);
  }
  const versions = ({ path }: NearbyPath): string => path.map(({ version }) => `${version} `).join('');
  const distinct = new Map(whole.toReversed().map((nearby) => [versions(nearby), nearby]));
  const found = whole.filter((nearby) => distinct.get(versions(nearby)) === nearby);
  for (const nearby of partial) {
    if (!found.some((other) => versions(other).startsWith(versions(nearby)))) found.push(nearby);
  }
  return found.slice(0, MOST);
}

function pathTo(
  graph: PreparedGraph,
  question: SettledQuestion,
  to: string,
  orBefore: boolean,
): NearbyPath | null {
  const result = solvePath(graph, pathQuery(question, to));
  if (result.found) {
    const { path, stats, channelPlan } = result;
    const channels = [...new Set(channelPlan.map(({ channel }) => channel))];
    return { channels, to, path, stats, channelPlan };
  }
  const before = orBefore && 'reach' in result ? result.reach.nearest.below : null;
  return before === null ? null : pathTo(graph, question, before, false);
}

/** Nearest first. What was searched is not proposed again. */
function proposals(
  question: SettledQuestion,
  searched: readonly string[],
  { directory }: KnownReleases,
): Proposal[] {
  const { from, to, target, prerelease } = question;
  const wanted = question.asked.channels[0] ?? searched[0];
  const others = directory.channels
    .filter(({ name }) => directory.holds(name, from.raw) && !searched.includes(name))
    .toSorted(nearestTo(wanted === undefined ? null : parseChannel(wanted), directory.channels));
  const newestOf = (channels: readonly string[], minor?: Minor): Proposal => ({
    channels,
    to: directory.newest(channels, { minor, prerelease }),
    orBefore: minor === undefined,
  });
  const ownNewest = others.map(({ name }) => newestOf([name]));
  const joined = to === null ? [] : channelChains(directory, from, to).filter((chain) => chain.length > 1);
  const toTarget = joined.map((channels): Proposal => ({ channels, to: to!.raw, orBefore: false }));
  if (target === 'latest') return [...ownNewest.slice(0, 1), ...toTarget, ...ownNewest.slice(1)];

  const minor = to === null ? (question.asked.to as Minor) : minorOf(to);
  const sameTarget = others.flatMap(({ name }): Proposal[] => {
    if (target === 'minor') return [newestOf([name], minor)];
    return directory.holds(name, question.asked.to)
      ? [{ channels: [name], to: question.asked.to, orBefore: false }]
      : [];
  });
  const here = searched.some((name) => directory.holds(name, from.raw))
    ? [newestOf(searched, minor), newestOf(searched)]
    : [];
  const otherTargets = [...here.filter((proposal) => proposal.to !== to?.raw), ...ownNewest];
  return isBackward(question) ? otherTargets : [...sameTarget, ...toTarget, ...otherTargets];
}

/** By how far a channel is from the one wanted; minors are as far apart as others are known between them. */
function nearestTo(
  wanted: Channel | null,
  known: readonly ListedChannel[],
): (a: ListedChannel, b: ListedChannel) => number {
  const rank = (channel: ListedChannel): number => CHANNEL_ORDER.indexOf(channel.prefix);
  if (wanted === null) return (a, b) => rank(a) - rank(b) || compareMinors(a.minor, b.minor);
  const minors = [...new Set([wanted.minor, ...known.map(({ minor }) => minor)])].toSorted(compareMinors);
  const distance = ({ minor }: Channel): number =>
    Math.abs(minors.indexOf(minor) - minors.indexOf(wanted.minor));
  const group = (channel: ListedChannel): number => {
    if (channel.prefix === wanted.prefix && distance(channel) === 1) return 0;
    return distance(channel) === 0 ? 1 : 2;
  };
  return (a, b) =>
    group(a) - group(b) || distance(a) - distance(b) || rank(a) - rank(b) || compareMinors(a.minor, b.minor);
}

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
