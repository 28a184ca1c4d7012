import { groupBy } from '../collection/group-by.ts';
import type { InputValue } from '../input/input-value.ts';
import { quoteValue } from '../text/quote.ts';
import {
  ARCH_NAMES,
  CPU_ARCHITECTURES,
  parseCpuArchitecture,
  type CpuArchitecture,
} from '../version/arch.ts';
import { compareMinors, parseMinor, type Minor } from '../version/minor.ts';
import { CHANNEL_NAMES, type ChannelName } from './values.ts';

/** Possible contents of a multi release image. */
export const SINGLE_ARCHITECTURES: readonly CpuArchitecture[] = CPU_ARCHITECTURES.filter(
  (cpu) => cpu !== 'multi',
);

/** The installers' name comes first. */
export const ARCHITECTURE_NAMES = ['x86_64', ...ARCH_NAMES.filter((name) => name !== 'x86_64')];
const SINGLE_ARCHITECTURE_NAMES = ARCHITECTURE_NAMES.filter((name) => name !== 'multi');

export const A_MINOR = 'a minor as text, such as "4.14"';

/** Channels to follow for one minor, normalized: one entry per minor and architecture. */
export interface ReleaseSource {
  readonly minor: Minor;
  readonly multiCpuArchitectures: readonly CpuArchitecture[];
  readonly upgradeChannels: readonly {
    readonly cpuArchitecture: CpuArchitecture;
    readonly channels: readonly ChannelName[];
  }[];
}

/** Source in the format and spelling of the assisted-service configuration. */
export interface ReleaseSourceWire {
  readonly openshift_version: string;
  readonly multi_cpu_architectures: readonly string[];
  readonly upgrade_channels: readonly {
    readonly cpu_architecture: string;
    readonly channels: readonly string[];
  }[];
}

export interface ReleaseSources {
  readonly sources: readonly ReleaseSource[];
  /** Response of `/v2/release-sources`: entries in their order and spelling, with omitted architectures filled in. */
  readonly asConfigured: readonly ReleaseSourceWire[];
}

/**
 * Reads `release_sources`: an array (duplicate minors are merged) or an object keyed by minor.
 * `{"4.14": {"upgrade_channels": []}}` equals `[{"openshift_version": "4.14", "upgrade_channels": []}]`.
 */
export function readReleaseSources(node: InputValue): ReleaseSources {
  const entries = (Array.isArray(node.value) ? readList(node) : readKeyed(node)).filter(
    (entry) => entry !== null,
  );
  const byMinor = groupBy(entries, (entry) => entry.minor);
  const merged = new Map([...byMinor].map(([minor, same]) => [minor, merge(minor, same)]));
  return {
    sources: [...merged.values()].toSorted((a, b) => compareMinors(a.minor, b.minor)),
    asConfigured: entries.map(({ minor, multi, upgradeChannels }) => ({
      openshift_version: minor,
      multi_cpu_architectures: multi?.written ?? merged.get(minor)!.multiCpuArchitectures,
      upgrade_channels: upgradeChannels.map(({ written }) => written),
    })),
  };
}

/** Orders as in {@link SINGLE_ARCHITECTURES} and removes duplicates: `[s390x, x86_64, s390x]` → `[x86_64, s390x]`. */
export function sortArchitectures(cpus: Iterable<CpuArchitecture>): CpuArchitecture[] {
  const present = new Set(cpus);
  return CPU_ARCHITECTURES.filter((cpu) => present.has(cpu));
}

/** Architectures inside a multi release image; `multi` is a mistake there. */
export function readSingleArchitectures(node: InputValue): CpuArchitecture[] {
  const accepted = `an array of ${SINGLE_ARCHITECTURE_NAMES.join(', ')}`;
  const cpus = node
    .items(accepted)
    .map((item) =>
      item.parsedText(parseSingleArchitecture, 'a single architecture', SINGLE_ARCHITECTURE_NAMES),
    );
  return sortArchitectures(cpus.filter((cpu) => cpu !== null));
}

