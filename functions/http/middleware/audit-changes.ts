import type { Log } from '../../runtime/log.ts';
import type { HttpMiddleware } from '../endpoint.ts';
import type { HttpResult } from '../reply.ts';
import { principalOf } from '../request.ts';
import { routeKey } from '../route.ts';

const LONGEST_PATH = 256;

/** Logs every attempted change. Outermost, so it logs the status that is sent. */
export function auditChanges(log: Log): HttpMiddleware {
  const logChange: HttpMiddleware['after'] = ({ event, context: { route }, response }) => {
    if (route?.access !== 'write' && route?.access !== 'admin') return;
    const { requestId, http, authorizer } = event.requestContext;
    log.info('changed', {
      requestId,
      route: routeKey(route),
      // Omits the query, which may contain private data.
      path: event.rawPath.slice(0, LONGEST_PATH),
      principal: principalOf(authorizer),
      sourceIp: http.sourceIp ?? 'local',
      status: (response as HttpResult).statusCode ?? 200,
    });
  };
  return { after: logChange, onError: logChange };
}
