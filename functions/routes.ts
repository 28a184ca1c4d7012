import type { JSON_TYPE } from './http/reply.ts';
import { type Route, withHead } from './http/route.ts';
import { manageRoutes } from './manage-routes.ts';
import { queryRoutes } from './query-routes.ts';

/** Source of API Gateway, the local front, the OpenAPI description and the docs. */
export const routes = [...queryRoutes, ...manageRoutes] as const satisfies readonly Route[];

/** Routes of the gateway and the local front: every GET route answers HEAD too. */
export const servedRoutes = withHead(routes);

export type RouteId = (typeof routes)[number]['id'];

type JsonRoute<R> = R extends { method: 'HEAD' | 'OPTIONS' }
  ? never
  : R extends { success: { mediaTypes: infer Types extends readonly string[] } }
    ? typeof JSON_TYPE extends Types[number]
      ? R
      : never
    : R;

/** Routes that return JSON, alone or among other media types. */
export type JsonRouteId = JsonRoute<(typeof routes)[number]>['id'];
