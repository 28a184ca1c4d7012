import { type Channel, isForTesters, parseChannel } from '../releases/channel.ts';
import { compareMinors, minorOf, type Minor } from '../version/minor.ts';
import { minorReleaseOf, ordinalOf } from '../version/release-line.ts';
import { compareVersions, mustParseVersion, type ReleaseVersion } from '../version/release-version.ts';
import { channelChains } from './channel-choice.ts';
import type { ChannelDirectory, ListedChannel } from './channel-directory.ts';
import type { PreparedGraph } from './prepared-graph.ts';
import {
  isBackward,
  type KnownReleases,
  pathQuery,
  rankedPrefixes,
  settleQuestion,
  type SettledQuestion,
} from './question.ts';
import { solvePath, type UpgradePath } from './solver/solve.ts';

export interface NearbyPath extends UpgradePath {
  readonly channels: readonly string[];
  readonly to: string;
}

const MOST = 3;
/** Graphs read to find the paths, beside those that were searched. */
const GRAPHS = 4;

interface Proposal {
  readonly channels: readonly string[];
  readonly to: string | null;
  /** Accept an older reachable release too. */
  readonly orBefore: boolean;
}

/**
 * Finds up to three paths under the same risk policy. For a version: other channels to it, joined channels, then
 * releases next to it. For the newest of a channel: the newest of the nearest channels: stable-4.6 lacks 4.4.3, so it
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
    const graphs = new Set([...read, ...channels.filter((name) => !searched.includes(name))]);
    if (to === null || to === question.from.raw || graphs.size > GRAPHS) continue;
    // No path leads there, so it is worth no graph.
    if (releases.directory.excluded.has(to)) continue;
    for (const name of graphs) read.add(name);
    const nearby = pathTo(await releases.prepare(channels), question, to, orBefore);
    if (nearby) (nearby.to === to ? whole : partial).push(nearby);
  }
  const versions = ({ path }: NearbyPath): string => path.map(({ version }) => `${version} `).join('');
  const compare = byNearness(question, releases);
  const ordered = withoutNeedlessTesters([...whole, ...partial]).toSorted(compare);
  const distinct = new Map(ordered.toReversed().map((nearby) => [versions(nearby), nearby]));
  // A longer path replaces its part, unless the part ends nearer to the target or needs no candidate channel.
  const isPartOfOther = (nearby: NearbyPath): boolean =>
    partial.includes(nearby) &&
    ordered.some(
      (other) =>
        other.path.length > nearby.path.length &&
        versions(other).startsWith(versions(nearby)) &&
        compare(other, nearby) <= 0,
    );
  return ordered
    .filter((nearby) => distinct.get(versions(nearby)) === nearby && !isPartOfOther(nearby))
    .slice(0, MOST);
}

const needsTesters = ({ channels }: { readonly channels: readonly string[] }): boolean =>
  channels.some(isForTesters);
const minorReached = (to: string): Minor => minorOf(mustParseVersion(to));

/** Leaves out candidate channels to a minor that others reach. */
function withoutNeedlessTesters(paths: readonly NearbyPath[]): NearbyPath[] {
  const reached = new Set(paths.filter((nearby) => !needsTesters(nearby)).map(({ to }) => minorReached(to)));
  return paths.filter((nearby) => !needsTesters(nearby) || !reached.has(minorReached(nearby.to)));
}

