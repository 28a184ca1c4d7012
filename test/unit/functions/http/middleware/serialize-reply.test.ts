import { describe, expect, it } from 'vitest';
import type { HttpMiddleware } from '../../../../../functions/http/endpoint.ts';
import { serializeReply } from '../../../../../functions/http/middleware/serialize-reply.ts';
import { requestOf, resultOf, routeOf } from '../../../../helpers/lambda/http-request.ts';

type Response = Parameters<NonNullable<HttpMiddleware['after']>>[0]['response'];

function serialize(response: Response, method = 'GET') {
  const request = requestOf({
    event: { requestContext: { requestId: 'r1', http: { method } } },
    context: { route: routeOf({ success: { status: 201, description: 'Made' } }) },
    response,
  });
  expect(serializeReply().after!(request)).toBeUndefined();
  return resultOf(request);
}

describe('serializeReply', () => {
  it('sends data as JSON with the status of the route', () => {
    expect(serialize({ data: { a: 1 } })).toEqual({
      statusCode: 201,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
      body: '{"a":1}',
    });
  });

  it('prefers the status and headers of the reply', () => {
    const { statusCode, headers } = serialize({
      data: 1,
      status: 202,
      headers: { 'cache-control': 'public' },
    });
    expect([statusCode, headers?.['cache-control']]).toEqual([202, 'public']);
  });

  it('sends a whole answer as it is', () => {
    const answer = { statusCode: 304, headers: { etag: '"a"' }, body: '' };
    expect(serialize({ answer })).toBe(answer);
  });

  it.each<[string, Response]>([
    ['data', { data: { a: 1 } }],
    ['a whole answer', { answer: { statusCode: 201, headers: { etag: '"a"' }, body: 'text' } }],
  ])('sends %s without a body to HEAD, with the same status and headers', (_what, reply) => {
    const { statusCode, headers, body } = serialize(reply, 'HEAD');
    expect(body).toBe('');
    expect({ statusCode, headers }).toEqual({
      statusCode: 201,
      headers: serialize(reply).headers,
    });
  });

  it.each(['GET', 'HEAD'])(
    'tags and compresses a reading %s on demand, but not stored content',
    async (method) => {
      const afterOf = (response: Response, headers: Record<string, string> = { 'if-none-match': '*' }) => {
        const request = requestOf({
          event: { headers, requestContext: { requestId: 'r1', http: { method } } },
          context: { route: routeOf() },
          response,
        });
        return { request, done: serializeReply().after!(request) as unknown };
      };
      const read = afterOf({ data: { a: 1 } });
      await read.done;
      expect(resultOf(read.request)).toMatchObject({ statusCode: 304, body: '' });
      const tagged = { statusCode: 200, headers: { etag: 'W/"a"' }, body: 'long '.repeat(1000) };
      for (const tag of ['W/"a"', 'W/"a-gzip"']) {
        const known = afterOf({ answer: tagged }, { 'if-none-match': tag });
        await known.done;
        expect(resultOf(known.request)).toMatchObject({ statusCode: 304 });
      }
      const whole = afterOf({ answer: tagged }, { 'accept-encoding': 'gzip' });
      await whole.done;
      expect(resultOf(whole.request).headers).toMatchObject({
        etag: 'W/"a-gzip"',
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
      });
      const answer = { statusCode: 200, headers: { etag: '"a"', vary: 'Accept-Encoding' }, body: '' };
      const stored = afterOf({ answer });
      expect(stored.done).toBeUndefined();
      expect(resultOf(stored.request)).toEqual(answer);
    },
  );
});
