import { groupBy } from '../collection/group-by.ts';
import type { CpuArchitecture } from '../version/arch.ts';
import type { CatalogueRelease, ListedRelease } from './catalogue.ts';
import { sortArchitectures } from './release-sources.ts';
import type { SupportLevel } from './support.ts';

export interface VersionQuery {
  /** A plain substring of the stored version, `4.14.` or `-multi`. */
  readonly pattern?: string | undefined;
  /** Of each minor the latest version only, on all its architectures. */
  readonly onlyLatest: boolean;
  readonly excludeWithdrawn?: boolean;
}

/** A version as assisted-service answers it; `default` is left out when it is not the default. */
export interface OpenshiftVersion {
  readonly display_name: string;
  readonly support_level: SupportLevel;
  readonly default?: true;
  readonly cpu_architectures: readonly CpuArchitecture[];
}

/**
 * The answer of `/v2/openshift-versions`, newest version first: releases of one version are one entry with all their
 * architectures, `-multi` apart. Which version is the latest does not depend on the pattern: `only_latest` with
 * `4.12.1` finds nothing when 4.12.2 is out.
 */
export function listVersions(
  releases: readonly ListedRelease[],
  query: VersionQuery,
): Readonly<Record<string, OpenshiftVersion>> {
  const visible = query.excludeWithdrawn
    ? releases.filter((release) => release.withdrawnAt === undefined)
    : releases;
  const wanted = query.onlyLatest ? latestOfEachMinor(visible) : visible;
  const { pattern = '' } = query;
  const byVersion = groupBy(
    wanted.filter(({ version }) => version.includes(pattern)),
    ({ version }) => version,
  );
  const listed = Object.create(null) as Record<string, OpenshiftVersion>;
  for (const [version, releases] of byVersion) listed[version] = describe(version, releases);
  return listed;
}

function latestOfEachMinor(releases: readonly ListedRelease[]): ListedRelease[] {
  const byMinor = groupBy(releases, ({ minor }) => minor);
  const latest = new Set([...byMinor.values()].map((same) => latestRelease(same)?.upstreamVersion));
  return releases.filter(({ upstreamVersion }) => latest.has(upstreamVersion));
}

type Leveled = Pick<CatalogueRelease, 'supportLevel'>;

/**
 * The release to take out of some in catalogue order (newest first): the newest that is not beta, else the newest.
 * Of 4.12.1 in maintenance and 4.12.2 in beta it is 4.12.1.
 */
function latestRelease<Release extends Leveled>(releases: readonly Release[]): Release | undefined {
  return releases.find((release) => release.supportLevel !== 'beta') ?? releases[0];
}

function describe(version: string, releases: readonly ListedRelease[]): OpenshiftVersion {
  const cpuArchitectures = sortArchitectures(releases.flatMap((release) => release.cpuArchitectures));
  return {
    display_name: version,
    support_level: releases[0]!.supportLevel,
    ...(releases.some((release) => release.default) && { default: true as const }),
    // A source may say that its multi payloads hold nothing in particular; installers then take x86_64 for granted.
    cpu_architectures: cpuArchitectures.length > 0 ? cpuArchitectures : ['x86_64'],
  };
}
