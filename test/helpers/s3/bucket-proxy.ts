import {
  Agent,
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { DeleteObjectsCommand, type S3Client } from '@aws-sdk/client-s3';
import { formatToken, parseToken } from '../../../infra/local/s3/bucket-operations.ts';
import { byteName } from '../../../infra/local/s3/listing.ts';
import {
  branch,
  childText,
  leaf,
  parseXml,
  type XmlElement,
  xmlDocument,
} from '../../../infra/local/s3/xml.ts';
import { actorOf } from './actor.ts';

export interface ProxiedCall {
  /** Whose call it is. */
  readonly actor: string;
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  /** The keys of a deletion of several. */
  readonly deletes: readonly string[];
}

/** What becomes of a call; `null` lets it through. */
export type Fault =
  | 'throttled'
  | 'failed'
  | 'reset'
  /** It is carried out, and its answer is lost. */
  | 'lost-answer'
  /** Refused for good: no other attempt is made. */
  | 'denied'
  /** Of a listing: a page of so many entries, which is not the last. */
  | { readonly page: number }
  | { readonly deletes: ReadonlyMap<string, KeyFault> };

/** What becomes of one key of a deletion: told as an error, or not named in the answer though it is gone or is not. */
export type KeyFault = { readonly code: string } | 'silent-gone' | 'silent-left';

export interface FaultSource {
  /** The most entries that a page of a listing has; as many as the server gives when left out. */
  readonly pageSize?: (call: ProxiedCall) => number;
  /** Asked before a call is carried out; whoever answers may do other things first. */
  next(call: ProxiedCall): Promise<Fault | null>;
  /** A call was carried out; of a deletion of several keys, those that are gone by it. */
  carriedOut(call: ProxiedCall, gone: readonly string[]): Promise<void> | void;
  /** What the client is told of a deletion: the keys that are certainly gone. */
  told(call: ProxiedCall, gone: readonly string[]): void;
}

export interface BucketProxy {
  readonly url: string;
  use(source: FaultSource | null): void;
  close(): Promise<void>;
}

/** So that a listing of a few objects has several pages. */
export const SMALL_PAGE = 3;

const XML = { 'content-type': 'application/xml' };
/** What a listing holds, of objects, versions and uploads, and what its last lines are. */
const ENTRIES: ReadonlySet<string> = new Set(['Contents', 'Version', 'DeleteMarker', 'Upload']);
const ENDS: ReadonlySet<string> = new Set([
  'IsTruncated',
  'NextContinuationToken',
  'NextKeyMarker',
  'NextVersionIdMarker',
  'NextUploadIdMarker',
]);

/** Stands between a client and an S3 server and does to calls what S3 and networks do now and then. */
export async function startBucketProxy(upstream: string, direct: S3Client): Promise<BucketProxy> {
  const target = new URL(upstream);
  const agent = new Agent({ keepAlive: true });
  let source: FaultSource | null = null;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const call = callOf(request, body);
    const fault = (await source?.next(call)) ?? null;
    const page = typeof fault === 'object' && fault !== null && 'page' in fault ? fault.page : null;
    if (fault === null || fault === 'lost-answer' || page !== null) {
      const { status, headers, content } = await forward(request, body);
      if (status < 300) await source?.carriedOut(call, call.deletes);
      source?.told(call, fault === null && status < 300 ? call.deletes : []);
      const most = page ?? (isListing(call) ? source?.pageSize?.(call) : undefined);
      if (fault === 'lost-answer') request.socket.destroy();
      else if (most === undefined || status !== 200) response.writeHead(status, headers).end(content);
      else response.writeHead(200, XML).end(shortPage(call, content.toString(), most));
    } else if (typeof fault === 'object' && 'deletes' in fault) {
      await deleteSome(call, fault.deletes, response);
    } else {
      source?.told(call, []);
      if (fault === 'reset') request.socket.destroy();
      else if (fault === 'throttled') refuse(response, 503, 'SlowDown');
      else if (fault === 'denied') refuse(response, 403, 'AccessDenied');
      else refuse(response, 500, 'InternalError');
    }
  };

  const forward = (request: IncomingMessage, body: Buffer) =>
    new Promise<{ status: number; headers: string[]; content: Buffer }>((resolve, reject) => {
      const outgoing = sendRequest(
        {
          host: target.hostname,
          port: target.port,
          agent,
          method: request.method,
          path: request.url,
          headers: request.headers,
        },
        (answered) => {
          buffer(answered).then(
            (content) => resolve({ status: answered.statusCode!, headers: answered.rawHeaders, content }),
            reject,
          );
        },
      );
      outgoing.on('error', reject).end(body);
    });

  const deleteSome = async (
    call: ProxiedCall,
    faults: ReadonlyMap<string, KeyFault>,
    response: ServerResponse,
  ): Promise<void> => {
    const gone = call.deletes.filter((key) => (faults.get(key) ?? 'silent-gone') === 'silent-gone');
    if (gone.length > 0) {
      const Objects = gone.map((Key) => ({ Key }));
      await direct.send(new DeleteObjectsCommand({ Bucket: call.bucket, Delete: { Objects } }));
    }
    await source?.carriedOut(call, gone);
    source?.told(
      call,
      call.deletes.filter((key) => !faults.has(key)),
    );
    const lines = call.deletes.map((key) => {
      const fault = faults.get(key);
      if (fault === undefined) return `<Deleted><Key>${key}</Key></Deleted>`;
      return typeof fault === 'string'
        ? ''
        : `<Error><Key>${key}</Key><Code>${fault.code}</Code><Message>planted</Message></Error>`;
    });
    response.writeHead(200, XML).end(`<DeleteResult>${lines.join('')}</DeleteResult>`);
  };

  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (next) => (source = next),
    close: () =>
      new Promise((done) => {
        agent.destroy();
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const body = `<Error><Code>${code}</Code><Message>planted</Message></Error>`;
  response.writeHead(status, XML).end(body);
}

export function isListing({ method, key, query }: ProxiedCall): boolean {
  return (
    method === 'GET' && key === '' && ['list-type', 'versions', 'uploads'].some((name) => query.has(name))
  );
}

/** A page of a listing, with at most so many of its entries; those that are left out come with the next page. */
function shortPage({ query }: ProxiedCall, xml: string, most: number): string {
  const { name, children } = parseXml(xml);
  const entries = children.filter((child) => ENTRIES.has(child.name));
  // What is behind a version or an upload can be said only by naming it.
  const kept = entries.slice(0, query.get('key-marker') ? Math.max(1, most) : most);
  if (kept.length === entries.length && most > 0) return xml;
  const last = kept.at(-1);
  const of = (field: string) => childText(last!, field)!;
  const head = children.filter((child) => !ENTRIES.has(child.name) && !ENDS.has(child.name));
  const ends = [leaf('IsTruncated', true)];
  if (name === 'ListBucketResult') {
    ends.push(leaf('NextContinuationToken', formatToken(last ? byteName(of('Key')) : waiting(query))));
  } else if (last) {
    const id = name === 'ListVersionsResult' ? 'VersionId' : 'UploadId';
    ends.push(leaf('NextKeyMarker', of('Key')), leaf(`Next${id}Marker`, of(id)));
  } else {
    ends.push(leaf('NextKeyMarker', query.get('prefix')!.slice(0, -1)));
  }
  return xmlDocument(name, ...[...head, ...kept].map(xmlOf), ...ends);
}

/** Where a page without entries ends: behind where it began, and before every other key. */
function waiting(query: URLSearchParams): string {
  const token = query.get('continuation-token');
  return `${token === null ? byteName(query.get('start-after') ?? '') : parseToken(token)}\0`;
}

function xmlOf({ name, text, children }: XmlElement): string {
  return children.length === 0 ? leaf(name, text) : branch(name, ...children.map(xmlOf));
}

function callOf(request: IncomingMessage, body: Buffer): ProxiedCall {
  const url = new URL(request.url!, 'http://proxy');
  const [, bucket = '', ...key] = url.pathname.split('/').map(decodeURIComponent);
  const isDeletion = request.method === 'POST' && url.searchParams.has('delete');
  return {
    actor: actorOf(request),
    method: request.method!,
    bucket,
    key: key.join('/'),
    query: url.searchParams,
    deletes: isDeletion
      ? Array.from(body.toString().matchAll(/<Key>([^<]*)<\/Key>/g), ([, name]) => name!)
      : [],
  };
}
