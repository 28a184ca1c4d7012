import type { Route } from './http/route.ts';
import { channelRoutes } from './channels/routes.ts';
import { consoleRoutes } from './site/routes.ts';
import { graphRoutes } from './graph/routes.ts';
import { openshiftVersionsQuery } from './graph/schema.ts';
import { upgradePathRoutes } from './paths/routes.ts';

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

/** What the Lambda `query` serves: it only reads the table. */
export const queryRoutes = [
  ...consoleRoutes,
  {
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    lambda: 'query',
    access: 'open',
    errors: 'problem',
    summary: 'A constant, to see that the service answers',
    success: { status: 200, description: 'It answers' },
    failures: [],
  },
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
] as const satisfies readonly (Route & { readonly lambda: 'query' })[];

/** Leaving one out where they are served does not compile. */
export type QueryRouteId = (typeof queryRoutes)[number]['id'];
