import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../listen.ts';
import { scopeOf, sha256, signatureOf } from '../table/signature.ts';

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
  return { ...(await listen(server)), seen };
}

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { headers, method = '', url = '' } = request;
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
  ];
  const expected = { ...KEY, region: REGION, service: 'execute-api', date };
  return (
    accessKeyId === KEY.accessKeyId &&
    scope.join('/') === scopeOf(expected) &&
    ['host', 'x-amz-date'].every((name) => names.split(';').includes(name)) &&
    headers['x-amz-security-token'] === KEY.sessionToken &&
    signatureOf(canonical, expected) === signature
  );
}
