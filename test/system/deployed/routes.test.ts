import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../functions/http/route.ts';
import { routes } from '../../../functions/routes.ts';
import { SYNC_STATE_KEY } from '../../../functions/store/keys.ts';
import { acquireLease, breakLease } from '../../../functions/store/leases.ts';
import { idleCluster } from '../../helpers/cluster/objects.ts';
import { type Deployment, startDeployment } from '../../helpers/lambda/deployment.ts';
import type { LambdaResult } from '../../helpers/lambda/lambda-host.ts';
import { parseStrictly } from '../../helpers/lambda/strict.ts';
import { chainGraph, series } from '../../helpers/upstream/sync-harness.ts';

const RELEASES = {
  release_sources: [
    {
      openshift_version: '4.14',
      upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable', 'candidate'] }],
    },
    { openshift_version: '4.15', upgrade_channels: [{ cpu_architecture: 'multi', channels: ['stable'] }] },
  ],
  release_images: [
    {
      openshift_version: '4.11',
      cpu_architecture: 'x86_64',
      url: 'quay.io/a/b:4.11.1-x86_64',
      version: '4.11.1',
    },
  ],
  ignored_openshift_versions: ['4.14.1'],
};

const listed = routes.filter((route: Route) => !route.isUnlisted);

/** A risk of the first update. */
const riskOf = ([from, to]: readonly string[]) => {
  const risk = { url: 'https://x', name: 'north', message: 'm', matchingRules: [{ type: 'Always' }] };
  return [{ edges: [{ from, to }], risks: [risk] }];
};

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({
    releases: RELEASES,
    hasConsole: true,
    source: (channel, arch) =>
      channel === 'candidate-4.14'
        ? chainGraph(['4.14.0-rc.1', '4.14.3'])
        : {
            ...chainGraph(series(channel.slice(-4), 3), { arch }),
            conditionalEdges: riskOf(series(channel.slice(-4), 3)),
          },
  });
});
afterAll(() => deployment.close());

const get = (target: string) => deployment.request('GET', target);
const startRun = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  deployment.request('POST', '/v1/sync/runs', { body, headers });

describe('before the first sync', () => {
  it.each(['/v2/openshift-versions', '/v2/release-sources', '/api/assisted-install/v2/openshift-versions'])(
    '%s says 503 in the shape of assisted-service',
    async (path) => {
      const { status, headers, body } = await get(path);
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('60');
      expect(body).toEqual({
        kind: 'Error',
        id: 503,
        href: '',
        code: '503',
        reason: expect.stringContaining('first sync') as string,
      });
    },
  );

  it('/v1/sync shows that nothing has run', async () => {
    expect((await get('/v1/sync')).body).toEqual({
      upstream: null,
      running: false,
      lastRun: null,
      lastSkipped: null,
      watch: { lastSlot: null, lastSkipped: null },
      futureTimes: null,
      runs: [],
      retiredMinors: [],
      pairs: [],
    });
  });
});

