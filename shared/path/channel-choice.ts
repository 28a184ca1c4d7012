import { isForTesters } from '../releases/channel.ts';
import { CHANNEL_ORDER, type ChannelName } from '../releases/values.ts';
import { compareMinors, minorOf } from '../version/minor.ts';
import { isExtendedSupport } from '../version/release-line.ts';
import type { ReleaseVersion } from '../version/release-version.ts';
import type { ChannelDirectory, ListedChannel } from './channel-directory.ts';
import type { PreparedGraph } from './prepared-graph.ts';
import { type KnownReleases, pathQuery, rankedPrefixes, type SettledQuestion } from './question.ts';
import { type FoundPath, type PathResult, solvePath } from './solver/solve.ts';

/** Graphs read to find a path without risks, once there is one whose risks are accepted. */
const GRAPHS_TO_COMPARE = 4;
/** Graphs read while no channel has a path. */
const GRAPHS_TO_SEARCH = 16;

export interface Searched {
  readonly graph: PreparedGraph;
  readonly result: PathResult;
}

/**
 * Searches the channels by rank: a lower rank is used only if no higher one leads to the target, or only with risks.
 * Candidate channels are the last resort. Within a prefix, a channel that contains both versions comes first, then as
 * few joined channels as possible: 4.6 → 4.10 uses eus-4.8 and eus-4.10. Null if none connect.
 */
export async function searchChosenChannels(
  question: SettledQuestion,
  to: ReleaseVersion,
  releases: KnownReleases,
): Promise<Searched | null> {
  const read = new Set<string>();
  let best: Searched | null = null;
  for (const channels of attempts(question, to, releases.directory)) {
    if (best?.result.found && channels.some(isForTesters)) break;
    const graphs = new Set([...read, ...channels]);
    const most = best?.result.found ? GRAPHS_TO_COMPARE : GRAPHS_TO_SEARCH;
    // Try the preferred channels at any length: no shorter chain exists.
    if (best !== null && graphs.size > most) continue;
    for (const name of channels) read.add(name);
    const searched = await search(question, to, channels, releases);
    if (best === null || isBetter(searched.result, best.result)) best = searched;
    if (isGoodEnough(best.result, question)) return best;
  }
  return best;
}

/** Channels to join, most preferred first. */
function attempts(question: SettledQuestion, to: ReleaseVersion, directory: ChannelDirectory): string[][] {
  const { from } = question;
  const singles = new Map(
    CHANNEL_ORDER.map((prefix) => [prefix, channelsWithBoth(directory, prefix, from, to)]),
  );
  const isOneEnough = CHANNEL_ORDER.some((prefix) => singles.get(prefix)!.length > 0);
  const ranked = isOneEnough ? rankedPrefixes(question) : chainPrefixes(question, to, directory);
  const tried: string[][] = [];
  for (const [position, prefix] of ranked.entries()) {
    const chain = shortestChain(directory, from, to, [prefix]);
    const own = singles.get(prefix)!.map((name) => [name]);
    const best = own.length > 0 ? own : chain === null ? [] : [chain];
    const family = wholeFamily(directory, prefix, from, to);
    tried.push(...best, ...(best.length > 0 && family.length > best[0]!.length ? [family] : []));
    if (tried.length > 0) continue;
    const mixed = shortestChain(directory, from, to, ranked.slice(0, position + 1));
    if (mixed !== null) tried.push(mixed);
  }
  return tried;
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

/** Channels of a prefix with both versions: the lowest that is not below the target, then the others. */
export function channelsWithBoth(
  directory: ChannelDirectory,
  prefix: ChannelName,
  from: ReleaseVersion,
  to: ReleaseVersion,
): string[] {
  const both = directory.channels.filter(
    ({ name, prefix: own }) =>
      own === prefix && directory.holds(name, from.raw) && directory.holds(name, to.raw),
  );
  const isBelow = (channel: ListedChannel): boolean => compareMinors(channel.minor, minorOf(to)) < 0;
  const lowest = both.find((channel) => !isBelow(channel)) ?? both[0];
  return [...new Set([...(lowest ? [lowest] : []), ...both])].map(({ name }) => name);
}

/**
 * Shortest chain of channels per prefix, by rank. Neighbors in a chain share a version. Mixes prefixes only if no
 * prefix up to that rank has a chain.
 */
export function channelChains(
  question: SettledQuestion,
  to: ReleaseVersion,
  directory: ChannelDirectory,
): string[][] {
  const { from } = question;
  const ranked = chainPrefixes(question, to, directory);
  const chains: string[][] = [];
  for (const [position, prefix] of ranked.entries()) {
    const allowed = chains.length > 0 ? [prefix] : ranked.slice(0, position + 1);
    const chain = shortestChain(directory, from, to, [prefix]) ?? shortestChain(directory, from, to, allowed);
    if (chain !== null) chains.push(chain);
  }
  return chains;
}

/** Joined eus channels can lead from one EUS minor to another with fewer switches: 4.6 → 4.10. */
function chainPrefixes(
  { asked, from }: SettledQuestion,
  to: ReleaseVersion,
  directory: ChannelDirectory,
): readonly ChannelName[] {
  if (asked.prefersEus || !isExtendedSupport(from) || !isExtendedSupport(to))
    return rankedPrefixes({ asked });
  const length = (prefix: ChannelName): number =>
    shortestChain(directory, from, to, [prefix])?.length ?? Infinity;
  return rankedPrefixes({ asked: { prefersEus: length('eus') < length('stable') } });
}

function shortestChain(
  directory: ChannelDirectory,
  from: ReleaseVersion,
  to: ReleaseVersion,
  prefixes: readonly ChannelName[],
): string[] | null {
  const isAllowed = (channel: ListedChannel): boolean => prefixes.includes(channel.prefix);
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
  prefix: ChannelName,
  from: ReleaseVersion,
  to: ReleaseVersion,
): string[] {
  return directory
    .family(prefix, minorOf(from), minorOf(to))
    .filter(({ versions }) => versions.length > 0)
    .map(({ name }) => name);
}

/** Among found paths, rank decides unless a lower rank avoids risks. */
function isBetter(result: PathResult, other: PathResult): boolean {
  if (!result.found || !other.found) return hope(result) > hope(other);
  return result.stats.riskyHops < other.stats.riskyHops;
}

function isGoodEnough(result: PathResult, { asked }: SettledQuestion): result is FoundPath {
  return result.found && (result.stats.riskyHops === 0 || asked.prefer === 'shortest');
}

/** 2 with a path, 1 with a path if every risk were accepted. */
function hope(result: PathResult): number {
  if (result.found) return 2;
  return result.why === 'unreachable' && result.withAllRisks !== null ? 1 : 0;
}
