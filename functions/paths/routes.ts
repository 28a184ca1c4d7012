import { TEXT_TYPE, YAML_TYPE } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { upgradePathQuery, upgradePathsRequest } from './schema.ts';

const paths = {
  path: '/v1/upgrade-paths',
  lambda: 'query',
  access: 'public',
  errors: 'problem',
} as const satisfies Partial<Route>;

export const upgradePathRoutes = [
  {
    ...paths,
    id: 'findUpgradePath',
    method: 'GET',
    summary:
      'Upgrade path from one version to another with the images to mirror, or the reason why there is none',
    query: upgradePathQuery,
    lists: ['channel', 'accept_risk'],
    success: {
      status: 200,
      description: 'The path; or, with `found` false, why there is none and which other paths exist',
      mediaTypes: ['application/json', TEXT_TYPE, YAML_TYPE],
    },
    failures: [400, 404, 422, 503],
  },
  {
    ...paths,
    id: 'findUpgradePaths',
    method: 'POST',
    summary: 'The same for many clusters, with one mirror list for all',
    body: upgradePathsRequest,
    success: {
      status: 200,
      description: 'A path, or why there is none, per cluster in the order asked',
      mediaTypes: ['application/json', TEXT_TYPE, YAML_TYPE],
    },
    failures: [400, 413, 415, 422, 503],
  },
] as const satisfies readonly Route[];
