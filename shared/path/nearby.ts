import { type Channel, parseChannel } from '../releases/channel.ts';
import { CHANNEL_ORDER } from '../releases/values.ts';
import { compareMinors, minorOf, type Minor } from '../version/minor.ts';
import { channelChains } from './channel-choice.ts';
import type { ListedChannel } from './channel-directory.ts';
import type { PreparedGraph } from './prepared-graph.ts';
import { isBackward, type KnownReleases, pathQuery, type SettledQuestion } from './question.ts';
import { solvePath, type UpgradePath } from './solver/solve.ts';

export interface NearbyPath extends UpgradePath {
  readonly channels: readonly string[];
  readonly to: string;
}

const MOST = 3;
/** Graphs read to find the paths. */
const GRAPHS = 4;

interface Proposal {
  readonly channels: readonly string[];
  readonly to: string | null;
  /** Accept an older reachable release too. */
  readonly orBefore: boolean;
}

/**
 * Finds up to three paths under the same risk policy. For a version: other channels to it, joined channels, other
 * releases of its minor. For the newest of a channel: the newest of the nearest channels: stable-4.6 lacks 4.4.3, so it
 * suggests stable-4.5 to 4.5.24.
 */
export async function findNearbyPaths(
  question: SettledQuestion,
  searched: readonly string[],
  releases: KnownReleases,
): Promise<NearbyPath[]> {
  const read = new Set<string>();
  const whole: NearbyPath[] = [];
  // Used only if no path reaches its proposed release.
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

/** Nearest first, without the channels already searched. */
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

/** By distance to the wanted channel. The distance of two minors is their distance in the list of known minors. */
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
