import { clusterRoutes } from './clusters/routes.ts';
import { fleetRoutes } from './fleet/routes.ts';
import type { Route } from './http/route.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { upgradePlanRoutes } from './plans/routes.ts';
import { pruneEvaluationRoutes } from './prune-evaluations/routes.ts';
import { imagePrunerRunRoutes } from './prune-runs/routes.ts';
import { imagePrunerRoutes, imagesInUseRoutes } from './pruners/routes.ts';
import { riskAcceptanceRoutes } from './risk-acceptances/routes.ts';
import { riskRoutes } from './risks/routes.ts';
import { switchRoutes } from './switches/routes.ts';
import { syncRunRoutes } from './sync/routes.ts';
import { updateStatusRoutes } from './update-status/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';

/** Routes of the Lambda `manage`, which change data or read clusters. */
export const manageRoutes = [
  ...upgradePlanRoutes,
  ...updateStatusRoutes,
  ...riskRoutes,
  ...syncRunRoutes,
  ...fleetRoutes,
  ...clusterRoutes,
  ...riskAcceptanceRoutes,
  ...imagePrunerRoutes,
  ...imagePrunerRunRoutes,
  ...imagesInUseRoutes,
  ...pruneEvaluationRoutes,
  ...uploadRoutes,
  ...switchRoutes,
  ...notificationRoutes,
] as const satisfies readonly (Route & { readonly lambda: 'manage' })[];

/** An app that does not serve all of them does not compile. */
export type ManageRouteId = (typeof manageRoutes)[number]['id'];
