import { groupBy } from '../collection/group-by.ts';
import { type Channel, compareChannels, parseChannel } from '../releases/channel.ts';
import { CHANNEL_ORDER } from '../releases/values.ts';
import { type Minor, minorOf, compareMinors } from '../version/minor.ts';
import {
  compareVersions,
  isPrerelease,
  mustParseVersion,
  type ReleaseVersion,
  parseVersion,
} from '../version/release-version.ts';
import type { ReleaseGraph } from './graph.ts';

export interface IndexedChannel {
  readonly channel: string;
  /** Last change of the graph; null if never published. */
  readonly publishedAt: string | null;
  readonly nodes: number;
  readonly plainEdges: number;
  readonly conditionalEdges: number;
  /** Without excluded versions, like all ends below. */
  readonly oldest: string | null;
  readonly newest: string | null;
  /** Oldest minor first, without withdrawn versions. */
  readonly newestPerMinor: readonly { readonly minor: Minor; readonly version: string }[];
  /** Sorted by name. */
  readonly risks: readonly string[];
}

/** A version has one entry for each distinct release image or errata. */
export interface IndexedVersion {
  readonly version: string;
  readonly payload: string;
  /** Errata. */
  readonly url?: string;
  /** Positions in `channels` of the index. */
  readonly channels: readonly number[];
  /** Positions of channels from which upstream has withdrawn the version. */
  readonly withdrawnIn?: readonly number[];
  /** Excluded by the configuration. */
  readonly excluded?: true;
}

/** Followed channels of one architecture with all their versions, so that a request reads only the graphs it needs. */
export interface ChannelIndex {
  readonly channels: readonly IndexedChannel[];
  /** In release order. */
  readonly versions: readonly IndexedVersion[];
}

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
  readonly withdrawn: readonly string[];
}

export const NO_FACTS: ChannelFacts = { plainEdges: 0, conditionalEdges: 0, risks: [], releases: [] };

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

/** Accepts channels in any order. {@link factsOf} is the inverse. */
export function buildChannelIndex(
  entries: readonly ChannelEntry[],
  isExcluded: (version: ReleaseVersion) => boolean = () => false,
): ChannelIndex {
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
  const excluded = new Set([...parsed].filter(([, version]) => isExcluded(version)).map(([raw]) => raw));
  const versions = [...releases]
    .toSorted(
      ([key, a], [otherKey, b]) =>
        compareVersions(parsed.get(a.version)!, parsed.get(b.version)!) || (key < otherKey ? -1 : 1),
    )
    .map(([, { withdrawnIn, ...release }]): IndexedVersion => ({
      ...release,
      ...(withdrawnIn.length > 0 && { withdrawnIn }),
      ...(excluded.has(release.version) && { excluded: true as const }),
    }));
  const allowed = new Map([...parsed].filter(([version]) => !excluded.has(version)));
  return { channels: ordered.map((entry) => describeChannel(entry, allowed)), versions };
}

export function factsOf(index: ChannelIndex, channel: string): ChannelFacts | null {
  const position = index.channels.findIndex((indexed) => indexed.channel === channel);
  const indexed = index.channels[position];
  if (!indexed) return null;
  const { plainEdges, conditionalEdges, risks } = indexed;
  const releases = index.versions
    .filter(({ channels }) => channels.includes(position))
    .map(({ version, payload, url }) => ({ version, payload, ...(url !== undefined && { url }) }));
  return { plainEdges, conditionalEdges, risks, releases };
}

function describeChannel(
  { channel, publishedAt, facts, withdrawn }: ChannelEntry,
  allowed: ReadonlyMap<string, ReleaseVersion>,
): IndexedChannel {
  const gone = new Set(withdrawn);
  const newest = new Map<Minor, string>();
  const releases = facts.releases.filter(({ version }) => allowed.has(version));
  // Releases are in release order, so the last of a minor is its newest.
  for (const { version } of releases) {
    if (!gone.has(version)) newest.set(minorOf(allowed.get(version)!), version);
  }
  return {
    channel,
    publishedAt,
    nodes: facts.releases.length,
    plainEdges: facts.plainEdges,
    conditionalEdges: facts.conditionalEdges,
    oldest: releases[0]?.version ?? null,
    newest: releases.at(-1)?.version ?? null,
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
 * Up to two known versions below and two above, within the minor if it has any: of 4.14.1, 4.14.2, 4.14.5 and 4.15.0,
 * those next to 4.14.3 are 4.14.1, 4.14.2 and 4.14.5. Pre-releases only if one is asked for, or if there is nothing else.
 */
export function nearestVersions(names: Iterable<string>, asked: ReleaseVersion): string[] {
  const known = [...new Set(names)].flatMap((name) => parseVersion(name) ?? []);
  const siblings = known.filter((version) => minorOf(version) === minorOf(asked));
  const near = siblings.length > 0 ? siblings : known;
  const released = near.filter((version) => !isPrerelease(version));
  const ordered = (released.length > 0 && !isPrerelease(asked) ? released : near).toSorted(compareVersions);
  const above = ordered.findIndex((version) => compareVersions(version, asked) > 0);
  const place = above === -1 ? ordered.length : above;
  return ordered.slice(Math.max(0, place - 2), place + 2).map(({ raw }) => raw);
}

/** Release image of a version, with its channels. */
export interface VersionHolding {
  readonly payload: string;
  readonly url: string | null;
  /** Withdrawn from all of the channels. */
  readonly withdrawn: boolean;
  readonly excluded: boolean;
  readonly channels: readonly { readonly channel: string; readonly withdrawn: boolean }[];
}

/** Several entries only if channels disagree about the release image; empty if the version is unknown. */
export function findHoldings(index: ChannelIndex, version: string): VersionHolding[] {
  const indexed = index.versions.filter((other) => other.version === version);
  return [...groupBy(indexed, ({ payload }) => payload)].map(([payload, same]) => {
    const gone = new Set(same.flatMap(({ withdrawnIn = [] }) => withdrawnIn));
    const positions = same.flatMap(({ channels }) => channels).toSorted((a, b) => a - b);
    return {
      payload,
      url: same.find(({ url }) => url !== undefined)?.url ?? null,
      withdrawn: gone.size === positions.length,
      excluded: same.some(({ excluded }) => excluded === true),
      channels: positions.map((position) => ({
        channel: index.channels[position]!.channel,
        withdrawn: gone.has(position),
      })),
    };
  });
}

/**
 * Default channel for a version: not withdrawn, then stable, eus, fast, candidate, then the lowest minor not below its
 * own. For 4.13 in eus-4.14, stable-4.14 and stable-4.13 it is stable-4.13.
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