interface Entry {
  readonly minor: Minor;
  readonly multi: { readonly written: readonly string[]; readonly cpus: readonly CpuArchitecture[] } | null;
  readonly upgradeChannels: readonly (ReleaseSource['upgradeChannels'][number] & {
    readonly written: ReleaseSourceWire['upgrade_channels'][number];
  })[];
}

type Fields = ReadonlyMap<string, InputValue>;
const OPTIONAL = ['multi_cpu_architectures'];

function readList(node: InputValue): (Entry | null)[] {
  return node.items('an array of release sources').map((item) => {
    const required = ['openshift_version', 'upgrade_channels'];
    const fields: Fields = item.fields({ required, optional: OPTIONAL });
    return readEntry(fields.get('openshift_version')?.parsedText(parseMinor, 'a minor', A_MINOR), fields);
  });
}

function readKeyed(node: InputValue): (Entry | null)[] {
  return node.entries('an array of release sources, or an object keyed by minor').map(([key, item]) => {
    const minor = parseMinor(key);
    if (minor === null)
      item.refuse(`the key ${quoteValue(key)} is not a minor`, 'a minor such as "4.14"', key);
    return readEntry(minor, item.fields({ required: ['upgrade_channels'], optional: OPTIONAL }));
  });
}

function readEntry(minor: Minor | null | undefined, fields: Fields): Entry | null {
  const channels = fields.get('upgrade_channels')?.items('an array of upgrade channels');
  const upgradeChannels = channels?.map(readUpgradeChannels) ?? [];
  const multi = fields.get('multi_cpu_architectures');
  const cpus = multi && readSingleArchitectures(multi);
  if (!minor) return null;
  return {
    minor,
    multi: multi && cpus ? { written: multi.value as string[], cpus } : null,
    upgradeChannels: upgradeChannels.filter((entry) => entry !== null),
  };
}

function readUpgradeChannels(node: InputValue): Entry['upgradeChannels'][number] | null {
  const fields = node.fields({ required: ['cpu_architecture', 'channels'] });
  const cpuArchitecture = fields
    .get('cpu_architecture')
    ?.parsedText(parseCpuArchitecture, 'an architecture', ARCHITECTURE_NAMES);
  const channels = fields
    .get('channels')
    ?.items(`an array of ${CHANNEL_NAMES.join(', ')}`)
    .map((item) => item.parsedText(parseChannelName, 'a channel name', CHANNEL_NAMES));
  if (!cpuArchitecture || !channels) return null;
  return {
    cpuArchitecture,
    channels: channels.filter((channel) => channel !== null),
    // By name: the order of the two keys in the file is irrelevant.
    written: {
      cpu_architecture: fields.get('cpu_architecture')!.value as string,
      channels: fields.get('channels')!.value as string[],
    },
  };
}

function merge(minor: Minor, entries: readonly Entry[]): ReleaseSource {
  const lists = entries.flatMap(({ multi }) => (multi ? [multi.cpus] : []));
  const byArchitecture = groupBy(
    entries.flatMap(({ upgradeChannels }) => upgradeChannels),
    ({ cpuArchitecture }) => cpuArchitecture,
  );
  return {
    minor,
    multiCpuArchitectures: lists.length === 0 ? SINGLE_ARCHITECTURES : sortArchitectures(lists.flat()),
    upgradeChannels: sortArchitectures(byArchitecture.keys()).map((cpuArchitecture) => ({
      cpuArchitecture,
      channels: [...new Set(byArchitecture.get(cpuArchitecture)!.flatMap(({ channels }) => channels))],
    })),
  };
}

function parseSingleArchitecture(text: string): CpuArchitecture | null {
  const cpu = parseCpuArchitecture(text);
  return cpu === 'multi' ? null : cpu;
}

function parseChannelName(text: string): ChannelName | null {
  return CHANNEL_NAMES.find((name) => name === text) ?? null;
}
