import type { Route } from '../runtime/route.ts';
import { manageRoutes } from './manage-routes.ts';
import { queryRoutes } from './query-routes.ts';

/** The one route list: API Gateway, the local front, the OpenAPI document and the docs are made from it. */
export const routes = [...queryRoutes, ...manageRoutes] as const satisfies readonly Route[];

export type RouteId = (typeof routes)[number]['id'];
