import { type Authorizer, principalOf } from './principal.ts';
import { type Route, routeKey } from '../route.ts';
import type { Log } from '../../runtime/log.ts';

const LONGEST = 256;

interface AuditedRequest {
  readonly rawPath: string;
  readonly requestContext: {
    readonly requestId: string;
    readonly http: { readonly sourceIp?: string };
    readonly authorizer?: Authorizer;
  };
}

/** One line for every request that changes something or tries to: who, what, from where and how it ended. */
export function logChange(log: Log, route: Route, request: AuditedRequest, status: number): void {
  if (route.access !== 'write' && route.access !== 'admin') return;
  const { requestId, http, authorizer } = request.requestContext;
  log.info('changed', {
    requestId,
    route: routeKey(route),
    // The path alone: a query may hold more than is anybody's business.
    path: request.rawPath.slice(0, LONGEST),
    principal: principalOf(authorizer),
    sourceIp: http.sourceIp ?? 'local',
    status,
  });
}
