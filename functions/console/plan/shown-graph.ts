import { preferredChannel } from '@cairn/shared/graph/channel-index';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { PageReleases } from '../data/releases.ts';
import { defaultChannel } from './default-channel.ts';

/** Of the channels that were searched; else of one that has the start, then one of its minor, then what everybody sees. */
export async function shownGraph(
  channels: readonly string[],
  from: string,
  { directory, prepare }: PageReleases,
): Promise<PreparedGraph> {
  const holding = channels.filter((name) => (directory.get(name)?.versions.length ?? 0) > 0);
  if (holding.length > 0) return prepare(holding);
  const version = parseVersion(from);
  const holders = directory.holders(from).map((channel) => ({ channel, withdrawn: false }));
  const sibling = directory.channels.find(
    ({ minor, versions }) => version && minor === minorOf(version) && versions.length > 0,
  );
  const other =
    (version && preferredChannel(minorOf(version), holders)) ?? sibling?.name ?? defaultChannel(directory);
  return prepare(other === null ? [] : [other]);
}
