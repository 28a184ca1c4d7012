import {
  Agent,
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DeleteObjectsCommand, type S3Client } from '@aws-sdk/client-s3';
import { formatToken, parseToken } from '../../../infra/local/s3/list-operations.ts';
import { byteName } from '../../../infra/local/s3/listing.ts';
import {
  branch,
  childText,
  leaf,
  parseXml,
  type XmlElement,
  xmlDocument,
} from '../../../infra/local/s3/xml.ts';
import { listen } from '../listen.ts';
import { actorOf } from './actor.ts';

export interface ProxiedCall {
  /** Client that sent the call. */
  readonly actor: string;
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  /** Keys of a DeleteObjects call. */
  readonly deletes: readonly string[];
}

/** Effect on a call; `null` forwards it. */
export type Fault =
  | 'throttled'
  | 'failed'
  | 'reset'
  /** Executed, but the response is lost. */
  | 'lost-answer'
  /** Rejected without a retry. */
  | 'denied'
  /** Listings only: a page with this many entries that is not the last. */
  | { readonly page: number }
  | { readonly deletes: ReadonlyMap<string, KeyFault> };

/** Effect on one key of a deletion: an error, or missing in the response although deleted or not deleted. */
export type KeyFault = { readonly code: string } | 'silent-gone' | 'silent-left';

export interface FaultSource {
  /**
   * Maximum entries of a listing page.
   * @default the page of the server
   */
  readonly pageSize?: (call: ProxiedCall) => number;
  /** Called before a call is executed. It can do other work first. */
  next(call: ProxiedCall): Promise<Fault | null>;
  /** Called after a call is executed, with the keys that it deleted. */
  carriedOut(call: ProxiedCall, gone: readonly string[]): Promise<void> | void;
  /** Called with the keys that the response reports as deleted. */
  told(call: ProxiedCall, gone: readonly string[]): void;
}

export interface BucketProxy {
  readonly url: string;
  use(source: FaultSource | null): void;
  close(): Promise<void>;
}

/** Gives a listing of a few objects several pages. */
export const SMALL_PAGE = 3;

const XML = { 'content-type': 'application/xml' };
/** Elements of listings of objects, versions and uploads. */
const ENTRIES: ReadonlySet<string> = new Set(['Contents', 'Version', 'DeleteMarker', 'Upload']);
const ENDS: ReadonlySet<string> = new Set([
  'IsTruncated',
  'NextContinuationToken',
  'NextKeyMarker',
  'NextVersionIdMarker',
  'NextUploadIdMarker',
]);

/** Stands between a client and an S3 server and injects faults of S3 and networks. */
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
  const { url, close } = await listen(server);
  return {
    url,
    use: (next) => (source = next),
    close() {
      agent.destroy();
      return close();
    },
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

/** Shortens a listing page. The next page has the omitted entries. */
function shortPage({ query }: ProxiedCall, xml: string, most: number): string {
  const { name, children } = parseXml(xml);
  const entries = children.filter((child) => ENTRIES.has(child.name));
  // A marker for versions or uploads has to name an entry.
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

/** End of an empty page: after its start and before every other key. */
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
