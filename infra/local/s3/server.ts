import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  validateHeaderValue,
} from 'node:http';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { objectionToCaller } from '../engine-child.ts';
import { lockFolder } from '../folder-lock.ts';
import { listen } from '../http-server.ts';
import { BucketStore } from './bucket-folder.ts';
import {
  createBucket,
  deleteObjects,
  getBucketLocation,
  getBucketVersioning,
  headBucket,
  listBuckets,
  putBucketVersioning,
} from './bucket-operations.ts';
import type { Answer, Operation } from './conditions.ts';
import { asS3Error, S3Error } from './errors.ts';
import { listObjects, listObjectsV2, listObjectVersions } from './list-operations.ts';
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  listMultipartUploads,
  listParts,
  uploadPart,
} from './multipart-operations.ts';
import { deleteObject, getObject, headObject, putObject } from './object-operations.ts';
import { openPayload } from './payload.ts';
import { authorize, type Credentials, parseTarget, type Target } from './signature.ts';
import { leaf, xmlDocument } from './xml.ts';

export interface BucketServerOptions extends Credentials {
  /** Created if missing. Only one server can use it at a time. */
  readonly dir: string;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

export interface BucketServer {
  readonly url: string;
  close(): Promise<void>;
}

/** By method, target, and the query parameters that select an operation. */
const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['GET service', listBuckets],
  ['PUT bucket', createBucket],
  ['HEAD bucket', headBucket],
  ['GET bucket', listObjects],
  ['GET bucket list-type', listObjectsV2],
  ['GET bucket location', getBucketLocation],
  ['GET bucket versioning', getBucketVersioning],
  ['PUT bucket versioning', putBucketVersioning],
  ['GET bucket versions', listObjectVersions],
  ['GET bucket uploads', listMultipartUploads],
  ['POST bucket delete', deleteObjects],
  ['PUT object', putObject],
  ['GET object', getObject],
  ['HEAD object', headObject],
  ['DELETE object', deleteObject],
  ['GET object versionId', getObject],
  ['HEAD object versionId', headObject],
  ['DELETE object versionId', deleteObject],
  ['POST object uploads', createMultipartUpload],
  ['PUT object partNumber&uploadId', uploadPart],
  ['GET object uploadId', listParts],
  ['POST object uploadId', completeMultipartUpload],
  ['DELETE object uploadId', abortMultipartUpload],
]);

/** Parameters that do not select an operation. Any other one must: `?acl` is not a plain GET. */
const OPTIONAL_PARAMETERS: ReadonlySet<string> = new Set([
  'continuation-token',
  'delimiter',
  'encoding-type',
  'fetch-owner',
  'key-marker',
  'marker',
  'max-keys',
  'max-parts',
  'max-uploads',
  'part-number-marker',
  'prefix',
  'start-after',
  'upload-id-marker',
  'version-id-marker',
  'x-id',
]);

/** Longer than clients keep idle connections, so that they never write to a closing one. */
const KEEP_ALIVE_MS = 120_000;
const CLOSE_GRACE_MS = 1000;

/** Path-style S3 server for one key pair, with its buckets in a folder. */
export async function startBucketServer(options: BucketServerOptions): Promise<BucketServer> {
  const dir = resolve(options.dir);
  mkdirSync(dir, { recursive: true });
  const release = await lockFolder(
    dir,
    () => `the folder ${dir} is in use by another bucket server, stop that one first`,
  );
  try {
    const store = new BucketStore(dir);
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      void answerRequest(request, response, store, options);
    };
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, handle);
    server.on('checkContinue', handle);
    const url = await listen(server, options);
    return {
      url,
      async close() {
        const closed = new Promise<void>((done) => server.close(() => done()));
        const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
        await closed;
        clearTimeout(cut);
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  store: BucketStore,
  credentials: Credentials,
): Promise<void> {
  let isWaiting = request.headers.expect?.toLowerCase() === '100-continue';
  response.setHeader('x-amz-request-id', randomUUID());
  try {
    const objection = objectionToCaller(request);
    if (objection !== null) throw new S3Error('AccessDenied', objection);
    const target = parseTarget(request.url ?? '');
    const method = request.method ?? '';
    const now = Date.now();
    const authorization = authorize({ method, target, headers: request.headersDistinct }, credentials, now);
    const headers = withHoistedHeaders(request.headers, target);
    const operation = findOperation(method, target);
    const answer = await operation({
      store,
      region: credentials.region,
      bucketName: target.bucket,
      key: target.key,
      query: new Map(target.query),
      headers,
      now,
      payload: () => {
        if (isWaiting) response.writeContinue();
        isWaiting = false;
        return openPayload(request.iterator({ destroyOnReturn: false }), headers, authorization);
      },
    });
    await sendAnswer(request, response, answer);
  } catch (error) {
    if (response.headersSent || request.errored !== null) {
      response.destroy();
      return;
    }
    // Clients read the response only after sending the body, unless they wait for `100 Continue`.
    if (isWaiting) response.setHeader('connection', 'close');
    else request.resume();
    await sendAnswer(request, response, errorAnswer(error, request)).catch(() => response.destroy());
  }
}

function findOperation(method: string, { bucket, key, query }: Target): Operation {
  const level = bucket === '' ? 'service' : key === '' ? 'bucket' : 'object';
  const choosing = query
    .map(([name]) => name)
    .filter((name) => !OPTIONAL_PARAMETERS.has(name) && !name.toLowerCase().startsWith('x-amz-'))
    .toSorted();
  const name = [method, level, choosing.join('&')].join(' ').trim();
  const operation = OPERATIONS.get(name);
  if (operation === undefined)
    throw new S3Error('NotImplemented', `"${name}" is not an operation of this server`);
  return operation;
}

/** Presigning moves `x-amz-…` headers into the query; S3 reads them there too. */
function withHoistedHeaders(headers: IncomingHttpHeaders, { query }: Target): IncomingHttpHeaders {
  const hoisted = query.filter(([name]) => /^x-amz-[a-z0-9-]+$/.test(name));
  for (const [name, value] of hoisted) {
    try {
      validateHeaderValue(name, value);
    } catch {
      throw new S3Error('InvalidArgument', `the query parameter ${name} does not hold a header value`);
    }
  }
  return { ...Object.fromEntries(hoisted), ...headers };
}

async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers = {}, body } = answer;
  response.writeHead(status, {
    ...(typeof body === 'string'
      ? { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) }
      : {}),
    ...headers,
  });
  if (body === undefined || request.method === 'HEAD') {
    response.end();
  } else if (typeof body === 'string') {
    response.end(body);
  } else {
    await pipeline(body, response);
  }
}

function errorAnswer(error: unknown, request: IncomingMessage): Answer {
  const known = asS3Error(error, 'bucket');
  const body = xmlDocument(
    'Error',
    leaf('Code', known.code),
    leaf('Message', known.message),
    leaf('Resource', request.url ?? ''),
  );
  return { status: known.status, headers: known.headers, body };
}
