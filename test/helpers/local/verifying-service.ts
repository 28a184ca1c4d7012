import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const KEY = {
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'a/secret+of=tests',
  sessionToken: 'a-session',
};
export const REGION = 'eu-west-1';

export interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface VerifyingService {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

/** Accepts only requests signed with the key. Implements the AWS rules without a library. */
export async function startVerifyingService(): Promise<VerifyingService> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      seen.push({
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body: body.toString(),
      });
      const json = { 'content-type': 'application/json' };
      if (!isSigned(request, body)) {
        response.writeHead(403, json).end('{"message":"Forbidden"}');
      } else if (request.headers['if-none-match'] === '"a"') {
        response.writeHead(304, { etag: '"a"' }).end();
      } else {
        response.writeHead(200, { ...json, etag: '"a"', 'set-cookie': 'a=b' }).end('{"signed":true}');
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { headers, method, url = '' } = request;
  const match = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  );
  const [, credential = '', names = '', signature] = match ?? [];
  const [accessKeyId, ...scope] = credential.split('/');
  const date = String(headers['x-amz-date']);
  const [path = '', search = ''] = url.split('?');
  const query = search
    .split('&')
    .filter(Boolean)
    // A plus stays a plus.
    .map((pair) => pair.split('=').map((part) => encode(decodeURIComponent(part))))
    .map(([name, value = '']) => `${name}=${value}`)
    .toSorted();
  const canonical = [
    method,
    // Encoded twice, as for every service but S3.
    path.split('/').map(encode).join('/'),
    query.join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n');
  const signingKey = scope.reduce<string | Buffer>(hmac, `AWS4${KEY.secretAccessKey}`) as Buffer;
  return (
    accessKeyId === KEY.accessKeyId &&
    scope.join('/') === `${date.slice(0, 8)}/${REGION}/execute-api/aws4_request` &&
    ['host', 'x-amz-date'].every((name) => names.split(';').includes(name)) &&
    headers['x-amz-security-token'] === KEY.sessionToken &&
    hmac(signingKey, toSign).toString('hex') === signature
  );
}
