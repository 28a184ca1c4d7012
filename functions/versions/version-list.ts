import type { ListedRelease } from '@cairn/shared/releases/catalogue';
import { isForTesters, parseChannel } from '@cairn/shared/releases/channel';
import type { SupportCalendar } from '@cairn/shared/releases/lifecycle';
import { architectureOf, componentTest } from '@cairn/shared/releases/query';
import { supportLevelOf } from '@cairn/shared/releases/support';
import type { SupportLevel } from '@cairn/shared/releases/support';
import { ARCHES, type Arch, archOf, isMultiVersion, withoutMulti } from '@cairn/shared/version/arch';
import { type Minor, minorOf } from '@cairn/shared/version/minor';
import {
  compareVersions,
  mustParseVersion,
  type ReleaseVersion,
} from '@cairn/shared/version/release-version';
import type { ArchIndex } from '../releases/followed-channels.ts';

export interface KnownVersion {
  readonly version: string;
  readonly minor: Minor;
  readonly supportLevel: SupportLevel;
  readonly default: boolean;
  readonly withdrawn: boolean;
  readonly static: boolean;
  readonly arches: readonly Arch[];
  readonly channels: readonly string[];
}

export interface KnownVersionQuery {
  readonly pattern?: string | undefined;
  readonly channel?: string | undefined;
  readonly arch?: Arch | undefined;
  readonly supportLevel?: SupportLevel | undefined;
  readonly excludeWithdrawn: boolean;
}

interface Sighting {
  readonly version: ReleaseVersion;
  readonly arches: Set<Arch>;
  readonly channels: Set<string>;
  readonly releases: ListedRelease[];
  isListed: boolean;
}

/** Versions of the followed channels and static releases, newest first, without excluded ones. */
export function knownVersions(
  indexes: readonly ArchIndex[],
  releases: readonly ListedRelease[],
  calendar: SupportCalendar,
): readonly KnownVersion[] {
  const known = new Map<string, Sighting>();
  const sightingOf = (raw: string): Sighting => {
    const sighting = known.get(raw) ?? {
      version: mustParseVersion(raw),
      arches: new Set(),
      channels: new Set(),
      releases: [],
      isListed: false,
    };
    known.set(raw, sighting);
    return sighting;
  };
  for (const { arch, index } of indexes) {
    for (const { version, channels, withdrawnIn = [], excluded } of index.versions) {
      if (excluded) continue;
      const sighting = sightingOf(version);
      sighting.arches.add(arch);
      for (const position of channels) sighting.channels.add(index.channels[position]!.channel);
      if (withdrawnIn.length < channels.length) sighting.isListed = true;
    }
  }
  for (const release of releases) {
    const isStatic = release.staticUrl !== undefined;
    // Rows outlive a channel that left the configuration; then nothing else is known of the version.
    if (!isStatic && !known.has(release.upstreamVersion)) continue;
    const sighting = sightingOf(release.upstreamVersion);
    sighting.releases.push(release);
    if (!isStatic) continue;
    sighting.arches.add(archOf(architectureOf(release)));
    sighting.isListed = true;
  }
  const released = minorsWithReleases(indexes);
  return [...known.values()]
    .toSorted((a, b) => compareVersions(b.version, a.version))
    .map((sighting) => knownVersion(sighting, released, calendar));
}

/** Minors with a followed channel that is not for testers. */
function minorsWithReleases(indexes: readonly ArchIndex[]): ReadonlySet<Minor> {
  const channels = indexes.flatMap(({ index }) => index.channels.map(({ channel }) => channel));
  return new Set(
    channels.filter((name) => !isForTesters(name)).flatMap((name) => parseChannel(name)?.minor ?? []),
  );
}

function knownVersion(
  { version, arches, channels, releases, isListed }: Sighting,
  released: ReadonlySet<Minor>,
  calendar: SupportCalendar,
): KnownVersion {
  const minor = minorOf(version);
  // If only candidate channels of a minor are followed, that a release is in no other says nothing about it.
  const isComparable = released.has(minor) || releases.some(({ staticUrl }) => staticUrl !== undefined);
  const listedLevel = isComparable ? releases[0]?.supportLevel : undefined;
  return {
    version: version.raw,
    minor,
    supportLevel: listedLevel ?? supportLevelOf(version, [], {}, calendar).level,
    default: releases.some((release) => release.default === true),
    withdrawn: !isListed,
    static: releases.some(({ staticUrl }) => staticUrl !== undefined),
    arches: ARCHES.filter((arch) => arches.has(arch)),
    channels: [...channels],
  };
}

export function selectVersions(
  versions: readonly KnownVersion[],
  { pattern = '', channel, arch, supportLevel, excludeWithdrawn }: KnownVersionQuery,
): readonly KnownVersion[] {
  const isInPattern = componentTest(withoutMulti(pattern));
  const isOnlyMulti = isMultiVersion(pattern);
  return versions.filter(
    (known) =>
      isInPattern(known.version) &&
      (!isOnlyMulti || known.arches.includes('multi')) &&
      (channel === undefined || known.channels.includes(channel)) &&
      (arch === undefined || known.arches.includes(arch)) &&
      (supportLevel === undefined || known.supportLevel === supportLevel) &&
      !(excludeWithdrawn && known.withdrawn),
  );
}
