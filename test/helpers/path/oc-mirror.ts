import compare from 'semver/functions/compare.js';
import { parse } from 'yaml';

/** Graph of a channel as an update service answers it. oc-mirror ignores conditional updates. */
export interface ChannelAnswer {
  readonly nodes: readonly { readonly version: string; readonly payload: string }[];
  readonly edges: readonly (readonly [number, number])[];
}

/** Null for a channel that does not exist on the architecture, for which the service answers an empty graph. */
export type GraphSource = (channel: string, arch: string) => ChannelAnswer | null;

export interface ChannelEntry {
  readonly name: string;
  readonly minVersion?: string;
  readonly maxVersion?: string;
  readonly shortestPath?: boolean;
  readonly full?: boolean;
}

interface Release {
  readonly version: string;
  readonly payload: string;
}

export interface Resolution {
  /** Each image once, oldest version first; of a failed run, those that were found. */
  readonly releases: readonly Release[];
  /** Message that ends the run; null if there is none. */
  readonly error: string | null;
}

/** Restates how oc-mirror v2 (July 2026) selects the releases of an ImageSetConfiguration. */
export function resolveReleases(
  arches: readonly string[],
  channels: readonly ChannelEntry[],
  source: GraphSource,
): Resolution {
  const found = new Map<string, Release>();
  const errors: string[] = [];
  // oc-mirror keeps the ends that it finds on one architecture for the next.
  let entries = channels;
  for (const arch of arches) {
    const solver = new ArchSolver(arch, source);
    const outcome = solver.entries(entries);
    entries = outcome.entries;
    for (const release of outcome.releases) found.set(release.payload, release);
    errors.push(...outcome.errors);
  }
  const releases = [...found.values()].toSorted((a, b) => compare(a.version, b.version));
  if (releases.length === 0 && channels.length > 0) return { releases, error: 'no release images found' };
  return { releases, error: errors.length === 0 ? null : `error list [${errors.join(' ')}]` };
}

class ResolutionError extends Error {
  override readonly name = 'ResolutionError';
}

/** `current` and `requested` are mirrored even without a path between them. */
interface Updates {
  readonly current?: Release;
  readonly requested: Release;
  readonly updates: readonly Release[];
}

type EntryWithEnds = ChannelEntry & Required<Pick<ChannelEntry, 'minVersion' | 'maxVersion'>>;

class ArchSolver {
  readonly #arch: string;
  readonly #source: GraphSource;

  constructor(arch: string, source: GraphSource) {
    this.#arch = arch;
    this.#source = source;
  }

