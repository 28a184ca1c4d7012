import { channelRoutes } from './channels/routes.ts';
import { graphRoutes } from './graph/routes.ts';
import type { Route } from './http/route.ts';
import { upgradePathRoutes } from './paths/routes.ts';
import { siteRoutes } from './site/routes.ts';
import { syncStatusRoutes } from './sync/routes.ts';
import { installableVersionRoutes, versionRoutes } from './versions/routes.ts';

/** Routes of the Lambda `query`, which only read the table. */
export const queryRoutes = [
  ...siteRoutes,
  ...installableVersionRoutes,
  ...graphRoutes,
  ...channelRoutes,
  ...versionRoutes,
  ...upgradePathRoutes,
  ...syncStatusRoutes,
] as const satisfies readonly (Route & { readonly lambda: 'query' })[];

/** An app that does not serve all of them does not compile. */
export type QueryRouteId = (typeof queryRoutes)[number]['id'];
