import { TEXT_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import {
  clusterHistoryQuery,
  clusterQuery,
  clusterReport,
  clusterSettingsRequest,
  clusterReportQuery,
} from './schema.ts';

const clusters = { lambda: 'manage', errors: 'problem' } as const satisfies Partial<Route>;
const one = '/v1/clusters/{id}';
const IF_MATCH = 'Change it only while it has this entity tag';

export const clusterRoutes = [
  {
    ...clusters,
    id: 'getClusterSettings',
    method: 'GET',
    path: `${one}/settings`,
    access: 'read',
    summary: 'Where a cluster is to go, and under which conditions',
    success: { status: 200, description: 'The settings, with their entity tag; empty when none were made' },
    failures: [400, 404],
  },
  {
    ...clusters,
    id: 'putClusterSettings',
    method: 'PUT',
    path: `${one}/settings`,
    access: 'write',
    summary: 'Say where a cluster is to go, and under which conditions; what is left out is as usual again',
    body: clusterSettingsRequest,
    headers: { 'If-Match': IF_MATCH, 'If-None-Match': '`*`: only if there are none yet' },
    success: { status: 200, description: 'The settings as they are now, with their entity tag' },
    failures: [400, 404, 409, 412, 413, 415],
  },
  {
    ...clusters,
    id: 'getCluster',
    method: 'GET',
    path: one,
    access: 'read',
    summary: 'What is known of a cluster, and since when',
    query: clusterQuery,
    success: { status: 200, description: 'The cluster, with its entity tag' },
    failures: [400, 404],
  },
  {
    ...clusters,
    id: 'getClusterHistory',
    method: 'GET',
    path: `${one}/history`,
    access: 'read',
    summary: 'Every update of a cluster that was ever reported, within the limit, and what went and why',
    query: clusterHistoryQuery,
    success: {
      status: 200,
      description: 'The updates, newest first',
      mediaTypes: ['application/json', TEXT_TYPE],
    },
    failures: [400, 404],
  },
  {
    ...clusters,
    id: 'putCluster',
    method: 'PUT',
    path: one,
    access: 'write',
    summary: 'Take in what a cluster reports; kinds that are not in it stay as they were',
    documents: clusterReportQuery,
    documentsBody: clusterReport,
    headers: { 'If-Match': IF_MATCH, 'If-None-Match': '`*`: only if there is no such cluster yet' },
    success: {
      status: 200,
      description: 'The cluster as it is now, with its entity tag',
      created: 'The cluster is new',
    },
    failures: [400, 404, 409, 412, 413, 415],
  },
  {
    ...clusters,
    id: 'deleteCluster',
    method: 'DELETE',
    path: one,
    access: 'write',
    summary: 'Forget a cluster',
    headers: { 'If-Match': IF_MATCH },
    success: { status: 204, description: 'It is forgotten', mediaTypes: [] },
    failures: [400, 404, 409, 412],
  },
] as const satisfies readonly Route[];
