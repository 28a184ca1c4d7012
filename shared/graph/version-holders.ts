import { groupBy } from '../collection/group-by.ts';
import { compareChannels, type Channel, parseChannel } from '../releases/channel.ts';
import { compareMinors, type Minor } from '../version/minor.ts';
import type { ChannelIndex } from './channel-index.ts';
import { CHANNEL_ORDER } from '../releases/release-sources.ts';

/** A payload of a version and the channels that hold it. */
export interface VersionHolding {
  readonly payload: string;
  readonly url: string | null;
  /** Lastingly gone upstream from every one of the channels. */
  readonly withdrawn: boolean;
  readonly channels: readonly { readonly channel: string; readonly withdrawn: boolean }[];
}

/** Where a version is; more than one entry only where channels give it different payloads, none when it is not known. */
export function findHoldings(index: ChannelIndex, version: string): VersionHolding[] {
  const indexed = index.versions.filter((other) => other.version === version);
  return [...groupBy(indexed, ({ payload }) => payload)].map(([payload, same]) => {
    const gone = new Set(same.flatMap(({ withdrawnIn = [] }) => withdrawnIn));
    const positions = same.flatMap(({ channels }) => channels).toSorted((a, b) => a - b);
    return {
      payload,
      url: same.find(({ url }) => url !== undefined)?.url ?? null,
      withdrawn: gone.size === positions.length,
      channels: positions.map((position) => ({
        channel: index.channels[position]!.channel,
        withdrawn: gone.has(position),
      })),
    };
  });
}

/**
 * The channel to look at for a version of a minor when none is named: one that still has it upstream, then stable before
 * eus, fast and candidate, then the lowest minor from its own on. For 4.13 in eus-4.14, stable-4.14 and stable-4.13 it
 * is stable-4.13.
 */
export function preferredChannel(
  minor: Minor,
  channels: readonly { readonly channel: string; readonly withdrawn: boolean }[],
): string | null {
  const isBelow = (channel: Channel): boolean => compareMinors(channel.minor, minor) < 0;
  const candidates = channels.flatMap(({ channel: name, withdrawn }) => {
    const channel = parseChannel(name);
    return channel ? [{ name, withdrawn, channel }] : [];
  });
  const [best] = candidates.toSorted(
    (a, b) =>
      Number(a.withdrawn) - Number(b.withdrawn) ||
      CHANNEL_ORDER.indexOf(a.channel.prefix) - CHANNEL_ORDER.indexOf(b.channel.prefix) ||
      Number(isBelow(a.channel)) - Number(isBelow(b.channel)) ||
      compareChannels(a.channel, b.channel),
  );
  return best?.name ?? null;
}
