import type { ChannelDirectory, ListedChannel } from '@cairn/shared/path/channel-directory';
import { minorOf } from '@cairn/shared/version/minor';
import { isPrerelease, type ReleaseVersion } from '@cairn/shared/version/release-version';

/** The channel to show before anything is asked: the newest stable one that holds a finished release of its minor. */
export function defaultChannel({ channels }: ChannelDirectory): string | null {
  const stable = channels.filter(({ prefix }) => prefix === 'stable');
  const best = stable.findLast((channel) => ownReleases(channel).length > 0);
  return (best ?? channels.findLast(({ versions }) => versions.length > 0))?.name ?? null;
}

/** The finished releases of the minor that a channel is named after. */
export function ownReleases({ versions, minor }: ListedChannel): ReleaseVersion[] {
  return versions.filter((version) => minorOf(version) === minor && !isPrerelease(version));
}
