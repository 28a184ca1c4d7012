import { CONFIGURATION, InputValue, type Mistake, notesIn } from '../input/input-value.ts';
import { readJson } from '../json/errors.ts';
import { archOf, ARCHES, type Arch } from '../version/arch.ts';
import { compareMinors, parseMinor, type Minor } from '../version/minor.ts';
import { readSupportDates, type SupportDateTable } from './lifecycle.ts';
import {
  A_MINOR,
  readReleaseSources,
  type ReleaseSource,
  type ReleaseSources,
  type ReleaseSourceWire,
} from './release-sources.ts';
import {
  readExcludedInGraph,
  readIgnoredVersions,
  readStaticReleases,
  type StaticRelease,
} from './static-releases.ts';
import { readSupportLevels, type SupportLevelTable } from './support.ts';
import { type ExcludedInGraph, EXCLUDING_SETTING } from './values.ts';

export interface ReleaseConfig {
  /** Sorted by minor, then architecture; channels in configured order. */
  readonly sources: readonly ReleaseSource[];
  readonly asConfigured: readonly ReleaseSourceWire[];
  readonly staticReleases: readonly StaticRelease[];
  readonly ignored: readonly string[];
  readonly excludedInGraph: ExcludedInGraph;
  readonly supportLevels: SupportLevelTable;
  /** Replace rows of the built-in life cycle. */
  readonly supportDates: SupportDateTable;
  readonly confirmRemoval: readonly Minor[];
}

export type ReleaseConfigReading =
  | { readonly ok: true; readonly config: ReleaseConfig }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/** File, parsed or as text, and the environment variables of assisted-service. */
export interface ReleaseConfigParts {
  readonly file?: unknown;
  readonly RELEASE_SOURCES?: string | undefined;
  readonly DYNAMIC_OPENSHIFT_RELEASES_CONFIG?: string | undefined;
  readonly RELEASE_IMAGES?: string | undefined;
  readonly IGNORED_OPENSHIFT_VERSIONS?: string | undefined;
}

export interface ConfigPair {
  readonly channel: string;
  readonly arch: Arch;
  readonly minor: Minor;
}

interface Sections {
  readonly release_sources?: ReleaseSources;
  readonly release_images?: readonly StaticRelease[];
  readonly [EXCLUDING_SETTING]?: readonly string[];
  readonly excluded_in_graph?: ExcludedInGraph;
  readonly support_levels?: SupportLevelTable;
  readonly support_dates?: SupportDateTable;
  readonly confirm_removal?: readonly Minor[];
}

type Key = keyof Sections;

interface Part {
  readonly source: string;
  readonly sections: Sections;
}

const READERS = {
  release_sources: readReleaseSources,
  release_images: readStaticReleases,
  [EXCLUDING_SETTING]: readIgnoredVersions,
  excluded_in_graph: readExcludedInGraph,
  support_levels: readSupportLevels,
  support_dates: readSupportDates,
  confirm_removal: readConfirmRemoval,
} as const satisfies Record<Key, (node: InputValue) => unknown>;
const KEYS = Object.keys(READERS) as Key[];

/** assisted-service has two names for the sources: the designed one and the implemented one. */
const VARIABLES = {
  RELEASE_SOURCES: 'release_sources',
  DYNAMIC_OPENSHIFT_RELEASES_CONFIG: 'release_sources',
  RELEASE_IMAGES: 'release_images',
  IGNORED_OPENSHIFT_VERSIONS: EXCLUDING_SETTING,
} as const satisfies Partial<Record<keyof ReleaseConfigParts, Key>>;

/** Reports all mistakes at once. Every key is optional: `{}` follows nothing and hides nothing. */
export function parseReleaseConfig(input: unknown): ReleaseConfigReading {
  const mistakes: Mistake[] = [];
  const sections = readFile(configValue(input, 'file', mistakes));
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, config: assemble(sections) };
}

/**
 * Combines the file with the variables. If both set a section, they must agree in meaning: otherwise an edit of one
 * would have no effect. Blank variables count as unset.
 */
