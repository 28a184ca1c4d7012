import { groupBy } from '../collection/group-by.ts';
import { type Channel, parseChannel } from '../releases/channel.ts';
import { CHANNEL_ORDER } from '../releases/values.ts';
import { singleLine } from '../text/quote.ts';
import type { Arch } from '../version/arch.ts';
import { compareMinors } from '../version/minor.ts';
import { compareVersions, parseVersion } from '../version/release-version.ts';
import {
  channelsOf,
  type NeededRelease,
  type OperatorPackage,
  type OperatorCatalog,
  type OperatorContent,
  PLATFORM_ONLY,
} from './mirror-list.ts';

export interface ImageSetRelease {
  readonly version: string;
  readonly arch: Arch;
  readonly channels: readonly string[];
}

export interface ImageSet {
  /** `imageset-config.yaml`, or `imageset-config-1.yaml` and so on if one file is not enough. */
  readonly files: readonly { readonly name: string; readonly yaml: string }[];
  /** Null for a single file. */
  readonly splitBecause: string | null;
}

/**
 * Writes ImageSetConfigurations for oc-mirror v2. Each release has its own channel entry with equal `minVersion` and
 * `maxVersion`, because oc-mirror's shortest path ignores conditional updates. oc-mirror rejects a channel named twice,
 * so releases without a free channel go to another file. Operators are in the first file only.
 */
export function imageSet(
  releases: readonly ImageSetRelease[],
  operators: OperatorContent = PLATFORM_ONLY,
): ImageSet {
  const unmatched = [...byVersion(releases)];
  const yamls: string[] = [];
  while (unmatched.length > 0) {
    const matched = matchChannels(unmatched);
    if (matched.size === 0) {
      const names = unmatched.map(({ version }) => version).join(', ');
      throw new Error(`no channel is known for ${names}, so oc-mirror cannot be told where to find it`);
    }
    yamls.push(yamlOf(matched, yamls.length === 0 ? operators : withoutOperators(operators)));
    for (const release of matched.keys()) unmatched.splice(unmatched.indexOf(release), 1);
  }
  const isSplit = yamls.length > 1;
  return {
    files: yamls.map((yaml, index) => ({
      name: `imageset-config${isSplit ? `-${index + 1}` : ''}.yaml`,
      yaml,
    })),
    splitBecause: isSplit
      ? 'oc-mirror accepts a channel once per file, and these releases are not in enough different channels; mirror the files one after the other'
      : null,
  };
}

interface Wanted {
  readonly version: string;
  readonly arches: readonly Arch[];
  readonly channels: readonly string[];
}

/** One entry per version: `architectures` applies to the whole file. */
function byVersion(releases: readonly ImageSetRelease[]): Wanted[] {
  const groups = groupBy(releases, ({ version }) => version);
  return [...groups]
    .map(([version, same]) => ({
      version,
      arches: [...new Set(same.map(({ arch }) => arch))].toSorted(),
      channels: [...new Set(same.flatMap(({ channels }) => channels))].toSorted(byPreference),
    }))
    .toSorted((a, b) => compareVersions(parseVersion(a.version)!, parseVersion(b.version)!));
}

/** Maximum matching of releases to distinct channels, preferred channels first (augmenting paths). */
function matchChannels(releases: readonly Wanted[]): Map<Wanted, string> {
  const holder = new Map<string, Wanted>();
  const assign = (release: Wanted, tried: Set<string>): boolean => {
    for (const channel of release.channels) {
      if (tried.has(channel)) continue;
      tried.add(channel);
      const other = holder.get(channel);
      if (other === undefined || assign(other, tried)) {
        holder.set(channel, release);
        return true;
      }
    }
    return false;
  };
  for (const release of releases) assign(release, new Set());
  const matched = new Map([...holder].map(([channel, release]) => [release, channel]));
  return new Map(
    releases.flatMap((release) => (matched.has(release) ? [[release, matched.get(release)!]] : [])),
  );
}

