import { createServer, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../../../functions/http/body.ts';
import type { HttpEvent } from '../../../../functions/http/endpoint.ts';
import type { HttpResult } from '../../../../functions/http/reply.ts';
import { routeKey } from '../../../../functions/http/route.ts';
import { isLoopback } from '../../../../functions/outbound/address.ts';
import { servedRoutes } from '../../../../functions/routes.ts';
import { type Front, type FrontOptions, MOST_AT_ONCE, startFront } from '../../../../infra/local/front.ts';

const TOKEN = 'a-token-that-is-long-enough-to-be-one';

let front: Front | undefined;
const seen: { lambda: string; event: HttpEvent }[] = [];
afterEach(async () => {
  seen.length = 0;
  await front?.close();
  front = undefined;
});

/** A front whose apps record their events and answer what the test wants. */
async function start(
  options: Partial<FrontOptions> = {},
  result: () => HttpResult | Promise<HttpResult> = () => ({ statusCode: 200, body: '"ok"' }),
): Promise<void> {
  const app = (lambda: string) => async (event: HttpEvent) => {
    seen.push({ lambda, event });
    return result();
  };
  const apps = { query: app('query'), manage: app('manage') };
  front = await startFront({ host: '127.0.0.1', port: 0, apps, ...options });
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** node:http rather than fetch, which mends paths and forbids to set some headers. */
async function send(
  path: string,
  options: RequestOptions & { body?: string | Buffer } = {},
): Promise<Answer> {
  const { body, ...rest } = options;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { hostname, port } = new URL(front!.url);
  const outgoing = request({ hostname, port, path, agent: false, ...rest }, resolve);
  outgoing.on('error', reject).end(body);
  const response = await promise;
  return { status: response.statusCode!, headers: response.headers, body: await buffer(response) };
}

const problemIn = ({ body }: Answer): Record<string, unknown> =>
  JSON.parse(body.toString()) as Record<string, unknown>;

describe('events', () => {
  it.each(servedRoutes.map((route) => [routeKey(route), route] as const))(
    'gives %s to its app',
    async (key, route) => {
      await start();
      const { status, body } = await send(route.path, { method: route.method });
      expect([status, body.toString()]).toEqual([200, route.method === 'HEAD' ? '' : '"ok"']);
      expect(seen).toEqual([
        { lambda: route.lambda, event: expect.objectContaining({ routeKey: key, rawPath: route.path }) },
      ]);
    },
  );

  it.each([
    ['GET', '/nothing'],
    ['DELETE', '/v1/sync'],
    ['GET', '/v1/sync/runs'],
    ['GET', '/healthz/'],
    ['GET', '//healthz'],
    ['OPTIONS', '/v1/sync'],
  ])('gives %s %s to the default route, for the app to refuse', async (method, path) => {
    await start();
    await send(path, { method });
    expect(seen).toMatchObject([
      {
        lambda: 'query',
        event: { routeKey: '$default', rawPath: path, requestContext: { http: { method } } },
      },
    ]);
  });

  it('hands on query, headers and body as API Gateway does', async () => {
    await start();
    const body = Buffer.from([0, 255, 0x7b, 0x22]);
    const headers = { 'Content-Type': 'application/json', 'X-Several': ['one', 'two'], Cookie: 'a=1' };
    await send('/v1/sync/runs?a=1&a=2&b=%2Fc%20d&e', { method: 'POST', headers, body });
    const { event } = seen[0]!;
    expect(event).toEqual({
      routeKey: 'POST /v1/sync/runs',
      rawPath: '/v1/sync/runs',
      rawQueryString: 'a=1&a=2&b=%2Fc%20d&e',
      headers: expect.objectContaining({ 'content-type': 'application/json', cookie: 'a=1' }),
      pathParameters: {},
      isBase64Encoded: true,
      body: body.toString('base64'),
      requestContext: { requestId: expect.stringMatching(/^[\da-f-]{36}$/), http: { method: 'POST' } },
    });
    expect(event.headers['x-several']?.split(/, */)).toEqual(['one', 'two']);
  });

  it('has no body when none was sent, and its own request id each time', async () => {
    await start();
    await send('/healthz');
    await send('/healthz?');
    expect(seen.map(({ event }) => 'body' in event)).toEqual([false, false]);
    expect(seen.map(({ event }) => event.rawQueryString)).toEqual(['', '']);
    expect(new Set(seen.map(({ event }) => event.requestContext.requestId)).size).toBe(2);
  });
});

describe('answers', () => {
  it('sends status, headers and body of the app', async () => {
    await start({}, () => ({
      statusCode: 202,
      headers: { location: '/v1/sync' },
      body: 'grün',
    }));
    const { status, headers, body } = await send('/');
    expect(status).toBe(202);
    expect(headers).toMatchObject({ location: '/v1/sync', 'content-length': '5' });
    expect(body.toString()).toBe('grün');
  });

  it('decodes a body that comes as base64', async () => {
    const bytes = Buffer.from([0, 1, 254, 255]);
    await start({}, () => ({ body: bytes.toString('base64'), isBase64Encoded: true }));
    expect((await send('/')).body.equals(bytes)).toBe(true);
  });

  it('answers HEAD without a body and without the length of one that is not known', async () => {
    await start({}, () => ({ statusCode: 200, headers: { etag: '"1"' }, body: '' }));
    const { status, headers, body } = await send('/healthz', { method: 'HEAD' });
    expect([status, headers.etag, body.length]).toEqual([200, '"1"', 0]);
    expect(headers).not.toHaveProperty('content-length');
  });

  it.each([204, 304])('sends %s without a length', async (statusCode) => {
    await start({}, () => ({ statusCode, headers: { etag: '"1"' }, body: '' }));
    const { status, headers } = await send('/healthz');
    expect([status, headers.etag]).toEqual([statusCode, '"1"']);
    expect(headers).not.toHaveProperty('content-length');
  });

  it('turns an app that throws into a problem without a trace', async () => {
    await start({}, () => Promise.reject(new Error('secret detail')));
    const answer = await send('/v1/sync');
    expect(answer.status).toBe(500);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(problemIn(answer)).toEqual({
      type: 'urn:cairn:problem:internal',
      title: expect.any(String),
      status: 500,
      detail: 'the request could not be answered',
      instance: expect.stringMatching(/^urn:cairn:request:/),
    });
  });

  it.each(['/%', '/%zz', '/v2/%E0%A4', '/v1/sync%'])('refuses the broken encoding of %s', async (path) => {
    await start();
    const answer = await send(path);
    expect(answer.status).toBe(400);
    expect(problemIn(answer)).toMatchObject({
      type: 'urn:cairn:problem:invalid-parameter',
      detail: `the path "${path}" has a broken percent-encoding`,
    });
    expect(seen).toEqual([]);
  });
});

describe('too much', () => {
  it('is refused beyond what is answered at once, and not any more when there is room', async () => {
    const { promise: release, resolve } = Promise.withResolvers<HttpResult>();
    await start({}, () => release);
    const waiting = Array.from({ length: MOST_AT_ONCE }, () => send('/v1/sync'));
    await expect.poll(() => seen.length).toBe(MOST_AT_ONCE);
    const refused = await send('/v1/sync');
    expect([refused.status, refused.headers['retry-after'], problemIn(refused)['type']]).toEqual([
      503,
      '1',
      'urn:cairn:problem:overloaded',
    ]);
    resolve({ statusCode: 200, body: '"ok"' });
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
    await expect.poll(async () => (await send('/healthz')).status).toBe(200);
  });

  it('survives an answer that cannot be sent', async () => {
    let headers = { 'x-name': 'line\nbreak' };
    await start({}, () => ({ statusCode: 200, headers, body: '' }));
    await expect(send('/healthz')).rejects.toThrow('socket hang up');
    headers = { 'x-name': 'one' };
    expect((await send('/healthz')).headers['x-name']).toBe('one');
  });
});

describe('large bodies', () => {
  const post = (body: Buffer, headers: Record<string, string | number> = {}): Promise<Answer> =>
    send('/v1/sync/runs', { method: 'POST', body, headers });

  it('takes the largest that is allowed', async () => {
    await start();
    expect((await post(Buffer.alloc(MAX_BODY_BYTES))).status).toBe(200);
    expect(Buffer.from(seen[0]!.event.body!, 'base64')).toHaveLength(MAX_BODY_BYTES);
  });

  it.each<[string, number, Record<string, string>]>([
    ['one byte more', MAX_BODY_BYTES + 1, {}],
    ['many more, in chunks', 6 * MAX_BODY_BYTES, { 'transfer-encoding': 'chunked' }],
  ])('refuses %s with an answer that the sender can read', async (_name, size, headers) => {
    await start();
    const answer = await post(Buffer.alloc(size), headers);
    expect(answer.status).toBe(413);
    expect(problemIn(answer)).toMatchObject({
      type: 'urn:cairn:problem:body-too-large',
      detail: expect.stringContaining(`at most ${MAX_BODY_BYTES} are accepted as sent`) as string,
    });
    expect(seen).toEqual([]);
    expect((await send('/healthz')).status).toBe(200);
  });

  it('survives a sender who leaves in the middle', async () => {
    await start();
    const { port } = new URL(front!.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /v1/sync/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhal');
    await new Promise((resolve) => socket.once('ready', resolve));
    socket.destroy();
    expect((await send('/healthz')).status).toBe(200);
    expect(seen.map(({ event }) => event.rawPath)).toEqual(['/healthz']);
  });
});

describe('origins', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])('refuses a page of %s', async (origin) => {
    await start();
    const answer = await send('/v1/sync/runs', { method: 'POST', headers: { origin } });
    expect(answer.status).toBe(403);
    expect(problemIn(answer)).toMatchObject({ type: 'urn:cairn:problem:forbidden-origin' });
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('lets any page %s release data', async (method) => {
    await start();
    const headers = { origin: 'https://evil.example' };
    expect((await send('/graph?channel=a', { method, headers })).status).toBe(200);
    expect((await send('/v1/sync', { method, headers })).status).toBe(403);
  });

  it('lets its own pages in', async () => {
    await start();
    const { host } = new URL(front!.url);
    expect((await send('/', { headers: { origin: `http://${host}`, host } })).status).toBe(200);
  });

  it.each([
    ['PUT', '/v1/clusters/north'],
    ['POST', '/v1/upgrade-plans'],
    ['DELETE', '/v1/image-pruners/cluster'],
  ])('lets its own pages %s %s', async (method, path) => {
    await start();
    const { host } = new URL(front!.url);
    const origin = `http://${host}`;
    for (const headers of [
      { host, origin },
      { host, origin, 'sec-fetch-site': 'same-origin' },
      // A page that tells nobody where it is may hide its origin too.
      { host, origin: 'null', 'sec-fetch-site': 'same-origin' },
    ]) {
      expect((await send(path, { method, headers })).status).toBe(200);
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { host, origin: 'https://evil.example', 'sec-fetch-site': site };
      expect((await send(path, { method, headers })).status).toBe(403);
    }
  });
});

describe('host names', () => {
  it.each([
    'localhost',
    'localhost:8080',
    'LocalHost',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.1.2.3',
    '[::1]',
    '[::1]:80',
  ])('serves %s on loopback', async (host) => {
    await start();
    expect((await send('/', { headers: { host } })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:80',
    '10.0.0.1',
    '1',
  ])('refuses %j on loopback, as a page may have its name point here', async (host) => {
    await start();
    const answer = await send('/', { headers: { host } });
    expect(answer.status).toBe(403);
    expect(problemIn(answer)).toMatchObject({ type: 'urn:cairn:problem:forbidden-host' });
    expect(seen).toEqual([]);
  });

  it('refuses a request without any, as only HTTP/1.0 sends it', async () => {
    await start();
    const socket = connect(Number(new URL(front!.url).port), '127.0.0.1');
    socket.end('GET / HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('serves any name elsewhere, where the token decides', async () => {
    await start({ host: '0.0.0.0', token: TOKEN });
    const headers = { host: 'cairn.example', authorization: `Bearer ${TOKEN}` };
    expect((await send('/', { headers })).status).toBe(200);
  });
});

describe('token', () => {
  it.each<[string, string | undefined]>([
    ['none', undefined],
    ['an empty one', ''],
    ['a shorter one', `Bearer ${TOKEN.slice(0, -1)}`],
    ['a longer one', `Bearer ${TOKEN}x`],
    ['one of the same length', `Bearer ${TOKEN.slice(0, -1)}X`],
    ['the same number of characters in more bytes', `Bearer ${TOKEN.slice(0, -1)}é`],
    ['it without its scheme', TOKEN],
    ['it in another scheme', `Basic ${TOKEN}`],
  ])('refuses %s', async (_name, authorization) => {
    await start({ token: TOKEN });
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await send('/v1/sync', { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(problemIn(answer)).toMatchObject({ type: 'urn:cairn:problem:unauthorized' });
    expect(answer.body.toString()).not.toContain(TOKEN);
    expect(seen).toEqual([]);
  });

  it('lets the right one in, but not with a foreign host name', async () => {
    await start({ token: TOKEN });
    const authorization = `Bearer ${TOKEN}`;
    const target = '/v1/sync';
    expect((await send(target, { headers: { authorization } })).status).toBe(200);
    expect((await send(target, { headers: { authorization, host: 'evil.example' } })).status).toBe(403);
  });

  it('is asked for on every route but the open ones, which have no data', async () => {
    await start({ token: TOKEN });
    for (const { method, path, access } of servedRoutes) {
      const { status } = await send(path, { method });
      expect([method, path, status]).toEqual([method, path, access === 'open' ? 200 : 401]);
    }
    const pages = [
      '/',
      '/versions',
      '/channels',
      '/risks',
      '/clusters',
      '/updates',
      '/pruners',
      '/signed-in',
    ];
    expect(servedRoutes.filter(({ access }) => access === 'open').map(routeKey)).toEqual([
      ...[...pages, '/sign-in.json', '/assets/{file}', '/healthz'].flatMap((path) => [
        `GET ${path}`,
        `HEAD ${path}`,
      ]),
    ]);
  });

  it.each([
    ['POST', '/'],
    ['GET', '/assets/'],
    ['GET', '/assets/a/b'],
    ['GET', '//versions'],
    ['GET', '/versions/'],
    ['GET', '/nothing'],
    ['GET', '/v1/../versions/../v1/sync'],
  ])('is asked for by %s %s too', async (method, path) => {
    await start({ token: TOKEN });
    expect((await send(path, { method })).status).toBe(401);
  });

  it('is not needed for a page, but one of our host names is', async () => {
    await start({ token: TOKEN });
    expect((await send('/?from=4.14.1')).status).toBe(200);
    expect((await send('/', { headers: { host: 'evil.example' } })).status).toBe(403);
  });
});

describe('address', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['127.0.0.1.evil.example', false],
    ['', false],
  ])('knows whether %j is loopback', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });

  it('reports that a port is in use and how to choose another', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      await expect(start({ port })).rejects.toThrow(`port ${port} is in use, choose another with --port`);
    } finally {
      other.close();
    }
  });

  it('closes also while a connection is open', async () => {
    await start();
    const socket = connect(Number(new URL(front!.url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('ready', resolve));
    const received = text(socket);
    await front!.close();
    expect(await received).toBe('');
  });
});
