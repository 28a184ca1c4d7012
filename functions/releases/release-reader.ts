import type { ChannelIndex } from '@cairn/shared/graph/channel-index';
import { EMPTY_GRAPH, type ReleaseGraph } from '@cairn/shared/graph/graph';
import { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import { prepareGraph, type PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { KnownReleases } from '@cairn/shared/path/question';
import type { ListedRelease } from '@cairn/shared/releases/catalogue';
import { pairName } from '@cairn/shared/releases/channel';
import type { SupportSettings } from '@cairn/shared/releases/lifecycle';
import type { RiskIndex } from '@cairn/shared/risk/risk-index';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { PUBLICATION_NAME } from '../store/keys.ts';
import {
  type CachedPublication,
  contentHash,
  type Documents,
  perRevision,
} from '../store/publication-cache.ts';
import { supportSettings } from './configuration.ts';
import { storedGraph } from './stored-graph.ts';
import { isStale, type KnownPairs, notSyncedYet } from './sync-state.ts';

/** Joined graphs cached in a warm function; one of all channels of an architecture takes a few megabytes. */
const KEPT = 16;

const NO_RISKS: RiskIndex = { risks: [], queries: {} };

type GraphDocument = CachedPublication<unknown>;

const directoryOf = perRevision(({ value }: CachedPublication<ChannelIndex>) => new ChannelDirectory(value));

/** Keeps derived values for as long as the cache has the revision of their publication. */
export class ReleaseReader {
  readonly #documents: Documents;
  readonly #graphs = new WeakMap<GraphDocument, ReleaseGraph>();
  /** By architecture, channels, entity tags and excluded versions; least recently used first. */
  readonly #prepared = new Map<string, PreparedGraph>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Every risk of the followed channels. */
  async risks(): Promise<RiskIndex> {
    // A sync of an earlier version published none.
    return (await this.#documents.get<RiskIndex>(PUBLICATION_NAME.risks))?.value ?? NO_RISKS;
  }

  /** Releases of an architecture as of now: a snapshot reads every graph at most once. */
  async snapshot(arch: Arch): Promise<ReleaseSnapshot> {
    const read = new Map<string, Promise<GraphDocument | null>>();
    const graphDocument = (channel: string): Promise<GraphDocument | null> => {
      const pending = read.get(channel) ?? this.#documents.get(PUBLICATION_NAME.graph(channel, arch));
      read.set(channel, pending);
      return pending;
    };
    const directory = await this.#directory(arch);
    return {
      arch,
      directory,
      support: () => supportSettings(this.#documents),
      risks: () => this.risks(),
      prepare: async (channels) => {
        const documents = await Promise.all(channels.map(graphDocument));
        return this.#prepare({ arch, directory }, channels, documents);
      },
      elsewhere: async () => {
        const others = ARCHES.filter((other) => other !== arch);
        return Promise.all(
          others.map(async (other) => ({ arch: other, directory: await this.#directory(other) })),
        );
      },
      entityTag: async (channel) => {
        const document = await graphDocument(channel);
        return document && contentHash(document);
      },
    };
  }

  async #directory(arch: Arch): Promise<ChannelDirectory> {
    const document = await this.#documents.get<ChannelIndex>(PUBLICATION_NAME.channelIndex(arch));
    if (!document) throw notSyncedYet();
    return directoryOf(document);
  }

  #prepare(
    { arch, directory }: Pick<ReleaseSnapshot, 'arch' | 'directory'>,
    channels: readonly string[],
    documents: readonly (GraphDocument | null)[],
  ): PreparedGraph {
    const graphs = channels.map((name, at) => `${name} ${documents[at]?.head.etag ?? ''}`);
    const key = [arch, ...graphs, ...directory.excluded].join(' ');
    const prepared =
      this.#prepared.get(key) ??
      prepareGraph(
        channels.map((channel, at) => ({
          channel,
          graph: this.#graph(channel, arch, documents[at] ?? null),
        })),
        directory.excluded,
      );
    this.#prepared.delete(key);
    this.#prepared.set(key, prepared);
    for (const oldest of this.#prepared.keys()) {
      if (this.#prepared.size <= KEPT) break;
      this.#prepared.delete(oldest);
    }
    return prepared;
  }

  /** A removed channel stays in the index slightly longer than its graph. */
  #graph(channel: string, arch: Arch, document: GraphDocument | null): ReleaseGraph {
    if (!document) return EMPTY_GRAPH;
    const graph = this.#graphs.get(document) ?? storedGraph(document.body, { channel, arch });
    this.#graphs.set(document, graph);
    return graph;
  }
}

export interface ReleaseSnapshot extends KnownReleases {
  /** Read on demand: paths do not need it. */
  readonly support: () => Promise<SupportSettings>;
  readonly risks: () => Promise<RiskIndex>;
  /** Start of the entity tag of a channel's graph; null if there is no graph. */
  readonly entityTag: (channel: string) => Promise<string | null>;
}

/** Freshness of the graphs behind a response. */
export interface GraphFreshness {
  /** Time of the graph with the oldest sync. */
  readonly syncedAt: string | null;
  readonly stale: boolean;
  /** Start of the entity tags of these graphs. */
  readonly etag: string;
}

export interface FreshnessSources {
  readonly states: KnownPairs;
  readonly clock: () => number;
  readonly sync: { readonly intervalMs: number };
}

export async function graphFreshness(
  channels: readonly string[],
  snapshot: ReleaseSnapshot,
  { states, clock, sync }: FreshnessSources,
): Promise<GraphFreshness> {
  const graphs = await Promise.all(
    channels.map(async (channel) => ({
      etag: await snapshot.entityTag(channel),
      syncedAt: (await states.get(pairName(channel, snapshot.arch)))?.lastSuccessAt ?? null,
    })),
  );
  return {
    etag: graphs.flatMap(({ etag }) => etag ?? []).join(', '),
    syncedAt: graphs.flatMap(({ syncedAt }) => syncedAt ?? []).toSorted()[0] ?? null,
    stale: graphs.some(({ syncedAt }) => isStale({ lastSuccessAt: syncedAt }, clock(), sync.intervalMs)),
  };
}

/** Publication `catalogue`: installable releases, newest first. */
export interface PublishedCatalogue {
  readonly releases: readonly ListedRelease[];
  /** Static releases that the configuration ignores; absent without any. */
  readonly excluded?: readonly ListedRelease[];
}
