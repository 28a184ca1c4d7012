import { type Channel, parseChannel } from '../releases/channel.ts';
import { CHANNEL_ORDER } from '../releases/values.ts';
import { compareMinors, minorOf, type Minor } from '../version/minor.ts';
import { channelChains } from './channel-choice.ts';
import type { ListedChannel } from './channel-directory.ts';
import type { PreparedGraph } from './prepared-graph.ts';
import { isBackward, type KnownReleases, pathQuery, type SettledQuestion } from './question.ts';
import { solvePath, type UpgradePath } from './solver/solve.ts';

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
