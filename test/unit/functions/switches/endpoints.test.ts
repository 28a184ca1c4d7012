import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../../functions/http/route.ts';
import { routes } from '../../../../functions/routes.ts';
import { SWITCH_NAMES, type SwitchName } from '../../../../functions/switches/store.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { chainGraph, following, series } from '../../../helpers/upstream/sync-harness.ts';

const REASON = 'the registry team looks into a lost image';
const JSON_TYPE = { 'content-type': 'application/json' };

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({
    releases: { release_sources: following('stable-4.14').asConfigured },
    source: () => chainGraph(series('4.14', 3)),
  });
});
afterEach(async () => {
  for (const name of SWITCH_NAMES) await put(name, { stopped: false });
  deployment.scheduler.calls.length = 0;
});
afterAll(() => deployment.close());

const list = () => deployment.request('GET', '/v1/switches');
const put = (name: string, body: unknown) =>
  deployment.request('PUT', `/v1/switches/${name}`, { body: JSON.stringify(body), headers: JSON_TYPE });
const stop = (name: SwitchName) => put(name, { stopped: true, reason: REASON });
const post = (target: string) => deployment.request('POST', target, { body: '{}', headers: JSON_TYPE });

const started = (name: SwitchName) => ({
  name,
  ...(name === 'news' && { alias: 'notifications' }),
  stopped: false,
});

describe('switches', () => {
  it('are listed as working until they are stopped', async () => {
    const { status, body } = await list();
    expect([status, body]).toEqual([200, { switches: SWITCH_NAMES.map(started) }]);
    parseStrictly('listSwitches', body);
  });

  it('show why, since when and by which caller they are stopped', async () => {
    const { status, body } = await stop('prune');
    expect([status, body]).toEqual([
      200,
      { name: 'prune', stopped: true, reason: REASON, since: expect.any(String) as string, by: 'local' },
    ]);
    parseStrictly('putSwitch', body);
    expect((await list()).body).toEqual({
      switches: [
        { name: 'sync', stopped: false },
        body,
        { name: 'news', alias: 'notifications', stopped: false },
        { name: 'write', stopped: false },
      ],
    });
    expect((await stop('prune')).body).toEqual(body);
    expect((await put('prune', { stopped: true, reason: ` ${REASON}, still ` })).body).toEqual({
      ...(body as object),
      reason: `${REASON}, still`,
    });
    expect((await put('prune', { stopped: false })).body).toEqual({ name: 'prune', stopped: false });
    expect((await put('prune', { stopped: false })).status).toBe(200);
  });

  it('are stopped by either name, and listed by the former one', async () => {
    const { status, body } = await put('notifications', { stopped: true, reason: REASON });
    const stopped = { name: 'news', alias: 'notifications', stopped: true, reason: REASON };
    expect([status, body]).toMatchObject([200, stopped]);
    parseStrictly('putSwitch', body);
    expect((await list()).body).toMatchObject({ switches: [{}, {}, stopped, {}] });
    expect((await put('news', { stopped: false })).body).toEqual(started('news'));
  });

  it.each([
    ['all', { stopped: true, reason: REASON }, 'name', 'sync, prune, news or write is accepted'],
    ['Sync', { stopped: true, reason: REASON }, 'name', 'sync, prune, news or write is accepted'],
    ['__proto__', { stopped: true, reason: REASON }, 'name', 'sync, prune, news or write is accepted'],
    ['sync', {}, '/stopped', 'true or false is accepted'],
    ['sync', { stopped: 'yes' }, '/stopped', 'true or false is accepted'],
    ['sync', { stopped: true }, '/reason', 'is needed to stop something'],
    ['sync', { stopped: true, reason: ' \n' }, '/reason', 'a sentence is accepted'],
    ['sync', { stopped: true, reason: 7 }, '/reason', 'a sentence is accepted'],
    ['sync', { stopped: true, reason: 'a'.repeat(501) }, '/reason', 'at most 500 characters'],
    ['sync', { stopped: true, raison: REASON }, '/raison', 'did you mean reason?'],
  ])('%s with %o is refused', async (name, request, where, detail) => {
    const { status, body } = await put(name, request);
    expect(status).toBe(400);
    expect((body as { detail: string }).detail).toContain(detail);
    expect((body as { detail: string }).detail).toContain(where);
    expect((await list()).body).toEqual({
      switches: SWITCH_NAMES.map(started),
    });
  });
});

