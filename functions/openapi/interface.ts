import * as z from 'zod/mini';
import { channelRoutes } from '../channels/routes.ts';
import { clusterRoutes } from '../clusters/routes.ts';
import { CLUSTER_ID } from '../clusters/schema.ts';
import { fleetRoutes } from '../fleet/routes.ts';
import { graphRoutes } from '../graph/routes.ts';
import type { Route } from '../http/route.ts';
import { archName, channelName, text } from '../http/schema-fields.ts';
import { notificationRoutes } from '../notifications/routes.ts';
import { upgradePathRoutes } from '../paths/routes.ts';
import { upgradePlanRoutes } from '../plans/routes.ts';
import { pruneEvaluationRoutes } from '../prune-evaluations/routes.ts';
import { imagePrunerRunRoutes } from '../prune-runs/routes.ts';
import { RUN_ID } from '../prune-runs/schema.ts';
import { imagePrunerRoutes, imagesInUseRoutes } from '../pruners/routes.ts';
import { PRUNER_NAME } from '../pruners/schema.ts';
import { riskAcceptanceRoutes } from '../risk-acceptances/routes.ts';
import { ACCEPTANCE_ID } from '../risk-acceptances/schema.ts';
import { riskRoutes } from '../risks/routes.ts';
import { siteRoutes } from '../site/routes.ts';
import { switchRoutes } from '../switches/routes.ts';
import { switchName } from '../switches/schema.ts';
import { syncRunRoutes, syncStatusRoutes } from '../sync/routes.ts';
import { updateStatusRoutes } from '../update-status/routes.ts';
import { uploadRoutes } from '../uploads/routes.ts';
import { installableVersionRoutes, versionRoutes } from '../versions/routes.ts';

/** What the route list does not say about the interface. Build time only. */

const tag = (name: string, description: string, ...lists: readonly (readonly Route[])[]) => ({
  name,
  description,
  ids: new Set(lists.flat().map(({ id }) => id)),
});

export const TAGS = [
  tag('Update graph', 'The protocol of the OpenShift Update Service (Cincinnati)', graphRoutes),
  tag('Versions', 'Releases, also in the form of assisted-service', installableVersionRoutes, versionRoutes),
  tag('Channels', 'Followed channels and their changes', channelRoutes),
  tag('Upgrade paths', 'Update paths and what to mirror for them', upgradePathRoutes),
  tag('Upgrade plans', 'Safety checks and steps of an upgrade', upgradePlanRoutes),
  tag('Update status', 'Progress of an update, and what holds it up', updateStatusRoutes),
  tag('Clusters', 'Reporting clusters, their settings and the fleet', clusterRoutes, fleetRoutes),
  tag('Risks', 'Risks of conditional updates, and the clusters that they apply to', riskRoutes),
  tag('Risk acceptances', 'Known risks that are accepted until a given time', riskAcceptanceRoutes),
  tag(
    'Image pruners',
    'Pruning of registry storage',
    imagePrunerRoutes,
    imagePrunerRunRoutes,
    imagesInUseRoutes,
  ),
  tag('Prune evaluations', 'Pruning decisions without side effects', pruneEvaluationRoutes),
  tag('Uploads', 'Documents that are too large for a request', uploadRoutes),
  tag('Sync', 'State of the sync with the update service', syncStatusRoutes, syncRunRoutes),
  tag('Notifications', 'Messages about changes of clusters and pruners', notificationRoutes),
  tag('Switches', 'Kill switches', switchRoutes),
  tag('Service', 'The service and this document', siteRoutes),
];

export const SERVERS = [
  { url: '/', description: 'The Cairn that serves this document' },
  { url: 'http://127.0.0.1:8080', description: '`npm start`' },
];

export const SECURITY_SCHEMES = {
  awsSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'AWS Signature Version 4 for the service `execute-api`, if the deployment has no token issuer',
    'x-amazon-apigateway-authtype': 'awsSigv4',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'Token of the OIDC issuer of the deployment, with the scope of the operation or a higher one (`fleet:read`, `fleet:write`, `fleet:admin`). For `npm start`, the value of `AUTH_TOKEN`; without it, a request from the same machine needs no token',
  },
} as const;

type Requirement = Partial<Record<keyof typeof SECURITY_SCHEMES, readonly never[]>>;

const CALLERS: readonly Requirement[] = [{ awsSignature: [] }, { token: [] }];

/** Callers of each access level. A deployment accepts one kind of credentials, and can open release data. */
export const ACCESS: Readonly<
  Record<Route['access'], { readonly text: string; readonly security: readonly Requirement[] }>
