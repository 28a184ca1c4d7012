import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyTooLarge, MAX_BODY_BYTES } from '../../functions/http/body.ts';
import type { HttpEvent } from '../../functions/http/endpoint.ts';
import { matchPath } from '../../functions/http/match-path.ts';
import { Problem, problemBody, problemHeaders, problemStatus } from '../../functions/http/problem.ts';
import type { HttpResult } from '../../functions/http/reply.ts';
import { RELEASE_DATA, type Route, routeKey } from '../../functions/http/route.ts';
import { hostName, isLoopback } from '../../functions/outbound/address.ts';
import { servedRoutes } from '../../functions/routes.ts';
import { ExpectedError } from '../../functions/runtime/errors.ts';
import { closeServer, listen, readLimited } from './http-server.ts';

type App = (event: HttpEvent, context: object) => Promise<HttpResult>;

export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  readonly apps: Readonly<Record<Route['lambda'], App>>;
  /** Bearer token for all but open routes; required for any address but loopback. */
  readonly token?: string | undefined;
}

export interface Front {
  readonly url: string;
  close(): Promise<void>;
}

export const MIN_TOKEN_LENGTH = 32;
export const MOST_AT_ONCE = 256;

/** Local replacement of API Gateway: same route list, events and handlers. */
export async function startFront(options: FrontOptions): Promise<Front> {
  let underWay = 0;
  const server = createServer((request, response) => {
    underWay++;
    response.once('close', () => underWay--);
    void answer(options, request, underWay)
      .then((result) => send(response, result))
      // Invalid response headers must not affect other requests.
      .catch(() => response.destroy());
  });
  const url = await listen(server, options).catch((error: NodeJS.ErrnoException) => {
    const isBusy = error.code === 'EADDRINUSE';
    throw isBusy ? new Error(`port ${options.port} is in use, choose another with --port`) : error;
  });
  return { url, close: () => closeServer(server) };
}

async function answer(
  options: FrontOptions,
  request: IncomingMessage,
  underWay: number,
): Promise<HttpResult> {
  const requestId = randomUUID();
  try {
    refuseTooMany(underWay);
    refuseStrangers(options, request);
    refuseForeignPages(request);
    const { event, lambda } = await eventOf(request, requestId);
    return await options.apps[lambda](event, {});
  } catch (error) {
    const problem =
      error instanceof ExpectedError ? error : new Problem('internal', 'the request could not be answered');
    return {
      statusCode: problemStatus(problem),
      headers: { 'content-type': 'application/problem+json', ...problemHeaders(problem) },
      body: JSON.stringify(problemBody(problem, requestId)),
    };
  }
}

/** Like the gateway's throttling: more concurrent requests would only slow all down and use unbounded memory. */
function refuseTooMany(underWay: number): void {
  if (underWay <= MOST_AT_ONCE) return;
  throw new Problem('overloaded', `more than ${MOST_AT_ONCE} requests came at once, send it again`, {
    retryAfterSeconds: 1,
  });
}

function refuseStrangers({ host, token }: FrontOptions, request: IncomingMessage): void {
  if (token !== undefined && !isOpen(request) && !isToken(token, request.headers.authorization)) {
    throw new Problem('unauthorized', 'send the token as "Authorization: Bearer …"', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  // A web page can resolve its own name to 127.0.0.1; its requests then carry that name.
  const name = hostName(request.headers.host);
  if (isLoopback(host) && !isLoopback(name.toLowerCase())) {
    throw new Problem(
      'forbidden-host',
      `host ${JSON.stringify(name.slice(0, 100))} is not served, localhost and 127.0.0.1 are`,
    );
  }
}

/** A web page can send a simple POST anywhere, but always with its origin. */
function refuseForeignPages(request: IncomingMessage): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  // Pages cannot set either header, and a browser can hide our origin in one of them.
  const isOurs = origin === undefined || URL.parse(origin)?.host === host || site === 'same-origin';
  if (isOurs || readsPublicData(request)) return;
  throw new Problem('forbidden-origin', `pages of ${JSON.stringify(origin.slice(0, 100))} may not call this`);
}

/** Release data is public; response headers control which pages can read it. */
function readsPublicData(request: IncomingMessage): boolean {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '');
  return isRead && routesAt(request).some(({ access }) => RELEASE_DATA.includes(access));
}

/** The sign-in page must load without a token. */
function isOpen(request: IncomingMessage): boolean {
  return routesAt(request).some(({ method, access }) => method === request.method && access === 'open');
}

function routesAt({ url = '' }: IncomingMessage): Route[] {
  const [path = ''] = url.split('?', 1);
  return matchPath(servedRoutes, path).map(({ route }) => route);
}

function isToken(token: string, authorization = ''): boolean {
  const [expected, given] = [Buffer.from(`Bearer ${token}`), Buffer.from(authorization)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

async function eventOf(
  request: IncomingMessage,
  requestId: string,
): Promise<{ event: HttpEvent; lambda: Route['lambda'] }> {
  const target = request.url ?? '/';
  const queryAt = target.indexOf('?');
  const rawPath = queryAt === -1 ? target : target.slice(0, queryAt);
  refuseBrokenEncoding(rawPath);
  const method = request.method ?? 'GET';
  const match = matchPath(servedRoutes, rawPath).find(({ route }) => route.method === method);
  const body = await readLimited(request, MAX_BODY_BYTES, () =>
    bodyTooLarge(`${MAX_BODY_BYTES} bytes came and more follow`, { connection: 'close' }),
  );
  const event: HttpEvent = {
    routeKey: match ? routeKey(match.route) : '$default',
    rawPath,
    rawQueryString: queryAt === -1 ? '' : target.slice(queryAt + 1),
    headers: headersOf(request),
    pathParameters: match ? decodeParameters(match.pathParameters) : {},
    isBase64Encoded: true,
    requestContext: { requestId, http: { method } },
    ...(body.length > 0 && { body: body.toString('base64') }),
  };
  return { event, lambda: match?.route.lambda ?? 'query' };
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : value,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function decodeParameters(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}

function refuseBrokenEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    const detail = `the path ${JSON.stringify(path.slice(0, 100))} has a broken percent-encoding`;
    throw new Problem('invalid-parameter', detail);
  }
}

function send(
  response: ServerResponse,
  { statusCode = 200, headers = {}, body = '', isBase64Encoded }: HttpResult,
): void {
  const bytes = isBase64Encoded ? Buffer.from(body, 'base64') : Buffer.from(body);
  // Responses to HEAD have no body to measure; 204 and 304 never have one.
  const isLengthKnown = response.req.method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;
  response.writeHead(statusCode, {
    ...(headers as Record<string, string>),
    ...(isLengthKnown && { 'content-length': bytes.length }),
  });
  response.end(bytes);
}
