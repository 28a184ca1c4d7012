import middy from '@middy/core';
import type { Log } from '../runtime/log.ts';
import { type AnyEndpoint, type Guard, type HttpEvent, responder, type RouteLists } from './endpoint.ts';
import { logChange } from './middleware/audit-changes.ts';
import type { HttpResult } from './reply.ts';

/** One Lambda for many routes, which API Gateway has matched. */
export function httpHandler(
  routes: RouteLists,
  endpoints: Readonly<Record<string, AnyEndpoint>>,
  log: Log,
  guard?: Guard,
): (event: HttpEvent, context: object) => Promise<HttpResult> {
  const { respond, toResponse, routeOf } = responder(routes, endpoints, log, guard);
  const handler = middy<HttpEvent, HttpResult>()
    .onError(async (request) => {
      request.response = await toResponse(request.event, request.error);
    })
    .handler(respond) as unknown as (event: HttpEvent, context: object) => Promise<HttpResult>;
  return async (event, context) => {
    const result = await handler(event, context);
    const route = routeOf(event);
    if (route) logChange(log, route, event, result.statusCode ?? 200);
    return result;
  };
}
