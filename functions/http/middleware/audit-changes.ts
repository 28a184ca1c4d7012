import type { Log } from '../../runtime/log.ts';
import { type Route, routeKey } from '../route.ts';

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

/** What API Gateway tells of who calls, in events of the payload 2.0. */
export interface Authorizer {
  readonly iam?: { readonly userArn?: string | null };
  readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
}

/** Who calls: the ARN of a signed request, `sub` of a token with its client, `local` where nobody is asked. */
export function principalOf(authorizer: Authorizer | undefined): string {
  const arn = authorizer?.iam?.userArn;
  if (arn) return arn.slice(0, LONGEST);
  const claims = authorizer?.jwt?.claims;
  if (claims === undefined) return 'local';
  const names = [claims['sub'], claims['client_id']].filter((name) => typeof name === 'string');
  return (names.length > 0 ? names.join(' by ') : 'unknown').slice(0, LONGEST);
}
