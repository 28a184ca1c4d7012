import { groupBy } from '../collection/group-by.ts';
import { type Channel, compareChannels, parseChannel } from '../releases/channel.ts';
import { CHANNEL_ORDER } from '../releases/values.ts';
import { type Minor, minorOf, compareMinors } from '../version/minor.ts';
import {
  compareVersions,
  mustParseVersion,
  type ReleaseVersion,
  parseVersion,
} from '../version/release-version.ts';
import type { ReleaseGraph } from './graph.ts';

/** A channel of one architecture at a glance. */
export interface IndexedChannel {
  readonly channel: string;
  /** When its graph last changed; null while it was never published. */
  readonly publishedAt: string | null;
  readonly nodes: number;
  readonly plainEdges: number;
  readonly conditionalEdges: number;
  readonly oldest: string | null;
  readonly newest: string | null;
  /** The newest version of each minor, oldest minor first; withdrawn ones do not count. */
  readonly newestPerMinor: readonly { readonly minor: Minor; readonly version: string }[];
  /** Names of the risks of its edges, in text order. */
  readonly risks: readonly string[];
}

/** A version and where it is. One that channels give different payloads or errata stands here once for each. */
export interface IndexedVersion {
  readonly version: string;
  readonly payload: string;
  /** Its errata. */
  readonly url?: string;
  /** Positions in `channels` of the index. */
  readonly channels: readonly number[];
  /** Those of them that are lastingly without it upstream. */
  readonly withdrawnIn?: readonly number[];
}

/**
 * All followed channels of one architecture and every version they hold, so that a question needs to read only the few
 * graphs it is about.
 */
export interface ChannelIndex {
  readonly channels: readonly IndexedChannel[];
  /** In release order. */
  readonly versions: readonly IndexedVersion[];
}

/** What the index takes from a graph. */
export interface ChannelFacts {
  readonly plainEdges: number;
  readonly conditionalEdges: number;
  readonly risks: readonly string[];
  readonly releases: readonly Pick<IndexedVersion, 'version' | 'payload' | 'url'>[];
}

export interface ChannelEntry {
  readonly channel: string;
  readonly publishedAt: string | null;
  readonly facts: ChannelFacts;
  /** Versions that the channel is lastingly without upstream. */
  readonly withdrawn: readonly string[];
}

export const NO_FACTS: ChannelFacts = { plainEdges: 0, conditionalEdges: 0, risks: [], releases: [] };

/** Two nodes with one plain edge: `{plainEdges: 1, conditionalEdges: 0, risks: [], releases: [{…}, {…}]}`. */
export function channelFacts(graph: ReleaseGraph): ChannelFacts {
  const risks = new Set(graph.riskSets.flatMap((set) => set.map((risk) => risk.name)));
  return {
    plainEdges: graph.edges.targets.length,
    conditionalEdges: graph.conditional.targets.length,
    risks: [...risks].toSorted(),
    releases: graph.nodes.map(({ version, payload, metadata: { url } }) => ({
      version,
      payload,
      ...(url !== undefined && { url }),
    })),
  };
}

/** The index of these channels; their order does not matter. {@link factsOf} gets back what each was made from. */
export function buildChannelIndex(entries: readonly ChannelEntry[]): ChannelIndex {
  const ordered = entries
    .map((entry) => ({ entry, channel: mustParseChannel(entry.channel) }))
    .toSorted((a, b) => compareChannels(a.channel, b.channel))
    .map(({ entry }) => entry);
  const parsed = new Map<string, ReleaseVersion>();
  const releases = new Map<string, IndexedVersion & { channels: number[]; withdrawnIn: number[] }>();
  for (const [position, { facts, withdrawn }] of ordered.entries()) {
    const gone = new Set(withdrawn);
    for (const release of facts.releases) {
      const key = `${release.version} ${release.payload} ${release.url ?? ''}`;
      const known = releases.get(key) ?? { ...release, channels: [], withdrawnIn: [] };
      known.channels.push(position);
      if (gone.has(release.version)) known.withdrawnIn.push(position);
      releases.set(key, known);
      if (!parsed.has(release.version)) parsed.set(release.version, mustParseVersion(release.version));
    }
  }
  const versions = [...releases]
    .toSorted(
      ([key, a], [otherKey, b]) =>
        compareVersions(parsed.get(a.version)!, parsed.get(b.version)!) || (key < otherKey ? -1 : 1),
    )
    .map(([, { withdrawnIn, ...release }]): IndexedVersion =>
      withdrawnIn.length > 0 ? { ...release, withdrawnIn } : release,
    );
  return { channels: ordered.map((entry) => describeChannel(entry, parsed)), versions };
}

/** What the channel was indexed from, or null when it is not in the index. */
export function factsOf(index: ChannelIndex, channel: string): ChannelFacts | null {
  const position = index.channels.findIndex((indexed) => indexed.channel === channel);
  const indexed = index.channels[position];
  if (!indexed) return null;
  const { plainEdges, conditionalEdges, risks } = indexed;
  const releases = index.versions
    .filter(({ channels }) => channels.includes(position))
    .map(({ channels: _channels, withdrawnIn: _withdrawnIn, ...release }) => release);
  return { plainEdges, conditionalEdges, risks, releases };
}

function describeChannel(
  { channel, publishedAt, facts, withdrawn }: ChannelEntry,
  parsed: ReadonlyMap<string, ReleaseVersion>,
): IndexedChannel {
  const gone = new Set(withdrawn);
  const newest = new Map<Minor, string>();
  // Releases come in release order, so the last of a minor is its newest.
  for (const { version } of facts.releases) {
    if (!gone.has(version)) newest.set(minorOf(parsed.get(version)!), version);
  }
  return {
    channel,
    publishedAt,
    nodes: facts.releases.length,
    plainEdges: facts.plainEdges,
    conditionalEdges: facts.conditionalEdges,
    oldest: facts.releases[0]?.version ?? null,
    newest: facts.releases.at(-1)?.version ?? null,
    newestPerMinor: [...newest].map(([minor, version]) => ({ minor, version })),
    risks: facts.risks,
  };
}

function mustParseChannel(channel: string): Channel {
  const parsed = parseChannel(channel);
  if (parsed === null) throw new TypeError(`"${channel}" is not a channel such as stable-4.14`);
  return parsed;
}

/**
 * The known versions around one that is not known, in release order: up to two below and two above, of its own minor
 * where that has any. Of 4.14.1, 4.14.2, 4.14.5 and 4.15.0, those nearest to 4.14.3 are 4.14.1, 4.14.2 and 4.14.5.
 */
export function nearestVersions(names: Iterable<string>, asked: ReleaseVersion): string[] {
  const known = [...new Set(names)].flatMap((name) => parseVersion(name) ?? []);
  const siblings = known.filter((version) => minorOf(version) === minorOf(asked));
  const ordered = (siblings.length > 0 ? siblings : known).toSorted(compareVersions);
  const above = ordered.findIndex((version) => compareVersions(version, asked) > 0);
  const place = above === -1 ? ordered.length : above;
  return ordered.slice(Math.max(0, place - 2), place + 2).map(({ raw }) => raw);
}

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
