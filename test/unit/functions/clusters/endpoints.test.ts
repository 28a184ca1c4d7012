import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeCluster } from '../../../../functions/clusters/store.ts';
import { writeItem } from '../../../../functions/store/item.ts';
import { clusterPartition, headKey } from '../../../../functions/store/keys.ts';
import {
  clusterOperator,
  clusterVersion,
  type Json,
  listOf,
  node,
  operator,
  pod,
  pool,
  requestCount,
  subscription,
  typedListOf,
} from '../../../helpers/cluster/objects.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { dumpTable } from '../../../helpers/table/table.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } };
const JSON_TYPE = { 'content-type': 'application/json' };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
});
afterAll(() => deployment.close());

let used = 0;
const newId = () => `cluster-${++used}`;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

async function ask(
  method: string,
  target: string,
  options: { body?: string | Buffer; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { status, headers, body } = await deployment.request(method, target, options);
  return { status, headers, body: body as Record<string, unknown> };
}
const put = (id: string, documents: readonly Json[], query = '', headers: Record<string, string> = {}) =>
  ask('PUT', `/v1/clusters/${id}${query}`, {
    body: JSON.stringify({ documents }),
    headers: { ...JSON_TYPE, ...headers },
  });
const get = (id: string, query = '', headers: Record<string, string> = {}) =>
  ask('GET', `/v1/clusters/${id}${query}`, { headers });
const remove = (id: string, headers: Record<string, string> = {}) =>
  ask('DELETE', `/v1/clusters/${id}`, { headers });
const problem = ({ status, body }: Answer) => [status, String(body['type']).split(':').at(-1)];

const ofCluster = (clusterID: string): Json => ({
  ...clusterVersion,
  spec: { clusterID, channel: 'stable-4.14' },
});
const user = (username: string) => ({
  username,
  userAgent: 'curl/8',
  requestCount: 7,
  byVerb: [{ verb: 'get', requestCount: 7 }],
});

describe('PUT and GET /v1/clusters/{id}', () => {
  it('accept the output of oc, and return it', async () => {
    const id = newId();
    const arm = { nodeInfo: { kubeletVersion: 'v1.26.1', architecture: 'arm64' } };
    const made = await put(id, [
      listOf(clusterVersion, node('a'), node('b', { status: arm }), node('c', { status: arm })),
      clusterOperator('dns', {
        status: {
          conditions: [
            { type: 'Available', status: 'False' },
            { type: 'Degraded', status: 'True' },
            { type: 'Upgradeable', status: 'False' },
          ],
        },
      }),
      clusterOperator('network'),
      pool('worker', { paused: true }, { machineCount: 3, updatedMachineCount: 2 }),
      operator('openshift-x', 'x.v1'),
      { kind: 'Infrastructure', metadata: { name: 'cluster' }, status: { platformStatus: { type: 'AWS' } } },
      { kind: 'Network', metadata: { name: 'cluster' }, status: { networkType: 'OVNKubernetes' } },
      pod('p', 'a'),
      { kind: 'Secret', metadata: { name: 'unread' } },
    ]);
    expect([made.status, made.headers['location']]).toEqual([201, `/v1/clusters/${id}`]);
    expect(made.body).toEqual({
      id,
      clusterId: 'c0ffee',
      version: '4.14.8',
      updating: false,
      channel: 'stable-4.14',
      nodes: 3,
      arches: ['arm64'],
      pausedPools: 1,
      historyEntries: 1,
      firstSeenAt: TIME,
      updatedAt: TIME,
      collectedAt: TIME,
      collected: {
        clusterVersion: TIME,
        clusterOperators: TIME,
        nodes: TIME,
        pools: TIME,
        operators: TIME,
        infrastructure: TIME,
        networkType: TIME,
        podsPerNode: TIME,
        networkMigration: TIME,
        drainedPods: TIME,
      },
      platform: 'AWS',
      controlPlaneTopology: null,
      networkType: 'OVNKubernetes',
      kubelets: [
        { version: 'v1.26.1', nodes: 2 },
        { version: 'v1.27.6', nodes: 1 },
      ],
      pools: [
        {
          name: 'worker',
          paused: true,
          pausedSince: TIME,
          machines: { total: 3, updated: 2, ready: 0, unavailable: 0, degraded: 0 },
        },
      ],
      clusterOperators: { total: 2, unavailable: ['dns'], degraded: ['dns'], notUpgradeable: ['dns'] },
      operators: 1,
      subscriptions: null,
      extensions: null,
      apisGoingAway: null,
      pods: 1,
    });
    const read = await get(id);
    expect([read.status, read.body, read.headers['etag']]).toEqual([200, made.body, made.headers['etag']]);
    const again = await get(id, '', { 'if-none-match': read.headers['etag']! });
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, null, read.headers['etag']]);
  });

  it('take bare documents in a pipe, compressed', async () => {
    const id = newId();
    const printed = [listOf(clusterVersion), typedListOf('Node', 'v1', [node('a')])];
    const body = gzipSync(printed.map((document) => JSON.stringify(document)).join('\n'));
    const headers = { 'content-type': 'application/gzip', 'content-encoding': 'gzip' };
    expect(await ask('PUT', `/v1/clusters/${id}?usernames=true`, { body, headers })).toMatchObject({
      status: 201,
      body: { version: '4.14.8', nodes: 1 },
    });
  });

  it('keep what a later report leaves out, and remove it on request', async () => {
    const id = newId();
    const first = await put(id, [clusterVersion, node('a'), pool('worker', { paused: true })]);
    const since = (first.body['pools'] as { pausedSince: string }[])[0]!.pausedSince;
    const second = await put(id, [node('a'), node('b')]);
    expect(second).toMatchObject({
      status: 200,
      body: { version: '4.14.8', nodes: 2, pools: [{ name: 'worker', pausedSince: since }] },
    });
    expect(second.headers['etag']).not.toBe(first.headers['etag']);
    const third = await put(id, [clusterVersion, pool('worker', { paused: true })], '?replace=true');
    expect(third).toMatchObject({ body: { nodes: null, pools: [{ pausedSince: since }] } });
    expect(third.body['firstSeenAt']).toBe(first.body['firstSeenAt']);
    const fourth = await put(id, [pool('worker')]);
    expect(fourth).toMatchObject({ body: { pausedPools: 0, pools: [{ paused: false, pausedSince: null }] } });
  });

  it('believe when documents were collected', async () => {
    const id = newId();
    const at = '2026-01-05T10:00:00+02:00';
    const { body } = await put(id, [clusterVersion], `?collected_at=${encodeURIComponent(at)}`);
    expect(body).toMatchObject({ collectedAt: '2026-01-05T08:00:00.000Z' });
    expect(body['updatedAt']).not.toBe(body['collectedAt']);
    for (const wrong of ['yesterday', '2026-13-01T00:00:00Z']) {
      expect(problem(await put(id, [clusterVersion], `?collected_at=${wrong}`)), wrong).toEqual([
        400,
        'invalid-parameter',
      ]);
    }
  });

  it('keep what was collected last when an older report comes late, and since when a pool is paused', async () => {
    const id = newId();
    const of = (hour: number) => `?collected_at=2026-01-05T0${hour}:00:00Z`;
    const paused = pool('worker', { paused: true });
    await put(id, [clusterVersion, paused], of(3));
    await put(id, [clusterVersion, node('a'), node('b'), paused], of(5));
    const late = await put(id, [clusterVersion, node('a'), pool('worker')], of(1));
    expect(late).toMatchObject({
      status: 200,
      body: {
        nodes: 2,
        pausedPools: 1,
        pools: [{ paused: true, pausedSince: '2026-01-05T03:00:00.000Z' }],
        collected: { nodes: '2026-01-05T05:00:00.000Z', pools: '2026-01-05T05:00:00.000Z' },
      },
    });
    const between = await put(id, [clusterVersion, pool('worker')], `${of(4)}&replace=true`);
    expect(between).toMatchObject({
      status: 200,
      body: { nodes: 2, pools: [{ paused: true, pausedSince: '2026-01-05T05:00:00.000Z' }] },
    });
  });

  it('take a time that is a little ahead for now', async () => {
    const soon = new Date(Date.now() + 9 * 60_000).toISOString();
    const { body } = await put(newId(), [clusterVersion], `?collected_at=${soon}`);
    expect(Date.parse(String(body['collectedAt']))).toBeLessThan(Date.parse(soon));
  });

  it('take a time that is far ahead for now, so that it cannot outlive later reports', async () => {
    const id = newId();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await put(id, [clusterVersion, node('a')], `?collected_at=${tomorrow}`);
    expect(Date.parse(String(body['collectedAt']))).toBeLessThan(Date.now() + 600_000);
    expect(await put(id, [node('a'), node('b')])).toMatchObject({ status: 200, body: { nodes: 2 } });
  });

  it('return users of removed APIs only on request, and people only if they were to be kept', async () => {
    const api = requestCount('ingresses.v1beta1.extensions', {
      removedInRelease: '1.22',
      requestCount: 14,
      currentHour: {
        byNode: [{ nodeName: 'm', byUser: [user('alice'), user('system:serviceaccount:a:b')] }],
      },
    });
    const namesIn = ({ body }: Answer) =>
      (body['apisGoingAway'] as { users?: { username: string }[] }[])[0]!.users?.map(
        ({ username }) => username,
      );
    const id = newId();
    expect(namesIn(await put(id, [clusterVersion, api]))).toBeUndefined();
    expect(namesIn(await get(id))).toBeUndefined();
    expect(namesIn(await get(id, '?usernames'))?.toSorted()).toEqual(['a user', 'system:serviceaccount:a:b']);
    await put(id, [api], '?usernames=true');
    expect(namesIn(await get(id))).toBeUndefined();
    expect(namesIn(await get(id, '?usernames=true'))?.toSorted()).toEqual([
      'alice',
      'system:serviceaccount:a:b',
    ]);
  });

  it('need the ClusterVersion of a cluster that is not known yet', async () => {
    const id = newId();
    const answer = await put(id, [node('a')]);
    expect(problem(answer)).toEqual([400, 'invalid-documents']);
    expect(answer.body['detail']).toContain('oc get clusterversion version -o json');
    await put(id, [clusterVersion]);
    expect(problem(await put(id, [node('a')], '?replace=true'))).toEqual([400, 'invalid-documents']);
    expect(await get(id)).toMatchObject({ status: 200, body: { version: '4.14.8', nodes: null } });
  });

  it('do not mix two clusters under one id', async () => {
    const id = newId();
    await put(id, [ofCluster('one'), node('a')]);
    const answer = await put(id, [ofCluster('two')]);
    expect(problem(answer)).toEqual([409, 'cluster-mismatch']);
    expect(answer.body['detail']).toBe(
      `${id} has the clusterID "one", the documents are of "two"; with replace=true they take its place`,
    );
    expect(await get(id)).toMatchObject({ body: { clusterId: 'one' } });
    expect(await put(id, [ofCluster('two')], '?replace=true')).toMatchObject({
      status: 200,
      body: { clusterId: 'two', nodes: null },
    });
  });

  it('refuse more than is kept of a cluster', async () => {
    const id = newId();
    const many = Array.from({ length: 5001 }, (_, index) => ({
      kind: 'Node',
      metadata: { name: `n${index}` },
    }));
    const answer = await put(id, [clusterVersion, ...many]);
    expect(problem(answer)).toEqual([413, 'cluster-too-large']);
    expect(answer.body['detail']).toBe('5001 nodes were sent, at most 5000 are accepted');
    expect(await put(id, [clusterVersion, ...many.slice(1)])).toMatchObject({
      status: 201,
      body: { nodes: 5000 },
    });
    const subscriptions = Array.from({ length: 1001 }, (_, index) => subscription(`s${index}`));
    expect((await put(id, subscriptions)).body['detail']).toBe(
      '1001 subscriptions were sent, at most 1000 are accepted',
    );
    expect((await put(id, subscriptions.slice(1))).body).toMatchObject({ subscriptions: 1000 });
  });
});

