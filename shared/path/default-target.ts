import { isForTesters, parseChannel } from '../releases/channel.ts';
import { type SupportCalendar, supportInWords } from '../releases/lifecycle.ts';
import { compareMinors, type Minor, minorOf } from '../version/minor.ts';
import { isEusToEus, isExtendedSupport, minorReleaseOf } from '../version/release-line.ts';
import {
  compareVersions,
  isPrerelease,
  mustParseVersion,
  type ReleaseVersion,
} from '../version/release-version.ts';
import type { ChannelDirectory } from './channel-directory.ts';
import { findPath, type PathResult } from './find-path.ts';
import type { KnownReleases, RiskPolicy, UpgradeQuestion } from './question.ts';

export interface TargetQuestion extends RiskPolicy, Pick<UpgradeQuestion, 'alternatives'> {
  readonly current: ReleaseVersion;
  /** Channel of the cluster. */
  readonly channel: string | null;
  /** Search only these; if empty, the best channels. */
  readonly channels: readonly string[];
  readonly calendar: SupportCalendar;
}

export interface DefaultTarget {
  readonly minor: Minor;
  /** Update from one EUS minor to another, with paused workers. */
  readonly isControlPlaneOnly: boolean;
  readonly reason: string;
  readonly answer: PathResult;
}

/** A minor to try, with the channels to search. */
interface Goal {
  readonly minor: Minor;
  readonly channels: readonly string[];
  readonly reason: string;
}

/**
 * Target without a request: the minor of the cluster's channel, else the next supported EUS minor of an EUS minor, else
 * the next supported minor, else the newest patch. Never an end-of-life minor, a pre-release, or a candidate release
 * unless the cluster follows its channel.
 */
export async function findDefaultTarget(
  asked: TargetQuestion,
  releases: KnownReleases,
): Promise<DefaultTarget> {
  for (const goal of goalsOf(asked, releases.directory)) {
    const isControlPlaneOnly = isEusToEus(asked.current, minorReleaseOf(goal.minor)!);
    const answer = await pathToMinor(asked, goal, isControlPlaneOnly, releases);
    if (answer !== null) return { minor: goal.minor, isControlPlaneOnly, reason: goal.reason, answer };
  }
  return newestPatch(asked, releases);
}

function goalsOf(asked: TargetQuestion, directory: ChannelDirectory): Goal[] {
  const { channels, channel } = asked;
  if (channels.length > 0) return goalsOfChannels(asked, channels, channels, directory);
  const own = channel === null ? [] : [channel];
  // A stable release of the same minor comes before the candidate release.
  const searched = own.some(isForTesters) ? [[], own] : [own];
  const followed = searched.flatMap((names) => goalsOfChannels(asked, own, names, directory));
  const next = nextMinors(asked, releasedMinors(directory));
  return [...followed, ...next.map(({ minor, kind }) => goalOf(minor, kind, asked))];
}

/** Minors to update to among those known, most wanted first. */
export function nextMinors(
  { current, calendar }: Pick<TargetQuestion, 'current' | 'calendar'>,
  known: Iterable<Minor>,
): readonly { readonly minor: Minor; readonly kind: string }[] {
  const ahead = [...known]
    .filter((minor) => compareMinors(minor, minorOf(current)) > 0)
    .filter((minor) => calendar(minor).phase !== 'ended')
    .toSorted(compareMinors);
  const isEus = isExtendedSupport(current);
  const eus = isEus ? ahead.find(isEusOrFirstOfFive) : undefined;
  // Staying in an EUS minor is an option only while it is supported.
  const isNearestWanted = !isEus || calendar(minorOf(current)).phase === 'ended';
  const nearest = isNearestWanted ? ahead[0] : undefined;
  return [
    ...(eus === undefined ? [] : [{ minor: eus, kind: 'EUS minor' }]),
    ...(nearest === undefined ? [] : [{ minor: nearest, kind: 'minor' }]),
  ];
}

/** 5.0 is 4.23, which is EUS. */
function isEusOrFirstOfFive(minor: Minor): boolean {
  return minor === '5.0' || isExtendedSupport(minorReleaseOf(minor)!);
}

function goalOf(minor: Minor, kind: string, { current, calendar }: TargetQuestion): Goal {
  const reason = `${minor} is the next supported ${kind} after ${minorOf(current)}, ${supportInWords(calendar(minor))}`;
  return { minor, channels: [], reason };
}

