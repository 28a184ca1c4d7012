import type { ChannelIndex, IndexedChannel } from '../graph/channel-index.ts';
import { type Channel, isForTesters, parseChannel } from '../releases/channel.ts';
import { CHANNEL_ORDER } from '../releases/values.ts';
import { compareMinors, minorOf, type Minor } from '../version/minor.ts';
import {
  compareVersions,
  mustParseVersion,
  type ReleaseVersion,
  isPrerelease,
} from '../version/release-version.ts';

export interface ListedChannel extends Channel {
  readonly name: string;
  readonly indexed: IndexedChannel;
  /** Oldest first, without excluded ones. */
  readonly versions: readonly ReleaseVersion[];
}

interface ListedVersion {
  readonly version: ReleaseVersion;
  readonly channels: readonly string[];
  readonly withdrawnFrom: readonly string[];
  /** Channels per release image, without those from which upstream has withdrawn it. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
}

/**
 * Maps channels of one architecture to versions, so that a search reads only graphs that can contain a path. Lists name
 * no version that the configuration excludes; a lookup knows it, because a cluster may run it.
 */
export class ChannelDirectory {
  /** By minor, then stable, eus, fast, candidate. */
  readonly channels: readonly ListedChannel[];
  readonly #channels: ReadonlyMap<string, ListedChannel>;
  readonly #versions = new Map<string, ListedVersion>();
  /** Versions that the configuration excludes. */
  readonly excluded: ReadonlySet<string>;

  constructor(index: ChannelIndex) {
    const names = index.channels.map(({ channel }) => channel);
    const held: ReleaseVersion[][] = names.map(() => []);
    this.excluded = new Set(index.versions.filter(({ excluded }) => excluded).map(({ version }) => version));
    for (const { version: raw, payload, channels, withdrawnIn = [] } of index.versions) {
      const known = this.#versions.get(raw);
      const version = known?.version ?? mustParseVersion(raw);
      if (!this.excluded.has(raw)) for (const position of channels) held[position]!.push(version);
      // A version with two release images is in the index twice.
      const all = new Set([...(known?.channels ?? []), ...channels.map((position) => names[position]!)]);
      this.#versions.set(raw, {
        version,
        channels: names.filter((name) => all.has(name)),
        withdrawnFrom: [...(known?.withdrawnFrom ?? []), ...withdrawnIn.map((position) => names[position]!)],
        listed: new Map([
          ...(known?.listed ?? []),
          [
            payload,
            [
              // An image with two errata is in the index twice.
              ...(known?.listed.get(payload) ?? []),
              ...channels.filter((at) => !withdrawnIn.includes(at)).map((at) => names[at]!),
            ],
          ],
        ]),
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

  /** In release order, without excluded ones. */
  get versions(): readonly string[] {
    return [...this.#versions.keys()].filter((version) => !this.excluded.has(version));
  }

  /** True if these channels, or any if none is named, have releases of the minor and all are excluded. */
  isMinorExcluded(minor: Minor, names: readonly string[]): boolean {
    const known = [...this.#versions.values()].filter(
      ({ version, channels }) =>
        minorOf(version) === minor && (names.length === 0 || channels.some((name) => names.includes(name))),
    );
    return known.length > 0 && known.every(({ version }) => this.excluded.has(version.raw));
  }

  holders(version: string): readonly string[] {
    return this.#versions.get(version)?.channels ?? [];
  }

  /** Channels in which upstream still lists this image of the version. */
  holdersOfImage(version: string, payload: string): readonly string[] {
    return this.#versions.get(version)?.listed.get(payload) ?? [];
  }

  holds(channel: string, version: string): boolean {
    return this.holders(version).includes(channel);
  }

  /** True if upstream has withdrawn the version from each of these channels that contains it. */
  isWithdrawn(version: string, among: readonly string[]): boolean {
    const listed = this.#versions.get(version);
    const holders = among.filter((name) => listed?.channels.includes(name));
    return holders.length > 0 && holders.every((name) => listed?.withdrawnFrom.includes(name));
  }

  /** Both ends included, oldest first. */
  versionsBetween(name: string, from: ReleaseVersion, to: ReleaseVersion): ReleaseVersion[] {
    return (this.get(name)?.versions ?? []).filter(
      (version) => compareVersions(from, version) <= 0 && compareVersions(version, to) <= 0,
    );
  }

  /** Channels of a prefix from one minor to another, both included. */
  family(prefix: string | undefined, from: Minor, to: Minor): ListedChannel[] {
    return this.channels.filter(
      (channel) =>
        channel.prefix === prefix &&
        compareMinors(channel.minor, from) >= 0 &&
        compareMinors(channel.minor, to) <= 0,
    );
  }

  /** Oldest first. */
  versionsOf(names: readonly string[]): ReleaseVersion[] {
    const all = new Set(names.flatMap((name) => this.get(name)?.versions ?? []));
    return [...all].toSorted(compareVersions);
  }

  /** Newest release that upstream still lists in these channels, optionally of one minor. */
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
 * Newest patch of the cluster's minor: in its own channel, else in the most stable channels with its version. A candidate
 * release is the last choice. Null if the cluster runs the newest.
 */
export function newerPatch(
  current: ReleaseVersion,
  channel: string | null,
  directory: ChannelDirectory,
): string | null {
  const holders = directory.holders(current.raw);
  const own = holders.filter((name) => name === channel);
  const ranked = CHANNEL_ORDER.map((prefix) => holders.filter((name) => name.startsWith(`${prefix}-`)));
  const supported = ranked.filter((names) => !names.some(isForTesters));
  const choices = own.some(isForTesters) ? [supported, [own]] : [[own, ...ranked]];
  for (const choice of choices) {
    const names = choice.find((group) => group.length > 0) ?? [];
    const newest = directory.newest(names, { minor: minorOf(current), prerelease: false });
    if (newest !== null && compareVersions(mustParseVersion(newest), current) > 0) return newest;
  }
  return null;
}