describe('a cluster that was stored before Subscriptions and labels were read', () => {
  it('is returned and reported as before', async () => {
    const id = newId();
    await put(id, [clusterVersion, operator('openshift-x', 'x.v1')]);
    await changeCluster(deployment.table, id, (stored) => {
      const { subscriptions: _subscriptions, ...facts } = stored!.record.facts;
      const operators = facts.operators!.map(({ components: _components, ...operator }) => operator);
      return { ...stored!.record, facts: { ...facts, operators } as never };
    });
    const { body } = await get(id, '?digests');
    expect(body).toMatchObject({ operators: 1, subscriptions: null });
    expect(Object.keys(body['digests'] as object)).toEqual(['clusterVersion', 'operators']);
    expect(await put(id, [subscription('logging')])).toMatchObject({
      status: 200,
      body: { operators: 1, subscriptions: 1, collected: { subscriptions: TIME } },
    });
  });
});

describe('a cluster that a newer release has stored', () => {
  it('is served, and a report is refused with the reason', async () => {
    const id = newId();
    await put(id, [clusterVersion]);
    const update = { expression: 'SET v = :v', values: { ':v': 2 } };
    await writeItem(deployment.table, { key: headKey(clusterPartition(id)), write: { update } });
    expect((await get(id)).status).toBe(200);
    const refused = await put(id, [node('a')]);
    expect(problem(refused)).toEqual([500, 'internal']);
    expect(refused.body['detail']).toContain('stored by a newer release (cluster version 2, known up to 1)');
    expect((await get(id)).body).toMatchObject({ nodes: null });
  });
});

