import Range from 'semver/classes/range.js';
import type { InputValue } from '../input/input-value.ts';
import { parseCpuArchitecture, type CpuArchitecture, isMultiVersion, withoutMulti } from '../version/arch.ts';
import { parseMinor, type Minor, minorOf } from '../version/minor.ts';
import { parseVersion, compareVersions, type ReleaseVersion } from '../version/release-version.ts';
import { ARCHITECTURE_NAMES, readSingleArchitectures, SINGLE_ARCHITECTURES } from './release-sources.ts';
import { parseSupportLevel, SUPPORT_LEVELS, type SupportLevel } from './support.ts';
import { EXCLUDED_IN_GRAPH, type ExcludedInGraph } from './values.ts';

/** Release pinned by the configuration, whatever the channels list. */
export interface StaticRelease {
  readonly minor: Minor;
  /** Without `-multi`; see the architecture. */
  readonly version: string;
  readonly cpuArchitecture: CpuArchitecture;
  readonly cpuArchitectures: readonly CpuArchitecture[];
  readonly url: string;
  readonly default: boolean;
  readonly supportLevel?: SupportLevel;
}

/** Host, path, then tag or digest. Each part has its own separator, so matching is linear. */
const IMAGE = /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/;
const A_STATIC_VERSION = 'a version such as "4.14.3" or "4.14.3-multi"';
const AN_OPENSHIFT_VERSION = 'a minor or version such as "4.14", "4.14.3" or "4.14-multi"';
const AN_IMAGE =
  'an image by tag or digest, such as "quay.io/openshift-release-dev/ocp-release:4.14.3-x86_64"';

/** Reads `release_images`; oldest version first, without duplicates. */
export function readStaticReleases(node: InputValue): readonly StaticRelease[] {
  const unique = new Map<string, StaticRelease>();
  for (const item of node.items('an array of release images')) {
    const release = readStaticRelease(item);
    if (!release) continue;
    const key = `${release.version}/${release.cpuArchitecture}`;
    const first = unique.get(key);
    if (first && first.url !== release.url) {
      const what = `${release.version} for ${release.cpuArchitecture}`;
      item.refuse(
        `${what} is given twice, as ${first.url} and as ${release.url}`,
        'one image of each version',
      );
    }
    const standard = [...unique.values()].find((other) => other.default);
    if (release.default && standard && standard.version !== release.version) {
      item.refuse(`${standard.version} is the default already`, 'one version as the default');
    }
    unique.set(key, first ? { ...first, default: first.default || release.default } : release);
  }
  return [...unique.values()].toSorted(
    (a, b) =>
      compareVersions(parseVersion(a.version)!, parseVersion(b.version)!) ||
      ARCHITECTURE_NAMES.indexOf(a.cpuArchitecture) - ARCHITECTURE_NAMES.indexOf(b.cpuArchitecture),
  );
}

function readStaticRelease(node: InputValue): StaticRelease | null {
  const fields = node.fields({
    required: ['openshift_version', 'cpu_architecture', 'url', 'version'],
    optional: ['cpu_architectures', 'default', 'support_level'],
  });
  const openshiftVersion = fields
    .get('openshift_version')
    ?.parsedText(parseOpenshiftVersion, 'a minor or version', AN_OPENSHIFT_VERSION);
  const cpuArchitecture = fields
    .get('cpu_architecture')
    ?.parsedText(parseCpuArchitecture, 'an architecture', ARCHITECTURE_NAMES);
  const url = fields.get('url')?.parsedText(parseImage, 'an image reference', AN_IMAGE);
  const version = fields.get('version')?.parsedText(parseStaticVersion, 'a version', A_STATIC_VERSION);
  const cpuArchitectures = readArchitectures(fields.get('cpu_architectures'), cpuArchitecture ?? null);
  const isDefault = fields.get('default')?.value ?? false;
  if (typeof isDefault !== 'boolean') {
    fields.get('default')!.mismatch('true or false', 'a boolean');
  }
  const supportLevel = fields
    .get('support_level')
    ?.parsedText(parseSupportLevel, 'a support level', SUPPORT_LEVELS);
  if (!openshiftVersion || !cpuArchitecture || !url || !version) return null;

  if (openshiftVersion.minor !== version.minor) {
    fields
      .get('openshift_version')!
      .refuse(`the version ${version.text} is not of ${openshiftVersion.minor}`, `"${version.minor}"`);
  }
  if ((openshiftVersion.multi || version.multi) && cpuArchitecture !== 'multi') {
    fields
      .get('cpu_architecture')!
      .refuse(`a multi version has the architecture ${cpuArchitecture}`, '"multi"');
  }
  return {
    minor: version.minor,
    version: version.text,
    cpuArchitecture,
    cpuArchitectures,
    url,
    default: isDefault === true,
    ...(supportLevel && { supportLevel }),
  };
}

