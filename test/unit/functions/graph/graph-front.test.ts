import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManageApp } from '../../../../functions/manage-app.ts';
import { createQueryApp } from '../../../../functions/query-app.ts';
import { PUBLICATION, readPublished } from '../../../../functions/store/published.ts';
import { type Front, startFront } from '../../../../infra/local/front.ts';
import { readAsCluster } from '../../../helpers/lambda/cluster-reader.ts';
import {
  chainGraph,
  following,
  series,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

const PATH = '/api/upgrades_info/v1/graph?channel=stable-4.14';
const PAGE = 'https://console.example';

let harness: SyncHarness;
let front: Front;
beforeAll(async () => {
  harness = await startHarness({
    config: following('stable-4.14'),
    source: () => chainGraph(series('4.14', 40)),
  });
  await harness.sync(0);
  const { table } = harness;
  const sync = { intervalMs: 600_000, retirementGraceMs: 0 };
  const launcher = { launchSync: async () => 'never', launchPruner: async () => 'never' };
  front = await startFront({
    host: '127.0.0.1',
    port: 0,
    apps: {
      query: createQueryApp({ table, sync, clock: harness.dependencies.clock }),
      manage: createManageApp({
        table,
        launcher,
        sync,
        historyLimit: 100,
        openUploads: () => Promise.reject(new Error('never')),
      }),
    },
  });
});
afterAll(async () => {
  await front.close();
  await harness.close();
});

async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(new URL(path, front.url), { method, headers, agent: false }, resolve).on('error', reject).end();
  const response = await promise;
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

describe('the graph over HTTP', () => {
  it('is the stored gzip body if the client accepts gzip, and the same text if not', async () => {
    const [gzip, identity] = await Promise.all([
      send('GET', PATH, { 'accept-encoding': 'gzip' }),
      send('GET', PATH),
    ]);
    const { body } = await readPublished(harness.table, PUBLICATION, 'graph/stable-4.14/amd64');
    expect(gzip.body.equals(body!)).toBe(true);
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': `${body!.length}` });
    expect(identity.headers).not.toHaveProperty('content-encoding');
    expect(identity.body.equals(gunzipSync(body!))).toBe(true);
    expect(readAsCluster(identity.body).offersTo('4.14.0')).toHaveLength(39);
  });

  it('answers 304 without a body or a length', async () => {
    const { headers } = await send('GET', PATH);
    const again = await send('GET', PATH, { 'if-none-match': headers.etag! });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    expect(again.headers).not.toHaveProperty('content-length');
  });

  it('answers HEAD with the headers of GET', async () => {
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => send(method, PATH)));
    const { date: _date, 'content-length': _length, ...expected } = get!.headers;
    expect(head!.headers).toMatchObject(expected);
    expect(head!.body).toHaveLength(0);
  });

  it('is open to pages of any origin, and only for reading', async () => {
    const origin = { origin: PAGE };
    expect(await send('GET', PATH, origin)).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': PAGE },
    });
    const preflight = { ...origin, 'access-control-request-method': 'GET' };
    expect(await send('OPTIONS', PATH, preflight)).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': PAGE, 'access-control-allow-methods': 'GET, HEAD, OPTIONS' },
    });
    expect((await send('HEAD', PATH, origin)).status).toBe(200);
    for (const [method, path] of [
      ['POST', PATH],
      ['POST', '/v1/sync/runs'],
      ['OPTIONS', '/v1/sync/runs'],
      ['GET', '/v1/sync'],
      ['GET', '/nothing'],
    ] as const) {
      expect((await send(method, path, origin)).status, `${method} ${path}`).toBe(403);
    }
  });

  it('keeps out names that a page points at this machine', async () => {
    expect((await send('GET', PATH, { origin: PAGE, host: 'evil.example' })).status).toBe(403);
  });
});