describe('after a scheduled sync', () => {
  let run: LambdaResult;
  beforeAll(async () => {
    const Entries = [1, 2, 3].map((id) => ({ EventId: `${id}` }));
    deployment.eventBridge.answer(200, { FailedEntryCount: 0, Entries });
    run = await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'schedule' });
  });

  it('the run has found everything', () => {
    expect(run).toMatchObject({
      ok: true,
      payload: { status: 'Done', outcome: 'Succeeded', versionsAdded: 8 },
    });
  });

  it('the versions are those of the channels and the static ones, but for the ignored', async () => {
    const { status, body } = await get('/v2/openshift-versions');
    expect(status).toBe(200);
    const versions = Object.keys(body as object);
    expect(versions).toEqual([
      '4.15.2-multi',
      '4.15.1-multi',
      '4.15.0-multi',
      '4.14.3',
      '4.14.2',
      '4.14.0',
      '4.14.0-rc.1',
      '4.11.1',
    ]);
  });

  it.each([
    ['version=4.14', ['4.14.3', '4.14.2', '4.14.0', '4.14.0-rc.1']],
    ['version_pattern=4.14', ['4.14.3', '4.14.2', '4.14.0', '4.14.0-rc.1']],
    ['version=4.14&version_pattern=4.14', ['4.14.3', '4.14.2', '4.14.0', '4.14.0-rc.1']],
    ['version=-rc', ['4.14.0-rc.1']],
    ['only_latest=true', ['4.15.2-multi', '4.14.2', '4.11.1']],
    ['only_latest', ['4.15.2-multi', '4.14.2', '4.11.1']],
    ['only_latest=1&version=4.14', ['4.14.2']],
    ['only_latest=0&version=4.15.2', ['4.15.2-multi']],
    ['version=9.9', []],
    ['unknown=ignored&version=4.11', ['4.11.1']],
  ])('?%s', async (query, expected) => {
    const { status, body } = await get(`/api/assisted-install/v2/openshift-versions?${query}`);
    expect(status).toBe(200);
    expect(Object.keys(body as object)).toEqual(expected);
  });

  it('the sources are shown as configured', async () => {
    const all = ['x86_64', 'arm64', 'ppc64le', 's390x'];
    const expected = RELEASES.release_sources.map((source) => ({ ...source, multi_cpu_architectures: all }));
    expect((await get('/v2/release-sources')).body).toEqual(expected);
  });

  it('every accepted graph is archived, and every change is sent to the bus', async () => {
    expect((await deployment.archived()).map((key) => key.split('/').slice(0, 3).join('/'))).toEqual([
      'archive/candidate-4.14/amd64',
      'archive/stable-4.14/amd64',
      'archive/stable-4.15/multi',
    ]);
    expect(deployment.eventBridge.calls).toHaveLength(1);
    const [call] = deployment.eventBridge.calls;
    const entries = call!.body['Entries'] as {
      Source: string;
      DetailType: string;
      EventBusName: string;
      Detail: string;
    }[];
    expect(entries.map(({ Source, DetailType, EventBusName }) => [Source, DetailType, EventBusName])).toEqual(
      Array.from({ length: 3 }, () => ['cairn', 'ChannelChanged', 'cairn']),
    );
    expect(JSON.parse(entries[1]!.Detail)).toMatchObject({
      channel: 'stable-4.14',
      arch: 'amd64',
      versionsAdded: series('4.14', 3),
    });
  });

  it('metrics are in the log', async () => {
    await expect.poll(() => deployment.sync.logs()).toContain('"SyncSucceeded":1');
  });

  it('the same event again does nothing', async () => {
    const { lastRun } = (await get('/v1/sync')).body as { lastRun: { slot: string } };
    const again = await deployment.sync.invoke({ scheduledTime: lastRun.slot, trigger: 'schedule' });
    expect(again).toEqual({ ok: true, payload: { status: 'Skipped', reason: 'Duplicate' } });
  });

  it('answers are as the OpenAPI document says', async () => {
    const stored = await deployment.request('PUT', '/v1/clusters/north', {
      body: JSON.stringify({ documents: idleCluster }),
      headers: { 'content-type': 'application/json' },
    });
    expect(stored.status).toBe(201);
    const pruner = await deployment.request('PUT', '/v1/image-pruners/north', { body: '{}' });
    expect(pruner.status).toBe(201);
    const until = new Date(Date.now() + 24 * 3600_000).toISOString();
    const acceptance = { risk: 'north', reason: 'a test', owner: 'ops', until, clusters: 'all' };
    const accepted = await deployment.request('PUT', '/v1/risk-acceptances/north', {
      body: JSON.stringify(acceptance),
      headers: { 'content-type': 'application/json' },
    });
    expect(accepted.status).toBe(201);
    // What it made of its schedule is not what the tests below look for.
    deployment.scheduler.calls.length = 0;
    for (const { id, path, success } of listed.filter(({ method }) => method === 'GET')) {
      const target = path
        .replace(/\/graph$/, '/graph?channel=stable-4.14')
        .replace(/\/upgrade-paths$/, '/upgrade-paths?from=4.14.0')
        .replace('{channel}/{arch}', 'stable-4.14/amd64')
        .replace('{arch}', 'amd64')
        .replace('{version}', '4.14.2')
        .replace(/\{(id|name)\}/, 'north')
        // One of now may be about to start.
        .replace('{run}', new Date().toISOString());
      const { status, body } = await get(target);
      expect(status, path).toBe(success.status);
      if (body !== null) parseStrictly(id, body);
    }
  });

  it('the index names every route, and the document is served', async () => {
    expect((await get('/')).body).toMatchObject({ name: 'Cairn', routes: { length: listed.length } });
    expect((await get('/openapi.json')).body).toMatchObject({ openapi: '3.1.0' });
    expect((await get('/healthz')).body).toEqual({ status: 'ok' });
  });
});

