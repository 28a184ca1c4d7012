import { CSV_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { clustersQuery, fleetSummaryQuery, fleetUpdatesQuery } from './schema.ts';

const fleet = { lambda: 'manage', errors: 'problem' } as const satisfies Partial<Route>;

export const fleetRoutes = [
  {
    ...fleet,
    id: 'listClusters',
    method: 'GET',
    path: '/v1/clusters',
    access: 'read',
    summary: 'The clusters, by id: what they run, whether they may go on, until when they get fixes',
    query: clustersQuery,
    lists: ['minor', 'channel', 'verdict'],
    success: {
      status: 200,
      description: 'A page of clusters; with filters it may have fewer than asked for and not be the last',
      mediaTypes: ['application/json', CSV_TYPE],
    },
    failures: [400],
  },
  {
    ...fleet,
    id: 'getFleetSummary',
    method: 'GET',
    path: '/v1/fleet/summary',
    access: 'read',
    summary: 'All clusters in numbers: by minor, by verdict, by what blocks them, overdue reports',
    query: fleetSummaryQuery,
    success: { status: 200, description: 'The numbers' },
    failures: [400],
  },
  {
    ...fleet,
    id: 'listFleetUpdates',
    method: 'GET',
    path: '/v1/fleet/updates',
    access: 'read',
    summary: 'The clusters that update or have just updated, those that need attention first',
    query: fleetUpdatesQuery,
    lists: ['state', 'minor'],
    headers: { 'If-None-Match': 'Answer 304 while it has this entity tag' },
    success: {
      status: 200,
      description: 'A page of updates with its entity tag, and the counts of all pages',
      mediaTypes: ['application/json', CSV_TYPE],
    },
    failures: [400],
  },
] as const satisfies readonly Route[];
