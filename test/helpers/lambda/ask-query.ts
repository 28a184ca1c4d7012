import { gunzipSync } from 'node:zlib';
import { matchPath } from '../../../functions/http/match-path.ts';
import { routeKey } from '../../../functions/http/route.ts';
import { createQueryApp } from '../../../functions/query-app.ts';
import { servedRoutes } from '../../../functions/routes.ts';
import type { Table } from '../../../functions/store/table.ts';
import { strictly } from './strict.ts';

export interface QueryAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Body on the wire, possibly compressed. */
  readonly sent: Buffer;
  /** Decompressed body. */
  readonly content: Buffer;
}

export type AskQuery = (
  target: string,
  options?: {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    /** Sent as JSON. */
    readonly body?: unknown;
  },
) => Promise<QueryAnswer>;

/** A warm `query` function in this process. */
export function startQuery(
  table: Table,
  clock: () => number,
  cpuTime?: () => number,
  onError: (message: string, fields?: object) => void = console.error,
): AskQuery {
  const query = createQueryApp({
    table,
    clock,
    ...(cpuTime && { cpuTime }),
    sync: { intervalMs: 600_000, retirementGraceMs: 14 * 24 * 3600_000 },
    log: { info: () => {}, warn: () => {}, error: onError },
  });
  const app = strictly(query);
  return async (target, { method = 'GET', headers = {}, body: sentBody } = {}) => {
    const [rawPath = '', rawQueryString = ''] = target.split('?');
    const match = matchPath(servedRoutes, rawPath).find(({ route }) => route.method === method);
    const {
      statusCode,
      headers: sentHeaders,
      body,
      isBase64Encoded,
    } = await app(
      {
        routeKey: match ? routeKey(match.route) : '$default',
        rawPath,
        rawQueryString,
        headers: { ...headers, ...(sentBody !== undefined && { 'content-type': 'application/json' }) },
        ...(sentBody !== undefined && { body: JSON.stringify(sentBody) }),
        pathParameters: { ...match?.pathParameters },
        isBase64Encoded: false,
        requestContext: { requestId: 'test', http: { method } },
      },
      {},
    );
    const sent = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
    const isGzip = sentHeaders?.['content-encoding'] === 'gzip' && sent.length > 0;
    return {
      status: statusCode!,
      headers: sentHeaders as Record<string, string>,
      sent,
      content: isGzip ? gunzipSync(sent) : sent,
    };
  };
}