describe('the console', () => {
  const asBrowser = (target: string, method = 'GET') =>
    deployment.request(method, target, { headers: { accept: 'text/html', 'accept-encoding': 'gzip' } });

  it('is one page at several addresses, with its own files', async () => {
    const page = await asBrowser('/');
    expect(page).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-encoding': 'gzip',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      },
    });
    expect(await asBrowser('/clusters')).toEqual(page);
    expect(await asBrowser('/clusters', 'HEAD')).toMatchObject({
      status: 200,
      headers: page.headers,
      text: '',
    });
    const assets = [...page.text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets).toHaveLength(2);
    for (const asset of assets) {
      const { status, headers, text } = await asBrowser(asset);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(text.length).toBeGreaterThan(1000);
    }
    expect(await asBrowser('/assets/main-FORMER.js')).toMatchObject({
      status: 404,
      body: { detail: 'the console has no file "main-FORMER.js"' },
    });
  });
});

describe('bad input on /v2', () => {
  it.each([
    ['only_latest=maybe', 'only_latest', 'maybe', 'true, false, 1, 0'],
    ['version=4.12&version_pattern=4.13', 'version_pattern', '4.13', 'send one'],
    ['version=4.*', 'version', '4.*', 'plain part of a version'],
    ['version=4.12&version=4.13', 'version', '4.13', 'given twice'],
    [`version=${'1'.repeat(65)}`, 'version', '1111', 'at most 64'],
    ['version=%00', 'version', '\\u0000', 'plain part'],
    ['version=%E0%A4%A', 'version', '', 'plain part'],
    ['version_pattern=(a%2B)%2B%24', 'version_pattern', '(a+)+$', 'whole components'],
  ])(
    'V9, V10: ?%s is 400 and names the parameter, the value and what is accepted',
    async (query, parameter, value, accepted) => {
      const { status, headers, body } = await get(`/v2/openshift-versions?${query}`);
      expect(status).toBe(400);
      expect(headers['content-type']).toBe('application/json');
      expect(body).toMatchObject({ kind: 'Error', id: 400, href: '', code: '400' });
      const { reason } = body as { reason: string };
      expect(reason).toContain(parameter);
      expect(reason).toContain(value);
      expect(reason).toContain(accepted);
    },
  );
});

