import type { ChannelDirectory } from '../path/channel-directory.ts';
import type { MaintenanceWindows } from '../plan/windows/maintenance-windows.ts';
import { parseChannel } from '../releases/channel.ts';
import type { SkewPolicy, Strategy } from '../safety/hop.ts';
import { compareMinors, type Minor, minorOf, parseMinor } from '../version/minor.ts';
import { isPrerelease, parseVersion, type ReleaseVersion } from '../version/release-version.ts';

/** User settings for the upgrades of a cluster. */
export interface ClusterSettings {
  /** A version, a minor, or `latest`. */
  readonly target?: string;
  /** Chosen automatically if empty. */
  readonly channels?: readonly string[];
  readonly acceptRisks?: readonly string[];
  /** Accepted condition types. */
  readonly accept?: readonly string[];
  readonly policy?: SkewPolicy;
  readonly strategy?: Strategy;
  readonly windows?: MaintenanceWindows;
}

/**
 * Default target of a cluster: the minor of its channel if newer, else the next released minor, else the newest of its
 * channel. 4.14 in `stable-4.16` targets the newest of that channel, in `stable-4.14` it targets 4.15.
 */
export function defaultTarget(
  current: ReleaseVersion,
  channel: string | null,
  directory: ChannelDirectory,
): Required<Pick<ClusterSettings, 'target' | 'channels'>> {
  const own = channel === null ? null : (directory.get(channel) ?? null);
  const minor = minorOf(current);
  const newest = { target: 'latest', channels: own && channel !== null ? [channel] : [] };
  if (own && compareMinors(own.minor, minor) > 0) return newest;
  const next = nextReleased(current, directory);
  return next === null ? newest : { target: next, channels: [] };
}

/** A minor with only candidate releases is not released. */
const RELEASED = ['stable', 'eus', 'fast'];

/** Single pass: runs for every cluster, over the versions of all channels. */
function nextReleased(current: ReleaseVersion, directory: ChannelDirectory): Minor | null {
  let next: ReleaseVersion | null = null;
  for (const { prefix, versions } of directory.channels) {
    if (!RELEASED.includes(prefix)) continue;
    for (const version of versions) {
      if (!isOfEarlierMinor(current, version) || isPrerelease(version)) continue;
      if (next === null || isOfEarlierMinor(version, next)) next = version;
    }
  }
  return next && minorOf(next);
}

function isOfEarlierMinor(a: ReleaseVersion, b: ReleaseVersion): boolean {
  return a.major < b.major || (a.major === b.major && a.minor < b.minor);
}

/**
 * Channels that affect the assessment, even if empty or not followed yet: those read, its own, and those of the same
 * prefix up to the target and one beyond.
 */
export function subscribedChannels(
  {
    current,
    channel,
    target,
    read,
  }: {
    readonly current: ReleaseVersion;
    readonly channel: string | null;
    readonly target: string | null;
    readonly read: readonly string[];
  },
  directory: ChannelDirectory,
): string[] {
  const prefix = parseChannel(channel ?? '')?.prefix ?? 'stable';
  const minor = minorOf(current);
  const end = minorOfTarget(target) ?? minor;
  const between = directory.family(prefix, minor, end).map(({ name }) => name);
  // Only every second minor is EUS, and only upstream knows the last minor of a major.
  const { major, minor: number } = current;
  const coming = [`${major}.${number + 1}`, `${major}.${number + 2}`, `${major + 1}.0`];
  const own = channel === null ? [] : [channel];
  const names = [...read, ...own, ...between, ...coming.map((next) => `${prefix}-${next}`)];
  return [...new Set(names)].toSorted();
}

function minorOfTarget(target: string | null): Minor | null {
  const version = parseVersion(target ?? '');
  return version ? minorOf(version) : parseMinor(target ?? '');
}
