import { MARKDOWN_TYPE, TEXT_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { clusterUpdateStatusQuery, updateStatusBody, updateStatusQuery } from './schema.ts';

export const updateStatusRoutes = [
  {
    id: 'assessUpdate',
    method: 'POST',
    path: '/v1/update-status',
    lambda: 'manage',
    access: 'read',
    errors: 'problem',
    summary:
      'Progress of the update that a cluster performs, from what `oc get … -o json` prints; stores nothing',
    documents: updateStatusQuery,
    documentsBody: updateStatusBody,
    success: {
      status: 200,
      description:
        'Control plane, operators, pools, nodes and insights, as `oc adm upgrade status` shows them; also if no update is in progress',
      mediaTypes: ['application/json', TEXT_TYPE, MARKDOWN_TYPE],
    },
    failures: [400, 404, 413, 415],
  },
  {
    id: 'getClusterUpdateStatus',
    method: 'GET',
    path: '/v1/clusters/{id}/update-status',
    lambda: 'manage',
    access: 'read',
    errors: 'problem',
    summary: 'Progress of the update that a stored cluster performs, from all of its reports',
    query: clusterUpdateStatusQuery,
    headers: { 'If-None-Match': 'Answer 304 while it has this entity tag' },
    success: {
      status: 200,
      description: 'As for documents, with stalls, stuck nodes and silence, with its entity tag',
      mediaTypes: ['application/json', TEXT_TYPE, MARKDOWN_TYPE],
    },
    failures: [400, 404, 409, 413],
  },
  {
    id: 'getClusterUpdates',
    method: 'GET',
    path: '/v1/clusters/{id}/updates',
    lambda: 'manage',
    access: 'read',
    errors: 'problem',
    summary: 'Updates of a cluster that its reports showed: how long each part took, and when it stalled',
    success: { status: 200, description: 'The updates, newest first; at most 50' },
    failures: [400, 404, 413],
  },
] as const satisfies readonly Route[];
