import { type Endpoint, httpHandler } from '../runtime/http.ts';
import { jsonLog, type Log } from '../runtime/telemetry.ts';
import { DocumentCache } from '../store/document-cache.ts';
import { PairStates } from '../store/pair-states.ts';
import type { Table } from '../store/table.ts';
import { getChannel, listChannelChanges, listChannels } from './channels.ts';
import { graphEndpoints } from './graph.ts';
import { type RouteIdOf, routes } from './routes.ts';
import { health, openapiDocument, serviceIndex } from './service-index.ts';
import { type SyncSettings, syncStatus } from './sync.ts';
import { getVersion } from './version-detail.ts';
import { openshiftVersions, releaseSources } from './versions.ts';

export interface QueryDependencies {
  readonly table: Table;
  readonly sync: SyncSettings;
  readonly clock?: () => number;
  readonly log?: Log;
}

/** The routes that only read the table. */
export function createQueryApp({ table, sync, clock = Date.now, log = jsonLog }: QueryDependencies) {
  const documents = new DocumentCache(table, clock);
  const states = new PairStates(table, clock);
  const versions = openshiftVersions(documents);
  const sources = releaseSources(documents);
  const endpoints: Record<RouteIdOf<'query'>, Endpoint> = {
    getIndex: serviceIndex,
    getHealth: health,
    listOpenshiftVersions: versions,
    listOpenshiftVersionsAssisted: versions,
    listReleaseSources: sources,
    listReleaseSourcesAssisted: sources,
    ...graphEndpoints(documents, states, clock, sync),
    listChannels: listChannels(documents),
    getChannel: getChannel(documents, states, clock, sync),
    listChannelChanges: listChannelChanges(table, documents, clock),
    getVersion: getVersion(documents),
    getSync: syncStatus(table, clock, sync),
    getOpenapi: openapiDocument,
  };
  return httpHandler(routes, endpoints, log);
}
