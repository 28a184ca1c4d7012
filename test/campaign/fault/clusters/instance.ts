import type { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { matchPath } from '../../../../functions/http/match-path.ts';
import { routeKey } from '../../../../functions/http/route.ts';
import { createManageApp } from '../../../../functions/manage-app.ts';
import { manageRoutes } from '../../../../functions/manage-routes.ts';
import type { Table } from '../../../../functions/store/table.ts';
import type { Uploads } from '../../../../functions/uploads/store.ts';
import type { ClientBoundary } from '../harness/client-boundary.ts';
import { OWN_BUCKET } from '../harness/stage.ts';
import type { Answer, Asked } from './ledger.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const neverAsked = () => Promise.reject(new Error('nobody asks for a run'));

/** A program with clients of its own that serves one request at a time, as a Lambda does. */
export interface Instance {
  readonly table: Table;
  readonly s3: S3Client;
  readonly boundary: ClientBoundary;
  /** What it is at. */
  asked: Asked | null;
}

export interface Message {
  readonly method: 'PUT' | 'GET' | 'DELETE';
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks an instance; null when it was killed before it could answer. */
export async function ask(
  instance: Instance,
  { method, target, headers = {}, body }: Message,
  asked: Asked,
): Promise<Answer | null> {
  const { table, s3, boundary } = instance;
  const { now, historyLimit } = asked;
  instance.asked = asked;
  const moment = Date.parse(now);
  const app = createManageApp({
    table,
    historyLimit,
    clock: () => moment,
    log: silent,
    sync: { intervalMs: 600_000 },
    launcher: { launchSync: neverAsked, launchPruner: neverAsked },
    openUploads: async () => uploadsIn(s3),
  });
  const [rawPath = '', rawQueryString = ''] = target.split('?');
  const match = matchPath(manageRoutes, rawPath).find(({ route }) => route.method === method)!;
  const result = await app(
    {
      routeKey: routeKey(match.route),
      rawPath,
      rawQueryString,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
      pathParameters: { ...match.pathParameters },
      isBase64Encoded: false,
      requestContext: { requestId: 'trial', http: { method } },
    },
    {},
  );
  await boundary.settled();
  if (boundary.isDead) return null;
  const text = result.body ?? '';
  return {
    status: result.statusCode!,
    headers: result.headers ?? {},
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
}

/** Puts documents where a client puts those that are too large for a request. */
export async function upload(s3: S3Client, id: string, documents: string): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket: OWN_BUCKET, Key: `uploads/${id}`, Body: documents }));
}

/** As the product has it, but with a client that is given. */
function uploadsIn(s3: S3Client): Uploads {
  return {
    create: () => Promise.reject(new Error('nobody asks for an address')),
    async open(id) {
      try {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: OWN_BUCKET, Key: `uploads/${id}` }));
        return Body as Readable;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
  };
}
