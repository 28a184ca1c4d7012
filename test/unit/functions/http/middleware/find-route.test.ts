import { describe, expect, it } from 'vitest';
import type { HttpContext } from '../../../../../functions/http/endpoint.ts';
import { findRoute } from '../../../../../functions/http/middleware/find-route.ts';
import { requestOf, routeOf } from '../../../../helpers/lambda/http-request.ts';

const graph = routeOf({ id: 'graph', path: '/graphs/{name}', access: 'graph', errors: 'cincinnati' });
const thing = routeOf();
const changing = routeOf({ id: 'putThing', method: 'PUT', lambda: 'manage', access: 'write' });
const removing = routeOf({ id: 'deleteOther', method: 'DELETE', path: '/other', access: 'write' });
const own = [graph, thing];

function find(method: string, rawPath: string, routeKey = '$default') {
  let loads = 0;
  const all = async () => {
    loads++;
    return [...own, changing, removing];
  };
  const runtime = Object.freeze({ awsRequestId: 'a1' });
  const request = requestOf({
    event: {
      routeKey,
      rawPath,
      pathParameters: { name: 'sent' },
      requestContext: { requestId: 'r1', http: { method } },
    },
  });
  request.context = runtime as HttpContext;
  return { request, result: findRoute({ own, all }).before!(request) as unknown, loads: () => loads };
}

describe('findRoute', () => {
  it('finds an own route at once, without loading the others', () => {
    const { request, result, loads } = find('GET', '/graphs/a', 'GET /graphs/{name}');
    expect(result).toBeUndefined();
    expect(request.context).toEqual({
      awsRequestId: 'a1',
      route: graph,
      errors: 'cincinnati',
      path: { name: 'sent' },
    });
    expect(loads()).toBe(0);
  });

  it('answers HEAD by the GET route', () => {
    const { request, result, loads } = find('HEAD', '/graphs/a', 'HEAD /graphs/{name}');
    expect(result).toBeUndefined();
    expect(request.context).toMatchObject({ route: graph, errors: 'cincinnati', path: { name: 'sent' } });
    expect(loads()).toBe(0);
  });

  it.each([
    ['/graphs/a', 'GET, HEAD, OPTIONS', 'cincinnati'],
    ['/thing', 'GET, HEAD, OPTIONS, PUT', 'problem'],
    ['/other', 'OPTIONS, DELETE', 'problem'],
  ])('answers OPTIONS of %s by the methods of the path: %s', async (path, allow, errors) => {
    const { request, result } = find('OPTIONS', path);
    expect(await result).toBeUndefined();
    expect(request.context).toEqual({ awsRequestId: 'a1', allow, errors });
  });

  it.each([
    ['HEAD without GET', 'HEAD', '/other', 'method-not-allowed', { allow: 'OPTIONS, DELETE' }, 'problem'],
    [
      'a wrong method',
      'POST',
      '/graphs/a',
      'method-not-allowed',
      { allow: 'GET, HEAD, OPTIONS' },
      'cincinnati',
    ],
    ['OPTIONS of an unknown path', 'OPTIONS', '/nothing', 'not-found', {}, 'problem'],
    ['an unknown path', 'GET', '/nothing', 'not-found', {}, 'problem'],
    ['an unknown path of the protocol', 'GET', '/api/upgrades_info/x', 'not-found', {}, 'cincinnati'],
  ])('refuses %s in the error shape of the path', async (_what, method, path, code, headers, errors) => {
    const { request, result } = find(method, path);
    await expect(result).rejects.toMatchObject({ code, headers });
    expect(request.context).toMatchObject({ errors });
    expect(request.context.route).toBeUndefined();
  });
});
