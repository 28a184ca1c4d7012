import { CSV_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import {
  clusterRisksQuery,
  riskClustersQuery,
  riskEvaluationBody,
  riskEvaluationQuery,
  riskQueriesQuery,
  risksQuery,
} from './schema.ts';

const risks = { lambda: 'manage', access: 'read', errors: 'problem' } as const satisfies Partial<Route>;

export const riskRoutes = [
  {
    ...risks,
    id: 'evaluateRisks',
    method: 'POST',
    path: '/v1/risk-evaluations',
    summary:
      'Which risks of conditional updates apply to a cluster, from what `oc get … -o json` prints; stores nothing',
    documents: riskEvaluationQuery,
    documentsBody: riskEvaluationBody,
    success: { status: 200, description: 'Every risk of the channel, or of the updates asked for, by name' },
    failures: [400, 404, 413, 415, 422, 503],
  },
  {
    ...risks,
    id: 'getClusterRisks',
    method: 'GET',
    path: '/v1/clusters/{id}/risks',
    summary: 'The same for a stored cluster',
    query: clusterRisksQuery,
    lists: ['channel'],
    success: { status: 200, description: 'Every risk of the channels, by name' },
    failures: [400, 404, 503],
  },
  {
    ...risks,
    id: 'listRisks',
    method: 'GET',
    path: '/v1/risks',
    summary: 'Risks of the followed channels, and how many clusters each applies to',
    query: risksQuery,
    success: { status: 200, description: 'The risks, by name' },
    failures: [400, 404, 503],
  },
  {
    ...risks,
    id: 'listRiskClusters',
    method: 'GET',
    path: '/v1/risks/{name}/clusters',
    summary: 'The clusters to which a risk applies, does not apply, or may apply, and why',
    query: riskClustersQuery,
    lists: ['applies'],
    success: {
      status: 200,
      description: 'A page of the clusters that have the risk in one of their channels, by id',
      mediaTypes: ['application/json', CSV_TYPE],
    },
    failures: [400, 404],
  },
  {
    ...risks,
    id: 'listRiskQueries',
    method: 'GET',
    path: '/v1/risk-queries',
    summary: 'Queries of the risks, for a cluster to answer from its own metrics, and the resources to count',
    query: riskQueriesQuery,
    lists: ['channel'],
    success: { status: 200, description: 'The queries, by their text' },
    failures: [400, 404, 503],
  },
] as const satisfies readonly Route[];
