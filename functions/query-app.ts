import { graphEndpoints } from './graph/endpoints.ts';
import { type Endpoint, onDemand } from './http/endpoint.ts';
import { httpHandler } from './http/pipeline.ts';
import { type QueryRouteId, queryRoutes } from './query-routes.ts';
import { PairStates, type SyncSettings } from './releases/sync-state.ts';
import { jsonLog, type Log } from './runtime/log.ts';
import { siteEndpoints } from './site/endpoints.ts';
import type { SignIn } from './site/schema.ts';
import { PublicationCache } from './store/publication-cache.ts';
import type { Table } from './store/table.ts';
import { syncStatusEndpoints } from './sync/endpoints.ts';
import { installableVersionEndpoints } from './versions/endpoints.ts';

interface QueryDependencies {
  readonly table: Table;
  readonly sync: SyncSettings;
  readonly clock?: () => number;
  readonly log?: Log;
  /**
   * Folder of the built console.
   * @default no console
   */
  readonly consoleFolder?: string;
  /**
   * Sign-in method of the console.
   * @default a pasted token
   */
  readonly signIn?: SignIn;
  /** CPU time of this process in milliseconds. */
  readonly cpuTime?: () => number;
}

const openapi = async () => (await import('./openapi/openapi.json', { with: { type: 'json' } })).default;
const allRoutes = async () => (await import('./routes.ts')).routes;

/** Serves the routes that only read the table. */
export function createQueryApp({
  table,
  sync,
  clock = Date.now,
  log = jsonLog,
  cpuTime = processCpuTime,
  consoleFolder,
  signIn = { kind: 'token' },
}: QueryDependencies) {
  const documents = new PublicationCache(table, clock);
  const states = new PairStates(table, clock);
  const served: { [Id in QueryRouteId]: Endpoint<Id> } = {
    ...siteEndpoints({ consoleFolder, signIn, openapi, routes: allRoutes }),
    ...installableVersionEndpoints(documents),
    ...graphEndpoints(documents, states, clock, sync),
    ...onDemand(['listChannels', 'getChannelIndex', 'getChannel', 'listChannelChanges'], async () =>
      (await import('./channels/endpoints.ts')).channelEndpoints({ table, documents, states, clock, sync }),
    ),
    ...onDemand(['listVersions', 'getVersion', 'listSupport'], async () =>
      (await import('./versions/version-detail.ts')).versionEndpoints(documents, clock),
    ),
    ...onDemand(['findUpgradePath', 'findUpgradePaths'], async () =>
      (await import('./paths/endpoints.ts')).upgradePathEndpoints({
        documents,
        states,
        clock,
        sync,
        cpuTime,
      }),
    ),
    ...syncStatusEndpoints(table, clock, sync),
  };
  return httpHandler({ routes: { own: queryRoutes, all: allRoutes }, endpoints: served, log });
}

function processCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
