import type { HttpEvent } from './endpoint.ts';
import { Problem } from './problem.ts';
import { METHODS, type Route } from './route.ts';

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

/** Error shapes below paths where clients of other services ask, also for what does not exist. */
const SHAPES: readonly (readonly [path: string, errors: Route['errors']])[] = [
  ['/api/upgrades_info/', 'cincinnati'],
  ['/api/assisted-install/', 'assisted'],
  ['/v2/', 'assisted'],
];

/** Error shape of the routes at a path. */
export function errorsAt(routes: readonly Route[], path: string): Route['errors'] {
  const [match] = matchPath(routes, path);
  if (match) return match.route.errors;
  return SHAPES.find(([start]) => `${path}/`.startsWith(start))?.[1] ?? 'problem';
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

/** Methods of a path for `Allow`. GET implies HEAD, and every path answers OPTIONS. */
function allowedMethods(matches: readonly RouteMatch[]): string {
  const methods = new Set(matches.map(({ route }) => route.method));
  if (methods.has('GET')) methods.add('HEAD');
  return METHODS.filter((method) => methods.has(method) || method === 'OPTIONS').join(', ');
}

/** The `Allow` of a path, for OPTIONS; throws for any other method, and if the path does not exist. */
export function allowAt(event: HttpEvent, all: readonly Route[]): string {
  const matches = matchPath(all, event.rawPath);
  const { method } = event.requestContext.http;
  if (matches.length === 0) {
    const what = `${method} ${event.rawPath}`;
    throw new Problem(
      'not-found',
      errorsAt(all, event.rawPath) === 'cincinnati'
        ? `does not exist: ${what}`
        : `${what} does not exist; GET /openapi.json lists what does`,
    );
  }
  const allow = allowedMethods(matches);
  if (method === 'OPTIONS') return allow;
  throw new Problem('method-not-allowed', `${method} is not supported here, accepted: ${allow}`, {
    headers: { allow },
  });
}
