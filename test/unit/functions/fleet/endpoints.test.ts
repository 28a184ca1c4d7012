import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putWebhook } from '../../../../functions/notifications/store.ts';
import type { RouteId } from '../../../../functions/routes.ts';
import { wholeCluster } from '../../../helpers/cluster/objects.ts';
import { seededCluster } from '../../../helpers/cluster/seeded-clusters.ts';
import { builtBundle } from '../../../helpers/lambda/built.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { NEXT_IS_SUPPORTED } from '../../../helpers/lambda/fleet-harness.ts';
import { type Lambda, startLambda } from '../../../helpers/lambda/lambda-host.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { sized } from '../../../helpers/size.ts';
import { tableEngines } from '../../../helpers/table/table.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = {
  amd64: {
    'stable-4.14': ['4.14.8 > 4.14.30'],
    'stable-4.15': ['4.14.8 > 4.14.30', '4.14.8 > 4.15.3', '4.14.30 > 4.15.3'],
  },
};
const JSON_TYPE = { 'content-type': 'application/json' };

let deployment: Deployment;
let fleet: Lambda;
let webhook: Server;
let posted: unknown[];
let isHanging = false;

beforeAll(async () => {
  deployment = await startDeployment({
    releases: { ...drawnConfig(UPSTREAM), support_dates: NEXT_IS_SUPPORTED },
    source: drawnSource(UPSTREAM),
  });
  const { table, eventBridge } = deployment;
  eventBridge.answerBy(({ body }) => {
    const { Entries = [] } = body as { Entries?: readonly unknown[] };
    return { status: 200, body: { Entries: Entries.map((_, at) => ({ EventId: String(at) })) } };
  });
  fleet = await startLambda({
    bundleDir: builtBundle('follow-fleet'),
    environment: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: tableEngines[0]!.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: eventBridge.url,
      TABLE_NAME: table.name,
      EVENT_BUS_NAME: 'cairn',
      NEWS_WINDOW_HOURS: '24',
      DIGEST_ABOVE: '10',
      LOCAL_UPSTREAM: 'true',
    },
  });
  posted = [];
  webhook = createServer((request, response) => {
    if (isHanging) return;
    void text(request).then((body) => {
      posted.push(JSON.parse(body));
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
});
afterAll(async () => {
  webhook.close();
  webhook.closeAllConnections();
  await fleet.stop();
  await deployment.close();
});

const follow = () => fleet.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });

async function ask(method: string, target: string, route: RouteId, body?: unknown, headers = {}) {
  const answer = await deployment.request(method, target, {
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { ...JSON_TYPE, ...headers },
  });
  const isData = answer.status < 300 && answer.body !== null;
  if (isData) parseStrictly(route, answer.body);
  return { ...answer, body: answer.body as Record<string, unknown> };
}

const report = (id: string, isUpgradeable?: boolean) =>
  ask('PUT', `/v1/clusters/${id}`, 'putCluster', { documents: wholeCluster(isUpgradeable) });
const list = async (query = '') => {
  const { body } = await ask('GET', `/v1/clusters?${query}`, 'listClusters');
  return body['clusters'] as readonly Record<string, unknown>[];
};
const ids = async (query: string) => (await list(query)).map(({ id }) => id);

describe('GET /v1/clusters', () => {
  it('returns the assessment of each cluster, once it is assessed', async () => {
    await report('eu-1');
    await report('eu-2', false);
    expect(await list()).toMatchObject([
      { id: 'eu-1', verdict: null, nextHop: null },
      { id: 'eu-2', verdict: null },
    ]);
    await follow();
    expect(await list()).toMatchObject([
      {
        id: 'eu-1',
        minor: '4.14',
        target: '4.15.3',
        nextHop: { from: '4.14.8', to: '4.15.3', risks: [] },
        hops: 1,
        newerPatch: '4.14.30',
        supportEnds: '2025-05-01',
        overdue: false,
      },
      { id: 'eu-2', verdict: 'blocked', blockers: ['ClusterOperatorsUpgradeable'] },
    ]);
  });

  it('has an entity tag that lasts while nothing but the age of reports changes', async () => {
    const { headers } = await ask('GET', '/v1/clusters', 'listClusters');
    const ages = async () => (await list()).map(({ reportAgeSeconds }) => reportAgeSeconds).join();
    const before = await ages();
    await expect.poll(ages).not.toBe(before);
    const sent = { 'if-none-match': headers['etag'] };
    expect((await ask('GET', '/v1/clusters', 'listClusters', undefined, sent)).status).toBe(304);
    expect((await ask('GET', '/v1/clusters?limit=1', 'listClusters', undefined, sent)).status).toBe(200);
  });

  it.each([
    ['', ['eu-1', 'eu-2']],
    ['verdict=blocked', ['eu-2']],
    ['verdict=pending', []],
    ['name=EU-1', ['eu-1']],
    ['minor=4.13,4.14', ['eu-1', 'eu-2']],
    ['minor=4.13&minor=4.14', ['eu-1', 'eu-2']],
    ['minor=4.15', []],
    ['channel=stable-4.14', ['eu-1', 'eu-2']],
    ['blocker=ClusterOperatorsUpgradeable', ['eu-2']],
    ['overdue', []],
    ['overdue=false', ['eu-1', 'eu-2']],
    ['overdue&overdue_after=1ms', ['eu-1', 'eu-2']],
  ])('keeps those that are wanted: %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it.each([
    ['verdict=bad', 'verdict'],
    ['minor=4', 'minor'],
    ['overdue_after=soon', 'overdue_after'],
    ['overdue_after=0s', 'overdue_after'],
    ['overdue=maybe', 'overdue'],
    ['format=xml', 'format'],
    ['blocker=a-b', 'blocker'],
    [`name=${'x'.repeat(101)}`, 'name'],
  ])('refuses %s', async (query, parameter) => {
    const { status, body } = await ask('GET', `/v1/clusters?${query}`, 'listClusters');
    expect([status, body['errors']]).toMatchObject([400, [{ parameter }]]);
  });

  it('goes through pages with a filter without losing or repeating any', async () => {
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await report(name, name !== 'p3');
    await follow();
    const found: unknown[] = [];
    let cursor: unknown = '';
    do {
      const at = cursor === '' ? '' : `&cursor=${String(cursor)}`;
      const { body } = await ask('GET', `/v1/clusters?name=p&limit=2${at}`, 'listClusters');
      found.push(...(body['clusters'] as { id: string }[]).map(({ id }) => id));
      cursor = body['nextCursor'];
    } while (cursor !== null);
    expect(found).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5'])
      await deployment.request('DELETE', `/v1/clusters/${name}`);
  });

  it('is a sheet, too, with a link when there is more of it', async () => {
    const { status, headers, text: sheet } = await deployment.request('GET', '/v1/clusters?format=csv');
    expect([status, headers['content-type'], headers['link']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      undefined,
    ]);
    expect(sheet.split('\r\n').map((row) => row.split(',').slice(0, 4).join(','))).toEqual([
      'id,version,channel,verdict',
      'eu-1,4.14.8,stable-4.14,ready',
      'eu-2,4.14.8,stable-4.14,blocked',
      '',
    ]);
    const first = await deployment.request('GET', '/v1/clusters?format=csv&limit=1');
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(first.headers['link'] ?? '') ?? [];
    expect((await deployment.request('GET', next)).text).toContain('\r\neu-2,');
  });
});