/** Preferred prefix first, then the lower minor. Names that are not channels sort last. */
function byPreference(a: string, b: string): number {
  const [first, second] = [parseChannel(a), parseChannel(b)];
  if (!first || !second) return Number(!first) - Number(!second) || (a < b ? -1 : a > b ? 1 : 0);
  const rank = (channel: Channel) => CHANNEL_ORDER.indexOf(channel.prefix);
  return rank(first) - rank(second) || compareMinors(first.minor, second.minor);
}

function withoutOperators({ catalogs }: OperatorContent): OperatorContent {
  const hasSome = catalogs !== null && catalogs.length > 0;
  return { catalogs: [], notes: hasSome ? ['The operators are in the first file'] : [] };
}

function yamlOf(matched: ReadonlyMap<Wanted, string>, { catalogs, notes }: OperatorContent): string {
  const arches = [...new Set([...matched.keys()].flatMap((release) => release.arches))].toSorted();
  return [
    ...notes.map((note) => `# ${singleLine(note)}`),
    'kind: ImageSetConfiguration',
    'apiVersion: mirror.openshift.io/v2alpha1',
    'mirror:',
    '  platform:',
    '    architectures:',
    ...arches.map((arch) => `      - ${arch}`),
    '    graph: true',
    '    channels:',
    ...[...matched].flatMap(([release, channel]) => [
      `      - name: ${channel}`,
      '        type: ocp',
      `        minVersion: ${release.version}`,
      `        maxVersion: ${release.version}`,
    ]),
    ...operatorLines(catalogs ?? []),
    '',
  ].join('\n');
}

/** Writes a catalog without a known image as a comment for the user to complete. */
function operatorLines(catalogs: readonly OperatorCatalog[]): string[] {
  const entries = catalogs.flatMap(({ catalog, packages }) =>
    catalog === null ? [] : catalogLines(catalog, packages),
  );
  const toFillIn = catalogs.flatMap(({ catalog, minor, sources, packages }) =>
    catalog === null
      ? [
          `# The catalog of ${sources.join(', ')} for ${minor}:`,
          ...catalogLines('IMAGE', packages).map((line) => `# ${line}`),
        ]
      : [],
  );
  if (entries.length === 0 && toFillIn.length === 0) return [];
  return [
    entries.length > 0 ? '  operators:' : '  # operators:',
    ...[...entries, ...toFillIn].map((line) => `    ${line}`),
  ];
}

function catalogLines(catalog: string, packages: readonly OperatorPackage[]): string[] {
  return [`- catalog: ${catalog}`, '  packages:', ...packages.flatMap(packageLines)];
}

/** oc-mirror requires the default channel of a package unless the file sets another default. */
function packageLines({ name, channels }: OperatorPackage): string[] {
  return [
    `    - name: ${quoted(name)}`,
    ...(channels.length > 0 ? [`      defaultChannel: ${quoted(channels.at(-1)!)}`, '      channels:'] : []),
    ...channels.map((channel) => `        - name: ${quoted(channel)}`),
  ];
}

/** Quotes are required: YAML reads the channel `4.10` as the number 4.1. */
function quoted(name: string): string {
  return JSON.stringify(name);
}

export function imageSetOf(needed: readonly NeededRelease[], operators?: OperatorContent): ImageSet | null {
  if (needed.length === 0) return null;
  return imageSet(
    needed.map(({ step, arch }) => ({ version: step.version, arch, channels: channelsOf(step) })),
    operators,
  );
}

/** Joins all files into one text. `otherwise` appends another way to get them. */
export function imageSetText({ files, splitBecause }: ImageSet, otherwise = ''): string {
  if (splitBecause === null) return files.map(({ yaml }) => yaml).join('');
  const note = `# ${files.length} files: ${splitBecause}.\n# Save each part under its name${otherwise}.\n`;
  return note + files.map(({ name, yaml }) => `---\n# ${name}\n${yaml}`).join('');
}
