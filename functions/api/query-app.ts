import { type Endpoint, httpHandler } from '../runtime/http.ts';
import { jsonLog, type Log } from '../runtime/telemetry.ts';
import { DocumentCache } from '../store/document-cache.ts';
import type { Table } from '../store/table.ts';
import { type RouteIdOf, routes } from './routes.ts';
import { health, openapiDocument, serviceIndex } from './service-index.ts';
import { type SyncSettings, syncStatus } from './sync.ts';
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
  const versions = openshiftVersions(documents);
  const sources = releaseSources(documents);
  const endpoints: Record<RouteIdOf<'query'>, Endpoint> = {
    getIndex: serviceIndex,
    getHealth: health,
    listOpenshiftVersions: versions,
    listOpenshiftVersionsAssisted: versions,
    listReleaseSources: sources,
    listReleaseSourcesAssisted: sources,
    getSync: syncStatus(table, clock, sync),
    getOpenapi: openapiDocument,
  };
  return httpHandler(routes, endpoints, log);
}
