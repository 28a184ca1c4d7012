import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import dynalite from 'dynalite';
import { sha256Hex } from '../../../functions/runtime/hash.ts';
import { objectionToCaller } from '../engine-child.ts';
import { S3Error } from '../s3/errors.ts';
import { authorize, type Credentials, parseTarget } from '../s3/signature.ts';

/** As much as dynalite reads. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** dynalite behind a check of every request, because it takes any signature, any host and any web page by itself. */
export function createTableServer(dir: string, keys: Credentials): Server {
  const credentials = { ...keys, service: 'dynamodb' };
  // It never listens: only what was checked reaches it.
  const engine = dynalite({ path: dir, createTableMs: 0 });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const body = await checkedBody(request, credentials);
      const { method, url, headers } = request;
      engine.emit('request', Object.assign(Readable.from([body]), { method, url, headers }), response);
    } catch (error) {
      refuse(request, response, error);
    }
  };
  return createServer((request, response) => void handle(request, response));
}

/** The body of a request that a client with the key of this start has signed, body and all. */
async function checkedBody(request: IncomingMessage, credentials: Credentials): Promise<Buffer> {
  const objection = objectionToCaller(request);
  if (objection !== null) throw new S3Error('AccessDenied', objection);
  const { method = '', url = '', headersDistinct: headers } = request;
  const target = parseTarget(url);
  const body = await readBody(request);
  const bodyHash = sha256Hex(body);
  authorize({ method, target, headers, bodyHash }, credentials, Date.now());
  return body;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) {
      throw new S3Error('EntityTooLarge', `the body is over ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** In the form of DynamoDB's errors, so that every SDK shows the reason. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // The client has ended the connection.
  if (request.errored !== null) {
    response.destroy();
    return;
  }
  if (!(error instanceof S3Error)) console.error('table:', error);
  const { status, code, message } =
    error instanceof S3Error
      ? error
      : new S3Error('InternalError', 'the server failed, see its standard error');
  request.resume();
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message }));
}
