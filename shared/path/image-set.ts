import { groupBy } from '../collection/group-by.ts';
import { compareChannels, labelledChannel, parseChannel } from '../releases/channel.ts';
import { CHANNEL_ORDER } from '../releases/values.ts';
import { singleLine } from '../text/quote.ts';
import type { Arch } from '../version/arch.ts';
import { ordinalOf } from '../version/release-line.ts';
import { compareVersions, mustParseVersion } from '../version/release-version.ts';
import {
  type OperatorCatalog,
  type OperatorContent,
  type OperatorPackage,
  PLATFORM_ONLY,
} from './mirror-list.ts';

export interface ImageSetRelease {
  readonly version: string;
  readonly arch: Arch;
  /** Channels in which oc-mirror finds the release, in any order. */
  readonly channels: readonly string[];
}

/** ImageSetConfiguration for oc-mirror v2. */
export interface ImageSet {
  /** From 1, in the order to mirror. */
  readonly file: number;
  /** Null for the operators. */
  readonly channel: string | null;
  /** Null for the operators. */
  readonly version: string | null;
  readonly text: string;
}

export interface ImageSets {
  readonly files: readonly ImageSet[];
  /** Releases that oc-mirror cannot find in any channel. If there are any, there are no files. */
  readonly unlisted: readonly ImageSetRelease[];
}

/**
 * Writes one release per file, with equal `minVersion` and `maxVersion`: a range, or the shortest path of oc-mirror, can
 * select other releases as soon as upstream changes, and a second channel makes oc-mirror add releases between the two.
 * Operators are in the last file.
 */
export function imageSets(
  releases: readonly ImageSetRelease[],
  operators: OperatorContent = PLATFORM_ONLY,
): ImageSets {
  const unlisted = releases.filter(({ channels }) => channels.length === 0);
  if (unlisted.length > 0 || releases.length === 0) return { files: [], unlisted };
  const entries = [...groupBy(releases, ({ version }) => version)]
    .toSorted(([a], [b]) => compareVersions(mustParseVersion(a), mustParseVersion(b)))
    .flatMap(([version, same]) => entriesOf(version, same));
  const catalogs = operators.catalogs ?? [];
  const count = entries.length + Number(catalogs.length > 0);
  const files = entries.map((entry, index): ImageSet => {
    const { version, channel } = entry;
    const file = index + 1;
    // Without a file of their own, the notes on operators are in the first file.
    const notes = index === 0 && catalogs.length === 0 ? operators.notes : [];
    const heading = { file, count, about: `release ${version} from ${labelledChannel(channel)}`, notes };
    return { file, channel, version, text: yamlOf(heading, platformLines(entry)) };
  });
  if (catalogs.length === 0) return { files, unlisted };
  const heading = { file: count, count, about: 'operators', notes: operators.notes };
  const text = yamlOf(heading, operatorLines(catalogs));
  return { files: [...files, { file: count, channel: null, version: null, text }], unlisted };
}

/** `02-4.16.8.yaml`, `03-operators.yaml`: the names sort in the order to mirror. */
export function imageSetName({ file, version }: Pick<ImageSet, 'file' | 'version'>): string {
  return `${String(file).padStart(2, '0')}-${version ?? 'operators'}.yaml`;
}

interface Entry {
  readonly version: string;
  readonly channel: string;
  readonly arches: readonly Arch[];
}

/** As few files as there are channels needed: all architectures of a file are resolved in its one channel. */
function entriesOf(version: string, releases: readonly ImageSetRelease[]): Entry[] {
  const [channel] = [...new Set(releases.flatMap(({ channels }) => channels))].toSorted(
    (a, b) => rankOf(a) - rankOf(b) || countHeld(b, releases) - countHeld(a, releases) || byName(a, b),
  );
  if (channel === undefined) return [];
  const [held, others] = [true, false].map((isHeld) =>
    releases.filter(({ channels }) => channels.includes(channel) === isHeld),
  ) as [ImageSetRelease[], ImageSetRelease[]];
  const arches = [...new Set(held.map(({ arch }) => arch))].toSorted();
  return [{ version, channel, arches }, ...entriesOf(version, others)];
}

function countHeld(channel: string, releases: readonly ImageSetRelease[]): number {
  return releases.filter(({ channels }) => channels.includes(channel)).length;
}

/** Names that are not channels come last. */
function rankOf(name: string): number {
  const channel = parseChannel(name);
  return channel ? CHANNEL_ORDER.indexOf(channel.prefix) : CHANNEL_ORDER.length;
}

function byName(a: string, b: string): number {
  const [first, second] = [parseChannel(a), parseChannel(b)];
  return first && second ? compareChannels(first, second) : a < b ? -1 : 1;
}

interface Heading extends Pick<OperatorContent, 'notes'> {
  readonly file: number;
  readonly count: number;
  readonly about: string;
}

function yamlOf({ file, count, about, notes }: Heading, lines: readonly string[]): string {
  const order = count > 1 ? '. Mirror the files in this order' : '';
  return [
    `# File ${file} of ${count}: ${about}${order}`,
    ...notes.map((note) => `# ${singleLine(note)}`),
    'kind: ImageSetConfiguration',
    'apiVersion: mirror.openshift.io/v2alpha1',
    'mirror:',
    ...lines,
    '',
  ].join('\n');
}

/** First release with oc-mirror 2.0, which reports `architectures` as deprecated. */
const FIRST_DEPRECATED = { major: 5, minor: 0 } as const;
const KEEP_ARCHITECTURES =
  'Keep architectures, which oc-mirror 2.0 reports as deprecated: platforms always selects the multi release image, and earlier versions reject it';

function platformLines({ version, channel, arches }: Entry): string[] {
  const isDeprecated = ordinalOf(mustParseVersion(version)) >= ordinalOf(FIRST_DEPRECATED);
  return [
    '  platform:',
    ...(isDeprecated ? [`    # ${KEEP_ARCHITECTURES}`] : []),
    '    architectures:',
    ...arches.map((arch) => `      - ${arch}`),
    '    graph: true',
    '    channels:',
    `      - name: ${channel}`,
    '        type: ocp',
    `        minVersion: ${version}`,
    `        maxVersion: ${version}`,
  ];
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
