import type { ChannelIndex } from '@cairn/shared/graph/channel-index';
import { EMPTY_GRAPH, type ReleaseGraph } from '@cairn/shared/graph/graph';
import { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import { prepareGraph, type PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { KnownReleases } from '@cairn/shared/path/question';
import type { ListedRelease } from '@cairn/shared/releases/catalogue';
import { pairName } from '@cairn/shared/releases/channel';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { ExpectedError } from '../runtime/errors.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import { type CachedPublication, contentHash, type Documents } from '../store/publication-cache.ts';
import type { KnownPairs } from './freshness.ts';
import { storedGraph } from './stored-graph.ts';
import { isStale } from './sync-state.ts';

export function notSyncedYet(): ExpectedError {
  return new ExpectedError('not-synced-yet', 'the first sync has not finished yet, try again in a minute', {
    retryAfterSeconds: 60,
  });
}

/** Joined graphs that a warm function keeps; one of all channels of an architecture is a few megabytes. */
const KEPT = 16;

type GraphDocument = CachedPublication<unknown>;

/** What is made of documents is kept beside them for as long as the cache holds their revision. */
export class ReleaseReader {
  readonly #documents: Documents;
  readonly #directories = new WeakMap<CachedPublication<ChannelIndex>, ChannelDirectory>();
  readonly #graphs = new WeakMap<GraphDocument, ReleaseGraph>();
  /** By architecture, channels and entity tags; the least recently used first. */
  readonly #prepared = new Map<string, PreparedGraph>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** The releases of an architecture as they are now: within one snapshot every graph is read at most once. */
  async snapshot(arch: Arch): Promise<ReleaseSnapshot> {
    const read = new Map<string, Promise<GraphDocument | null>>();
    const graphDocument = (channel: string): Promise<GraphDocument | null> => {
      const pending = read.get(channel) ?? this.#documents.get(PUBLICATION_NAME.graph(channel, arch));
      read.set(channel, pending);
      return pending;
    };
    return {
      arch,
      directory: await this.#directory(arch),
      prepare: async (channels) => {
        const documents = await Promise.all(channels.map(graphDocument));
        return this.#prepare(arch, channels, documents);
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
    const directory = this.#directories.get(document) ?? new ChannelDirectory(document.value);
    this.#directories.set(document, directory);
    return directory;
  }

  #prepare(
    arch: Arch,
    channels: readonly string[],
    documents: readonly (GraphDocument | null)[],
  ): PreparedGraph {
    const key = [arch, ...channels.map((name, at) => `${name} ${documents[at]?.head.etag ?? ''}`)].join(' ');
    const prepared =
      this.#prepared.get(key) ??
      prepareGraph(
        channels.map((channel, at) => ({
          channel,
          graph: this.#graph(channel, arch, documents[at] ?? null),
        })),
      );
    this.#prepared.delete(key);
    this.#prepared.set(key, prepared);
    for (const oldest of this.#prepared.keys()) {
      if (this.#prepared.size <= KEPT) break;
      this.#prepared.delete(oldest);
    }
    return prepared;
  }

  /** The index names a channel a moment longer than its graph is there when it leaves the configuration. */
  #graph(channel: string, arch: Arch, document: GraphDocument | null): ReleaseGraph {
    if (!document) return EMPTY_GRAPH;
    const graph = this.#graphs.get(document) ?? storedGraph(document.body, { channel, arch });
    this.#graphs.set(document, graph);
    return graph;
  }
}

export interface ReleaseSnapshot extends KnownReleases {
  /** With what the entity tag of a channel's graph begins; null when it has none. */
  readonly entityTag: (channel: string) => Promise<string | null>;
}

/** How fresh the graphs are that an answer comes from. */
export interface GraphFreshness {
  /** Of the one that was renewed longest ago. */
  readonly syncedAt: string | null;
  readonly stale: boolean;
  /** What their entity tags begin with. */
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

/** The document `catalogue`: what may be installed, newest first. */
export interface PublishedCatalogue {
  readonly releases: readonly ListedRelease[];
}

/** The document `configuration`: what queries need of the configuration in force. */
export interface PublishedConfiguration {
  readonly releaseSources: ReleaseConfig['asConfigured'];
  /** The pairs that are followed, `stable-4.14/amd64`. */
  readonly pairs: readonly string[];
}
