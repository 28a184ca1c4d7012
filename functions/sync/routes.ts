import type { Route } from '../http/route.ts';
import { syncRunRequest } from './schema.ts';

export const syncStatusRoutes = [
  {
    id: 'getSync',
    method: 'GET',
    path: '/v1/sync',
    lambda: 'query',
    access: 'read',
    errors: 'problem',
    summary: 'State of every followed channel, and the last runs',
    success: { status: 200, description: 'State of the sync' },
    failures: [],
  },
] as const satisfies readonly Route[];

export const syncRunRoutes = [
  {
    id: 'startSyncRun',
    method: 'POST',
    path: '/v1/sync/runs',
    lambda: 'manage',
    access: 'admin',
    errors: 'problem',
    summary: 'Sync now; optionally accept answers that were held back',
    body: syncRunRequest,
    success: { status: 202, description: 'The run will start within a minute' },
    failures: [400, 409, 413, 415],
  },
] as const satisfies readonly Route[];
