import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { FETCH_LIMITS } from '../../../../functions/outbound/limits.ts';
import { GRAPH, good, open, serve, silent, status } from './own-upstream.ts';

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
    await expect.poll(requests).toBe(1);
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

test('closing ends what is under way', async () => {
  const { url, requests } = await serve(silent);
  const client = open({ url });
  const pending = client.fetchGraph('stable-4.12', 'amd64');
  await expect.poll(requests).toBe(1);
  await client.close();
  expect(await pending).toMatchObject({ ok: false, code: 'ConnectionLost' });
});