> = {
  open: { text: 'Open to everyone.', security: [] },
  graph: {
    text: 'Needs read access (scope `fleet:read`), unless `publicReleaseData` of the deployment is `graph` or `all`.',
    security: [{}, ...CALLERS],
  },
  public: {
    text: 'Needs read access (scope `fleet:read`), unless `publicReleaseData` of the deployment is `all`.',
    security: [{}, ...CALLERS],
  },
  read: { text: 'Needs read access (scope `fleet:read`).', security: CALLERS },
  write: { text: 'Needs write access (scope `fleet:write`).', security: CALLERS },
  admin: { text: 'Needs admin access (scope `fleet:admin`).', security: CALLERS },
};

/** Error statuses. docs/problems.md explains each problem. */
export const FAILURES: Readonly<Record<number, string>> = {
  400: 'A parameter, the body or a document is not valid; the response names each fault and what is accepted',
  401: 'The credentials are missing or wrong',
  403: 'The caller may not do this, or the local run does not serve the host name or page',
  404: 'What the request names does not exist',
  406: 'No media type that the client accepts is available',
  409: 'The request conflicts with the current state or a run in progress',
  412: 'A precondition of the request is not met',
  413: 'The body or the response is too large',
  415: 'The media type or encoding of the body is not supported',
  422: 'The request is valid, but there is no answer to it',
  429: 'Too many requests; try again later',
  500: 'Internal error; the logs have the request ID of the response',
  503: 'Storage or release data is unavailable, or a kill switch stops changes; `Retry-After` says when to retry',
};

interface PathParameter {
  readonly schema: z.ZodMiniType;
  readonly example: string;
}

const cluster = {
  schema: text(CLUSTER_ID, '', 'Cluster, as named by its reporter. Not `.` and `..`'),
  example: 'prod-1',
};
const channel = { schema: channelName('Channel'), example: 'stable-4.14' };
const arch = {
  schema: archName('Architecture, as the update service or installers name it'),
  example: 'amd64',
};

/** Semantic version without build metadata. */
const RELEASE =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(-(0|[1-9]\d{0,8}|\d{0,20}[A-Za-z-][0-9A-Za-z-]{0,20})(\.(0|[1-9]\d{0,8}|\d{0,20}[A-Za-z-][0-9A-Za-z-]{0,20})){0,4})?$/;

/** By the path up to the parameter. The patterns are those that the endpoints check. */
const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  '/v1/channel-index/{arch}': arch,
  '/v1/channels/{channel}': channel,
  '/v1/channels/{channel}/{arch}': arch,
  '/v1/versions/{version}': { schema: text(RELEASE, '', 'Version'), example: '4.14.20' },
  '/v1/clusters/{id}': cluster,
  '/v1/risk-acceptances/{id}': { schema: text(ACCEPTANCE_ID, '', 'Acceptance'), example: 'azure-2026' },
  '/v1/risks/{name}': { schema: text(/^[^/]{1,500}$/, '', 'Risk'), example: 'AzureDefaultVMType' },
  '/v1/image-pruners/{name}': { schema: text(PRUNER_NAME, '', 'Image pruner'), example: 'cluster' },
  '/v1/image-pruners/{name}/runs/{run}': {
    schema: text(RUN_ID, '', 'Run, named by its scheduled time in UTC'),
    example: '2026-11-16T09:36:44.314Z',
  },
  '/v1/switches/{name}': { schema: switchName().check(z.describe('Switch')), example: 'sync' },
};

export function pathParameter(path: string): PathParameter {
  const known = PATH_PARAMETERS[path];
  if (!known) throw new Error(`${path} has no schema in PATH_PARAMETERS`);
  return known;
}

export const EXAMPLES: {
  /** By the name of the parameter. */
  readonly query: Readonly<Record<string, unknown>>;
  /** By the ID of the route. */
  readonly body: Readonly<Record<string, unknown>>;
} = {
  query: { from: '4.14.20', arch: 'amd64', minor: '4.14', format: 'json' },
  body: {
    findUpgradePaths: { clusters: [{ name: 'prod-1', from: '4.14.20', to: '4.16' }] },
    putClusterSettings: { target: '4.16', windows: 'Sat 22:00-04:00', timeZone: 'Europe/Berlin' },
    putRiskAcceptance: {
      risk: 'AzureDefaultVMType',
      reason: 'No node uses the default VM type',
      owner: 'platform team',
      until: '2026-12-31',
      clusters: ['prod-1'],
    },
    startSyncRun: {},
    startImagePrunerRun: { dryRun: true },
    evaluateHistoryPruning: { history: [{ state: 'Completed', version: '4.14.20' }], max: 8 },
    putSwitch: { stopped: true, reason: 'Maintenance of the mirror registry' },
  },
};
