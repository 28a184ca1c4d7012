import type { ChannelDirectory } from '../path/channel-directory.ts';
import type { MaintenanceWindows } from '../plan/windows/maintenance-windows.ts';
import { parseChannel } from '../releases/channel.ts';
import type { SkewPolicy, Strategy } from '../safety/hop.ts';
import type { StalledAfter, UpdateSettings } from '../update-status/answer.ts';
import { minorOf } from '../version/minor.ts';
import { isExtendedSupport, minorReleaseOf } from '../version/release-line.ts';
import type { ReleaseVersion } from '../version/release-version.ts';

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
  readonly updates?: UpdateSettings;
}

/**
 * Channels that affect the assessment, even if empty or not followed yet: those read, its own, and those of its prefix
 * and of the prefixes that lead to a default target, up to the target, and the next minors.
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
  const last = minorReleaseOf(target ?? '');
  const end = last === null ? minor : minorOf(last);
  const prefixes = [...new Set([prefix, 'stable', 'eus', 'fast'])];
  const between = prefixes.flatMap((each) => directory.family(each, minor, end)).map(({ name }) => name);
  // Only upstream knows the last minor of a major.
  const { major, minor: number } = current;
  const coming = [
    { major, minor: number + 1 },
    { major, minor: number + 2 },
    { major: major + 1, minor: 0 },
  ];
  const next = prefixes.flatMap((each) =>
    coming
      .filter((release) => each !== 'eus' || isExtendedSupport(release))
      .map((release) => `${each}-${minorOf(release)}`),
  );
  const own = channel === null ? [] : [channel];
  const names = [...read, ...own, ...between, ...next];
  return [...new Set(names)].toSorted();
}

/** Settings of a cluster replace those of the service. */
export function stalledAfterOf(
  service: StalledAfter,
  { stalledAfterMinutes: own }: UpdateSettings = {},
): StalledAfter {
  return {
    operators: own?.operators ?? service.operators,
    controlPlaneNodes: own?.controlPlaneNodes ?? service.controlPlaneNodes,
    workers: own?.workers ?? service.workers,
  };
}
