import { channelRoutes } from './channels/routes.ts';
import { graphRoutes } from './graph/routes.ts';
import type { Route } from './http/route.ts';
import { upgradePathRoutes } from './paths/routes.ts';
import { siteRoutes } from './site/routes.ts';
import { syncStatusRoutes } from './sync/routes.ts';
import { installableVersionRoutes, versionRoutes } from './versions/routes.ts';

/** What the Lambda `query` serves: it only reads the table. */
export const queryRoutes = [
  ...siteRoutes,
  ...installableVersionRoutes,
  ...graphRoutes,
  ...channelRoutes,
  ...versionRoutes,
  ...upgradePathRoutes,
  ...syncStatusRoutes,
] as const satisfies readonly (Route & { readonly lambda: 'query' })[];

/** Leaving one out where they are served does not compile. */
export type QueryRouteId = (typeof queryRoutes)[number]['id'];
