import {
  Agent,
  createServer,
  type IncomingMessage,
  request as sendRequest,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../../helpers/listen.ts';
import { actorOf } from '../../../helpers/s3/actor.ts';
import { isWriteBatch, type Item, keyText, TableMirror, type TableInput, writesOf } from './table-mirror.ts';

export interface TableCall {
  /** Whose call it is. */
  readonly actor: string;
  readonly operation: string;
  readonly table: string;
  /** `pk|sk` of every item that is named, `pk` of a query. */
  readonly keys: readonly string[];
  readonly isWrite: boolean;
  readonly input: TableInput;
}

/** What becomes of a call; `null` lets it through. */
export type TableFault =
  /** Refused and not carried out. */
  | 'throttled'
  | 'over-capacity'
  | 'failed'
  | 'unavailable'
  | 'reset'
  /** Carried out, and its answer is lost: cut off, told as a failure, cut short, or not JSON. */
  | 'lost-reset'
  | 'lost-failed'
  | 'lost-truncated'
  | 'lost-garbled'
  /** Of a batch, so many are left out and told to be; of a query, one page of one item, or an empty one. */
  | { readonly unprocessed: number }
  | 'page-of-one'
  | 'empty-page'
  /** A read that need not be consistent is answered as it was before the last so many writes. */
  | { readonly stale: number };

export interface TableFaultSource {
  /** Asked before a call is carried out; whoever answers may do other things first, or let it wait. */
  next(call: TableCall): Promise<TableFault | null>;
  /** A call was carried out and its answer is about to be sent or lost; those not carried out are not told. */
  carriedOut?(call: TableCall, status: number): Promise<void> | void;
}

export interface TableProxy {
  readonly url: string;
  use(source: TableFaultSource | null): void;
  /** Stale reads tell of what was written through the proxy; of a table that is gone it may forget. */
  forget(table: string): void;
  close(): Promise<void>;
}

interface Answered {
  readonly status: number;
  readonly headers: string[];
  readonly content: Buffer;
}

const REFUSALS: Readonly<Record<string, readonly [status: number, type: string]>> = {
  throttled: [400, 'com.amazon.coral.availability#ThrottlingException'],
  'over-capacity': [400, 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'],
  failed: [500, 'com.amazonaws.dynamodb.v20120810#InternalServerError'],
  unavailable: [503, 'com.amazonaws.dynamodb.v20120810#ServiceUnavailable'],
};

/** Stands between clients and a table engine and does to calls what DynamoDB and networks do now and then. */
export async function startTableProxy(engine: string): Promise<TableProxy> {
  const target = new URL(engine);
  const agent = new Agent({ keepAlive: true });
  const mirror = new TableMirror();
  let source: TableFaultSource | null = null;

  const forward = (request: IncomingMessage, body: string, operation?: string): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const headers = { ...request.headers, 'content-length': String(Buffer.byteLength(body)) };
      const targeted =
        operation === undefined ? headers : { ...headers, 'x-amz-target': targetOf(operation) };
      const outgoing = sendRequest(
        { host: target.hostname, port: target.port, agent, method: 'POST', path: '/', headers: targeted },
        (answered) => {
          buffer(answered).then(
            (content) => resolve({ status: answered.statusCode!, headers: answered.rawHeaders, content }),
            reject,
          );
        },
      );
      outgoing.on('error', reject).end(body);
    });

  /** Keeps the mirror up with a write; only the outcome of an update must be asked for. */
  const note = async (request: IncomingMessage, call: TableCall, input: TableInput): Promise<void> => {
    for (const { key, item } of writesOf(call.operation, input)) {
      let written: Item | null = item === 'unknown' ? null : item;
      if (item === 'unknown') {
        const question = JSON.stringify({ TableName: call.table, Key: key, ConsistentRead: true });
        const { content } = await forward(request, question, 'GetItem');
        written = (JSON.parse(content.toString()) as { Item?: Item }).Item ?? null;
      }
      mirror.note(call.table, key, written);
    }
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(request)).toString();
    const call = callOf(request, body);
    const fault = (await source?.next(call)) ?? null;
    if (fault === 'reset') return void request.socket.destroy();
    const refusal = typeof fault === 'string' ? REFUSALS[fault] : undefined;
    if (refusal) return refuse(response, ...refusal);

    if (typeof fault === 'object' && fault !== null && 'stale' in fault) {
      const stale = mirror.answer(call.operation, call.input, fault.stale);
      if (stale !== null) return send(response, stale);
    }
    if (fault === 'empty-page') return send(response, emptyPage(call.input));
    const split = typeof fault === 'object' && fault !== null && 'unprocessed' in fault;
    const { input, leftOut } = split
      ? withoutSome(call.operation, call.input, fault.unprocessed)
      : { input: call.input, leftOut: null };
    const sent = fault === 'page-of-one' ? { ...input, Limit: 1 } : input;
    const answered = await forward(request, JSON.stringify(sent));
    if (answered.status === 200 && call.isWrite) await note(request, call, sent);
    await source?.carriedOut?.(call, answered.status);

    if (fault === 'lost-reset') return void request.socket.destroy();
    if (fault === 'lost-failed') return refuse(response, ...REFUSALS['failed']!);
    const { content } = answered;
    if (fault === 'lost-truncated') {
      response.writeHead(answered.status, answered.headers);
      response.write(content.subarray(0, Math.floor(content.length / 2)), () => request.socket.destroy());
    } else if (fault === 'lost-garbled') {
      const half = content.subarray(0, Math.floor(content.length / 2));
      const type = 'application/x-amz-json-1.0';
      response.writeHead(200, { 'content-type': type, 'content-length': half.length }).end(half);
    } else if (leftOut !== null && answered.status === 200) {
      send(response, { ...(JSON.parse(content.toString()) as object), ...leftOut });
    } else response.writeHead(answered.status, answered.headers).end(content);
  };

  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(server);
  return {
    url,
    use: (next) => (source = next),
    forget: (table) => mirror.forget(table),
    close() {
      agent.destroy();
      return close();
    },
  };
}

