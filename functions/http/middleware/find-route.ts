import type { HttpMiddleware } from '../endpoint.ts';
import { type Route, routeKey } from '../route.ts';

export interface RouteLists {
  /** Routes of this Lambda. */
  readonly own: readonly Route[];
  /** Routes of all Lambdas. Loading them slows a cold start, so only requests outside `own` do it. */
  readonly all: () => Promise<readonly Route[]>;
}

export function findRoute({ own, all }: RouteLists): HttpMiddleware {
  const byKey = new Map(own.map((route) => [routeKey(route), route]));
  // Every GET route answers HEAD.
  const routeOf = (key: string) => byKey.get(key) ?? byKey.get(key.replace(/^HEAD /, 'GET '));
  return {
    before: function findRouteBefore(request) {
      const { event, context } = request;
      const route = routeOf(event.routeKey);
      if (route) {
        request.context = { ...context, route, errors: route.errors, path: event.pathParameters ?? {} };
        return undefined;
      }
      // The gateway's `$default` route brings every path and method that is not in the list; no start needs the code for it.
      return Promise.all([all(), import('../match-path.ts')]).then(([routes, { errorsAt, allowAt }]) => {
        request.context = { ...context, errors: errorsAt(routes, event.rawPath) };
        request.context = { ...request.context, allow: allowAt(event, routes) };
      });
    },
  };
}