describe('the switch write', () => {
  /** Of those that do not take an empty one. */
  const BODIES: Readonly<Record<string, string>> = {
    putNotificationsWebhook: '{"url": "https://chat.example.com/x", "format": "slack"}',
    putRiskAcceptance: '{"risk": "A", "reason": "r", "owner": "o", "until": "2999-01-01", "clusters": "all"}',
    putNewsWebhook: '{"url": "https://chat.example.com/x", "format": "slack"}',
  };
  const changing = routes.filter(
    ({ id, access }: Route) => (access === 'write' || access === 'admin') && id !== 'putSwitch',
  );

  it.each(changing)('stops $method $path', async ({ id, method, path }) => {
    await stop('write');
    const target = path.replace('{id}', 'c1').replace('{name}', 'cluster');
    const { status, headers, body } = await deployment.request(method, target, {
      body: BODIES[id] ?? '{}',
      headers: JSON_TYPE,
    });
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([
      503,
      '60',
      'application/problem+json',
    ]);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:stopped',
      detail: expect.stringMatching(
        /^every change is stopped since 20\S+Z by local: the registry team/,
      ) as string,
    });
    await put('write', { stopped: false });
    expect((await deployment.request(method, target, { body: '{', headers: JSON_TYPE })).status).not.toBe(
      503,
    );
  });

  it('leaves what reads', async () => {
    await stop('write');
    for (const path of ['/v1/clusters', '/v1/image-pruners', '/v1/sync', '/v1/switches', '/healthz']) {
      expect([path, (await deployment.request('GET', path)).status]).toEqual([path, 200]);
    }
  });
});

describe('the switch sync', () => {
  it('stops manual runs, and the job itself', async () => {
    await stop('sync');
    const { status, headers, body } = await post('/v1/sync/runs');
    expect([status, headers['retry-after']]).toEqual([503, '60']);
    expect(body).toMatchObject({ detail: expect.stringMatching(/^the sync is stopped since/) as string });
    expect(deployment.scheduler.calls).toEqual([]);
    const asked = deployment.upstream.requests.length;
    const event = () => ({ scheduledTime: new Date().toISOString(), trigger: 'schedule' });
    expect(await deployment.sync.invoke(event())).toMatchObject({
      ok: true,
      payload: { status: 'Skipped', reason: 'Stopped' },
    });
    expect(deployment.upstream.requests).toHaveLength(asked);
    expect((await deployment.request('GET', '/v1/sync')).body).toMatchObject({
      lastRun: null,
      lastSkipped: { reason: 'Stopped' },
    });
    expect((await post('/v1/uploads')).status).toBe(201);
    await put('sync', { stopped: false });
    deployment.eventBridge.answer(200, { FailedEntryCount: 0, Entries: [{ EventId: '1' }] });
    expect(await deployment.sync.invoke(event())).toMatchObject({ payload: { status: 'Done' } });
  });
});

describe('the switch prune', () => {
  it('stops manual runs, and shows in the conditions of every pruner', async () => {
    const pruner = { target: { bucket: 'registry', prefix: 'prod' } };
    const made = await deployment.request('PUT', '/v1/image-pruners/cluster', {
      body: JSON.stringify(pruner),
      headers: JSON_TYPE,
    });
    expect(made.status).toBe(201);
    const before = (made.body as { status: { conditions: { type: string; reason: string }[] } }).status;
    expect(before.conditions.find(({ type }) => type === 'Scheduled')!.reason).toBe('Scheduled');
    const { body } = await stop('prune');
    const run = await post('/v1/image-pruners/cluster/runs');
    expect([run.status, run.body]).toMatchObject([503, { type: 'urn:cairn:problem:stopped' }]);
    const { since } = body as { since: string };
    const condition = { type: 'Scheduled', status: 'False', reason: 'Stopped' };
    expect((await deployment.request('GET', '/v1/image-pruners/cluster')).body).toMatchObject({
      status: {
        conditions: expect.arrayContaining([
          { ...condition, lastTransitionTime: since, message: `All image pruners are stopped: ${REASON}` },
        ]) as unknown[],
      },
    });
    expect((await deployment.request('GET', '/v1/image-pruners')).body).toMatchObject({
      pruners: [{ conditions: expect.arrayContaining([condition]) as unknown[] }],
    });
  });
});
