import type { IndexedChannel } from '@cairn/shared/graph/channel-index';
import { listRisks, type ServedGraph } from '@cairn/shared/graph/served-graph';
import { type Channel, compareChannels, pairName, parseChannel } from '@cairn/shared/releases/channel';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { CompressedContent } from '../http/compressed-content.ts';
import { endpoints, type Call } from '../http/endpoint.ts';
import { decodeCursor, encodeCursor, limitOf } from '../http/pagination.ts';
import { JSON_TYPE } from '../http/reply.ts';
import { REVALIDATED } from '../releases/cache-headers.ts';
import { archParameter, followedChannel, readIndexes } from '../releases/followed-channels.ts';
import {
  heldView,
  isStale,
  type KnownPairs,
  notSyncedYet,
  type SyncSettings,
} from '../releases/sync-state.ts';
import { weakEntityTag } from '../runtime/hash.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import { contentHash, type Documents, perRevision } from '../store/publication-cache.ts';
import type { Table } from '../store/table.ts';
import { listChangesBefore, changesPlace, changesCursor } from './changes.ts';
import type { ChannelRouteId } from './routes.ts';

interface ChannelDependencies {
  readonly table: Table;
  readonly documents: Documents;
  readonly states: KnownPairs;
  readonly clock: () => number;
  readonly sync: SyncSettings;
}

export function channelEndpoints({ table, documents, states, clock, sync }: ChannelDependencies) {
  return endpoints({
    listChannels: listChannels(documents),
    getChannelIndex: getChannelIndex(documents),
    getChannel: getChannel(documents, states, clock, sync),
    listChannelChanges: listChannelChanges(table, documents, clock),
  } satisfies Record<ChannelRouteId, unknown>);
}

/** `GET /v1/channel-index/{arch}` */
export function getChannelIndex(documents: Documents) {
  return async (call: Call<'getChannelIndex'>) => {
    const document = await documents.get(
      PUBLICATION_NAME.channelIndex(archParameter(call.path['arch'] ?? '')),
    );
    if (!document) throw notSyncedYet();
    return { answer: servableIndex(document).answer(call, JSON_TYPE) };
  };
}

const servableIndex = perRevision((document) => {
  const changedAt = new Date(document.head.publishedAt).toUTCString();
  const headers = { ...REVALIDATED, 'last-modified': changedAt };
  return new CompressedContent(contentHash(document), document.body, headers);
});

/** A channel on one architecture, as a position in the list. */
interface Place extends Channel {
  readonly arch: Arch;
}

/** `GET /v1/channels` */
export function listChannels(documents: Documents) {
  return async ({ query }: Call<'listChannels'>) => {
    const { prefix, minor, cursor } = query;
    const after =
      cursor === undefined ? null : decodeCursor(cursor, ([name = '', arch]) => placeOf(name, arch));
    const arches = query.arch === undefined ? ARCHES : [archParameter(query.arch)];
    const indexes = await readIndexes(documents, arches);
    const wanted = indexes
      .flatMap(({ arch, index }) =>
        index.channels.map((indexed) => ({ indexed, place: placeOf(indexed.channel, arch)! })),
      )
      .filter(({ place }) => prefix === undefined || place.prefix === prefix)
      .filter(({ place }) => minor === undefined || place.minor === minor)
      .filter(({ place }) => after === null || comparePlaces(place, after) > 0)
      .toSorted((a, b) => comparePlaces(a.place, b.place));
    const page = wanted.slice(0, limitOf(query));
    const last = page.at(-1);
    const isLastPage = page.length === wanted.length || !last;
    return {
      data: {
        channels: page.map(({ indexed, place }) => ({
          ...channelView(indexed, place),
          risks: indexed.risks,
        })),
        nextCursor: isLastPage ? null : encodeCursor([last.indexed.channel, last.place.arch]),
      },
    };
  };
}

/** `GET /v1/channels/{channel}/{arch}` */
export function getChannel(
  documents: Documents,
  states: KnownPairs,
  clock: () => number,
  settings: SyncSettings,
) {
  return async ({ path }: Call<'getChannel'>) => {
    const { arch, indexed, index } = await followedChannel(documents, path);
    const { channel } = indexed;
    const [graph, state] = await Promise.all([
      documents.get<ServedGraph>(PUBLICATION_NAME.graph(channel, arch)),
      states.get(pairName(channel, arch)),
    ]);
    const position = index.channels.indexOf(indexed);
    const { lastSuccessAt, held } = state ?? { lastSuccessAt: null, held: null };
    return {
      data: {
        ...channelView(indexed, placeOf(channel, arch)!),
        freshness: {
          lastSuccessAt,
          stale: isStale({ lastSuccessAt }, clock(), settings.intervalMs),
          held: heldView(held),
        },
        withdrawn: index.versions
          .filter(({ withdrawnIn }) => withdrawnIn?.includes(position))
          .map(({ version }) => version),
        excluded: index.versions
          .filter(({ excluded, channels }) => excluded && channels.includes(position))
          .map(({ version }) => version),
        risks: graph ? listRisks(graph.value) : [],
      },
    };
  };
}

/** `GET /v1/channels/{channel}/{arch}/changes` */
export function listChannelChanges(table: Table, documents: Documents, clock: () => number) {
  return async ({ path, query }: Call<'listChannelChanges'>) => {
    const { arch, indexed } = await followedChannel(documents, path);
    const { channel } = indexed;
    const { since, before } = changesPlace(query, clock());
    const page = await listChangesBefore(table, { channel, arch }, { since, before, limit: limitOf(query) });
    const changes = page.changes.map(({ channel: _channel, arch: _arch, id: _id, ...change }) => change);
    return {
      data: { channel, arch, since, changes, nextCursor: page.last && changesCursor(since, page.last) },
      // A duration such as 7d is another time in each response.
      headers: { etag: weakEntityTag([changes, page.last]) },
    };
  };
}

function channelView(indexed: IndexedChannel, { arch, minor }: Place) {
  const { channel, publishedAt, nodes, plainEdges, conditionalEdges, oldest, newest, newestPerMinor } =
    indexed;
  const edges = { plain: plainEdges, conditional: conditionalEdges };
  return { channel, arch, minor, publishedAt, nodes, edges, oldest, newest, newestPerMinor };
}

function placeOf(name: string, archName: string | undefined): Place | null {
  const channel = parseChannel(name);
  const arch = ARCHES.find((known) => known === archName);
  return channel && arch ? { ...channel, arch } : null;
}

function comparePlaces(a: Place, b: Place): number {
  return compareChannels(a, b) || ARCHES.indexOf(a.arch) - ARCHES.indexOf(b.arch);
}
