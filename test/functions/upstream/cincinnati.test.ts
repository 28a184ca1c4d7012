import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Cincinnati,
  type CincinnatiOptions,
  createCincinnati,
} from '../../../functions/upstream/cincinnati.ts';
import { FETCH_LIMITS, type FetchLimits } from '../../../functions/upstream/limits.ts';
import { createAuthority } from '../../helpers/certificates.ts';

const GRAPH = '{"version":1,"nodes":[],"edges":[]}';
const QUICK: Partial<FetchLimits> = { backoffBaseMs: 1, backoffCapMs: 1, totalMs: 5_000 };
const LOCAL = { allowLoopbackHttp: true };

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Answers the nth request with the nth listener, the last one from then on. */
async function serve(
  ...listeners: RequestListener[]
): Promise<{ url: string; requests: () => number; server: Server }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const listener = listeners[Math.min(requests, listeners.length - 1)]!;
    requests++;
    listener(request, response);
  });
  return { url: `http://127.0.0.1:${await listen(server)}/graph`, requests: () => requests, server };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

type Options = Omit<CincinnatiOptions, 'version'>;

function open(options: Options): Cincinnati {
  const limits = { ...QUICK, ...options.limits };
  const client = createCincinnati({ version: '1.2.3', policy: LOCAL, ...options, limits });
  cleanUps.push(() => client.close());
  return client;
}

const good: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(GRAPH);
};
const reset: RequestListener = (request) => void request.socket.resetAndDestroy();
const silent: RequestListener = () => {};

function status(code: number, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => void response.writeHead(code, headers).end('{}');
}

test('the limits are those of the specification', () => {
  expect(FETCH_LIMITS).toEqual({
    connectMs: 3_000,
    headersMs: 10_000,
    idleMs: 5_000,
    totalMs: 30_000,
    headerBytes: 16_384,
    wireBytes: 8_388_608,
    inflatedBytes: 33_554_432,
    ratio: 200,
    ratioFreeBytes: 65_536,
    attempts: 3,
    backoffBaseMs: 500,
    backoffCapMs: 5_000,
    breakerFailures: 8,
  });
});