describe('bad input elsewhere', () => {
  it('an unknown path is 404, an unknown method 405 with what is allowed', async () => {
    expect(await get('/v1/nothing')).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/problem+json' },
      body: { type: 'urn:cairn:problem:not-found', status: 404, instance: 'urn:cairn:request:test-request' },
    });
    expect(await deployment.request('DELETE', '/v1/sync')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    });
    expect(await deployment.request('PATCH', '/v1/sync/runs')).toMatchObject({
      status: 405,
      headers: { allow: 'OPTIONS, POST' },
    });
    expect(await deployment.request('PUT', '/v2/openshift-versions')).toMatchObject({
      status: 405,
      body: { kind: 'Error', id: 405 },
    });
  });

  it.each([
    ['GET', '/nothing', 'GET /nothing does not exist; GET /openapi.json lists what does'],
    ['HEAD', '/versions/', 'HEAD /versions/ does not exist; GET /openapi.json lists what does'],
    ['GET', '/v1/channel-index', 'GET /v1/channel-index does not exist; GET /openapi.json lists what does'],
  ])('%s %s does not exist', async (method, path, detail) => {
    const { status, body } = await deployment.request(method, path);
    expect([status, body]).toEqual([404, expect.objectContaining({ detail })]);
  });

  it('a missing path below the update service has its error format', async () => {
    expect(await get('/api/upgrades_info/v2/graph')).toMatchObject({
      status: 404,
      body: { kind: 'does_not_exist', value: 'does not exist: GET /api/upgrades_info/v2/graph' },
    });
  });

  it.each([
    // Of the other Lambda.
    ['PATCH', '/v1/clusters/north', 'GET, HEAD, OPTIONS, PUT, DELETE'],
    ['DELETE', '/v1/clusters', 'GET, HEAD, OPTIONS'],
    ['HEAD', '/v1/uploads', 'OPTIONS, POST'],
    ['PUT', '/v1/uploads', 'OPTIONS, POST'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['POST', '/versions', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/assets/main.js', 'GET, HEAD, OPTIONS'],
    ['PUT', '/v1/upgrade-paths', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/v1/channel-index/amd64', 'GET, HEAD, OPTIONS'],
  ])('%s %s is refused with what is allowed', async (method, path, allow) => {
    expect(await deployment.request(method, path)).toMatchObject({
      status: 405,
      headers: { allow, 'content-type': 'application/problem+json' },
      body: { detail: `${method} is not supported here, accepted: ${allow}` },
    });
  });

  it.each(['/v2/release-sources', '/v1/channels/stable-4.14/amd64', '/v1/channel-index/amd64', '/'])(
    'HEAD of %s is GET without the body',
    async (path) => {
      const [head, { status, headers }] = [await deployment.request('HEAD', path), await get(path)];
      expect(head).toEqual({ status, headers, text: '', body: null });
      expect(status).toBe(200);
    },
  );

  it.each([
    ['{', 'invalid-body', 'not JSON'],
    ['[]', 'invalid-body', 'an object is accepted'],
    ['null', 'invalid-body', 'an object is accepted'],
    ['{"accept":"stable-4.14/amd64"}', 'invalid-body', 'a list of pairs'],
    ['{"accept":[1]}', 'invalid-body', 'a text is accepted'],
    ['{"accept":["nonsense"]}', 'invalid-body', 'a pair such as stable-4.12/amd64'],
    ['{"accept":["stable-4.14/amd46"]}', 'invalid-body', 'did you mean stable-4.14/amd64?'],
    ['{"acept":[]}', 'invalid-body', 'did you mean accept?'],
    ['{"__proto__":{"accept":[]}}', 'invalid-body', 'is not known'],
  ])('POST /v1/sync/runs with %s is refused', async (body, code, text) => {
    const answer = await startRun(body);
    expect(answer).toMatchObject({ status: 400, body: { type: `urn:cairn:problem:${code}` } });
    expect((answer.body as { detail: string }).detail).toContain(text);
    expect(deployment.scheduler.calls).toEqual([]);
  });

  it('a body needs its content type, and a limit', async () => {
    expect(await startRun('{}', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    expect(await startRun(JSON.stringify({ accept: ['x'.repeat(5_000_000)] }))).toMatchObject({
      status: 413,
    });
  });

  it('what breaks on our side is a bare 500, without a word of what broke', async () => {
    const { request, query, close } = await deployment.withoutTable();
    const answer = await request('GET', '/v1/sync');
    expect(answer).toMatchObject({ status: 500, body: { type: 'urn:cairn:problem:internal' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/Exception|ResourceNotFound|at /);
    // The log comes on another way than the answer, and may be the later one.
    await expect.poll(() => query.logs()).toContain('ResourceNotFound');
    expect(await request('GET', '/v2/openshift-versions')).toMatchObject({
      status: 500,
      body: { kind: 'Error', code: '500' },
    });
    await close();
  });
});

describe('POST /v1/sync/runs', () => {
  it('makes a schedule that runs once and deletes itself, whose event the sync takes', async () => {
    deployment.scheduler.answer(200, { ScheduleArn: 'arn' });
    const answer = await startRun('{"accept":["stable-4.14/amd64"]}');
    expect(answer).toMatchObject({ status: 202, headers: { location: '/v1/sync' } });
    const [call] = deployment.scheduler.calls;
    expect(call).toMatchObject({
      method: 'POST',
      body: {
        GroupName: 'cairn',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: {
          Arn: expect.stringContaining('sync') as string,
          DeadLetterConfig: {},
          RetryPolicy: { MaximumRetryAttempts: 3 },
        },
      },
    });
    const { slot } = answer.body as { slot: string };
    expect(call!.body['ScheduleExpression']).toBe(`at(${slot.slice(0, 19)})`);
    const { Input } = call!.body['Target'] as { Input: string };
    expect(await deployment.sync.invoke(JSON.parse(Input))).toMatchObject({
      ok: true,
      payload: { status: 'Done', trigger: 'manual', slot, pairs: { unchanged: 3 } },
    });
  });

  it('is 409 while a run is under way', async () => {
    await acquireLease(deployment.table, SYNC_STATE_KEY, {
      slot: '2999-01-01T00:00:00.000Z',
      owner: 'test',
      now: Date.now(),
      durationMs: 60_000,
    });
    const answer = await startRun('{}');
    expect(answer).toMatchObject({
      status: 409,
      headers: { 'retry-after': '30' },
      body: { type: 'urn:cairn:problem:run-in-progress' },
    });
    expect((await get('/v1/sync')).body).toMatchObject({ running: true });
    await breakLease(deployment.table, SYNC_STATE_KEY);
  });
});