/** For a version or a minor: paths to it first, then to the minors next to it, each with candidate channels last. */
function byNearness(
  { asked, to, target }: SettledQuestion,
  { directory }: KnownReleases,
): (a: NearbyPath, b: NearbyPath) => number {
  if (target === 'latest') return (a, b) => Number(needsTesters(a)) - Number(needsTesters(b));
  const minor = to === null ? (asked.to as Minor) : minorOf(to);
  const isAnyOfMinor = target === 'minor' || directory.excluded.has(asked.to);
  const ofMinor = distanceTo(minor);
  const distance = (nearby: NearbyPath): number => ofMinor(minorReached(nearby.to));
  const rank = (nearby: NearbyPath): number => {
    const isThere = isAnyOfMinor ? distance(nearby) === 0 : nearby.to === asked.to;
    return Number(!isThere) * 2 + Number(needsTesters(nearby));
  };
  return (a, b) => rank(a) - rank(b) || distance(a) - distance(b);
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

/** Most promising first, without what was searched. */
function proposals(
  question: SettledQuestion,
  searched: readonly string[],
  { directory }: KnownReleases,
): Proposal[] {
  const { asked, from, to, target, prerelease } = question;
  const ranked = rankedPrefixes(question);
  const rankOf = ({ prefix }: Channel): number => ranked.indexOf(prefix);
  // A channel searched with others may lead on its own: joined, each adds its risks to the updates of all.
  const isSearched = (name: string): boolean => searched.length === 1 && searched[0] === name;
  const others = directory.channels.filter(
    ({ name }) => directory.holds(name, from.raw) && !isSearched(name),
  );
  const newestOf = (channels: readonly string[], minor?: Minor): Proposal => ({
    channels,
    to: directory.newest(channels, { minor, prerelease }),
    orBefore: true,
  });
  const chainsTo = (goal: ReleaseVersion): Proposal[] =>
    channelChains(question, goal, directory)
      .filter((chain) => chain.length > 1)
      .map((channels) => ({ channels, to: goal.raw, orBefore: false }));
  if (target === 'latest') {
    const wanted = asked.channels[0] ?? searched[0];
    const near = others.toSorted(
      nearestTo(wanted === undefined ? null : parseChannel(wanted), directory.channels, rankOf),
    );
    const ownNewest = near.map(({ name }) => newestOf([name]));
    return [...ownNewest.slice(0, 1), ...(to === null ? [] : chainsTo(to)), ...ownNewest.slice(1)];
  }

  const minor = to === null ? (asked.to as Minor) : minorOf(to);
  // These lead to the same target, so rank decides, not the distance.
  const byRank = others.toSorted((a, b) => rankOf(a) - rankOf(b));
  const sameTarget = byRank.flatMap(({ name }): Proposal[] => {
    if (target === 'minor' || directory.excluded.has(asked.to))
      return [{ ...newestOf([name], minor), orBefore: false }];
    return directory.holds(name, asked.to) ? [{ channels: [name], to: asked.to, orBefore: false }] : [];
  });
  const here = searched.some((name) => directory.holds(name, from.raw)) ? [searched] : [];
  const toward = others.toSorted(nearestTarget(question, minor)).map(({ name }) => [name]);
  const next = [...here, ...toward];
  const otherTargets = [
    ...next.map((channels) => newestOf(channels, minor)),
    ...next.map((channels) => newestOf(channels)),
  ].filter((proposal) => proposal.to !== to?.raw);
  if (isBackward(question)) return otherTargets;
  const goal = targetInAnyChannel(question, directory) ?? newestNear(question, minor, directory);
  const chains = goal === null ? [] : chainsTo(goal);
  if (target === 'version' && goal !== to) {
    const first = here.length + 1;
    return [...otherTargets.slice(0, first), ...chains, ...otherTargets.slice(first)];
  }
  const newest = newestReleased(minor, question, directory);
  const toMinor = [
    ...otherTargets.filter((proposal) => proposal.to !== null && minorReached(proposal.to) === minor),
    ...(newest === null ? [] : chainsTo(newest)),
  ];
  return [...testersLast([...sameTarget, ...chains], toMinor), ...otherTargets];
}

/** Puts other channels to the minor before candidate channels, if only these have the target. */
function testersLast(there: readonly Proposal[], toMinor: readonly Proposal[]): Proposal[] {
  const forTesters = there.filter(needsTesters);
  const released = there.filter((proposal) => !needsTesters(proposal));
  if (released.length > 0 || forTesters.length === 0) return [...released, ...forTesters];
  return [...toMinor.filter((proposal) => !needsTesters(proposal)).slice(0, 2), ...forTesters];
}

/** Newest release of a minor outside candidate channels. */
function newestReleased(
  minor: Minor,
  { prerelease }: SettledQuestion,
  directory: ChannelDirectory,
): ReleaseVersion | null {
  const names = directory.channels.map(({ name }) => name).filter((name) => !isForTesters(name));
  const newest = directory.newest(names, { minor, prerelease });
  return newest === null ? null : mustParseVersion(newest);
}

/** Target of the question if it may use any channel; null if none has it. */
export function targetInAnyChannel(
  question: SettledQuestion,
  directory: ChannelDirectory,
): ReleaseVersion | null {
  const { asked, to, target } = question;
  if (target === 'minor' && to === null) return newestOfMinor(question, asked.to as Minor, directory);
  const isHeld = to !== null && directory.holders(to.raw).length > 0 && !directory.excluded.has(to.raw);
  return isHeld ? to : null;
}

/** Newest of a minor, or else of the nearest minor with a release newer than the source. */
function newestNear(
  question: SettledQuestion,
  wanted: Minor,
  directory: ChannelDirectory,
): ReleaseVersion | null {
  const newest = newestOfMinor(question, wanted, directory);
  if (newest !== null) return newest;
  const known = directory.channels.flatMap(({ indexed }) => indexed.newestPerMinor.map(({ minor }) => minor));
  const distance = distanceTo(wanted);
  const nearest = [...new Set(known)]
    .toSorted((a, b) => distance(a) - distance(b))
    .map((minor) => newestOfMinor(question, minor, directory))
    .find((version) => version !== null);
  return nearest && compareVersions(nearest, question.from) > 0 ? nearest : null;
}

function newestOfMinor(
  { asked, prerelease }: SettledQuestion,
  minor: Minor,
  directory: ChannelDirectory,
): ReleaseVersion | null {
  return settleQuestion({ ...asked, to: minor, channels: [], prerelease }, directory).to;
}

/**
 * Orders channels with the source by how near they lead to a minor: candidate channels last, then the distance of their
 * nearest minor, then rank.
 */
export function nearestTarget(
  question: SettledQuestion,
  minor: Minor,
): (a: ListedChannel, b: ListedChannel) => number {
  const ranked = rankedPrefixes(question);
  const distance = distanceTo(minor);
  const reach = ({ indexed }: ListedChannel) =>
    Math.min(...indexed.newestPerMinor.map((newest) => distance(newest.minor)));
  return (a, b) =>
    Number(isForTesters(a.name)) - Number(isForTesters(b.name)) ||
    reach(a) - reach(b) ||
    ranked.indexOf(a.prefix) - ranked.indexOf(b.prefix) ||
    distance(a.minor) - distance(b.minor) ||
    compareMinors(a.minor, b.minor);
}

/** In minors; of two equally far the older one is nearer. */
function distanceTo(wanted: Minor): (minor: Minor) => number {
  const place = ordinalOf(minorReleaseOf(wanted)!);
  return (minor) => {
    const steps = ordinalOf(minorReleaseOf(minor)!) - place;
    return steps > 0 ? steps + 0.5 : -steps;
  };
}

/** By distance to the wanted channel, candidate channels last. */
function nearestTo(
  wanted: Channel | null,
  known: readonly ListedChannel[],
  rank: (channel: Channel) => number,
): (a: ListedChannel, b: ListedChannel) => number {
  if (wanted === null) return (a, b) => rank(a) - rank(b) || compareMinors(a.minor, b.minor);
  const minors = [...new Set([wanted.minor, ...known.map(({ minor }) => minor)])].toSorted(compareMinors);
  const distance = ({ minor }: Channel): number =>
    Math.abs(minors.indexOf(minor) - minors.indexOf(wanted.minor));
  const group = (channel: ListedChannel): number => {
    if (channel.prefix === wanted.prefix && distance(channel) === 1) return 0;
    return distance(channel) === 0 ? 1 : 2;
  };
  return (a, b) =>
    Number(isForTesters(a.name)) - Number(isForTesters(b.name)) ||
    group(a) - group(b) ||
    distance(a) - distance(b) ||
    rank(a) - rank(b) ||
    compareMinors(a.minor, b.minor);
}