it('GET /v1/fleet/summary returns it in numbers', async () => {
  const { body } = await ask('GET', '/v1/fleet/summary?overdue_after=1h', 'getFleetSummary');
  expect(body).toMatchObject({
    clusters: 2,
    byMinor: [{ minor: '4.14', clusters: 2 }],
    byVerdict: { ready: 1, blocked: 1, pending: 0 },
    byBlocker: [{ blocker: 'ClusterOperatorsUpgradeable', clusters: 1 }],
    overdue: 0,
    withNewerPatch: 2,
    unsupported: 2,
  });
});

describe('/v1/clusters/{id}/settings', () => {
  const path = '/v1/clusters/eu-1/settings';

  it('are empty at first, and say where the cluster is going', async () => {
    const empty = await ask('GET', path, 'getClusterSettings');
    expect(empty.body).toEqual({});
    const settings = { target: '4.14.30', channel: ['stable-4.14'], strategy: 'control-plane-only' };
    const asRead = { 'if-match': empty.headers['etag'] };
    const put = await ask('PUT', path, 'putClusterSettings', settings, asRead);
    expect([put.status, put.body]).toEqual([200, settings]);
    expect((await ask('GET', path, 'getClusterSettings')).body).toEqual(settings);
    await follow();
    expect(await list('name=eu-1')).toMatchObject([{ target: '4.14.30' }]);
  });

  it('keep maintenance windows, which the plan goes by', async () => {
    const settings = { target: '4.15', windows: 'Mon-Tue 22:00-04:00', time_zone: 'Europe/Berlin' };
    const { body } = await ask('PUT', path, 'putClusterSettings', settings);
    const windows = ['Mon 22:00-04:00', 'Tue 22:00-04:00'];
    expect(body).toEqual({ target: '4.15', windows, time_zone: 'Europe/Berlin' });
    const plan = (query = '') =>
      ask('GET', `/v1/clusters/eu-1/upgrade-plan${query}`, 'planClusterUpgrade').then(
        (answer) => answer.body,
      );
    const weekly = [{ day: 'Mon' }, { day: 'Tue' }];
    expect(await plan()).toMatchObject({
      target: '4.15.3',
      windows: { timeZone: 'Europe/Berlin', weekly, hops: [{ to: '4.15.3' }] },
    });
    expect(await plan('?to=4.14.30&windows=Sun%2001:00-23:00')).toMatchObject({
      target: '4.14.30',
      windows: { timeZone: 'UTC', weekly: [{ day: 'Sun' }] },
    });
  });

  it('are changed only as they were read, if so asked', async () => {
    const { headers } = await ask('GET', path, 'getClusterSettings');
    const taken = await ask('PUT', path, 'putClusterSettings', {}, { 'if-match': headers['etag'] });
    expect([taken.status, taken.body]).toEqual([200, {}]);
    for (const late of [{ 'if-match': headers['etag'] }, { 'if-none-match': '*' }]) {
      expect((await ask('PUT', path, 'putClusterSettings', {}, late)).status).toBe(412);
    }
  });

  it.each([
    [{ target: 'soon' }, '/target'],
    [{ strategy: 'fast' }, '/strategy'],
    [{ taget: '4.15' }, '/taget'],
    [{ accept_risk: 'A' }, '/accept_risk'],
    [{ windows: ['Sat 22:00-25:00'] }, '/windows/0'],
    [{ windows: ['Sat 22:00-04:00'], time_zone: 'Mars/Base' }, '/time_zone'],
    [{ time_zone: 'UTC' }, '/time_zone'],
  ])('refuse %j', async (settings, pointer) => {
    const { status, body } = await ask('PUT', path, 'putClusterSettings', settings);
    expect([status, body['errors']]).toMatchObject([400, [{ pointer }]]);
  });

  it('are of clusters that are there', async () => {
    expect((await ask('GET', '/v1/clusters/none/settings', 'getClusterSettings')).status).toBe(404);
    expect((await ask('PUT', '/v1/clusters/none/settings', 'putClusterSettings', {})).status).toBe(404);
  });
});