  entries(channels: readonly ChannelEntry[]) {
    const releases: Release[] = [];
    const errors: string[] = [];
    const attempt = (prefix: string, action: () => void): void => {
      try {
        action();
      } catch (error) {
        if (!(error instanceof ResolutionError)) throw error;
        errors.push(`${prefix}${error.message}`);
      }
    };
    const entries = [...channels];
    for (const [index, channel] of channels.entries()) {
      attempt('', () => {
        const entry = this.#withEnds(channel);
        entries[index] = entry;
        releases.push(...this.#ofEntry(entry));
      });
    }
    if (entries.length > 1) {
      attempt('error calculating cross channel upgrades: ', () => releases.push(...this.#across(entries)));
    }
    return { releases, errors, entries };
  }

  /** Without ends, only the newest release; `full` and a single end fill in the ends of the channel. */
  #withEnds(channel: ChannelEntry): EntryWithEnds {
    const { name, minVersion, maxVersion, full = false } = channel;
    const newest = maxVersion ?? this.#end(name, 'newest');
    const isHeadOnly = minVersion === undefined && maxVersion === undefined && !full;
    const oldest = minVersion ?? (isHeadOnly ? newest : this.#end(name, 'oldest'));
    return { ...channel, minVersion: oldest, maxVersion: newest };
  }

  #ofEntry({ name, minVersion, maxVersion, shortestPath = false }: EntryWithEnds): Release[] {
    if (shortestPath) return mirrored(this.#shortestPath(name, minVersion, maxVersion));
    return this.#graph(name).nodes.filter(
      ({ version }) => compare(version, minVersion) >= 0 && compare(version, maxVersion) <= 0,
    );
  }

  /** Between the oldest and the newest release of all entries. */
  #across(entries: readonly ChannelEntry[]): Release[] {
    const endsOf = (which: 'minVersion' | 'maxVersion', name: string) =>
      entries.map((entry) => {
        const version = entry[which];
        if (version !== undefined) return { channel: entry.name, version };
        throw new ResolutionError(`failed to find ${name} release version: Version string empty`);
      });
    const ascending = (a: { readonly version: string }, b: { readonly version: string }) =>
      compare(a.version, b.version);
    const first = endsOf('minVersion', 'minimum').toSorted(ascending)[0]!;
    const last = endsOf('maxVersion', 'maximum').toSorted(ascending).at(-1)!;
    try {
      return mirrored(this.#upgrades(first, last));
    } catch (error) {
      if (!(error instanceof ResolutionError)) throw error;
      throw new ResolutionError(`failed to get upgrade graph: ${error.message}`);
    }
  }

  #upgrades(
    first: { readonly channel: string; readonly version: string },
    last: { readonly channel: string; readonly version: string },
  ): Updates {
    if (first.channel === last.channel) return this.#shortestPath(last.channel, first.version, last.version);
    if (minorOf(first.channel).join() === minorOf(last.channel).join()) {
      const from = this.#holds(last.channel, first.version) ? first.version : last.version;
      return this.#shortestPath(last.channel, from, last.version);
    }
    let before: Updates;
    let newest: string;
    try {
      newest = this.#end(first.channel, 'newest');
      before = this.#shortestPath(first.channel, first.version, newest);
    } catch (error) {
      if (!(error instanceof ResolutionError)) throw error;
      throw new ResolutionError(`channel "${first.channel}": ${error.message}`);
    }
    const { requested, updates } = this.#throughMinors(first.channel, last, newest);
    return { current: before.current!, requested, updates: [...before.updates, ...updates] };
  }

  /** Counts minors up from those of the first channel, to the newest release of each channel on the way. */
  #throughMinors(
    channel: string,
    last: { readonly channel: string; readonly version: string },
    from: string,
  ): Updates {
    const [major, minor] = minorOf(channel);
    const next = [major, minor + 1] as const;
    const isLast = next.join() === minorOf(last.channel).join();
    const name = isLast ? last.channel : `${channel.slice(0, channel.lastIndexOf('-'))}-${next.join('.')}`;
    const to = isLast ? last.version : this.#end(name, 'newest');
    if (!this.#holds(name, from)) {
      const { requested } = this.#shortestPath(last.channel, to, to);
      return { requested, updates: [] };
    }
    const here = this.#shortestPath(name, from, to);
    if (isLast) return here;
    const rest = this.#throughMinors(name, last, to);
    return { requested: rest.requested, updates: [...here.updates, ...rest.updates] };
  }

  /** Breadth first, the newest neighbor first. No updates without a path. */
  #shortestPath(channel: string, from: string, to: string): Required<Updates> {
    const { nodes, edges } = this.#graph(channel);
    const indexOf = (version: string, role: string): number => {
      const index = nodes.findIndex((node) => compare(node.version, version) === 0);
      if (index >= 0) return index;
      throw new ResolutionError(
        `VersionNotFound: ${role} version ${version} not found in the "${channel}" channel`,
      );
    };
    const start = indexOf(from, 'current');
    const end = indexOf(to, 'requested');
    const targets = Map.groupBy(edges, ([source]) => source);
    const previous = new Map<number, number | null>([[start, null]]);
    for (const [node] of previous) {
      if (node === end) break;
      const neighbors = (targets.get(node) ?? [])
        .map(([, target]) => target)
        .toSorted((a, b) => compare(nodes[b]!.version, nodes[a]!.version));
      for (const neighbor of neighbors) if (!previous.has(neighbor)) previous.set(neighbor, node);
    }
    const updates: Release[] = [];
    for (let node = previous.has(end) ? end : null; node !== null; node = previous.get(node)!) {
      updates.unshift(nodes[node]!);
    }
    return { current: nodes[start]!, requested: nodes[end]!, updates };
  }

  #end(channel: string, which: 'oldest' | 'newest'): string {
    const versions = this.#graph(channel)
      .nodes.map(({ version }) => version)
      .toSorted(compare);
    const version = which === 'oldest' ? versions[0] : versions.at(-1);
    if (version !== undefined) return version;
    throw new ResolutionError(
      `NoVersionsFound: no cluster versions found for "${this.#arch}" in the "${channel}" channel`,
    );
  }

  #holds(channel: string, version: string): boolean {
    const { nodes } = this.#graph(channel);
    if (nodes.length === 0) {
      throw new ResolutionError(`NoVersionsFound: no cluster versions found in the "${channel}" channel`);
    }
    return nodes.some((node) => compare(node.version, version) === 0);
  }

  #graph(channel: string): ChannelAnswer {
    return this.#source(channel, this.#arch) ?? { nodes: [], edges: [] };
  }
}

