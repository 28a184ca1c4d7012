import type { Route } from '../runtime/route.ts';
import { channelRoutes } from './channel-routes.ts';
import { clusterRoutes } from './cluster-routes.ts';
import { graphRoutes } from './graph-routes.ts';
import { imagePrunerRoutes } from './image-pruner-routes.ts';
import { pruneEvaluationRoutes } from './prune-evaluation-routes.ts';
import { openshiftVersionsQuery, syncRunRequest } from './schemas/requests.ts';
import { upgradePathRoutes } from './upgrade-path-routes.ts';
import { upgradePlanRoutes } from './upgrade-plan-routes.ts';
import { uploadRoutes } from './upload-routes.ts';

const openshiftVersions = {
  method: 'GET',
  lambda: 'query',
  access: 'public',
  errors: 'assisted',
  summary: 'Versions that can be installed, newest first',
  query: openshiftVersionsQuery,
  success: { status: 200, description: 'Versions by display name' },
  failures: [400, 503],
} as const satisfies Partial<Route>;

const releaseSources = {
  method: 'GET',
  lambda: 'query',
  access: 'public',
  errors: 'assisted',
  summary: 'The release sources in force',
  success: { status: 200, description: 'As configured' },
  failures: [503],
} as const satisfies Partial<Route>;

/** The one route list: API Gateway, the local front, the OpenAPI document and the docs are made from it. */
export const routes = [
  {
    id: 'getIndex',
    method: 'GET',
    path: '/',
    lambda: 'query',
    access: 'public',
    errors: 'problem',
    summary: 'What is served here',
    success: { status: 200, description: 'Name, version and routes' },
    failures: [],
  },
  {
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    lambda: 'query',
    access: 'public',
    errors: 'problem',
    summary: 'A constant, to see that the service answers',
    success: { status: 200, description: 'It answers' },
    failures: [],
  },
  { ...openshiftVersions, id: 'listOpenshiftVersions', path: '/v2/openshift-versions' },
  {
    ...openshiftVersions,
    id: 'listOpenshiftVersionsAssisted',
    path: '/api/assisted-install/v2/openshift-versions',
  },
  { ...releaseSources, id: 'listReleaseSources', path: '/v2/release-sources' },
  { ...releaseSources, id: 'listReleaseSourcesAssisted', path: '/api/assisted-install/v2/release-sources' },
  ...graphRoutes,
  ...channelRoutes,
  ...upgradePathRoutes,
  ...upgradePlanRoutes,
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
  ...clusterRoutes,
  ...imagePrunerRoutes,
  ...pruneEvaluationRoutes,
  ...uploadRoutes,
  {
    id: 'getOpenapi',
    method: 'GET',
    path: '/openapi.json',
    lambda: 'query',
    access: 'public',
    errors: 'problem',
    summary: 'This interface as an OpenAPI 3.1 document',
    success: { status: 200, description: 'OpenAPI document' },
    failures: [],
  },
] as const satisfies readonly Route[];

export type RouteId = (typeof routes)[number]['id'];

/** The routes that a Lambda must serve: leaving one out does not compile. */
export type RouteIdOf<Lambda extends Route['lambda']> = Extract<
  (typeof routes)[number],
  { lambda: Lambda }
>['id'];
