import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type Cincinnati } from '../../../../functions/outbound/cincinnati.ts';
import { type FetchLimits } from '../../../../functions/outbound/limits.ts';
import { good, open, reset, serve, silent, status } from './own-upstream.ts';

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

  test('a refused connection is tried three times', async () => {
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
    ['no headers', silent, { headersMs: 1_000 }, 'no headers in time'],
    [
      'a body that stalls',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{');
      },
      { idleMs: 1_000 },
      'the body stalled',
    ],
    ['all attempts together', silent, { totalMs: 1_000 }, 'no whole answer within 1000 ms'],
  ])('%s', async (_name, listener, limits, detail) => {
    const { url, requests } = await serve(listener);
    expect(await open({ url, limits }).fetchGraph('stable-4.12', 'amd64')).toEqual({
      ok: false,
      code: 'TimedOut',
      detail,
      attempts: 1,
    });
    // The server hears of the request in its own time, but it was sent.
    await expect.poll(requests).toBe(1);
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
      limits: { totalMs: 5_000, backoffBaseMs: 2_000, backoffCapMs: 10_000 },
    });
    // The waits would be 2 s and 4 s.
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ code: 'BadStatus', attempts: 2 });
  });
});

describe('an upstream that is down', () => {
  async function openUnknown(): Promise<{ client: Cincinnati; lookups: () => number; comeBack: () => void }> {
    const { url } = await serve(good);
    let lookups = 0;
    let isDown = true;
    const client = open({
      url: `http://graph.localhost:${new URL(url).port}/graph`,
      resolve: () => {
        lookups++;
        if (isDown) return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
        return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
      },
    });
    return { client, lookups: () => lookups, comeBack: () => void (isDown = false) };
  }

  test('is left alone after eight calls in a row', async () => {
    const { client, lookups, comeBack } = await openUnknown();
    for (let count = 0; count < 8; count++) {
      expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({
        code: 'ConnectFailed',
        attempts: 3,
      });
    }
    comeBack();
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toEqual({
      ok: false,
      code: 'UpstreamDown',
      detail: expect.stringMatching(/^8 calls in a row did not get through to graph\.localhost:\d+$/),
      attempts: 0,
    });
    expect(lookups()).toBe(24);
  });

  test('is asked again when one call of the row got through', async () => {
    const { client, comeBack } = await openUnknown();
    for (let count = 0; count < 7; count++) await client.fetchGraph('stable-4.12', 'amd64');
    comeBack();
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ ok: true });
  });

  test('is not one that answers badly', async () => {
    const { url, requests } = await serve(status(500));
    const client = open({ url });
    for (let count = 0; count < 10; count++) await client.fetchGraph('stable-4.12', 'amd64');
    expect(requests()).toBe(30);
  });
});
