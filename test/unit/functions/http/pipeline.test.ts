import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { AnyEndpoint, HttpEvent, HttpMiddleware } from '../../../../functions/http/endpoint.ts';
import { httpHandler } from '../../../../functions/http/pipeline.ts';
import { Problem } from '../../../../functions/http/problem.ts';
import { ExpectedError } from '../../../../functions/runtime/errors.ts';
import { eventOf, keptLog, routeOf } from '../../../helpers/lambda/http-request.ts';

const thing = routeOf();
const putThing = routeOf({
  id: 'putThing',
  method: 'PUT',
  access: 'write',
  body: () => z.strictObject({ name: z.string() }),
});
const graph = routeOf({ id: 'graph', path: '/graph', access: 'graph', errors: 'cincinnati' });
const routes = [thing, putThing, graph];

const CONTEXT = Object.freeze({ awsRequestId: 'a1' });

function send(
  event: Partial<HttpEvent> & { readonly method?: string },
  endpoint: AnyEndpoint = () => ({ data: 'ok' }),
  extra: readonly HttpMiddleware[] = [],
) {
  const log = keptLog();
  const handler = httpHandler({
    routes: { own: routes, all: async () => routes },
    endpoints: { thing: endpoint, putThing: endpoint, graph: endpoint },
    log,
    extra,
  });
  const { method = 'GET', ...fields } = event;
  const sent = eventOf({ requestContext: { requestId: 'r1', http: { method } }, ...fields });
  return handler(sent, CONTEXT).then((result) => ({ ...result, lines: log.lines }));
}

const put = { method: 'PUT', routeKey: 'PUT /thing', headers: { 'content-type': 'application/json' } };

describe('httpHandler', () => {
  it('serializes what the endpoint of the route replies', async () => {
    const { statusCode, body, lines } = await send({}, () => ({ data: { a: 1 } }));
    expect([statusCode, body, lines]).toEqual([200, '{"a":1}', []]);
  });

  it('refuses an unparsable request before the middlewares of an app, and these before the endpoint', async () => {
    const calls: string[] = [];
    const before: HttpMiddleware['before'] = () => {
      calls.push('extra');
      throw new ExpectedError('stopped', 'every change is stopped');
    };
    const endpoint = () => {
      calls.push('endpoint');
      return { data: 1 };
    };
    const invalid = await send({ ...put, body: '{}' }, endpoint, [{ before }]);
    expect([invalid.statusCode, calls]).toEqual([400, []]);
    const stopped = await send({ ...put, body: '{"name":"a"}' }, endpoint, [{ before }]);
    expect([stopped.statusCode, calls]).toEqual([503, ['extra']]);
  });

  it.each([
    ['a success', '{"name":"a"}', undefined, 200],
    ['a fault of the caller', '{}', undefined, 400],
    ['a conflict', '{"name":"a"}', new Problem('concurrent-change', 'again'), 409],
    ['a bug', '{"name":"a"}', new TypeError('bug'), 500],
  ])('audits %s with the status that is sent', async (_what, body, error, status) => {
    const { statusCode, lines } = await send({ ...put, body }, () => {
      if (error) throw error;
      return { data: 'ok' };
    });
    expect(statusCode).toBe(status);
    expect(lines.filter(([, message]) => message === 'changed')).toEqual([
      ['info', 'changed', expect.objectContaining({ route: 'PUT /thing', status }) as object],
    ]);
  });

  it('lets pages of other origins read graphs and their errors', async () => {
    const headers = { origin: 'https://console.example' };
    const sent = [
      await send({ routeKey: 'GET /graph', headers }),
      await send({ routeKey: 'GET /graph', headers }, () => Promise.reject(new Error('bug'))),
      await send({ method: 'POST', routeKey: '$default', rawPath: '/graph', headers }),
    ];
    expect(
      sent.map(({ statusCode, headers: of }) => [statusCode, of?.['access-control-allow-origin']]),
    ).toEqual([200, 500, 405].map((status) => [status, headers.origin]));
  });

  it('answers HEAD without a body', async () => {
    const { statusCode, body } = await send({ method: 'HEAD', routeKey: 'HEAD /graph' });
    expect([statusCode, body]).toEqual([200, '']);
  });

  it('names the methods that a path has', async () => {
    const { statusCode, headers } = await send({ method: 'POST', routeKey: '$default' });
    expect([statusCode, headers?.['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, PUT']);
  });

  it('answers OPTIONS by the methods of a path, without parsing or auditing a request', async () => {
    const options = { method: 'OPTIONS', routeKey: '$default', rawQueryString: 'unknown=1' };
    expect(await send(options)).toEqual({
      statusCode: 204,
      headers: { allow: 'GET, HEAD, OPTIONS, PUT' },
      body: '',
      lines: [],
    });
  });

  it('ends with an error when an unexpected error cannot be logged', async () => {
    const broken = new Error('bug');
    const handler = httpHandler({
      routes: { own: routes, all: async () => routes },
      endpoints: { thing: () => Promise.reject(broken) },
      log: {
        ...keptLog(),
        error: () => {
          throw broken;
        },
      },
    });
    await expect(handler(eventOf(), {})).rejects.toBe(broken);
  });
});