/** The minors of these channels, newest first. */
function goalsOfChannels(
  { current, calendar }: TargetQuestion,
  names: readonly string[],
  channels: readonly string[],
  directory: ChannelDirectory,
): Goal[] {
  return names
    .flatMap((name) => directory.get(name) ?? [])
    .filter(({ minor }) => compareMinors(minor, minorOf(current)) > 0)
    .filter(({ minor }) => calendar(minor).phase !== 'ended')
    .toSorted((a, b) => compareMinors(b.minor, a.minor))
    .map(({ name, minor }) => ({
      minor,
      channels,
      reason: `${minor} is the minor of ${name}, ${supportInWords(calendar(minor))}`,
    }));
}

const RELEASED = ['stable', 'eus', 'fast'];

/** Single pass: runs for every cluster, over the versions of all channels. */
function releasedMinors(directory: ChannelDirectory): ReadonlySet<Minor> {
  const minors = new Set<Minor>();
  for (const { prefix, versions } of directory.channels) {
    if (!RELEASED.includes(prefix)) continue;
    for (const version of versions) if (!isPrerelease(version)) minors.add(minorOf(version));
  }
  return minors;
}

/** The newer of the releases that the preferred channels and the others lead to. Null if no update leads to the minor. */
async function pathToMinor(
  asked: TargetQuestion,
  goal: Goal,
  prefersEus: boolean,
  releases: KnownReleases,
): Promise<PathResult | null> {
  const preferred = await pathByRank(asked, goal, prefersEus, releases);
  // After maintenance support only the eus channel of a minor gets releases.
  const other = releases.directory.newest([`${prefersEus ? 'stable' : 'eus'}-${goal.minor}`], {
    minor: goal.minor,
    prerelease: false,
  });
  if (goal.channels.length > 0 || other === null || !isNewer(other, preferred)) return preferred;
  const newer = await pathByRank(asked, goal, !prefersEus, releases);
  return newer?.found && isNewer(newer.to, preferred) && newer.channels.every(isStableOrEus)
    ? newer
    : preferred;
}

function isNewer(version: string, than: PathResult | null): boolean {
  return !than?.found || compareVersions(mustParseVersion(version), mustParseVersion(than.to)) > 0;
}

function isStableOrEus(channel: string): boolean {
  return ['stable', 'eus'].includes(parseChannel(channel)!.prefix);
}

const ONLY_WITH_RISKS = ['no_recommended_path', 'risks_not_accepted'];

/**
 * Newest release of the minor, in the best channels that have it, that recommended updates lead to, else by the risk
 * policy of the question. Null if no update leads to the minor in them.
 */
async function pathByRank(
  { current, risk, acceptedRisks, applies, alternatives }: TargetQuestion,
  { minor, channels }: Goal,
  prefersEus: boolean,
  releases: KnownReleases,
): Promise<PathResult | null> {
  const question = {
    from: current.raw,
    channels,
    prefer: 'safest',
    prerelease: false,
    alternatives,
    prefersEus,
  } as const;
  // For a cluster, updates whose risks do not apply count as recommended.
  const recommended = risk === 'applicable' ? ({ risk, applies } as const) : ({ risk: 'none' } as const);
  const isAllowed = (answer: PathResult): boolean =>
    channels.length > 0 || !answer.channels.some(isForTesters);
  const newest = await findPath({ ...question, to: minor, ...recommended }, releases);
  if (newest.found) return isAllowed(newest) ? newest : null;
  const { code, nearestTarget } = newest.explanation;
  const { below } = nearestTarget;
  if (below !== null && minorOf(mustParseVersion(below)) === minor) {
    const older = await findPath({ ...question, to: below, ...recommended }, releases);
    if (older.found && isAllowed(older)) return older;
  }
  if (!ONLY_WITH_RISKS.includes(code) || !isAllowed(newest)) return null;
  if (risk === 'none') return newest;
  return findPath({ ...question, to: minor, risk, acceptedRisks, applies }, releases);
}

async function newestPatch(asked: TargetQuestion, releases: KnownReleases): Promise<DefaultTarget> {
  const { current, channel, channels } = asked;
  const minor = minorOf(current);
  const { directory } = releases;
  const own = channel !== null && directory.holds(channel, current.raw) ? [channel] : [];
  const named = channels.length > 0 ? channels : own;
  const searched =
    named.length > 0 && named.every(isForTesters) && channels.length === 0 ? [[], named] : [named];
  const reason = `No supported minor after ${minor} has an update path, so the newest patch of ${minor} is the target`;
  const common = { minor, isControlPlaneOnly: false, reason };
  for (const names of searched) {
    const answer = await pathToMinor(asked, { minor, channels: names, reason }, false, releases);
    if (answer?.found) return { ...common, answer };
  }
  const { risk, acceptedRisks, applies, alternatives } = asked;
  const question = { from: current.raw, to: minor, channels: named, risk, acceptedRisks, applies } as const;
  return { ...common, answer: await findPath({ ...question, prefer: 'safest', alternatives }, releases) };
}
