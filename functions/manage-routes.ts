import type { Route } from './http/route.ts';
import { clusterRoutes } from './clusters/routes.ts';
import { imagePrunerRoutes } from './pruners/routes.ts';
import { newsRoutes } from './notifications/routes.ts';
import { pruneEvaluationRoutes } from './prune-evaluations/routes.ts';
import { syncRunRequest } from './sync/schema.ts';
import { switchRoutes } from './switches/routes.ts';
import { upgradePlanRoutes } from './plans/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';

/** What the Lambda `manage` serves: what changes something, and what reads clusters. */
export const manageRoutes = [
  ...upgradePlanRoutes,
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
  ...switchRoutes,
  ...newsRoutes,
] as const satisfies readonly (Route & { readonly lambda: 'manage' })[];

/** Leaving one out where they are served does not compile. */
export type ManageRouteId = (typeof manageRoutes)[number]['id'];
