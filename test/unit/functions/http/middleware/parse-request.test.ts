import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseRequest } from '../../../../../functions/http/middleware/parse-request.ts';
import { requestOf, routeOf } from '../../../../helpers/lambda/http-request.ts';

const query = () =>
  z.strictObject({ to: z.optional(z.string().check(z.regex(/^\d/, { error: 'a digit' }))) });
const body = () => z.strictObject({ name: z.string() });

function parse(route: Parameters<typeof routeOf>[0], rawQueryString: string, sent?: string) {
  const request = requestOf({
    event: {
      rawQueryString,
      headers: { 'content-type': 'application/json' },
      ...(sent !== undefined && { body: sent }),
      requestContext: {
        requestId: 'r1',
        http: { method: 'GET' },
        authorizer: { jwt: { claims: { sub: 'anna' } } },
      },
    },
    context: { route: routeOf(route), path: { id: 'a' } },
  });
  return { request, run: () => parseRequest().before!(request) as unknown };
}

describe('parseRequest', () => {
  it('parses a request without a body at once', () => {
    const { request, run } = parse({ query }, 'to=4.16');
    expect(run()).toBeUndefined();
    expect(request.context.call).toEqual({
      query: { to: '4.16' },
      path: { id: 'a' },
      body: undefined,
      method: 'GET',
      headers: { 'content-type': 'application/json' },
      principal: 'anna',
    });
  });

  it('parses a body, and returns nothing that middy would take for a response', async () => {
    const { request, run } = parse({ body, method: 'PUT' }, '', '{"name":"a"}');
    expect(await run()).toBeUndefined();
    expect(request.context.call).toMatchObject({ body: { name: 'a' }, method: 'PUT' });
  });

  it('hands the bytes of a resource on', async () => {
    const { request, run } = parse({ resource: () => z.object({ spec: z.object({}) }) }, '', 'spec: {}');
    await run();
    expect(Buffer.from(request.context.call!.body as Uint8Array).toString()).toBe('spec: {}');
  });

  it('refuses a query where no parameter is known, but not of a page', () => {
    expect(() => parse({}, 'format=text').run()).toThrow('format: is not known, no parameter is accepted');
    expect(() => parse({ body }, 'name=a', '{}').run()).toThrow('fields are accepted in the body');
    expect(parse({ access: 'open' }, 'code=1').run()).toBeUndefined();
    expect(parse({ errors: 'assisted' }, 'id=1').run()).toBeUndefined();
  });

  it('names faults of the query before those of the body', async () => {
    expect(() => parse({ query, body }, 'to=x', '{}').run()).toThrow('to="x": a digit');
    await expect(parse({ query, body }, 'to=4', '{}').run()).rejects.toThrow('/name: a text is accepted');
  });
});
