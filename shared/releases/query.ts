import { groupBy } from '../collection/group-by.ts';
import type { CpuArchitecture } from '../version/arch.ts';
import type { ListedRelease } from './catalogue.ts';
import { sortArchitectures } from './release-sources.ts';
import type { SupportLevel } from './support.ts';

export interface VersionQuery {
  /** Substring of the stored version, `4.14.` or `-multi`. */
  readonly pattern?: string | undefined;
  /** Only the latest version of each minor, on all its architectures. */
  readonly onlyLatest: boolean;
  readonly excludeWithdrawn?: boolean;
}

/** Response entry of assisted-service; `default` is omitted if false. */
export interface OpenshiftVersion {
  readonly display_name: string;
  readonly support_level: SupportLevel;
  readonly default?: true;
  readonly cpu_architectures: readonly CpuArchitecture[];
}

/**
 * Response of `/v2/openshift-versions`, newest version first: one entry per version with all architectures, `-multi`
 * separate. The pattern does not affect the latest version: `only_latest` with `4.12.1` finds nothing once 4.12.2
 * exists.
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

/** Expects newest first. Prefers releases that are not beta: 4.12.1 in maintenance wins over 4.12.2 in beta. */
function latestOfEachMinor(releases: readonly ListedRelease[]): ListedRelease[] {
  const byMinor = groupBy(releases, ({ minor }) => minor);
  const latestOf = (same: readonly ListedRelease[]) =>
    same.find(({ supportLevel }) => supportLevel !== 'beta') ?? same[0];
  const latest = new Set([...byMinor.values()].map((same) => latestOf(same)?.upstreamVersion));
  return releases.filter(({ upstreamVersion }) => latest.has(upstreamVersion));
}

function describe(version: string, releases: readonly ListedRelease[]): OpenshiftVersion {
  const cpuArchitectures = sortArchitectures(releases.flatMap((release) => release.cpuArchitectures));
  return {
    display_name: version,
    support_level: releases[0]!.supportLevel,
    ...(releases.some((release) => release.default) && { default: true as const }),
    // A source can list no architectures for its multi releases; installers then assume x86_64.
    cpu_architectures: cpuArchitectures.length > 0 ? cpuArchitectures : ['x86_64'],
  };
}
