import { MARKDOWN_TYPE, TEXT_TYPE, YAML_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { clusterPlanQuery, upgradePlanBody, upgradePlanQuery } from './schema.ts';

const plan = {
  lambda: 'manage',
  access: 'read',
  errors: 'problem',
  success: {
    status: 200,
    description:
      'The way, whether each hop is safe, why not, and what to do; also when the verdict is `blocked`',
    mediaTypes: ['application/json', TEXT_TYPE, MARKDOWN_TYPE, YAML_TYPE],
  },
} as const satisfies Partial<Route>;

export const upgradePlanRoutes = [
  {
    ...plan,
    id: 'planUpgrade',
    method: 'POST',
    path: '/v1/upgrade-plans',
    summary:
      'Whether it is safe to update a cluster, from what `oc get … -o json` prints, and each step of it',
    documents: upgradePlanQuery,
    documentsBody: upgradePlanBody,
    failures: [400, 404, 413, 415, 422, 503],
  },
  {
    ...plan,
    id: 'planClusterUpgrade',
    method: 'GET',
    path: '/v1/clusters/{id}/upgrade-plan',
    summary: 'The same for a stored cluster',
    query: clusterPlanQuery,
    lists: ['channel', 'accept_risk', 'accept', 'windows'],
    failures: [400, 404, 422, 503],
  },
] as const satisfies readonly Route[];
