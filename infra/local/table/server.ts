import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import dynalite from 'dynalite';
import { sha256Hex } from '../../../functions/runtime/hash.ts';
import { objectionToCaller } from '../engine-child.ts';
import { readLimited } from '../http-server.ts';
import { asS3Error, S3Error } from '../s3/errors.ts';
import { authorize, type Credentials, parseTarget } from '../s3/signature.ts';

/** Limit of dynalite. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Adds checks in front of dynalite, which accepts any signature, host and web page. */
export function createTableServer(dir: string, keys: Credentials): Server {
  const credentials = { ...keys, service: 'dynamodb' };
  // Never listens: only checked requests reach it.
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

/** Verifies that the request, with its body, is signed with the key of this start. */
async function checkedBody(request: IncomingMessage, credentials: Credentials): Promise<Buffer> {
  const objection = objectionToCaller(request);
  if (objection !== null) throw new S3Error('AccessDenied', objection);
  const { method = '', url = '', headersDistinct: headers } = request;
  const target = parseTarget(url);
  const body = await readLimited(
    request.iterator({ destroyOnReturn: false }),
    MAX_BODY_BYTES,
    () => new S3Error('EntityTooLarge', `the body is over ${MAX_BODY_BYTES} bytes`),
  );
  const bodyHash = sha256Hex(body);
  authorize({ method, target, headers, bodyHash }, credentials, Date.now());
  return body;
}

/** Uses DynamoDB's error format, so that every SDK shows the reason. */
function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // The client has closed the connection.
  if (request.errored !== null) {
    response.destroy();
    return;
  }
  const { status, code, message } = asS3Error(error, 'table');
  request.resume();
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message }));
}
