import { type Endpoint, httpHandler } from '../runtime/http.ts';
import type { RunLauncher } from '../runtime/run-launcher.ts';
import { jsonLog, type Log } from '../runtime/telemetry.ts';
import type { Table } from '../store/table.ts';
import { type RouteIdOf, routes } from './routes.ts';
import { startSyncRun } from './sync.ts';

export interface ManageDependencies {
  readonly table: Table;
  readonly launcher: RunLauncher;
  readonly clock?: () => number;
  readonly log?: Log;
}

/** The routes that change something. */
export function createManageApp({ table, launcher, clock = Date.now, log = jsonLog }: ManageDependencies) {
  const endpoints: Record<RouteIdOf<'manage'>, Endpoint> = {
    startSyncRun: startSyncRun(table, clock, launcher),
  };
  return httpHandler(routes, endpoints, log);
}