describe('/v1/news', () => {
  it('of a cluster is an event, and a message to a webhook, which may hang', async () => {
    const { port } = webhook.address() as AddressInfo;
    const local = { url: `http://127.0.0.1:${port}/`, format: 'slack', since: '', by: 'test' } as const;
    await putWebhook(deployment.table, local);
    const calls = deployment.eventBridge.calls.length;
    // By now it is known to be free on its usual way.
    await follow();
    isHanging = true;
    await report('eu-1', false);
    await follow();
    const text = 'eu-1 is blocked on its way from 4.14.8 to 4.15.3: ClusterOperatorsUpgradeable';
    const entries = deployment.eventBridge.calls
      .slice(calls)
      .flatMap(({ body }) => body['Entries'] as { DetailType: string; Detail: string }[]);
    expect(entries.map(({ DetailType }) => DetailType)).toEqual(['ClusterBlocked', 'Message']);
    expect(JSON.parse(entries[1]!.Detail)).toMatchObject({ text });
    const { body } = await ask('GET', '/v1/news', 'getNews');
    expect(body).toMatchObject({ undelivered: [{ text, left: ['webhook'] }], lastRun: { news: 1 } });
    // The sync has nothing to do with it.
    const sync = await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
    expect(sync).toMatchObject({ payload: { status: 'Done', outcome: 'Succeeded' } });
    isHanging = false;
    await follow();
    expect(posted).toEqual([{ text, mrkdwn: false, unfurl_links: false }]);
    expect((await ask('GET', '/v1/news', 'getNews')).body).toMatchObject({ undelivered: [] });
  });
});

describe('the same documents', () => {
  const SEEDS = Array.from({ length: sized(12, 60) }, (_, at) => at + 1);

  it('get the same plan when sent, when stored, and in the list', async () => {
    const sent = new Map<string, SentPlan>();
    for (const seed of SEEDS) {
      const { documents } = seededCluster(seed, ['4.14.8', '4.14.30', '4.15.3']);
      const [id, options] = [`same-${seed}`, { body: documents, headers: JSON_TYPE }];
      const { body } = await deployment.request('POST', '/v1/upgrade-plans', options);
      expect((await deployment.request('PUT', `/v1/clusters/${id}`, options)).status).toBe(201);
      const stored = await deployment.request('GET', `/v1/clusters/${id}/upgrade-plan`);
      expect(comparable(stored.body as SentPlan), id).toEqual(comparable(body as SentPlan));
      sent.set(id, body as SentPlan);
    }
    await follow();
    for (const row of await list('limit=500')) {
      const plan = sent.get(row['id'] as string);
      if (plan === undefined) continue;
      const { verdict, target, hops } = row;
      expect({ verdict, target, hops }, row['id'] as string).toEqual({
        verdict: plan.verdict,
        target: plan.path.to,
        hops: plan.path.found ? plan.hops.length : null,
      });
      sent.delete(row['id'] as string);
    }
    expect([...sent.keys()]).toEqual([]);
  });

  interface SentPlan extends Pick<
    UpgradePlan,
    'verdict' | 'target' | 'strategy' | 'targetReason' | 'plan' | 'hops'
  > {
    readonly path: { readonly found: boolean; readonly to: string | null };
  }

  /** Without the age of the documents: what is stored was collected when it came. */
  function comparable({ verdict, target, strategy, targetReason, plan, hops }: SentPlan) {
    const conditions = hops.map((hop) => hop.conditions.filter(({ type }) => type !== 'SnapshotFresh'));
    const verdicts = hops.map((hop) => hop.verdict);
    return { verdict, target, strategy, targetReason, steps: plan.steps, verdicts, conditions };
  }
});
