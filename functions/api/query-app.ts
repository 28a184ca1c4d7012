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
import type { upgradePathEndpoints } from './upgrade-paths.ts';
import { openshiftVersions, releaseSources } from './versions.ts';

export interface QueryDependencies {
  readonly table: Table;
  readonly sync: SyncSettings;
  readonly clock?: () => number;
  readonly log?: Log;
  /** CPU time of this process in milliseconds. */
  readonly cpuTime?: () => number;
}

/** The routes that only read the table. */
export function createQueryApp({
  table,
  sync,
  clock = Date.now,
  log = jsonLog,
  cpuTime = processCpuTime,
}: QueryDependencies) {
  const documents = new DocumentCache(table, clock);
  const states = new PairStates(table, clock);
  const versions = openshiftVersions(documents);
  const sources = releaseSources(documents);
  // The solver is loaded with its first question: it would be a noticeable part of every cold start.
  let loaded: ReturnType<typeof upgradePathEndpoints> | undefined;
  const upgradePaths = async () => {
    const { upgradePathEndpoints: create } = await import('./upgrade-paths.ts');
    return (loaded ??= create({ documents, states, clock, sync, cpuTime }));
  };
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
    findUpgradePath: async (call) => (await upgradePaths()).findUpgradePath(call),
    findUpgradePaths: async (call) => (await upgradePaths()).findUpgradePaths(call),
    getSync: syncStatus(table, clock, sync),
    getOpenapi: openapiDocument,
  };
  return httpHandler(routes, endpoints, log);
}

function processCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
