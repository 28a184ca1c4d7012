import { gunzipSync } from 'node:zlib';
import { matchPath } from '../../../functions/http/match-path.ts';
import { routeKey } from '../../../functions/http/route.ts';
import { createManageApp } from '../../../functions/manage-app.ts';
import { servedRoutes } from '../../../functions/routes.ts';
import type { Log } from '../../../functions/runtime/log.ts';
import type { Table } from '../../../functions/store/table.ts';
import { strictly } from './strict.ts';

export interface ManageAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of any route
  readonly body: any;
}

export type AskManage = (
  method: string,
  target: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
  /** ARN of the caller. */
  by?: string,
) => Promise<ManageAnswer>;

const noUploads = () => Promise.reject(new Error('nothing is uploaded here'));

/** A warm `manage` function in this process, on the clock of a test. */
export function startManage(table: Table, clock: () => number, log: Log): AskManage {
  const sync = { intervalMs: 600_000 };
  const launcher = {} as never;
  const app = strictly(
    createManageApp({ table, clock, log, historyLimit: 100, sync, launcher, openUploads: noUploads }),
  );
  return async (method, target, body, headers = {}, by = 'arn:aws:iam::1:role/anna') => {
    const [rawPath = '', rawQueryString = ''] = target.split('?');
    const match = matchPath(servedRoutes, rawPath).find(({ route }) => route.method === method)!;
    const result = await app(
      {
        routeKey: routeKey(match.route),
        rawPath,
        rawQueryString,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        pathParameters: match.pathParameters,
        isBase64Encoded: false,
        requestContext: { requestId: 'test', http: { method }, authorizer: { iam: { userArn: by } } },
      },
      {},
    );
    const bytes = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
    const isGzip = result.headers?.['content-encoding'] === 'gzip' && bytes.length > 0;
    const text = (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
    return {
      status: result.statusCode,
      headers: result.headers as Record<string, string>,
      body: text === '' ? null : JSON.parse(text),
    };
  };
}
