import middy from '@middy/core';
import type { Log } from '../runtime/log.ts';
import type { AnyEndpoint, HttpContext, HttpEvent, HttpMiddleware } from './endpoint.ts';
import { auditChanges } from './middleware/audit-changes.ts';
import { crossOrigin } from './middleware/cross-origin.ts';
import { findRoute, type RouteLists } from './middleware/find-route.ts';
import { parseRequest } from './middleware/parse-request.ts';
import { problemResponse } from './middleware/problem-response.ts';
import { serializeReply } from './middleware/serialize-reply.ts';
import type { HttpResult, Reply } from './reply.ts';

export interface HttpApp {
  readonly routes: RouteLists;
  /** By route ID. */
  readonly endpoints: Readonly<Record<string, AnyEndpoint>>;
  readonly log: Log;
  /** Run after the request is parsed. */
  readonly extra?: readonly HttpMiddleware[];
}

export type HttpHandler = (event: HttpEvent, context: object) => Promise<HttpResult>;

/** One Lambda for many routes. `before` hooks run in this order, `after` and `onError` hooks in reverse. */
export function httpHandler({ routes, endpoints, log, extra = [] }: HttpApp): HttpHandler {
  const handler = middy<HttpEvent, Reply<unknown> | HttpResult, Error, HttpContext>({
    // No endpoint uses the abort signal, so there is nothing to abort early.
    timeoutEarlyInMillis: 0,
  })
    .use([
      auditChanges(log),
      crossOrigin(),
      problemResponse(log),
      findRoute(routes),
      serializeReply(),
      parseRequest(),
      ...extra,
    ])
    .handler((_event: HttpEvent, { route, call, allow }: HttpContext) =>
      allow === undefined
        ? // Each endpoint takes the call of its route, which is unknown here.
          endpoints[route!.id]!(call as never)
        : { answer: { statusCode: 204, headers: { allow }, body: '' } },
    );
  // `serializeReply` has turned every reply into a result.
  return handler as unknown as HttpHandler;
}