describe('the request', () => {
  test('asks for one channel and architecture and says who asks', async () => {
    let seen: { url?: string | undefined; headers: Record<string, unknown> } | null = null;
    const { url } = await serve((request, response) => {
      seen = { url: request.url, headers: request.headers };
      good(request, response);
    });
    const result = await open({ url: `${url}?tenant=a%20b&arch=none#part` }).fetchGraph(
      'stable-4.12',
      'amd64',
    );
    expect(result).toEqual({
      ok: true,
      answer: { version: 1, nodes: [], edges: [] },
      bytes: GRAPH.length,
      attempts: 1,
    });
    expect(seen).toEqual({
      url: '/graph?tenant=a+b&arch=amd64&channel=stable-4.12',
      headers: {
        host: new URL(url).host,
        connection: 'keep-alive',
        accept: 'application/json',
        'accept-encoding': 'gzip, identity',
        'user-agent': 'cairn/1.2.3',
      },
    });
  });

  test('cannot be changed by a channel name', async () => {
    let seen: URLSearchParams | null = null;
    const { url } = await serve((request, response) => {
      seen = new URL(request.url ?? '', url).searchParams;
      good(request, response);
    });
    await open({ url }).fetchGraph('stable-4.12&arch=multi#\r\nx: y', 'amd64');
    expect([...seen!]).toEqual([
      ['channel', 'stable-4.12&arch=multi#\r\nx: y'],
      ['arch', 'amd64'],
    ]);
  });

  test('goes over connections that are used again', async () => {
    // Two, because undici frees a connection a moment after the body has ended.
    const sockets = new Set<Socket>();
    const { url } = await serve((request, response) => {
      sockets.add(request.socket);
      good(request, response);
    });
    const client = open({ url });
    for (let count = 0; count < 10; count++) await client.fetchGraph('stable-4.12', 'amd64');
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  test.each([
    ['http://update.example.com/graph', /scheme http: is not allowed/],
    ['https://10.0.0.1/graph', /10\.0\.0\.1 is an address/],
    ['no url', /is not a URL/],
  ])('is not made to %s', async (url, detail) => {
    expect(await open({ url }).fetchGraph('stable-4.12', 'amd64')).toEqual({
      ok: false,
      code: 'EgressDenied',
      detail: expect.stringMatching(detail),
      attempts: 0,
    });
  });
});

describe('retries', () => {
  test.each<[string, RequestListener[], object]>([
    ['a reset, then an answer', [reset, good], { ok: true, attempts: 2 }],
    ['two 503, then an answer', [status(503), status(503), good], { ok: true, attempts: 3 }],
    [
      '429 with Retry-After, then an answer',
      [status(429, { 'retry-after': '0' }), good],
      { ok: true, attempts: 2 },
    ],
    ['503 for ever', [status(503)], { ok: false, code: 'BadStatus', attempts: 3 }],
    ['resets for ever', [reset], { ok: false, code: 'ConnectionLost', attempts: 3 }],
    ['404', [status(404), good], { ok: false, code: 'BadStatus', attempts: 1 }],
    ['400', [status(400), good], { ok: false, code: 'BadStatus', attempts: 1 }],
    ['204', [status(204), good], { ok: false, code: 'BadStatus', attempts: 1 }],
    ['307', [status(307, { location: '/other' }), good], { ok: false, code: 'BadStatus', attempts: 1 }],
    [
      'another content type',
      [status(200, { 'content-type': 'text/plain' }), good],
      { ok: false, code: 'BadContentType', attempts: 1 },
    ],
  ])('%s', async (_name, listeners, expected) => {
    const { url, requests } = await serve(...listeners);
    const result = await open({ url }).fetchGraph('stable-4.12', 'amd64');
    expect(result).toMatchObject(expected);
    expect(requests()).toBe(result.attempts);
  });

  test('nobody listening is tried three times', async () => {
    const { url, server } = await serve(good);
    await new Promise((resolve) => server.close(resolve));
    expect(await open({ url }).fetchGraph('stable-4.12', 'amd64')).toMatchObject({
      ok: false,
      code: 'ConnectFailed',
      detail: expect.stringContaining('ECONNREFUSED'),
      attempts: 3,
    });
  });

  test('a wait that does not fit into the time left is not begun', async () => {
    const { url, requests } = await serve(status(429, { 'retry-after': '120' }), good);
    expect(await open({ url }).fetchGraph('stable-4.12', 'amd64')).toEqual({
      ok: false,
      code: 'BadStatus',
      detail: 'status 429, accepted is 200',
      attempts: 1,
    });
    expect(requests()).toBe(1);
  });

  test('Retry-After is waited for in full, and luck is added', async () => {
    const order: string[] = [];
    const { url } = await serve((request, response) => {
      order.push('request');
      const isFirst = order.length === 1;
      if (isFirst) setTimeout(() => order.push('1.1 s later'), 1_100);
      (isFirst ? status(503, { 'retry-after': '1' }) : good)(request, response);
    });
    const limits = { backoffBaseMs: 400, backoffCapMs: 400 };
    await open({ url, limits, random: () => 0.5 }).fetchGraph('stable-4.12', 'amd64');
    expect(order).toEqual(['request', '1.1 s later', 'request']);
  });
});

describe('time', () => {
  test.each<[string, RequestListener, Partial<FetchLimits>, string]>([
    ['no headers', silent, { headersMs: 100 }, 'no headers in time'],
    [
      'a body that stalls',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{');
      },
      { idleMs: 100 },
      'the body stalled',
    ],
    ['all attempts together', silent, { totalMs: 100 }, 'no whole answer within 100 ms'],
  ])('%s', async (_name, listener, limits, detail) => {
    const { url, requests } = await serve(listener);
    expect(await open({ url, limits }).fetchGraph('stable-4.12', 'amd64')).toEqual({
      ok: false,
      code: 'TimedOut',
      detail,
      attempts: 1,
    });
    expect(requests()).toBe(1);
  });

  test('a name that never resolves is a failed connection', async () => {
    const client = open({
      url: 'http://graph.localhost/graph',
      limits: { connectMs: 50 },
      resolve: () => new Promise(() => {}),
    });
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toEqual({
      ok: false,
      code: 'ConnectFailed',
      detail: 'no connection in time',
      attempts: 3,
    });
  });

  test('the waits between attempts count', async () => {
    const { url } = await serve(status(503));
    const client = open({
      url,
      random: () => 0.999,
      limits: { totalMs: 500, backoffBaseMs: 400, backoffCapMs: 10_000 },
    });
    // The second wait would be 800 ms.
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ code: 'BadStatus', attempts: 2 });
  });
});

describe('the caller stops', () => {
  test('before it begins', async () => {
    const { url, requests } = await serve(good);
    const result = await open({ url }).fetchGraph('stable-4.12', 'amd64', AbortSignal.abort());
    expect(result).toMatchObject({ ok: false, code: 'Aborted' });
    expect(requests()).toBe(0);
  });

  test.each<[string, RequestListener]>([
    ['while waiting for headers', silent],
    [
      'in the middle of a body',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{');
      },
    ],
    ['while waiting to retry', status(503, { 'retry-after': '3' })],
  ])('%s', async (_name, listener) => {
    const { url, requests } = await serve(listener);
    const controller = new AbortController();
    const pending = open({ url }).fetchGraph('stable-4.12', 'amd64', controller.signal);
    await vi.waitFor(() => expect(requests()).toBe(1));
    setTimeout(() => controller.abort(new Error('the run is over')), 50);
    expect(await pending).toEqual({
      ok: false,
      code: 'Aborted',
      detail: 'stopped by the caller',
      attempts: 1,
    });
  });

  test('one call, not its neighbours', async () => {
    const { url } = await serve((request, response) => {
      setTimeout(() => good(request, response), 100);
    });
    const client = open({ url });
    const controller = new AbortController();
    const calls = [
      client.fetchGraph('stable-4.12', 'amd64', controller.signal),
      client.fetchGraph('stable-4.13', 'amd64'),
    ];
    controller.abort();
    const results = await Promise.all(calls);
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
  });
});