/** Defaults to the contents of the release image: its one architecture, or for multi all of them. */
function readArchitectures(
  node: InputValue | undefined,
  cpuArchitecture: CpuArchitecture | null,
): readonly CpuArchitecture[] {
  const own =
    cpuArchitecture === null || cpuArchitecture === 'multi' ? SINGLE_ARCHITECTURES : [cpuArchitecture];
  const given = node ? readSingleArchitectures(node) : [];
  if (given.length === 0) return own;
  const foreign = given.find((cpu) => !own.includes(cpu));
  if (foreign)
    node!.refuse(`${foreign} is not in a release for ${cpuArchitecture}`, `["${cpuArchitecture}"]`);
  return given;
}

interface StaticVersion {
  readonly text: string;
  readonly minor: Minor;
  readonly multi: boolean;
}

function parseStaticVersion(text: string): StaticVersion | null {
  const version = parseVersion(withoutMulti(text));
  return version && { text: version.raw, minor: minorOf(version), multi: isMultiVersion(text) };
}

function parseOpenshiftVersion(text: string): Pick<StaticVersion, 'minor' | 'multi'> | null {
  const minor = parseMinor(withoutMulti(text));
  return minor ? { minor, multi: isMultiVersion(text) } : parseStaticVersion(text);
}

function parseImage(text: string): string | null {
  // Require a tag or digest after the last slash; otherwise the registry would serve `latest`.
  return text.length <= 512 && IMAGE.test(text) && /[:@]/.test(text.slice(text.lastIndexOf('/')))
    ? text
    : null;
}

const ACCEPTED =
  'a version such as "4.14.3", a minor such as "4.14", or a range that begins with an operator, such as ">=4.14.0 <4.14.5"';

const MAX_LENGTH = 128;

/** Reads `ignored_openshift_versions`; each entry hides a version on every architecture, including multi. */
export function readIgnoredVersions(node: InputValue): readonly string[] {
  const entries = node
    .items(`an array of ${ACCEPTED}`)
    .map((item) => item.parsedText(parseIgnored, 'a version, a minor or a range', ACCEPTED));
  return [...new Set(entries.filter((entry) => entry !== null))].toSorted();
}

/** Reads `excluded_in_graph`. */
export function readExcludedInGraph(node: InputValue): ExcludedInGraph | undefined {
  const parse = (text: string) => EXCLUDED_IN_GRAPH.find((choice) => choice === text) ?? null;
  return node.parsedText(parse, 'a choice', EXCLUDED_IN_GRAPH) ?? undefined;
}

/**
 * With `['4.11', '4.12.1', '>=4.14.0 <4.14.5']`, matches 4.11.9, 4.12.1 and 4.14.3. Ranges include the pre-releases
 * between their ends.
 */
export function ignoredTest(
  entries: readonly string[],
): (release: { readonly upstreamVersion: string; readonly minor: Minor }) => boolean {
  const exact = new Set(entries);
  const ranges = entries.map(parseRange).filter((range) => range !== null);
  return ({ upstreamVersion, minor }) =>
    exact.has(upstreamVersion) || exact.has(minor) || ranges.some((range) => range.test(upstreamVersion));
}

/** The same test for parsed versions. */
export function excludedTest(entries: readonly string[]): (version: ReleaseVersion) => boolean {
  const isIgnored = ignoredTest(entries);
  return (version) => isIgnored({ upstreamVersion: version.raw, minor: minorOf(version) });
}

function parseIgnored(text: string): string | null {
  if (parseMinor(text) !== null) return text;
  // Rejected: it would appear to hide the multi release only.
  if (parseVersion(text) !== null) return isMultiVersion(text) ? null : text;
  return parseRange(text) && text;
}

/** Requires an operator: `4`, `*` or an empty text would be ranges that hide nearly everything. */
function parseRange(text: string): Range | null {
  if (!/^[<>=~^]/.test(text) || text.length > MAX_LENGTH) return null;
  try {
    return new Range(text, { includePrerelease: true });
  } catch {
    return null;
  }
}