describe('changes at the same time', () => {
  it('are detected by If-Match', async () => {
    const id = newId();
    const nothing = await put(id, [clusterVersion], '', { 'if-match': '*' });
    expect(problem(nothing)).toEqual([412, 'precondition-failed']);
    const first = (await put(id, [clusterVersion])).headers['etag']!;
    const second = await put(id, [node('a')], '', { 'if-match': first });
    expect(second.status).toBe(200);
    for (const stale of [first, `W/${second.headers['etag']}`, '"other", "more"', 'bare', '']) {
      const answers = [
        await put(id, [node('b')], '', { 'if-match': stale }),
        await remove(id, { 'if-match': stale }),
      ];
      for (const answer of answers) expect(problem(answer), stale).toEqual([412, 'precondition-failed']);
      expect(answers[0]!.body['detail']).toContain(second.headers['etag']);
    }
    expect((await get(id)).headers['etag']).toBe(second.headers['etag']);
    const named = await put(id, [node('b')], '', { 'if-match': `"other", ${second.headers['etag']}` });
    expect(named.status).toBe(200);
    expect((await remove(id, { 'if-match': named.headers['etag']! })).status).toBe(204);
  });

  it('make only what is not there with If-None-Match: *', async () => {
    const id = newId();
    const create = () => put(id, [clusterVersion], '', { 'if-none-match': '*' });
    expect((await create()).status).toBe(201);
    expect(problem(await create())).toEqual([412, 'precondition-failed']);
    await remove(id);
    expect((await create()).status).toBe(201);
  });
});