export function combineReleaseConfig(parts: ReleaseConfigParts): ReleaseConfigReading {
  const mistakes: Mistake[] = [];
  const given: Part[] = [];
  const file = typeof parts.file === 'string' ? readText('file', parts.file, mistakes) : parts.file;
  if (file !== undefined) {
    given.push({ source: 'file', sections: readFile(configValue(file, 'file', mistakes)) });
  }
  for (const [source, key] of Object.entries(VARIABLES)) {
    const text = parts[source as keyof typeof VARIABLES];
    if (text === undefined || text.trim() === '') continue;
    const value = readText(source, text, mistakes);
    if (value === undefined) continue;
    given.push({ source, sections: readSection(key, configValue(value, source, mistakes)) });
  }

  // The meaning of a faulty part is unknown, so only valid parts can contradict each other.
  const faulty = new Set(mistakes.map(({ source }) => source));
  const sound = given.filter(({ source }) => !faulty.has(source));
  mistakes.push(...KEYS.flatMap((key) => findContradictions(key, sound)));
  if (mistakes.length > 0) return { ok: false, mistakes };
  // The first wins; the others agree with it.
  const sections = given.reduceRight<Sections>((all, part) => ({ ...all, ...part.sections }), {});
  return { ok: true, config: assemble(sections) };
}

/** Without duplicates: `{channel: 'stable-4.14', arch: 'amd64', minor: '4.14'}`. */
export function configPairs(config: Pick<ReleaseConfig, 'sources'>): ConfigPair[] {
  const pairs = config.sources.flatMap(({ minor, upgradeChannels }) =>
    upgradeChannels.flatMap(({ cpuArchitecture, channels }) =>
      channels.map((channel) => ({ channel: `${channel}-${minor}`, arch: archOf(cpuArchitecture), minor })),
    ),
  );
  return pairs.toSorted(
    (a, b) =>
      compareMinors(a.minor, b.minor) ||
      ARCHES.indexOf(a.arch) - ARCHES.indexOf(b.arch) ||
      (a.channel < b.channel ? -1 : 1),
  );
}

function assemble(sections: Sections): ReleaseConfig {
  return {
    sources: sections.release_sources?.sources ?? [],
    asConfigured: sections.release_sources?.asConfigured ?? [],
    staticReleases: sections.release_images ?? [],
    ignored: sections[EXCLUDING_SETTING] ?? [],
    excludedInGraph: sections.excluded_in_graph ?? 'withhold',
    supportLevels: sections.support_levels ?? {},
    supportDates: sections.support_dates ?? {},
    confirmRemoval: sections.confirm_removal ?? [],
  };
}

function configValue(value: unknown, source: string, mistakes: Mistake[]): InputValue {
  return new InputValue(value, notesIn(mistakes, CONFIGURATION), { source });
}

function readFile(root: InputValue): Sections {
  const sections = [...root.fields({ optional: KEYS })].map(([key, node]) => readSection(key, node));
  return Object.assign({}, ...sections) as Sections;
}

function readSection(key: Key, node: InputValue): Sections {
  return { [key]: READERS[key](node) };
}

function readConfirmRemoval(node: InputValue): readonly Minor[] {
  const minors = node
    .items(`an array, each ${A_MINOR}`)
    .map((item) => item.parsedText(parseMinor, 'a minor', A_MINOR));
  return [...new Set(minors.filter((minor) => minor !== null))].toSorted(compareMinors);
}

function readText(source: string, text: string, mistakes: Mistake[]): unknown {
  const reading = readJson(text);
  if (reading.ok) return reading.value;
  const detail = `not JSON at ${reading.where}: ${reading.problem}`;
  mistakes.push({ source, pointer: '', detail, accepted: 'JSON' });
  return undefined;
}

function findContradictions(key: Key, parts: readonly Part[]): Mistake[] {
  const [first, ...others] = parts.filter(({ sections }) => sections[key] !== undefined);
  if (!first) return [];
  const place = first.source === 'file' ? `${key} of the file` : first.source;
  return others
    .filter((other) => meaningOf(key, other.sections) !== meaningOf(key, first.sections))
    .map(({ source }) => ({
      source,
      pointer: '',
      detail: `${source} and ${place} differ`,
      accepted: 'the same value in both, or one of them alone',
    }));
}

/** Independent of the spelling. */
function meaningOf(key: Key, sections: Sections): string {
  return JSON.stringify(key === 'release_sources' ? sections.release_sources?.sources : sections[key]);
}
