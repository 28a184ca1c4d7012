import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoGraph } from '../../../../../infra/local/demo/graph.ts';
import { startDemoUpstream, type DemoUpstream } from '../../../../../infra/local/demo/server.ts';

interface Received {
  readonly response: IncomingMessage;
  readonly body: Buffer;
}

let upstream: DemoUpstream;
beforeAll(async () => {
  upstream = await startDemoUpstream({ host: '127.0.0.1', port: 0 });
});
afterAll(() => upstream.close());

/** node:http rather than fetch, which decompresses and hides what was sent. */
async function send(
  target: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { hostname, port } = new URL(upstream.url);
  request({ hostname, port, path: target, agent: false, ...options }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  return { response, body: await buffer(response) };
}

function graph(query: string, headers: Record<string, string> = {}): Promise<Received> {
  return send(`/api/upgrades_info/v1/graph?${query}`, { headers });
}

const EMPTY = { version: 1, nodes: [], edges: [], conditionalEdges: [] };

describe('demo upstream', () => {
  it('serves at the path that clusters use', () => {
    expect(upstream.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/upgrades_info\/v1\/graph$/);
  });

  it.each([
    ['channel=stable-4.18&arch=arm64', demoGraph('stable-4.18', 'arm64')],
    ['channel=stable-4.18', demoGraph('stable-4.18', 'amd64')],
    ['channel=eus-4.12&channel=stable-4.14&version=4.13.1&id=x', demoGraph('stable-4.14', 'amd64')],
    ['channel=stable-3.11', EMPTY],
    ['channel=stable-4.18&arch=riscv64', EMPTY],
  ])('answers %s', async (query, expected) => {
    const { response, body } = await graph(query);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(body.toString())).toEqual(expected);
  });

  it.each(['gzip', 'br, GZIP;q=0.5', 'gzip, identity'])(
    'compresses for %j, twice alike',
    async (accepted) => {
      const plain = await graph('channel=fast-4.20');
      for (const { response, body } of [
        await graph('channel=fast-4.20', { 'accept-encoding': accepted }),
        await graph('channel=fast-4.20', { 'accept-encoding': accepted }),
      ]) {
        expect(response.headers['content-encoding']).toBe('gzip');
        expect(response.headers.vary).toBe('accept-encoding');
        expect(body.length).toBeLessThan(plain.body.length / 5);
        expect(gunzipSync(body).equals(plain.body)).toBe(true);
      }
    },
  );

  it.each(['identity', 'gzip;q=0', 'br', 'gzip; q=0.000, br'])(
    'does not compress for %j',
    async (accepted) => {
      const { response, body } = await graph('channel=none', { 'accept-encoding': accepted });
      expect(response.headers['content-encoding']).toBeUndefined();
      expect(JSON.parse(body.toString())).toEqual(EMPTY);
    },
  );

  it.each([
    ['', 'missing_params', 'mandatory client parameters missing: channel'],
    ['arch=amd64', 'missing_params', 'mandatory client parameters missing: channel'],
    [
      'channel=',
      'invalid_params',
      "invalid client parameters: channel '' does not match regex '^[0-9a-z\\-.]+$'",
    ],
    [
      'channel=a_b',
      'invalid_params',
      "invalid client parameters: channel 'a_b' does not match regex '^[0-9a-z\\-.]+$'",
    ],
    [
      'channel=a&arch=x86_64',
      'invalid_params',
      "invalid client parameters: arch 'x86_64' does not match regex '^[0-9a-z]+$'",
    ],
  ])('refuses %j', async (query, kind, value) => {
    const { response, body } = await graph(query);
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toBe('application/json');
    expect(JSON.parse(body.toString())).toEqual({ kind, value });
  });

  it.each([
    ['GET', '/', 404],
    ['GET', '/api/upgrades_info/v1/graph/?channel=stable-4.18', 404],
    ['GET', '//', 404],
    ['POST', '/api/upgrades_info/v1/graph?channel=stable-4.18', 405],
    ['HEAD', '/api/upgrades_info/v1/graph?channel=stable-4.18', 200],
  ])('answers %s %s with %i and no body', async (method, target, status) => {
    const { response, body } = await send(target, { method });
    expect(response.statusCode).toBe(status);
    expect(body).toHaveLength(0);
  });

  it('says so when the port is taken, and frees it on close', async () => {
    const first = await startDemoUpstream({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(first.url).port);
    await expect(startDemoUpstream({ host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
    await first.close();
    const second = await startDemoUpstream({ host: '127.0.0.1', port });
    expect(second.url).toBe(first.url);
    await second.close();
  });
});
