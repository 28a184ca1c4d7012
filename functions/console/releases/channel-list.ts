import type { ChannelIndex, IndexedChannel } from '@cairn/shared/graph/channel-index';
import { compareChannels, parseChannel, type Channel } from '@cairn/shared/releases/channel';
import { compareMinors, parseMinor, type Minor } from '@cairn/shared/version/minor';
import { CHANNEL_ORDER } from '@cairn/shared/releases/release-sources';

/** Which channels are listed; empty leaves none out. */
export interface ChannelFilter {
  readonly prefix: Channel['prefix'] | '';
  readonly minor: Minor | '';
}

/** As the address has it: `eus 4.16`, `eus` or `4.16`. */
export function readFilter(text: string): ChannelFilter {
  const words = text.split(' ');
  return {
    prefix: CHANNEL_ORDER.find((prefix) => words.includes(prefix)) ?? '',
    minor: words.map(parseMinor).find((minor) => minor !== null) ?? '',
  };
}

export function writeFilter({ prefix, minor }: ChannelFilter): string {
  return `${prefix} ${minor}`.trim();
}

export interface ChannelRow extends Channel {
  readonly indexed: IndexedChannel;
}

/** The newest minor first; within it stable, eus, fast, candidate. */
export function listChannels({ channels }: ChannelIndex, filter: ChannelFilter): ChannelRow[] {
  return channels
    .flatMap((indexed) => {
      const channel = parseChannel(indexed.channel);
      return channel ? [{ ...channel, indexed }] : [];
    })
    .filter(({ prefix }) => filter.prefix === '' || prefix === filter.prefix)
    .filter(({ minor }) => filter.minor === '' || minor === filter.minor)
    .toSorted((a, b) => compareMinors(b.minor, a.minor) || compareChannels(a, b));
}
