import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { matchPath } from '../../../functions/http/match-path.ts';
import { routeKey } from '../../../functions/http/route.ts';
import { servedRoutes } from '../../../functions/routes.ts';
import type { Bucket } from '../../../functions/store/bucket.ts';
import type { Table } from '../../../functions/store/table.ts';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import { newTable, tableEngines } from '../table/table.ts';
import { type CincinnatiStub, startCincinnatiStub, type StubSource } from '../upstream/cincinnati-stub.ts';
import { type AwsStub, startAwsStub } from './aws-stub.ts';
import { builtBundle, builtQueryWithConsole } from './built.ts';
import { type Lambda, startLambda } from './lambda-host.ts';
import { checkAnswer } from './strict.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Decompressed body. */
  readonly text: string;
  /** Body as JSON; null if it is not JSON. */
  readonly body: unknown;
}

export interface Deployment {
  readonly table: Table;
  /** Cairn's own bucket. Its client also serves others. */
  readonly bucket: Bucket;
  readonly upstream: CincinnatiStub;
  readonly eventBridge: AwsStub;
  readonly scheduler: AwsStub;
  readonly sync: Lambda;
  readonly query: Lambda;
  readonly manage: Lambda;
  /** Sends an API Gateway event to the Lambda of the route. */
  request(
    method: string,
    target: string,
    options?: { body?: string | Buffer; headers?: Record<string, string> },
  ): Promise<HttpAnswer>;
  archived(): Promise<string[]>;
  /** Another `query` without a table. */
  withoutTable(): Promise<Pick<Deployment, 'query' | 'request' | 'close'>>;
  close(): Promise<void>;
}

/** Deployed bundles in the Lambda runtime, on a real table engine and a real S3 server. */
export async function startDeployment(options: {
  readonly releases: unknown;
  readonly source: StubSource;
  /**
   * Includes the console in `query`.
   * @default false
   */
  readonly hasConsole?: boolean;
}): Promise<Deployment> {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-deployment-'));
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const [table, upstream, eventBridge, scheduler, bucketServer] = await Promise.all([
    newTable(),
    startCincinnatiStub(options.source),
    startAwsStub(),
    startAwsStub(),
    startBucketServer({
      dir: join(dir, 'bucket'),
      host: '127.0.0.1',
      port: 0,
      region: 'us-east-1',
      ...credentials,
    }),
  ]);
  const bucket = new S3Client({
    endpoint: bucketServer.url,
    region: 'us-east-1',
    credentials,
    forcePathStyle: true,
  });
  await bucket.send(new CreateBucketCommand({ Bucket: 'archive' }));

  const releasesFile = join(dir, 'releases.json');
  writeFileSync(releasesFile, JSON.stringify(options.releases));
  const common = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: tableEngines[0]!.url,
    AWS_ENDPOINT_URL_S3: bucketServer.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: eventBridge.url,
    AWS_ENDPOINT_URL_SCHEDULER: scheduler.url,
    TABLE_NAME: table.name,
  };
  const startQuery = (tableName: string): Promise<Lambda> =>
    startLambda({
      bundleDir: options.hasConsole ? builtQueryWithConsole() : builtBundle('query'),
      environment: {
        ...common,
        TABLE_NAME: tableName,
        SYNC_INTERVAL_MINUTES: '10',
        RETIREMENT_GRACE_DAYS: '14',
      },
    });
  const [query, manage, sync] = await Promise.all([
    startQuery(table.name),
    startLambda({
      bundleDir: builtBundle('manage'),
      environment: {
        ...common,
        BUCKET_NAME: 'archive',
        SYNC_FUNCTION_ARN: 'arn:aws:lambda:us-east-1:1:function:sync',
        SCHEDULER_ROLE_ARN: 'arn:aws:iam::1:role/scheduler',
        SCHEDULE_GROUP: 'cairn',
        DELIVERY_QUEUE_ARN: 'arn:aws:sqs:us-east-1:1:undelivered',
        SYNC_INTERVAL_MINUTES: '10',
        HISTORY_LIMIT: '100',
        REGISTRY_BUCKETS: JSON.stringify([{ bucket: 'registry', prefix: 'prod' }]),
        PRUNER_FUNCTION_ARN: 'arn:aws:lambda:us-east-1:1:function:prune',
        PRUNER_ROLE_ARN: 'arn:aws:iam::1:role/prune-scheduler',
      },
    }),
    startLambda({
      bundleDir: builtBundle('sync-releases'),
      environment: {
        ...common,
        BUCKET_NAME: 'archive',
        GRAPH_URL: upstream.url,
        LOCAL_UPSTREAM: 'true',
        PAYLOAD_HOSTS: 'quay.io',
        RELEASES_FILE: relative(builtBundle('sync-releases'), releasesFile),
        EVENT_BUS_NAME: 'cairn',
        EUS_TERMS: '2',
        RETIREMENT_GRACE_DAYS: '14',
      },
    }),
  ]);
  return {
    table,
    bucket: { client: bucket, name: 'archive' },
    upstream,
    eventBridge,
    scheduler,
    sync,
    query,
    manage,
    request: requestTo({ query, manage }),
    async archived() {
      const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: 'archive' }));
      return Contents.map(({ Key }) => Key!);
    },
    async withoutTable() {
      const lost = await startQuery('missing');
      return { query: lost, request: requestTo({ query: lost, manage }), close: () => lost.stop() };
    },
    async close() {
      await Promise.all([query, manage, sync].map((lambda) => lambda.stop()));
      await Promise.all([upstream, eventBridge, scheduler, bucketServer].map((server) => server.close()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The content type decides whether a body is text; a string always is. */
function bodyOf(body: string | Buffer, headers: Readonly<Record<string, string>>) {
  const isText = /^(text\/|application\/(json|xml|javascript)\b)/.test(headers['content-type'] ?? '');
  return typeof body === 'string' || isText
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true };
}

export function requestTo(lambdas: Readonly<Record<'query' | 'manage', Lambda>>): Deployment['request'] {
  return async (method, target, { body, headers = {} } = {}) => {
    const [rawPath = '', rawQueryString = ''] = target.split('?');
    const match = matchPath(servedRoutes, rawPath).find(({ route }) => route.method === method);
    const key = match ? routeKey(match.route) : '$default';
    const result = await lambdas[match?.route.lambda ?? 'query'].invoke({
      version: '2.0',
      routeKey: key,
      rawPath,
      rawQueryString,
      headers,
      ...(match && { pathParameters: match.pathParameters }),
      isBase64Encoded: false,
      ...(body !== undefined && bodyOf(body, headers)),
      requestContext: { requestId: 'test-request', http: { method, path: rawPath } },
    });
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    const answer = result.payload as {
      statusCode: number;
      headers: Record<string, string>;
      body: string;
      isBase64Encoded?: boolean;
    };
    checkAnswer({ routeKey: key }, answer);
    const bytes = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8');
    const text = (
      answer.headers['content-encoding'] === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes
    ).toString('utf8');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: text !== '' && answer.headers['content-type']?.includes('json') ? JSON.parse(text) : null,
    };
  };
}
