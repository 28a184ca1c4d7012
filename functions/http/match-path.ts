import type { HttpEvent } from './endpoint.ts';
import { Problem } from './problem.ts';
import { RELEASE_DATA, type Route, routeKey } from './route.ts';

interface RouteMatch {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** The routes of a path, one per method: `/v1/channels/stable-4.14` matches `/v1/channels/{channel}`. */
export function matchPath(routes: readonly Route[], path: string): RouteMatch[] {
  const segments = path.split('/');
  return routes.flatMap((route) => {
    const pathParameters = matchSegments(route.path.split('/'), segments);
    return pathParameters ? [{ route, pathParameters }] : [];
  });
}

/** Below it clients of the update protocol ask, also for what does not exist. */
const UPDATE_SERVICE = '/api/upgrades_info/';

/** Error shape of the routes at a path. */
export function errorsAt(routes: readonly Route[], path: string): Route['errors'] {
  const [match] = matchPath(routes, path);
  if (match) return match.route.errors;
  return `${path}/`.startsWith(UPDATE_SERVICE) ? 'cincinnati' : 'problem';
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === '') return null;
    if (name !== undefined) parameters[name] = segment;
  }
  return parameters;
}

/** The GET route that answers a HEAD request; throws for any other request. */
export function headStandIn(event: HttpEvent, all: readonly Route[], own: ReadonlyMap<string, Route>) {
  const matches = matchPath(all, event.rawPath);
  const { method } = event.requestContext.http;
  const get = matches.find((match) => match.route.method === 'GET' && own.has(routeKey(match.route)));
  // `$default` is open wherever release data is, so HEAD works for open routes only.
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
