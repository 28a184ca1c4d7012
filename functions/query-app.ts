import { httpHandler } from './http/pipeline.ts';
import { type Endpoint, endpoints } from './http/endpoint.ts';
import { jsonLog, type Log } from './runtime/log.ts';
import { DocumentCache } from './store/publication-cache.ts';
import { PairStates } from './releases/freshness.ts';
import type { Table } from './store/table.ts';
import type { channelEndpoints } from './channels/endpoints.ts';
import { siteEndpoints } from './site/endpoints.ts';
import { graphEndpoints } from './graph/endpoints.ts';
import { type QueryRouteId, queryRoutes } from './query-routes.ts';
import type { SignIn } from './site/sign-in.ts';
import { type SyncSettings, syncStatusEndpoints } from './sync/endpoints.ts';
import type { upgradePathEndpoints } from './paths/endpoints.ts';
import { openshiftVersions, releaseSources } from './versions/endpoints.ts';

export interface QueryDependencies {
  readonly table: Table;
  readonly sync: SyncSettings;
  readonly clock?: () => number;
  readonly log?: Log;
  /**
   * The folder that the console was built into.
   * @default none, there is no console here
   */
  readonly consoleFolder?: string;
  /**
   * How people sign in to it.
   * @default by a token that they paste
   */
  readonly signIn?: SignIn;
  /** CPU time of this process in milliseconds. */
  readonly cpuTime?: () => number;
}

const openapi = async () => (await import('./openapi/openapi.json', { with: { type: 'json' } })).default;
const allRoutes = async () => (await import('./routes.ts')).routes;

/** The routes that only read the table. */
export function createQueryApp({
  table,
  sync,
  clock = Date.now,
  log = jsonLog,
  cpuTime = processCpuTime,
  consoleFolder,
  signIn = { kind: 'token' },
}: QueryDependencies) {
  const documents = new DocumentCache(table, clock);
  const states = new PairStates(table, clock);
  const versions = openshiftVersions(documents);
  const sources = releaseSources(documents);
  // Loaded with their first question: they would be a noticeable part of every cold start.
  let loadedChannels: ReturnType<typeof channelEndpoints> | undefined;
  const channels = async () => {
    const { channelEndpoints: create } = await import('./channels/endpoints.ts');
    return (loadedChannels ??= create({ table, documents, states, clock, sync }));
  };
  let loadedPaths: ReturnType<typeof upgradePathEndpoints> | undefined;
  const upgradePaths = async () => {
    const { upgradePathEndpoints: create } = await import('./paths/endpoints.ts');
    return (loadedPaths ??= create({ documents, states, clock, sync, cpuTime }));
  };
  const served: { [Id in QueryRouteId]: Endpoint<Id> } = {
    ...siteEndpoints({ consoleFolder, signIn, openapi, routes: allRoutes }),
    ...endpoints({
      listOpenshiftVersions: versions,
      listOpenshiftVersionsAssisted: versions,
      listReleaseSources: sources,
      listReleaseSourcesAssisted: sources,
    }),
    ...graphEndpoints(documents, states, clock, sync),
    listChannels: async (call) => (await channels()).listChannels(call),
    getChannelIndex: async (call) => (await channels()).getChannelIndex(call),
    getChannel: async (call) => (await channels()).getChannel(call),
    listChannelChanges: async (call) => (await channels()).listChannelChanges(call),
    getVersion: async (call) => (await channels()).getVersion(call),
    findUpgradePath: async (call) => (await upgradePaths()).findUpgradePath(call),
    findUpgradePaths: async (call) => (await upgradePaths()).findUpgradePaths(call),
    ...syncStatusEndpoints(table, clock, sync),
  };
  return httpHandler({ own: queryRoutes, all: allRoutes }, served, log);
}

function processCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