describe('an upstream that is down', () => {
  async function downed(): Promise<{ client: Cincinnati; requests: () => number }> {
    const { url, requests } = await serve(...Array.from({ length: 8 }, () => silent), good);
    const client = open({ url, limits: { totalMs: 50 } });
    for (let count = 0; count < 8; count++) {
      expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ code: 'TimedOut' });
    }
    return { client, requests };
  }

  test('is left alone after eight calls in a row', async () => {
    const { client, requests } = await downed();
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toEqual({
      ok: false,
      code: 'UpstreamDown',
      detail: expect.stringMatching(/^8 calls in a row did not get through to 127\.0\.0\.1:\d+$/),
      attempts: 0,
    });
    expect(requests()).toBe(8);
  });

  test('is asked again after a reset', async () => {
    const { client } = await downed();
    client.resetBreaker();
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ ok: true });
  });

  test('is not one that answers badly', async () => {
    const { url, requests } = await serve(status(500));
    const client = open({ url });
    for (let count = 0; count < 10; count++) await client.fetchGraph('stable-4.12', 'amd64');
    expect(requests()).toBe(30);
  });
});

describe('addresses', () => {
  test('a name that turns inward is caught at the next connection', async () => {
    const { url, requests } = await serve((request, response) => {
      response.shouldKeepAlive = false;
      good(request, response);
    });
    const { port } = new URL(url);
    let lookups = 0;
    const client = open({
      url: `http://graph.localhost:${port}/graph`,
      resolve: () =>
        Promise.resolve([{ address: ++lookups === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]),
    });
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ ok: true });
    expect(lookups).toBe(1);
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({
      ok: false,
      code: 'EgressDenied',
      detail: 'graph.localhost resolves to 169.254.169.254, which is not this machine',
      attempts: 1,
    });
    expect([lookups, requests()]).toEqual([2, 1]);
  });

  test('a public name that points here gets no connection', async () => {
    const { server, url } = await serve(good);
    let connections = 0;
    server.on('connection', () => connections++);
    const client = open({
      url: `https://graph.example.com:${new URL(url).port}/graph`,
      policy: { privateAccess: [{ host: 'graph.example.com', cidr: '10.0.0.0/8' }], allowLoopbackHttp: true },
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ code: 'EgressDenied' });
    expect(connections).toBe(0);
  });
});

describe('TLS', () => {
  const authority = createAuthority('cairn test authority');
  const stranger = createAuthority('somebody else');

  async function serveTls(): Promise<{ options: Options; serverNames: unknown[] }> {
    const { certificate, key } = authority.issue({ host: 'graph.localhost' });
    const serverNames: unknown[] = [];
    const server = createTlsServer({ cert: certificate, key }, (request, response) => {
      serverNames.push((request.socket as TLSSocket & { servername?: unknown }).servername);
      good(request, response);
    });
    const port = await listen(server);
    return {
      options: {
        url: `https://graph.localhost:${port}/graph`,
        resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      },
      serverNames,
    };
  }

  test('an own authority is trusted, and the host is named in the handshake', async () => {
    const { options, serverNames } = await serveTls();
    const client = open({ ...options, ca: authority.certificate });
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ ok: true });
    expect(serverNames).toEqual(['graph.localhost']);
  });

  test.each<[string, Pick<CincinnatiOptions, 'ca'>]>([
    ['the authorities of Node', {}],
    ['another authority', { ca: stranger.certificate }],
  ])('a certificate unknown to %s is refused once', async (_name, ca) => {
    const { options, serverNames } = await serveTls();
    expect(await open({ ...options, ...ca }).fetchGraph('stable-4.12', 'amd64')).toMatchObject({
      code: 'TlsRefused',
      attempts: 1,
    });
    expect(serverNames).toEqual([]);
  });

  test('the environment cannot switch the check off', async () => {
    const { options } = await serveTls();
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    cleanUps.push(() => vi.unstubAllEnvs());
    expect(await open(options).fetchGraph('stable-4.12', 'amd64')).toMatchObject({ code: 'TlsRefused' });
  });
});

test('closing ends what is under way', async () => {
  const { url, requests } = await serve(silent);
  const client = open({ url });
  const pending = client.fetchGraph('stable-4.12', 'amd64');
  await vi.waitFor(() => expect(requests()).toBe(1));
  await client.close();
  expect(await pending).toMatchObject({ ok: false, code: 'ConnectionLost' });
});
