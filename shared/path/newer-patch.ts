import type { ChannelDirectory } from './channel-directory.ts';
import { minorOf } from '../version/minor.ts';
import { compareVersions, mustParseVersion, type ReleaseVersion } from '../version/release-version.ts';

/**
 * The newest release of the minor that a cluster runs: of the channel that it follows, else of the stable ones that hold
 * its version, else of any. Null when it is on it.
 */
export function newerPatch(
  current: ReleaseVersion,
  channel: string | null,
  directory: ChannelDirectory,
): string | null {
  const holders = directory.holders(current.raw);
  const stable = holders.filter((name) => name.startsWith('stable-'));
  const own = holders.filter((name) => name === channel);
  const channels = [own, stable, holders].find((names) => names.length > 0) ?? [];
  const newest = directory.newest(channels, { minor: minorOf(current), prerelease: false });
  return newest !== null && compareVersions(mustParseVersion(newest), current) > 0 ? newest : null;
}
