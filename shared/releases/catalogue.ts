import {
  type Arch,
  CPU_ARCHITECTURES,
  type CpuArchitecture,
  cpuArchitectureOf,
  imageTagArch,
  withMulti,
} from '../version/arch.ts';
import { type Minor, minorOf } from '../version/minor.ts';
import { compareVersions, parseVersion, type ReleaseVersion } from '../version/release-version.ts';
import type { SupportCalendar } from './lifecycle.ts';
import { type ReleaseSource, SINGLE_ARCHITECTURES } from './release-sources.ts';
import type { ReleaseConfig } from './sources.ts';
import { type StaticRelease, ignoredTest } from './static-releases.ts';
import { supportLevelOf, type SupportLevel, type SupportLevelSource } from './support.ts';

/** Release that a channel has listed; one row per version and architecture. */
export interface ReleaseRow {
  /** Spelling of the update service, `4.16.0-ec.2`, also for multi. */
  readonly version: string;
  readonly arch: Arch;
  /** Followed channels that have ever listed it, `stable-4.14`. */
  readonly channels: readonly string[];
  readonly payload: string;
  readonly firstSeenAt: string;
  readonly withdrawnAt?: string;
}

export interface CatalogueRelease {
  /** Spelling of assisted-service, with `-multi` for multi: `4.16.0-ec.2-multi`. */
  readonly version: string;
  readonly upstreamVersion: string;
  readonly minor: Minor;
  readonly openshiftVersion: string;
  readonly cpuArchitecture: CpuArchitecture;
  readonly cpuArchitectures: readonly CpuArchitecture[];
  /** By tag for channel releases, as configured for static releases. */
  readonly url: string;
  /** By digest, if known. */
  readonly payload?: string;
  readonly supportLevel: SupportLevel;
  readonly supportLevelSource: SupportLevelSource;
  readonly default: boolean;
  readonly channels: readonly string[];
  readonly withdrawnAt?: string;
  readonly origin: 'static' | 'channel';
}

/** Newest version first; within a version static before channel releases, then by architecture, multi last. */
export interface Catalogue {
  readonly releases: readonly CatalogueRelease[];
}

type Config = Pick<ReleaseConfig, 'sources' | 'staticReleases' | 'supportLevels'>;

/**
 * Merges static releases with rows of the followed channels; an empty configuration hides nothing. A static release
 * replaces the row of its version and architecture. The default is the static default, else the newest x86_64 release
 * in production that is not withdrawn.
 */
export function buildCatalogue(input: {
  readonly config: Config;
  readonly rows: readonly ReleaseRow[];
  readonly calendar: SupportCalendar;
}): Catalogue {
  const { config, calendar } = input;
  const listed = new Map<string, Entry>();
  for (const row of input.rows) {
    const entry = fromChannel(row, config, calendar);
    if (entry) listed.set(keyOf(entry.release), entry);
  }
  const merged = new Map(listed);
  for (const pinned of config.staticReleases) {
    const entry = fromConfiguration(pinned, config, calendar);
    const key = keyOf(entry.release);
    merged.set(key, withSightings(entry, listed.get(key)));
  }
  const releases = [...merged.values()].toSorted(newestFirst).map(({ release }) => release);
  if (config.staticReleases.some((pinned) => pinned.default)) return { releases };
  const standard = releases.find((release) => listed.has(keyOf(release)) && canBeDefault(release));
  return {
    releases: releases.map((release) => (release === standard ? { ...release, default: true } : release)),
  };
}

interface Entry {
  readonly version: ReleaseVersion;
  readonly release: CatalogueRelease;
}

function fromChannel(row: ReleaseRow, config: Config, calendar: SupportCalendar): Entry | null {
  const version = parseVersion(row.version);
  if (version === null) return null;
  const minor = minorOf(version);
  const source = config.sources.find((candidate) => candidate.minor === minor);
  if (config.sources.length > 0 && !source) return null;
  // Channels also list older minors as update sources; that does not make those releases stable there.
  const own = row.channels.filter((channel) => channel.endsWith(`-${minor}`));
  if (row.channels.length > 0 && own.length === 0) return null;
  const cpuArchitecture = cpuArchitectureOf(row.arch);
  if (source && own.length > 0 && !isFollowed(own, source, cpuArchitecture)) return null;
  const { level, source: supportLevelSource } = supportLevelOf(version, own, config.supportLevels, calendar);
  const isMulti = cpuArchitecture === 'multi';
  const release: CatalogueRelease = {
    ...namesOf(version, cpuArchitecture),
    cpuArchitectures: isMulti ? (source?.multiCpuArchitectures ?? SINGLE_ARCHITECTURES) : [cpuArchitecture],
    url: imageByTag(row.version, cpuArchitecture),
    payload: row.payload,
    supportLevel: level,
    supportLevelSource,
    default: false,
    channels: row.channels.toSorted(),
    ...(row.withdrawnAt !== undefined && { withdrawnAt: row.withdrawnAt }),
    origin: 'channel',
  };
  return { version, release };
}

