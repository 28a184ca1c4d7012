import { CHANNEL_ORDER } from '../releases/values.ts';
import { compareMinors, minorOf } from '../version/minor.ts';
import type { ReleaseVersion } from '../version/release-version.ts';
import type { ChannelDirectory, ListedChannel } from './channel-directory.ts';
import type { PreparedGraph } from './prepared-graph.ts';
import {
  fewestHops,
  type KnownReleases,
  pathQuery,
  type SettledQuestion,
  type Preference,
} from './question.ts';
import { type FoundPath, type PathResult, type PathStats, solvePath } from './solver/solve.ts';

/** Graphs read to compare channels. */
const GRAPHS_TO_COMPARE = 4;
/** Graphs read while no channel has a path. */
const GRAPHS_TO_SEARCH = 16;

export interface Searched {
  readonly graph: PreparedGraph;
  readonly result: PathResult;
}

/**
 * Finds the cheapest path in channels that contain both versions, then by prefix and lowest minor. Else joins as few
 * channels as possible: 4.6 → 4.10 uses eus-4.8 and eus-4.10. Null if none connect.
 */
export async function searchChosenChannels(
  question: SettledQuestion,
  to: ReleaseVersion,
  releases: KnownReleases,
): Promise<Searched | null> {
  const { directory } = releases;
  const { from } = question;
  const { compared, others } = channelsWithBoth(directory, from, to);
  const isOneEnough = compared.length > 0;
  const attempts = isOneEnough
    ? [...compared, ...others].map((name) => [name])
    : channelChains(directory, from, to);
  const [preferred] = attempts;
  if (!preferred) return null;

  const read = new Set<string>();
  let best: Searched | null = null;
  for (const [position, channels] of attempts.entries()) {
    if (isOneEnough && position >= compared.length && best?.result.found) break;
    // Try the preferred channels at any length: no shorter chain exists.
    const graphs = new Set([...read, ...channels]);
    const most = best && hope(best.result) === 0 ? GRAPHS_TO_SEARCH : GRAPHS_TO_COMPARE;
    if (channels !== preferred && graphs.size > most) continue;
    for (const name of channels) read.add(name);
    const searched = await search(question, to, channels, releases);
    if (best === null || isBetter(searched.result, best.result, question)) best = searched;
    if (isIdeal(best.result, from, to)) return best;
  }
  if (best === null || hope(best.result) > 0) return best;

  const family = wholeFamily(directory, preferred[0]!, from, to);
  if (family.length <= preferred.length) return best;
  const searched = await search(question, to, family, releases);
  return hope(searched.result) > 0 ? searched : best;
}

export async function search(
  question: SettledQuestion,
  to: ReleaseVersion,
  channels: readonly string[],
  releases: KnownReleases,
): Promise<Searched> {
  const graph = await releases.prepare(channels);
  const { alternatives } = question.asked;
  return { graph, result: solvePath(graph, { ...pathQuery(question, to.raw), alternatives }) };
}

/**
 * Compares only the lowest minor of each prefix, preferred prefixes first, since channels of a prefix differ little
 * here. `others` are the fallback.
 */
function channelsWithBoth(
  directory: ChannelDirectory,
  from: ReleaseVersion,
  to: ReleaseVersion,
): { readonly compared: readonly string[]; readonly others: readonly string[] } {
  const both = directory.channels.filter(
    ({ name }) => directory.holds(name, from.raw) && directory.holds(name, to.raw),
  );
  const isBelow = (channel: ListedChannel): boolean => compareMinors(channel.minor, minorOf(to)) < 0;
  const compared = CHANNEL_ORDER.flatMap((prefix) => {
    const same = both.filter((channel) => channel.prefix === prefix);
    const lowest = same.find((channel) => !isBelow(channel)) ?? same[0];
    return lowest ? [lowest.name] : [];
  });
  const others = both.map(({ name }) => name).filter((name) => !compared.includes(name));
  return { compared, others };
}

/**
 * Shortest chain of channels per prefix, shortest first. Neighbors in a chain share a version. Mixes prefixes only if
 * no single prefix has a chain.
 */
export function channelChains(
  directory: ChannelDirectory,
  from: ReleaseVersion,
  to: ReleaseVersion,
): string[][] {
  const chains = CHANNEL_ORDER.flatMap((prefix) => {
    const chain = shortestChain(directory, from, to, (channel) => channel.prefix === prefix);
    return chain ? [chain] : [];
  }).toSorted((a, b) => a.length - b.length);
  if (chains.length > 0) return chains;
  const mixed = shortestChain(directory, from, to, () => true);
  return mixed ? [mixed] : [];
}

function shortestChain(
  directory: ChannelDirectory,
  from: ReleaseVersion,
  to: ReleaseVersion,
  isAllowed: (channel: ListedChannel) => boolean,
): string[] | null {
  const allowed = directory.channels.filter(isAllowed);
  const before = new Map<string, string | null>();
  const queue: ListedChannel[] = [];
  const add = (name: string, previous: string | null): void => {
    const channel = directory.get(name);
    if (!channel || !isAllowed(channel) || before.has(name)) return;
    before.set(name, previous);
    queue.push(channel);
  };
  // Higher minors first: of two chains with equal length, prefer the one that leaves the old channel sooner.
  for (const { name } of allowed.toReversed()) if (directory.holds(name, from.raw)) add(name, null);
  for (const channel of queue) {
    if (directory.holds(channel.name, to.raw)) return chainTo(channel.name, before);
    for (const version of directory.versionsBetween(channel.name, from, to)) {
      for (const name of directory.holders(version.raw)) add(name, channel.name);
    }
  }
  return null;
}

function chainTo(last: string, before: ReadonlyMap<string, string | null>): string[] {
  const chain: string[] = [];
  for (let name: string | null = last; name !== null; name = before.get(name) ?? null) chain.unshift(name);
  return chain;
}

function wholeFamily(
  directory: ChannelDirectory,
  member: string,
  from: ReleaseVersion,
  to: ReleaseVersion,
): string[] {
  return directory
    .family(directory.get(member)?.prefix, minorOf(from), minorOf(to))
    .filter(({ versions }) => versions.length > 0)
    .map(({ name }) => name);
}

function isBetter(result: PathResult, other: PathResult, { asked }: SettledQuestion): boolean {
  if (!result.found || !other.found) return hope(result) > hope(other);
  const [cost, otherCost] = [costOf(result.stats, asked.prefer), costOf(other.stats, asked.prefer)];
  const at = cost.findIndex((part, index) => part !== otherCost[index]);
  return at >= 0 && cost[at]! < otherCost[at]!;
}

function costOf({ hops, riskyHops, channelSwitches }: PathStats, prefer: Preference): number[] {
  return prefer === 'safest' ? [riskyHops, hops, channelSwitches] : [hops, channelSwitches, riskyHops];
}

/** No other channel can have a better path. */
function isIdeal(result: PathResult, from: ReleaseVersion, to: ReleaseVersion): result is FoundPath {
  return result.found && result.stats.riskyHops === 0 && result.stats.hops <= fewestHops(from, to);
}

/** 2 with a path, 1 with a path if every risk were accepted. */
function hope(result: PathResult): number {
  if (result.found) return 2;
  return result.why === 'unreachable' && result.withAllRisks !== null ? 1 : 0;
}
