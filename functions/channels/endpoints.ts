import { endpoints } from '../http/endpoint.ts';
import type { Documents } from '../store/publication-cache.ts';
import type { KnownPairs } from '../releases/pair-states.ts';
import type { Table } from '../store/table.ts';
import { getChannelIndex } from './channel-index.ts';
import type { ChannelRouteId } from './routes.ts';
import { getChannel, listChannelChanges, listChannels } from './channels.ts';
import type { SyncSettings } from '../sync/endpoints.ts';
import { getVersion } from '../versions/version-detail.ts';

export interface ChannelDependencies {
  readonly table: Table;
  readonly documents: Documents;
  readonly states: KnownPairs;
  readonly clock: () => number;
  readonly sync: SyncSettings;
}

/** What is followed, what is in it and what changed. */
export function channelEndpoints({ table, documents, states, clock, sync }: ChannelDependencies) {
  return endpoints({
    listChannels: listChannels(documents),
    getChannelIndex: getChannelIndex(documents),
    getChannel: getChannel(documents, states, clock, sync),
    listChannelChanges: listChannelChanges(table, documents, clock),
    getVersion: getVersion(documents),
  } satisfies Record<ChannelRouteId, unknown>);
}