/** Rows outlive their channels and architectures in the configuration. */
function isFollowed(
  channels: readonly string[],
  { minor, upgradeChannels }: ReleaseSource,
  cpuArchitecture: CpuArchitecture,
): boolean {
  return upgradeChannels.some(
    (followed) =>
      followed.cpuArchitecture === cpuArchitecture &&
      followed.channels.some((prefix) => channels.includes(`${prefix}-${minor}`)),
  );
}

/** `quay.io/openshift-release-dev/ocp-release:4.14.3-aarch64` */
export function imageByTag(version: string, cpu: CpuArchitecture): string {
  return `quay.io/openshift-release-dev/ocp-release:${version}-${imageTagArch(cpu)}`;
}

function fromConfiguration(pinned: StaticRelease, config: Config, calendar: SupportCalendar): Entry {
  const version = parseVersion(pinned.version);
  if (version === null) throw new Error(`static release has the malformed version ${pinned.version}`);
  const { level, source } = supportLevelOf(version, [], config.supportLevels, calendar);
  const release: CatalogueRelease = {
    ...namesOf(version, pinned.cpuArchitecture),
    cpuArchitectures: pinned.cpuArchitectures,
    url: pinned.url,
    ...(pinned.url.includes('@sha256:') && { payload: pinned.url }),
    supportLevel: pinned.supportLevel ?? level,
    supportLevelSource: pinned.supportLevel ? 'static' : source,
    default: pinned.default,
    channels: [],
    origin: 'static',
  };
  return { version, release };
}

/** Adds data from channels that the static entry lacks. */
function withSightings(entry: Entry, seen: Entry | undefined): Entry {
  if (!seen) return entry;
  const { payload, channels, withdrawnAt } = seen.release;
  const known = { ...(payload && { payload }), ...(withdrawnAt && { withdrawnAt }) };
  return { ...entry, release: { ...known, ...entry.release, channels } };
}

function namesOf(version: ReleaseVersion, cpuArchitecture: CpuArchitecture) {
  const minor = minorOf(version);
  const isMulti = cpuArchitecture === 'multi';
  return {
    version: isMulti ? withMulti(version.raw) : version.raw,
    upstreamVersion: version.raw,
    minor,
    openshiftVersion: isMulti ? `${minor}-multi` : minor,
    cpuArchitecture,
  };
}

function keyOf(release: CatalogueRelease): string {
  return `${release.upstreamVersion}/${release.cpuArchitecture}`;
}

function canBeDefault(release: CatalogueRelease): boolean {
  return (
    release.cpuArchitecture === 'x86_64' &&
    release.supportLevel === 'production' &&
    release.withdrawnAt === undefined
  );
}

function newestFirst(a: Entry, b: Entry): number {
  return (
    compareVersions(b.version, a.version) ||
    Number(a.release.origin === 'channel') - Number(b.release.origin === 'channel') ||
    CPU_ARCHITECTURES.indexOf(a.release.cpuArchitecture) -
      CPU_ARCHITECTURES.indexOf(b.release.cpuArchitecture)
  );
}

export type ListedRelease = Pick<
  CatalogueRelease,
  'version' | 'upstreamVersion' | 'minor' | 'cpuArchitectures' | 'supportLevel' | 'withdrawnAt'
> & {
  readonly default?: true;
  /** Of a static release: its image as configured. */
  readonly staticUrl?: string;
};

/** Newest first, without releases that the configuration ignores. */
export function listedReleases(catalogue: Catalogue, ignored: readonly string[]): ListedRelease[] {
  const isIgnored = ignoredTest(ignored);
  return catalogue.releases.filter((release) => !isIgnored(release)).map(listed);
}

/** Static releases that the configuration ignores: a cluster may run one. */
export function excludedReleases(catalogue: Catalogue, ignored: readonly string[]): ListedRelease[] {
  const isIgnored = ignoredTest(ignored);
  return catalogue.releases
    .filter((release) => release.origin === 'static' && isIgnored(release))
    .map(listed);
}

function listed({
  version,
  upstreamVersion,
  minor,
  cpuArchitectures,
  supportLevel,
  withdrawnAt,
  ...release
}: CatalogueRelease): ListedRelease {
  return {
    version,
    upstreamVersion,
    minor,
    cpuArchitectures,
    supportLevel,
    ...(withdrawnAt !== undefined && { withdrawnAt }),
    ...(release.default && { default: true }),
    ...(release.origin === 'static' && { staticUrl: release.url }),
  };
}
