import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { request as send } from 'undici';
import { MAX_BODY_BYTES } from '../../http/body.ts';
import { isLoopback } from '../../outbound/address.ts';
import {
  CredentialError,
  type CredentialSource,
  signedHeaders,
  strictSearch,
} from '../../outbound/signing.ts';
import type { SignIn } from '../../site/schema.ts';

export interface SignedFrontOptions {
  /** Without a trailing slash. */
  readonly url: string;
  readonly region: string;
  readonly port: number;
  readonly credentials: CredentialSource;
}

export interface SignedFront {
  readonly url: string;
  close(): Promise<void>;
}

/** Forwarded request headers: no cookies, tokens or origin. */
const PASSED_ON = [
  'accept',
  'accept-encoding',
  'content-type',
  'content-encoding',
  'if-match',
  'if-none-match',
];
/** Hop-by-hop response headers, and cookies. */
const NOT_PASSED_BACK = ['connection', 'keep-alive', 'transfer-encoding', 'set-cookie'];
/** The gateway times out after 30 seconds. */
const TIMEOUT_MS = 35_000;

class Refusal extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, detail: string) {
    super(detail);
    this.status = status;
    this.title = title;
  }
}

/** Serves the deployment on a local port for its own page only, and signs every request. */
export async function startSignedFront(options: SignedFrontOptions): Promise<SignedFront> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch((error: unknown) => refuse(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isBusy = error.code === 'EADDRINUSE';
      reject(isBusy ? new Error(`port ${options.port} is in use, choose another with --port`) : error);
    });
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { url: base, region, credentials }: SignedFrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  refuseStrangers(request);
  const { method = 'GET', url: target = '/' } = request;
  if (target === '/sign-in.json') {
    const signIn: SignIn = { kind: 'signed' };
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache' });
    response.end(JSON.stringify(signIn));
    return;
  }
  // Use only path and query of the request line.
  const asked = URL.parse(target, base);
  if (!asked || !target.startsWith('/') || asked.origin !== base) {
    throw new Refusal(
      400,
      'The address is not valid',
      `"${target.slice(0, 100)}" is no path of this service`,
    );
  }
  asked.search = strictSearch(asked.searchParams);
  const body = await bodyOf(request);
  const headers = await signedHeaders(
    { method, url: asked, headers: passedOn(request), body },
    await credentials(),
    region,
  );
  const answered = await send(asked, {
    method: method as 'GET',
    headers,
    ...(body.length > 0 && { body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const passedBack = Object.entries(answered.headers).filter(([name]) => !NOT_PASSED_BACK.includes(name));
  response.writeHead(answered.statusCode, Object.fromEntries(passedBack));
  await pipeline(answered.body, response);
}

/** Every open page can send requests here; only the console can use the credentials. */
function refuseStrangers({ headers, method }: IncomingMessage): void {
  const { host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  // A web page can resolve its own name to 127.0.0.1; its requests then carry that name.
  if (!isLoopback(host.replace(/:\d+$/, '').toLowerCase())) {
    throw new Refusal(
      403,
      'The host name is not served',
      `host ${JSON.stringify(host.slice(0, 100))} is not served, localhost and 127.0.0.1 are`,
    );
  }
  const isForeign = origin !== undefined && URL.parse(origin)?.host !== host;
  // Allow links: the linking page cannot read the response.
  const isLink = mode === 'navigate' && method === 'GET';
  const isOurs = site === undefined || site === 'same-origin' || site === 'none' || isLink;
  if (isForeign || !isOurs) {
    throw new Refusal(403, 'The page is not allowed to call this', 'only the console itself may');
  }
}

function passedOn({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) {
      throw new Refusal(413, 'The request body is too large', `at most ${MAX_BODY_BYTES} bytes are accepted`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, title, message } = inWords(error);
  const body = JSON.stringify({ title, status, detail: message });
  response.writeHead(status, { 'content-type': 'application/problem+json', connection: 'close' }).end(body);
}

function inWords(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { message } = error as Error;
  return error instanceof CredentialError
    ? new Refusal(502, 'The request could not be signed', message)
    : new Refusal(502, 'The service cannot be reached', message);
}