function mirrored({ current, requested, updates }: Updates): Release[] {
  return [...updates, ...(current ? [current] : []), requested];
}

function minorOf(channel: string): readonly [number, number] {
  const [major = Number.NaN, minor = Number.NaN] = channel
    .slice(channel.lastIndexOf('-') + 1)
    .split('.')
    .map(Number);
  if (!Number.isNaN(major + minor)) return [major, minor];
  throw new ResolutionError(`invalid channel name ${channel}`);
}

/** Fields of the types of v2alpha1 that Cairn writes; oc-mirror rejects any other. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  '': ['kind', 'apiVersion', 'mirror'],
  mirror: ['platform', 'operators'],
  'mirror.platform': ['architectures', 'graph', 'channels'],
  'mirror.platform.channels': ['name', 'type', 'minVersion', 'maxVersion', 'shortestPath', 'full'],
  'mirror.operators': ['catalog', 'packages'],
  'mirror.operators.packages': ['name', 'defaultChannel', 'channels'],
  'mirror.operators.packages.channels': ['name'],
};

interface Configuration {
  readonly architectures: readonly string[];
  readonly channels: readonly ChannelEntry[];
  readonly catalogs: readonly string[];
}

/** Reads a file as the strict loader of oc-mirror does; throws where that rejects it. */
export function loadImageSet(text: string): Configuration {
  const document = parse(text, { uniqueKeys: true }) as {
    readonly kind?: unknown;
    readonly apiVersion?: unknown;
    readonly mirror?: {
      readonly platform?: { readonly architectures?: unknown; readonly channels?: unknown };
      readonly operators?: readonly { readonly catalog: string }[];
    } | null;
  };
  refuseUnknown(document, '');
  if (document.kind !== 'ImageSetConfiguration') throw new Error('configuration missing `kind`');
  if (document.apiVersion !== 'mirror.openshift.io/v2alpha1') throw new Error('unknown apiVersion');
  if (document.mirror === undefined) throw new Error('configuration missing the `mirror` stanza');
  const { platform = {}, operators = [] } = document.mirror ?? {};
  const channels = (platform.channels ?? []) as readonly (ChannelEntry & { readonly type?: string })[];
  const catalogs = operators.map(({ catalog }) => catalog);
  for (const { type } of channels) if (type !== 'ocp') throw new Error(`invalid platform type ${type}`);
  for (const names of [channels.map(({ name }) => name), catalogs]) {
    if (new Set(names).size < names.length) throw new Error(`duplicate found in ${names.join(', ')}`);
  }
  const architectures = (platform.architectures ?? []) as readonly string[];
  return { architectures, channels, catalogs };
}

function refuseUnknown(value: unknown, path: string): void {
  if (Array.isArray(value)) for (const item of value) refuseUnknown(item, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (!FIELDS[path]?.includes(name)) throw new Error(`unknown field ${path}.${name}`);
    const inner = path === '' ? name : `${path}.${name}`;
    if (FIELDS[inner] !== undefined) refuseUnknown(member, inner);
    else if (typeof member === 'object' && name !== 'architectures') throw new Error(`${inner} is an object`);
  }
}

/** Images that oc-mirror mirrors by these files, one after the other, per architecture. */
export function resolveFiles(texts: readonly string[], source: GraphSource): Map<string, Set<string>> {
  const images = new Map<string, Set<string>>();
  for (const { architectures, channels } of texts.map(loadImageSet)) {
    if (channels.length > 1) throw new Error('a second channel makes oc-mirror add releases');
    for (const arch of architectures) {
      const { releases, error } = resolveReleases([arch], channels, source);
      if (error !== null) throw new Error(`${arch} ${JSON.stringify(channels)}: ${error}`);
      const known = images.get(arch) ?? new Set();
      for (const { payload } of releases) known.add(payload);
      images.set(arch, known);
    }
  }
  return images;
}