/** One that fits the call. Rates are those of the caller: here it only matters which fault it is. */
export function tableFaultsFor({ operation, isWrite, input }: TableCall): {
  readonly refused: readonly TableFault[];
  readonly lost: readonly TableFault[];
  readonly own: readonly TableFault[];
} {
  const own: TableFault[] = [];
  const isBatch = operation.startsWith('Batch');
  if (isBatch) own.push({ unprocessed: 1 }, { unprocessed: 24 });
  if (operation === 'Query') own.push('page-of-one', 'empty-page');
  const isRelaxed = (operation === 'GetItem' || operation === 'Query') && input.ConsistentRead !== true;
  if (isRelaxed) own.push({ stale: 1 }, { stale: 3 }, { stale: 5 });
  return {
    refused: ['throttled', 'over-capacity', 'failed', 'unavailable', 'reset'],
    lost: isWrite ? ['lost-reset', 'lost-failed', 'lost-truncated', 'lost-garbled'] : ['lost-truncated'],
    own,
  };
}

function callOf(request: IncomingMessage, body: string): TableCall {
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  const input = JSON.parse(body) as TableInput;
  const batched = Object.entries(input.RequestItems ?? {});
  const table = input.TableName ?? batched[0]?.[0] ?? '';
  const keys = batched.flatMap(([, part]) =>
    isWriteBatch(part)
      ? part.map(({ PutRequest, DeleteRequest }) => keyText(PutRequest?.Item ?? DeleteRequest!.Key))
      : part.Keys.map(keyText),
  );
  const own = input.Key ?? input.Item;
  if (own) keys.push(keyText(own));
  const asked = input.ExpressionAttributeValues?.[':partition'] ?? input.ExpressionAttributeValues?.[':list'];
  if (operation === 'Query' && asked?.S !== undefined) keys.push(asked.S);
  const isWrite = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].includes(operation);
  return { actor: actorOf(request), operation, table, keys, isWrite, input };
}

/** A batch without its last so many, of which at least one stays, and what the answer tells of those left out. */
function withoutSome(operation: string, input: TableInput, count: number) {
  const [name, part] = Object.entries(input.RequestItems ?? {})[0]!;
  const all: readonly unknown[] = isWriteBatch(part) ? part : part.Keys;
  const left = Math.max(1, all.length - count);
  const [done, rest] = [all.slice(0, left), all.slice(left)];
  const wrap = (some: readonly unknown[]) => (isWriteBatch(part) ? some : { ...part, Keys: some });
  const leftOut = rest.length === 0 ? {} : { [name]: wrap(rest) };
  return {
    input: { ...input, RequestItems: { [name]: wrap(done) } } as TableInput,
    leftOut: { [operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems']: leftOut },
  };
}

/** Nothing yet, and go on from here: from the given start, or from before the first item. */
function emptyPage({ ExclusiveStartKey, ExpressionAttributeValues, ScanIndexForward }: TableInput): object {
  const partition = ExpressionAttributeValues![':partition'] ?? ExpressionAttributeValues![':list']!;
  const end = { S: ScanIndexForward === false ? '\uffff' : ' ' };
  const first = {
    pk: partition,
    sk: end,
    ...(':list' in ExpressionAttributeValues! && indexStart(partition, end)),
  };
  return { Items: [], Count: 0, ScannedCount: 0, LastEvaluatedKey: ExclusiveStartKey ?? first };
}

function indexStart(partition: { S?: string }, end: { S: string }): object {
  return { gsi1pk: partition, gsi1sk: end };
}

function send(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, type: string): void {
  const body = JSON.stringify({ __type: type, message: 'planted' });
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
}

function targetOf(operation: string): string {
  return `DynamoDB_20120810.${operation}`;
}
