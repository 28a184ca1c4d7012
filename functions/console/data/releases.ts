import type { ChannelIndex } from '@cairn/shared/graph/channel-index';
import { EMPTY_GRAPH, type ReleaseGraph } from '@cairn/shared/graph/graph';
import { readServedGraph, type ServedGraph } from '@cairn/shared/graph/served-graph';
import { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import { prepareGraph, type PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { KnownReleases } from '@cairn/shared/path/question';
import { listedCalendar, type MinorSupport, type SupportCalendar } from '@cairn/shared/releases/lifecycle';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { getJson } from './api.ts';
import type { SupportAnswer, SyncAnswer } from './responses.ts';
import { noteFreshness, type Freshness } from './status.ts';
import { fetchKept, useQuery, type Resource } from './use-query.ts';

interface LoadedGraph extends Freshness {
  readonly graph: ReleaseGraph;
}

/** Releases of one architecture for the solver; reads graphs on demand. */
export interface PageReleases extends KnownReleases {
  readonly index: ChannelIndex;
  readonly calendar: SupportCalendar;
  /** Expects channels that were prepared before. */
  readonly freshnessOf: (channels: readonly string[]) => Freshness;
}

const PREPARED_KEPT = 8;

/** Reads every graph at most once. */
async function openReleases(arch: Arch, signal?: AbortSignal): Promise<PageReleases> {
  const [index, calendar] = await Promise.all([readIndex(arch, signal), readCalendar(signal)]);
  const graphs = new Map<string, Promise<LoadedGraph>>();
  const loaded = new Map<string, LoadedGraph>();
  const prepared = new Map<string, PreparedGraph>();
  const directory = new ChannelDirectory(index);

  const graphOf = (channel: string): Promise<LoadedGraph> => {
    const pending = graphs.get(channel) ?? loadGraph(channel, arch);
    graphs.set(channel, pending);
    pending.then(
      (graph) => loaded.set(channel, graph),
      // Allow the next request to retry.
      () => graphs.delete(channel),
    );
    return pending;
  };

  return {
    arch,
    index,
    calendar,
    directory,
    async prepare(channels) {
      const read = await Promise.all(channels.map(graphOf));
      const key = channels.join(' ');
      const known =
        prepared.get(key) ??
        prepareGraph(
          channels.map((channel, at) => ({ channel, graph: read[at]!.graph })),
          directory.excluded,
        );
      prepared.delete(key);
      prepared.set(key, known);
      for (const oldest of prepared.keys()) if (prepared.size > PREPARED_KEPT) prepared.delete(oldest);
      return known;
    },
    elsewhere: () =>
      Promise.all(
        ARCHES.filter((other) => other !== arch).map(async (other) => ({
          arch: other,
          directory: new ChannelDirectory(await readIndex(other)),
        })),
      ),
    freshnessOf(channels) {
      const known = channels.flatMap((channel) => loaded.get(channel) ?? []);
      return {
        syncedAt: known.flatMap(({ syncedAt }) => syncedAt ?? []).toSorted()[0] ?? null,
        stale: known.some(({ stale }) => stale),
      };
    },
  };
}

async function readIndex(arch: Arch, signal?: AbortSignal): Promise<ChannelIndex> {
  return (await fetchKept<ChannelIndex>(`/v1/channel-index/${arch}`, signal)).body;
}

export async function readCalendar(signal?: AbortSignal): Promise<SupportCalendar> {
  const { body } = await fetchKept<SupportAnswer>('/v1/support', signal);
  return listedCalendar(body.minors as MinorSupport[]);
}

async function loadGraph(channel: string, arch: Arch): Promise<LoadedGraph> {
  const address = `/api/upgrades_info/v1/graph?channel=${channel}&arch=${arch}`;
  const { body, headers } = await fetchKept<ServedGraph>(address);
  return {
    graph: body.nodes.length === 0 ? EMPTY_GRAPH : readServedGraph(body),
    syncedAt: headers.get('x-graph-synced-at'),
    stale: headers.get('x-graph-stale') === 'true',
  };
}

/** Equals the cache time of the responses. */
const KEPT_MS = 60_000;
let last: { readonly arch: Arch; readonly at: number; readonly releases: PageReleases } | undefined;

/** Shares recent releases between views. */
export function useReleases(arch: Arch): Resource<PageReleases> {
  return useQuery(`releases ${arch}`, async (signal) => {
    if (last?.arch === arch && Date.now() - last.at < KEPT_MS) return last.releases;
    const releases = await openReleases(arch, signal);
    last = { arch, at: Date.now(), releases };
    return releases;
  });
}

/** Also updates the age in the header. */
export function useGraph(releases: PageReleases, channel: string): Resource<PreparedGraph> {
  return useQuery(`${channel} ${releases.arch}`, async () => {
    const graph = await releases.prepare([channel]);
    noteFreshness(releases.freshnessOf([channel]));
    return graph;
  });
}

let pending: Promise<SyncAnswer> | undefined;

/** Null if unknown or not permitted. All callers share one request. */
export function useSync(): SyncAnswer | null {
  return useQuery('sync', readSync).value;
}

function readSync(): Promise<SyncAnswer> {
  const asked = (pending ??= getJson<SyncAnswer>('/v1/sync'));
  // Allow the next caller to retry.
  asked.catch(() => (pending = undefined));
  return asked;
}
