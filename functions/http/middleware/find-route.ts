import type { HttpEvent, HttpMiddleware } from '../endpoint.ts';
import { Problem } from '../problem.ts';
import { errorsAt, matchPath, RELEASE_DATA, type Route, routeKey } from '../route.ts';

export interface RouteLists {
  /** Routes of this Lambda. */
  readonly own: readonly Route[];
  /** Routes of all Lambdas. Loading them slows a cold start, so only requests outside `own` do it. */
  readonly all: () => Promise<readonly Route[]>;
}

export function findRoute({ own, all }: RouteLists): HttpMiddleware {
  const byKey = new Map(own.map((route) => [routeKey(route), route]));
  return {
    before: function findRouteBefore(request) {
      const { event, context } = request;
      const route = byKey.get(event.routeKey);
      if (route) {
        request.context = { ...context, route, errors: route.errors, path: event.pathParameters ?? {} };
        return undefined;
      }
      // The gateway's `$default` route receives every path and method outside the list.
      return all().then((routes) => {
        request.context = { ...context, errors: errorsAt(routes, event.rawPath) };
        const { route: get, pathParameters: path } = headStandIn(event, routes, byKey);
        request.context = { ...request.context, route: get, path };
      });
    },
  };
}

/** Finds the GET route for a HEAD request; throws for other methods. */
function headStandIn(event: HttpEvent, all: readonly Route[], own: ReadonlyMap<string, Route>) {
  const matches = matchPath(all, event.rawPath);
  const { method } = event.requestContext.http;
  const get = matches.find((match) => match.route.method === 'GET' && own.has(routeKey(match.route)));
  // `$default` is open wherever release data is open, so HEAD works only for open routes.
  if (method === 'HEAD' && get && RELEASE_DATA.includes(get.route.access)) return get;
  if (matches.length === 0) {
    const what = `${method} ${event.rawPath}`;
    throw new Problem(
      'not-found',
      errorsAt(all, event.rawPath) === 'cincinnati'
        ? `does not exist: ${what}`
        : `${what} does not exist; GET /openapi.json lists what does`,
    );
  }
  const allow = matches.map((match) => match.route.method).join(', ');
  throw new Problem('method-not-allowed', `${method} is not supported here, accepted: ${allow}`, {
    headers: { allow },
  });
}
