import type { Route } from '../http/route.ts';
import { openshiftVersionsQuery, versionQuery, versionsQuery } from './schema.ts';

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

/** Installer routes, also at the paths of assisted-service. */
export const installableVersionRoutes = [
  { ...openshiftVersions, id: 'listOpenshiftVersions', path: '/v2/openshift-versions' },
  {
    ...openshiftVersions,
    id: 'listOpenshiftVersionsAssisted',
    path: '/api/assisted-install/v2/openshift-versions',
  },
  { ...releaseSources, id: 'listReleaseSources', path: '/v2/release-sources' },
  { ...releaseSources, id: 'listReleaseSourcesAssisted', path: '/api/assisted-install/v2/release-sources' },
] as const satisfies readonly Route[];

export const versionRoutes = [
  {
    id: 'listVersions',
    method: 'GET',
    path: '/v1/versions',
    lambda: 'query',
    access: 'public',
    errors: 'problem',
    summary: 'Versions of the followed channels and static releases, newest first, without excluded ones',
    query: versionsQuery,
    success: { status: 200, description: 'A page of versions' },
    failures: [400, 404, 503],
  },
  {
    id: 'getVersion',
    method: 'GET',
    path: '/v1/versions/{version}',
    lambda: 'query',
    access: 'public',
    errors: 'problem',
    summary: 'A version: channels and architectures that hold it, payloads, updates to it and from it',
    query: versionQuery,
    success: { status: 200, description: 'The version' },
    failures: [400, 404, 503],
  },
  {
    id: 'listSupport',
    method: 'GET',
    path: '/v1/support',
    lambda: 'query',
    access: 'public',
    errors: 'problem',
    summary: 'Support phase and last day of support of every minor, oldest first',
    success: { status: 200, description: 'The life cycle as of today' },
    failures: [503],
  },
] as const satisfies readonly Route[];
