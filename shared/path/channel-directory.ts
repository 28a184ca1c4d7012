import type { ChannelIndex, IndexedChannel } from '../graph/channel-index.ts';
import { type Channel, parseChannel } from '../releases/channel.ts';
import { minorOf, type Minor } from '../version/minor.ts';
import {
  compareVersions,
  mustParseVersion,
  type ReleaseVersion,
  isPrerelease,
} from '../version/release-version.ts';

export interface ListedChannel extends Channel {
  readonly name: string;
  readonly indexed: IndexedChannel;
  /** Oldest first. */
  readonly versions: readonly ReleaseVersion[];
}

interface ListedVersion {
  readonly version: ReleaseVersion;
  readonly channels: readonly string[];
  readonly withdrawnFrom: readonly string[];
}

/**
 * Which channels of one architecture hold which versions, so that a question about paths is put only to the graphs that
 * can answer it. Made once per index, used for many questions.
 */
export class ChannelDirectory {
  /** By minor, then stable, eus, fast, candidate. */
  readonly channels: readonly ListedChannel[];
  readonly #channels: ReadonlyMap<string, ListedChannel>;
  readonly #versions = new Map<string, ListedVersion>();

  constructor(index: ChannelIndex) {
    const names = index.channels.map(({ channel }) => channel);
    const held: ReleaseVersion[][] = names.map(() => []);
    for (const { version: raw, channels, withdrawnIn = [] } of index.versions) {
      const known = this.#versions.get(raw);
      const version = known?.version ?? mustParseVersion(raw);
      for (const position of channels) held[position]!.push(version);
      // One under two payloads is in the index twice.
      const all = new Set([...(known?.channels ?? []), ...channels.map((position) => names[position]!)]);
      this.#versions.set(raw, {
        version,
        channels: names.filter((name) => all.has(name)),
        withdrawnFrom: [...(known?.withdrawnFrom ?? []), ...withdrawnIn.map((position) => names[position]!)],
      });
    }
    this.channels = index.channels.flatMap((indexed, position) => {
      const channel = parseChannel(indexed.channel);
      return channel ? [{ ...channel, name: indexed.channel, indexed, versions: held[position]! }] : [];
    });
    this.#channels = new Map(this.channels.map((channel) => [channel.name, channel]));
  }

  get(name: string): ListedChannel | undefined {
    return this.#channels.get(name);
  }

  /** Every version there is, in release order. */
  get versions(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /** The channels that hold the version, by minor. */
  holders(version: string): readonly string[] {
    return this.#versions.get(version)?.channels ?? [];
  }

  holds(channel: string, version: string): boolean {
    return this.holders(version).includes(channel);
  }

  /** Whether none of the channels that hold the version, of those given, still has it upstream. */
  isWithdrawn(version: string, among: readonly string[]): boolean {
    const listed = this.#versions.get(version);
    const holders = among.filter((name) => listed?.channels.includes(name));
    return holders.length > 0 && holders.every((name) => listed?.withdrawnFrom.includes(name));
  }

  /** The versions of a channel from one to another, both included, oldest first. */
  versionsBetween(name: string, from: ReleaseVersion, to: ReleaseVersion): ReleaseVersion[] {
    return (this.get(name)?.versions ?? []).filter(
      (version) => compareVersions(from, version) <= 0 && compareVersions(version, to) <= 0,
    );
  }

  /** Every version of some channels, oldest first. */
  versionsOf(names: readonly string[]): ReleaseVersion[] {
    const all = new Set(names.flatMap((name) => this.get(name)?.versions ?? []));
    return [...all].toSorted(compareVersions);
  }

  /** The newest that some channels still have upstream, of one minor or of all; null when there is none. */
  newest(
    names: readonly string[],
    { minor, prerelease }: { readonly minor?: Minor | undefined; readonly prerelease: boolean },
  ): string | null {
    const newest = this.versionsOf(names).findLast(
      (version) =>
        (minor === undefined || minorOf(version) === minor) &&
        (prerelease || !isPrerelease(version)) &&
        !this.isWithdrawn(version.raw, names),
    );
    return newest?.raw ?? null;
  }
}

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
