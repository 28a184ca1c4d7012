import { type Channel, compareChannels, parseChannel } from '../releases/channel.ts';
import { type Minor, minorOf } from '../version/minor.ts';
import { compareVersions, mustParseVersion, type ReleaseVersion } from '../version/release-version.ts';
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