describe('DELETE /v1/clusters/{id}', () => {
  it('forgets a cluster and all that was read of it', async () => {
    const id = newId();
    await put(id, [clusterVersion, node('a-secret-name')]);
    const removed = await remove(id);
    expect([removed.status, removed.body]).toEqual([204, null]);
    for (const answer of [await get(id), await remove(id)]) {
      expect(problem(answer)).toEqual([404, 'unknown-cluster']);
    }
    const left = (await dumpTable(deployment.table)).filter((item) => item['pk'] === `CLUSTER#${id}`);
    expect(left).toEqual([
      {
        pk: `CLUSTER#${id}`,
        sk: '!HEAD',
        id,
        chunks: 0,
        revision: expect.any(String),
        previous: expect.any(String),
      },
    ]);
    expect((await put(id, [clusterVersion])).status).toBe(201);
  });
});

describe('GET /v1/clusters', () => {
  it('lists them by id in pages, each as in its own answer', async () => {
    const ids = ['page-a', 'page-B', 'page-b', 'page.c'];
    for (const id of ids) await put(id, [clusterVersion]);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const from: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, body } = await ask('GET', `/v1/clusters?limit=3${from}`);
      expect(status).toBe(200);
      const clusters = body['clusters'] as { readonly id: string; readonly [field: string]: unknown }[];
      expect(clusters.length).toBeLessThanOrEqual(3);
      for (const cluster of clusters) {
        const { body: detail } = await get(cluster.id);
        const shared = Object.keys(cluster).filter((field) => field in detail);
        expect(shared).toEqual(expect.arrayContaining(['id', 'version', 'channel', 'updatedAt']));
        expect(detail).toMatchObject(Object.fromEntries(shared.map((field) => [field, cluster[field]])));
      }
      found.push(...clusters.map(({ id }) => id));
      cursor = body['nextCursor'] as string | null;
    } while (cursor !== null);
    expect(found).toEqual(found.toSorted());
    expect(found.filter((id) => id.startsWith('page'))).toEqual(ids.toSorted());
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('["a/b"]').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('["a","b"]').toString('base64url')}`, 'cursor'],
    ['sort=name', 'sort'],
  ])('refuses %s', async (query, parameter) => {
    const answer = await ask('GET', `/v1/clusters?${query}`);
    expect(problem(answer)).toEqual([400, 'invalid-parameter']);
    expect(answer.body['errors']).toMatchObject([{ parameter }]);
  });
});

describe('hostile requests', () => {
  /** As the gateway hands it over, which decodes the path. */
  async function withId(method: string, id: string): Promise<Answer> {
    const result = await deployment.manage.invoke({
      version: '2.0',
      routeKey: `${method} /v1/clusters/{id}`,
      rawPath: `/v1/clusters/${encodeURIComponent(id)}`,
      rawQueryString: '',
      headers: JSON_TYPE,
      pathParameters: { id },
      ...(method === 'PUT' && { body: JSON.stringify({ documents: [clusterVersion] }) }),
      isBase64Encoded: false,
      requestContext: { requestId: 'test', http: { method, path: '/' } },
    });
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    const { statusCode, headers, body } = result.payload as {
      statusCode: number;
      headers: Record<string, string>;
      body: string;
    };
    return { status: statusCode, headers, body: JSON.parse(body) as Record<string, unknown> };
  }

  it.each([
    ['a hash', 'a#b'],
    ['a slash', 'a/b'],
    ['a way up', '..'],
    ['a dot', '.'],
    ['nothing', ''],
    ['a look-alike', 'сluster'],
    ['a full-width letter', 'Ａ'],
    ['1 KB', 'a'.repeat(1024)],
    ['101 characters', 'a'.repeat(101)],
    ['a line', 'a\n'],
    ['a zero', 'a\0'],
    ['an escape', '\u001b[31m'],
    ['a percent', '%2e%2e'],
    ['a space', 'a b'],
  ])('have an id with %s, which is refused with the rule', async (_what, id) => {
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const answer = await withId(method, id);
      expect(problem(answer)).toEqual([400, 'invalid-parameter']);
      expect(answer.body['errors']).toMatchObject([
        { parameter: 'id', detail: expect.stringContaining('1 to 100 letters, digits') },
      ]);
      expect(JSON.stringify(answer.body).length).toBeLessThan(1500);
    }
  });

  it.each(['a'.repeat(100), '...', '-', '_', '0', '__proto__', 'constructor'])(
    'may have the id %s',
    async (id) => {
      expect((await withId('PUT', id)).status).toBe(201);
      expect((await get(id)).body['id']).toBe(id);
      expect((await remove(id)).status).toBe(204);
    },
  );

  it('of another case are of another cluster', async () => {
    const id = newId();
    await put(id, [clusterVersion]);
    expect(problem(await get(id.toUpperCase()))).toEqual([404, 'unknown-cluster']);
  });

  const history = (entries: readonly Json[]): Json => ({
    ...clusterVersion,
    status: { desired: { version: '4.14.8', image: 'i' }, history: entries },
  });
  const entry = (changes: Json = {}): Json => ({
    state: 'Completed',
    version: '4.14.8',
    image: 'i',
    startedTime: '2026-01-01T00:00:00Z',
    completionTime: '2026-01-01T00:40:00Z',
    ...changes,
  });
  it.each<[string, Json[]]>([
    ['an empty history', [history([])]],
    ['a history of 1,000 entries', [history(Array.from({ length: 1000 }, () => entry()))]],
    ['a history of Partial entries', [history([entry({ state: 'Partial', completionTime: null })])]],
    ['times that go back', [history([entry({ completionTime: '2020-01-01T00:00:00Z' })])]],
    ['a time in ten years', [history([entry({ startedTime: '2036-01-01T00:00:00Z' })])]],
    ['the year 1', [history([entry({ startedTime: '0001-01-01T00:00:00Z' })])]],
    ['images without versions', [history([entry({ version: '' })])]],
    ['versions with build metadata', [history([entry({ version: '4.14.8+abc' })])]],
    [
      'odd kubelets',
      [
        clusterVersion,
        ...['v1.27.3+abc', '', 'garbage', 'v9.99.0'].map((kubeletVersion, index) =>
          node(`n${index}`, { status: { nodeInfo: { kubeletVersion } } }),
        ),
      ],
    ],
    [
      'text that is meant for a sheet or a terminal',
      [
        clusterVersion,
        node('=1+1'),
        node('@x\t'),
        node('\u001b[31mred\r\n'),
        pool('-'),
        pool('__proto__', { paused: true }),
      ],
    ],
  ])('with %s are taken', async (_what, documents) => {
    const id = newId();
    expect((await put(id, documents)).status).toBe(201);
    expect((await get(id)).status).toBe(200);
  });

  it.each<[string, string, [number, string]]>([
    ['NaN', '{"documents": [NaN]}', [400, 'invalid-body']],
    [
      'a year of six digits',
      JSON.stringify(history([entry({ startedTime: '+275760-01-01T00:00:00Z' })])),
      [400, 'invalid-documents'],
    ],
    [
      'a number for a name',
      JSON.stringify(listOf(clusterVersion, { kind: 'Node', metadata: { name: 7 } })),
      [400, 'invalid-documents'],
    ],
    [
      'infinity for a count',
      `{"kind":"MachineConfigPool","metadata":{"name":"a"},"status":{"machineCount":1e400}}`,
      [400, 'invalid-documents'],
    ],
    [
      'a history of 10,000 entries',
      JSON.stringify(history(Array.from({ length: 10_000 }, () => entry()))),
      [413, 'cluster-too-large'],
    ],
    ['nothing', '', [400, 'invalid-documents']],
    ['no documents', '{"documents": []}', [400, 'invalid-documents']],
    [
      'an unknown field',
      JSON.stringify({ documents: [clusterVersion], replce: true }),
      [400, 'invalid-body'],
    ],
    ['an unknown upload', '{"upload": "AAAAAAAAAAAAAAAAAAAAAA"}', [404, 'unknown-upload']],
  ])('with %s are refused, and nothing is stored', async (_what, body, expected) => {
    const id = newId();
    const answer = await ask('PUT', `/v1/clusters/${id}`, { body, headers: JSON_TYPE });
    expect(problem(answer)).toEqual(expected);
    expect((await get(id)).status).toBe(404);
  });

  it('may say that they are a form, as curl does by itself', async () => {
    const answer = await ask('PUT', `/v1/clusters/${newId()}`, {
      body: JSON.stringify(clusterVersion),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(201);
  });
});
