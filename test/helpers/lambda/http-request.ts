import type { HttpContext, HttpEvent, HttpMiddleware } from '../../../functions/http/endpoint.ts';
import type { HttpResult } from '../../../functions/http/reply.ts';
import type { Route } from '../../../functions/http/route.ts';
import type { Log } from '../../../functions/runtime/log.ts';

type Request = Parameters<NonNullable<HttpMiddleware['before']>>[0];

export function routeOf(fields: Partial<Route> = {}): Route {
  return {
    id: 'thing',
    method: 'GET',
    path: '/thing',
    lambda: 'query',
    access: 'read',
    errors: 'problem',
    summary: 'A thing',
    success: { status: 200, description: 'It' },
    failures: [],
    ...fields,
  };
}

export function eventOf(fields: Partial<HttpEvent> = {}): HttpEvent {
  return {
    routeKey: 'GET /thing',
    rawPath: '/thing',
    rawQueryString: '',
    headers: {},
    isBase64Encoded: false,
    requestContext: { requestId: 'r1', http: { method: 'GET' } },
    ...fields,
  };
}

/** A middy request. */
export function requestOf(fields: {
  readonly event?: Partial<HttpEvent>;
  readonly context?: Partial<HttpContext>;
  readonly response?: Request['response'];
  readonly error?: unknown;
}): Request {
  return {
    event: eventOf(fields.event),
    context: { ...fields.context } as HttpContext,
    response: fields.response,
    error: fields.error as Error | undefined,
    internal: {},
  };
}

export function resultOf(request: Request): HttpResult {
  return request.response as HttpResult;
}

/** Keeps log lines as `[level, message, fields]`. */
export function keptLog(): Log & { readonly lines: unknown[][] } {
  const lines: unknown[][] = [];
  const keep =
    (level: string) =>
    (...line: unknown[]): void => {
      lines.push([level, ...line]);
    };
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}
