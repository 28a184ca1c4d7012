import type { Route } from '../runtime/route.ts';
import { clusterRoutes } from './cluster-routes.ts';
import { imagePrunerRoutes } from './image-pruner-routes.ts';
import { newsRoutes } from './news-routes.ts';
import { pruneEvaluationRoutes } from './prune-evaluation-routes.ts';
import { syncRunRequest } from './schemas/sync-requests.ts';
import { switchRoutes } from './switch-routes.ts';
import { upgradePlanRoutes } from './upgrade-plan-routes.ts';
import { uploadRoutes } from './upload-routes.ts';

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
