import { groupBy } from '../collection/group-by.ts';
import { type CpuArchitecture, isMultiVersion, withMulti, withoutMulti } from '../version/arch.ts';
import type { ListedRelease } from './catalogue.ts';
import { sortArchitectures } from './release-sources.ts';
import type { SupportLevel } from './support.ts';

export interface VersionQuery {
  /** Substring of the stored version, `4.14.` or `-multi`, as in assisted-service. */
  readonly text?: string | undefined;
  /** By component; see {@link componentTest}. */
  readonly pattern?: string | undefined;
  /** Keeps the versions for this architecture; a multi release is for each of those in it. */
  readonly cpuArchitecture?: CpuArchitecture | undefined;
  /** Only the latest version of each minor and architecture. */
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
 * separate. Pattern and text do not affect the latest version: `only_latest` with `4.12.1` finds nothing once 4.12.2
 * exists. Neither does the architecture, because the latest of one says nothing about another.
 */
export function listVersions(
  releases: readonly ListedRelease[],
  query: VersionQuery,
): Readonly<Record<string, OpenshiftVersion>> {
  const { cpuArchitecture, text = '', pattern = '' } = query;
  const visible = releases.filter(({ withdrawnAt }) => !query.excludeWithdrawn || withdrawnAt === undefined);
  const wanted = query.onlyLatest ? latestOfEachMinor(visible) : visible;
  const isInPattern = componentTest(pattern);
  const byVersion = groupBy(
    wanted.filter(
      (release) =>
        release.version.includes(text) &&
        isInPattern(release.version) &&
        (cpuArchitecture === undefined || isFor(cpuArchitecture, release)),
    ),
    ({ version }) => version,
  );
  // Of any architecture: a version stays the default where the list is narrowed to another one.
  const defaults = new Set(releases.filter((release) => release.default).map(({ version }) => version));
  const listed = Object.create(null) as Record<string, OpenshiftVersion>;
  for (const [version, same] of byVersion) listed[version] = describe(version, same, defaults.has(version));
  return listed;
}

/**
 * Matches versions by component: `4` is 4.x.y, `4.1` is 4.1.x but not 4.12.0, `4.12.0` is that release, `4.12.0-rc` its
 * release candidates. With `-multi` only multi releases; an empty pattern matches all.
 */
export function componentTest(pattern: string): (version: string) => boolean {
  const isOnlyMulti = isMultiVersion(pattern);
  const [core, pre] = partsOf(withoutMulti(pattern).replace(/\.$/, ''));
  return (version) => {
    const [ownCore, ownPre] = partsOf(withoutMulti(version));
    if (isOnlyMulti && !isMultiRelease(version)) return false;
    if (pre.length === 0 && core.length === 3 && ownPre.length > 0) return false;
    return core.every((part, at) => part === ownCore[at]) && pre.every((part, at) => part === ownPre[at]);
  };
}

/** Numbers and pre-release identifiers: `4.12.0-rc.1` → `['4', '12', '0']`, `['rc', '1']`. */
function partsOf(version: string): readonly [core: string[], pre: string[]] {
  const dash = version.indexOf('-');
  const end = dash === -1 ? version.length : dash;
  const split = (text: string): string[] => (text === '' ? [] : text.split('.'));
  return [split(version.slice(0, end)), split(version.slice(end + 1))];
}

function isMultiRelease(version: string): boolean {
  return withMulti(version) === version;
}

export function architectureOf({ version, cpuArchitectures }: ListedRelease): CpuArchitecture {
  return isMultiRelease(version) ? 'multi' : (cpuArchitectures[0] ?? 'x86_64');
}

function isFor(cpu: CpuArchitecture, release: ListedRelease): boolean {
  return architectureOf(release) === cpu || release.cpuArchitectures.includes(cpu);
}

/**
 * Expects newest first. Per architecture, because one may lag behind. Prefers versions that are not beta: 4.12.1 in
 * maintenance wins over 4.12.2 in beta; an architecture with nothing else keeps its newest beta.
 */
function latestOfEachMinor(releases: readonly ListedRelease[]): ListedRelease[] {
  const groups = groupBy(releases, (release) => `${release.minor} ${architectureOf(release)}`);
  const kept = new Set(
    [...groups.values()].map((same) => same.find(({ supportLevel }) => supportLevel !== 'beta') ?? same[0]),
  );
  return releases.filter((release) => kept.has(release));
}

function describe(version: string, releases: readonly ListedRelease[], isDefault: boolean): OpenshiftVersion {
  const cpuArchitectures = sortArchitectures(releases.flatMap((release) => release.cpuArchitectures));
  return {
    display_name: version,
    support_level: releases[0]!.supportLevel,
    ...(isDefault && { default: true as const }),
    // A source can list no architectures for its multi releases; installers then assume x86_64.
    cpu_architectures: cpuArchitectures.length > 0 ? cpuArchitectures : ['x86_64'],
  };
}
