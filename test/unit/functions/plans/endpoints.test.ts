import { gzipSync } from 'node:zlib';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { weekdayOf } from '@cairn/shared/time/local-time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { changeCluster, readCluster } from '../../../../functions/clusters/store.ts';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  listOf,
  node,
  operator,
  pool,
  subscription,
  typedListOf,
} from '../../../helpers/cluster/objects.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = {
  amd64: {
    'stable-4.14': ['4.14.8 > 4.14.30'],
    'stable-4.16': ['4.14.8 > 4.14.30', '4.14.30 > 4.15.20', '4.14.8 > 4.15.20 A', '4.15.20 > 4.16.9'],
  },
  arm64: { 'stable-4.14': ['4.14.8 > 4.14.30'] },
};

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
  const run = await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
});
afterAll(() => deployment.close());

const master = (name: string) =>
  node(name, { metadata: { name, labels: { 'node-role.kubernetes.io/master': '' } } });
const selecting = (role: string) => ({
  nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${role}`]: '' } },
});
const machines = (count: number) => ({
  machineCount: count,
  updatedMachineCount: count,
  readyMachineCount: count,
});
const healthy: readonly Json[] = [
  clusterVersion,
  ...['m0', 'm1', 'm2'].map(master),
  ...['w0', 'w1', 'w2'].map((name) => node(name)),
  pool('master', selecting('master'), machines(3)),
  pool('worker', selecting('worker'), machines(3)),
  ...['kube-apiserver', 'machine-config'].map((name) => clusterOperator(name)),
  configMap('openshift-config-managed', 'admin-gates', {}),
  configMap('openshift-config', 'admin-acks', {}),
];
const complete = [
  ...healthy,
  typedListOf('ClusterServiceVersion', 'operators.coreos.com/v1alpha1', []),
  typedListOf('APIRequestCount', 'apiserver.openshift.io/v1', []),
];

const post = async (body: unknown, query = '', headers: Record<string, string> = {}) => {
  const isBinary = Buffer.isBuffer(body);
  const answer = await deployment.request('POST', `/v1/upgrade-plans${query}`, {
    body: isBinary || typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  if (answer.status === 200 && answer.body !== null) parseStrictly('planUpgrade', answer.body);
  return answer;
};

const hopFits = ({ windows }: Plan) => windows?.hops.map(({ fit }) => fit);

interface Plan {
  readonly verdict: string;
  readonly nextStep: string;
  readonly hops: { to: string; verdict: string; conditions: { type: string; docs: string }[] }[];
  readonly plan: { steps: { kind: string; text: string }[] };
  readonly windows: UpgradePlan['windows'];
}

describe('POST /v1/upgrade-plans', () => {
  it('plans the whole way of a healthy cluster', async () => {
    const { status, body } = await post({
      documents: complete,
      target: '4.16',
      strategy: 'control-plane-only',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      basis: 'reported',
      current: '4.14.8',
      target: '4.16.9',
      cluster: { id: 'c0ffee', channel: 'stable-4.14' },
      // The gate of 4.15 is known ahead of time.
      verdict: 'action-required',
      hops: [
        { from: '4.14.8', to: '4.14.30', updateType: 'patch', verdict: 'allowed' },
        { to: '4.15.20', kubeFrom: '1.27', kubeTo: '1.28', verdict: 'allowed' },
        { to: '4.16.9', verdict: 'will-block' },
      ],
      path: { found: true, channel: 'stable-4.16' },
      mirror: [{ version: '4.14.30' }, { version: '4.15.20' }, { version: '4.16.9' }],
      duration: { total: { min: 117, expected: 180, max: 295 } },
      input: { documents: complete.length, ignored: [] },
    });
    const { plan, hops } = body as Plan;
    expect(plan.steps.map(({ kind }) => kind)).toEqual([
      'pause',
      'update',
      'update',
      'verify',
      'backup',
      'update',
      'verify',
      'ack',
      'backup',
      'update',
      'verify',
      'unpause',
      'verify',
      'verify',
    ]);
    expect(hops[0]!.conditions[3]).toMatchObject({
      type: 'KubeletMinorVersionUpgradeable',
      docs: 'docs/upgrade-safety.md#kubeletminorversionupgradeable',
    });
  });

  it('takes what oc prints as it is, compressed and with the fields in the query', async () => {
    const asFields = await post({ documents: complete, target: '4.15.20', accept_risk: ['A'] });
    const printed = complete.map((document) => JSON.stringify(document, null, 4)).join('\n');
    const query = '?target=4.15.20&accept_risk=A';
    const piped = await post(gzipSync(printed), query, {
      'content-type': 'application/gzip',
      'content-encoding': 'gzip',
    });
    expect(piped.status, piped.text).toBe(200);
    const { input: _fields, evaluatedAt: _at, ...one } = asFields.body as Record<string, unknown>;
    const { input: _piped, evaluatedAt: _then, ...other } = piped.body as Record<string, unknown>;
    expect(other).toEqual(one);
    const list = await post(listOf(...healthy), query);
    expect(list.body).toMatchObject({ current: '4.14.8', verdict: 'unknown' });
  });

  it('returns what blocks the next minor, and that patches do not wait', async () => {
    const olm = operator('openshift-logging', 'logging.v5', {
      'operatorframework.io/properties': '{"properties":[{"type":"olm.maxOpenShiftVersion","value":4.14}]}',
    });
    const { body } = await post({ documents: [...complete, olm], target: '4.15' });
    expect(body).toMatchObject({
      verdict: 'blocked',
      blockers: 1,
      hops: [{ verdict: 'allowed' }, { verdict: 'blocked' }],
    });
    const { nextStep } = body as Plan;
    expect(nextStep).toContain('4.15 is held back');
    expect(nextStep).toContain('4.14.30 is open');
    const accepted = await post({
      documents: [...complete, olm],
      target: '4.15',
      accept: ['IncompatibleOperatorsInstalled'],
    });
    expect(accepted.body).toMatchObject({ blockers: 0 });
    expect((accepted.body as Plan).verdict).not.toBe('blocked');
  });

  it('is unknown without documents, and blocked without them if strict', async () => {
    const { body } = await post({ documents: clusterVersion, target: '4.15' });
    expect(body).toMatchObject({ verdict: 'unknown', duration: { total: null } });
    expect((await post({ documents: clusterVersion, target: '4.15', strict: true })).body).toMatchObject({
      verdict: 'blocked',
    });
  });

  it("follows the cluster's own channel to its newest when no target is given", async () => {
    const { body } = await post({ documents: complete });
    expect(body).toMatchObject({ target: '4.14.30', verdict: 'ready', path: { channel: 'stable-4.14' } });
  });

  it('explains that there is no path', async () => {
    const { status, body } = await post({ documents: complete, target: '4.18' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verdict: 'blocked',
      hops: [],
      mirror: [],
      pathExists: { status: 'False', reason: 'target_not_in_channel' },
      path: { found: false },
    });
  });

  it('takes the architecture from the nodes', async () => {
    const arm = complete.map((document) =>
      document['kind'] === 'Node'
        ? { ...document, status: { nodeInfo: { kubeletVersion: 'v1.27.6', architecture: 'arm64' } } }
        : document,
    );
    expect((await post({ documents: arm })).body).toMatchObject({
      path: { arch: 'arm64' },
      target: '4.14.30',
    });
  });

  it('says nothing of windows without any', async () => {
    expect((await post({ documents: complete, target: '4.16' })).body).toMatchObject({ windows: null });
  });

  describe('with windows', () => {
    // Not open now, whenever this runs, in a zone whose clocks are never changed.
    const [day, next] = [2, 3].map((ahead) => weekdayOf(Date.now() + (ahead * 24 + 5.5) * 3600_000));
    const zone = 'Asia/Kolkata';

    it.each<[string, unknown, string]>([
      ['a text', `${day} 22:00-04:10`, `?windows=${day}+22:00-04:10`],
      [
        'a list',
        [`${day} 22:00-24:00`, { day: next, start: '00:00', end: '04:10' }],
        `?windows=${day}%2022:00-24:00&windows=${next}%2000:00-04:10`,
      ],
    ])(
      'says which hop fits in which, given as %s in the body or in the query',
      async (_as, windows, query) => {
        const inBody = await post({ documents: complete, target: '4.16', windows, time_zone: zone });
        expect(inBody.status, inBody.text).toBe(200);
        const plan = inBody.body as Plan;
        expect(hopFits(plan)).toEqual(['whole', 'whole', 'whole']);
        // Two hops take 2 h 5 min each and their workers an hour, which is just as long as the window.
        const { hops, finishesAt } = plan.windows!;
        expect(hops.map(({ leaves }) => leaves)).toEqual([185, 0, 185]);
        const [first, second, third] = hops.map(({ window }) => window!.start) as [string, string, string];
        expect(first).toMatch(/^\d{4}-\d\d-\d\dT22:00:00\+05:30$/);
        expect([second, (Date.parse(third) - Date.parse(second)) / 3600_000]).toEqual([first, 7 * 24]);
        expect(finishesAt).toBe(hops[2]!.endsAt);
        const printed = complete.map((document) => JSON.stringify(document)).join('\n');
        const inQuery = await post(printed, `${query}&target=4.16&time_zone=${zone}`);
        expect((inQuery.body as Plan).windows!.hops).toEqual(hops);
      },
    );
  });

  it('says how long windows would have to be', async () => {
    const { body } = await post({ documents: complete, target: '4.16', windows: 'Sat 22:00-23:00' });
    expect((body as Plan).windows).toMatchObject({
      timeZone: 'UTC',
      finishesAt: null,
      hops: [
        { fit: 'too-long', window: null, missing: 125, longest: { minutes: 60 } },
        { fit: 'waiting', window: null, missing: null },
        { fit: 'waiting' },
      ],
    });
  });

  it.each<[Json, string, string]>([
    [{ windows: 7 }, '/windows', 'windows such as Sat 22:00-04:00 are accepted'],
    [{ windows: [{ day: 'Sat' }] }, '/windows', 'windows such as Sat 22:00-04:00 are accepted'],
    [{ windows: [] }, '/windows', 'is empty, days and times such as'],
    [{ windows: 'Sat 10pm' }, '/windows', '"Sat 10pm" is no window, days and times such as'],
    [{ windows: ['Sat 22:00-04:00', 'Someday 22:00-04:00'] }, '/windows/1', '"Someday" is no day'],
    [
      { windows: [{ day: 'Sat', start: '22:00', end: '25:00' }] },
      '/windows/0',
      '"25:00" is no time of day, accepted are 00:00 to 23:59 and 24:00',
    ],
    [
      { windows: 'Sat 22:00-04:00', time_zone: 'CET' },
      '/time_zone',
      'accepted are UTC and names such as Europe/Berlin',
    ],
    [{ windows: 'Sat 22:00-04:00', time_zone: 2 }, '/time_zone', 'names such as Europe/Berlin are accepted'],
    [{ time_zone: 'Europe/Berlin' }, '/time_zone', 'is the time zone of windows, which are not given'],
    [{ windows: 'Mon-Sun 01:00-02:00,'.repeat(8).slice(0, -1) }, '/windows', 'at most 50 are accepted'],
  ])('refuses %j', async (fields, pointer, detail) => {
    const { status, body } = await post({ documents: complete, target: '4.16', ...fields });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:invalid-body',
      errors: [{ pointer, detail: expect.stringContaining(detail) }],
    });
  });

  it('refuses windows of the query by their parameter', async () => {
    const documents = complete.map((document) => JSON.stringify(document)).join('\n');
    const { status, body } = await post(documents, '?windows=Sat+22:00-22:00&time_zone=Berlin');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:invalid-parameter',
      errors: [
        {
          parameter: 'windows',
          value: 'Sat 22:00-22:00',
          detail: 'begins and ends at 22:00; a whole day is 00:00-24:00',
        },
        { parameter: 'time_zone', value: 'Berlin' },
      ],
    });
  });

  it.each(['4.14.30', '4.15', '4.16'])(
    'blocks %s while most of the control plane is not ready, strict or not',
    async (target) => {
      const unknown = {
        conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }],
        nodeInfo: { kubeletVersion: 'v1.27.6', architecture: 'amd64' },
      };
      const lost = ['m0', 'm1', 'w0', 'w1', 'w2', 'w3', 'w4', 'w5'].map((name) => ({
        ...(name.startsWith('m') ? master(name) : node(name)),
        status: unknown,
      }));
      const documents = [...complete.filter((each) => each['kind'] !== 'Node'), ...lost, master('m2')];
      for (const strict of [false, true]) {
        const { body } = await post({ documents, target, strict });
        const { verdict, nextStep, hops, plan } = body as Plan;
        expect([verdict, hops[0]!.verdict]).toEqual(['blocked', 'blocked']);
        expect(nextStep).toContain('2 of 3 control plane nodes are not ready');
        expect(nextStep).not.toContain('can still be installed');
        expect(plan.steps[0]).toMatchObject({ kind: 'fix', command: 'oc get nodes', blocking: true });
      }
    },
  );

  it.each([
    ['text', 'text/plain; charset=utf-8', '4.15.20'],
    ['markdown', 'text/markdown; charset=utf-8', '- [ ]'],
  ])('as %s', async (format, type, text) => {
    const answer = await post({ documents: complete, target: '4.16', format });
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.text).toContain(text);
    expect(answer.text).toContain('4.16.9');
  });

  it.each([
    [{ target: '4.16' }, 'urn:cairn:problem:invalid-body', '/documents'],
    [
      { documents: [{ kind: 'Node', metadata: 7 }] },
      'urn:cairn:problem:invalid-documents',
      '/documents/0/metadata',
    ],
    [{ documents: clusterVersion, target: 'newest' }, 'urn:cairn:problem:invalid-body', '/target'],
    [{ documents: clusterVersion, polcy: 'n-1' }, 'urn:cairn:problem:invalid-body', '/polcy'],
    [{ documents: clusterVersion, policy: 'n-9' }, 'urn:cairn:problem:invalid-body', '/policy'],
  ])('refuses %j', async (request, type, pointer) => {
    const { status, body } = await post(request);
    expect(status).toBe(400);
    expect(body).toMatchObject({ type });
    expect((body as { errors: { pointer: string }[] }).errors[0]).toMatchObject({ pointer });
  });
});

describe('operators of a plan', () => {
  const index = (minor: string) => `registry.redhat.io/redhat/redhat-operator-index:v${minor}`;
  const olm = operator(
    'openshift-logging',
    'logging.v1',
    {},
    {
      metadata: {
        name: 'logging.v1',
        namespace: 'openshift-logging',
        labels: { 'operators.coreos.com/logging.openshift-logging': '' },
        annotations: { 'olm.properties': '[{"type":"olm.maxOpenShiftVersion","value":4.14}]' },
      },
    },
  );
  const own = subscription('mine', { source: 'my-own', channel: 'beta' });
  const known = [...healthy, olm, subscription('logging', { channel: '5.10' }), own];
  /** The releases here do not fit into one file. */
  const filesIn = (yaml: string) =>
    parseAllDocuments(yaml).map((file) => file.toJS() as { kind: string; mirror: Json });
  const operatorsIn = (yaml: string) => filesIn(yaml).map(({ mirror }) => mirror['operators']);

  it('are listed with what to mirror, and are in the configuration for oc-mirror', async () => {
    const { body } = await post({ documents: known, target: '4.16' });
    const packages = [{ name: 'logging', channels: ['5.10'] }];
    const mine = {
      catalog: null,
      sources: ['openshift-marketplace/my-own'],
      packages: [{ name: 'mine', channels: ['beta'] }],
    };
    const sources = ['openshift-marketplace/redhat-operators'];
    expect((body as { mirrorOperators: unknown }).mirrorOperators).toEqual({
      catalogs: [
        { minor: '4.14', catalog: index('4.14'), sources, packages },
        { minor: '4.15', catalog: index('4.15'), sources, packages },
        { minor: '4.15', ...mine },
        { minor: '4.16', catalog: index('4.16'), sources, packages },
        { minor: '4.16', ...mine },
      ],
      notes: [
        expect.stringContaining('before it leaves 4.14: logging'),
        expect.stringContaining('openshift-marketplace/my-own'),
      ],
    });
    const set = await post({ documents: known, target: '4.16', format: 'imageset' });
    expect(set.headers['content-type']).toBe('application/yaml');
    expect(operatorsIn(set.text)).toEqual([
      ['4.14', '4.15', '4.16'].map((minor) => ({
        catalog: index(minor),
        packages: [{ name: 'logging', defaultChannel: '5.10', channels: [{ name: '5.10' }] }],
      })),
      undefined,
    ]);
    expect(set.text).toContain(
      '---\n# imageset-config-2.yaml\n# The operators are in the first file\nkind: ',
    );
    expect(set.text).toContain('    # The catalog of openshift-marketplace/my-own for 4.16:\n');
  });

  it('are those of a stored cluster, as it last said', async () => {
    const id = 'with-operators';
    const put = (documents: readonly Json[]) =>
      deployment.request('PUT', `/v1/clusters/${id}`, {
        body: JSON.stringify({ documents }),
        headers: { 'content-type': 'application/json' },
      });
    const imageSet = async () =>
      (await deployment.request('GET', `/v1/clusters/${id}/upgrade-plan?to=4.16&format=imageset`)).text;
    await put(healthy);
    expect(await imageSet()).toMatch(/^# Platform content only: /m);
    expect(operatorsIn(await imageSet())).toEqual([undefined, undefined]);
    expect((await put([olm])).body).toMatchObject({ operators: 1, subscriptions: null });
    expect(operatorsIn(await imageSet())).toEqual([
      ['4.14', '4.15', '4.16'].map((minor) => ({ catalog: index(minor), packages: [{ name: 'logging' }] })),
      undefined,
    ]);
    // As clusters were stored before labels and Subscriptions were read.
    const { record } = (await readCluster(deployment.table, id))!;
    await changeCluster(deployment.table, id, () => {
      const { subscriptions: _subscriptions, ...facts } = record.facts;
      const operators = facts.operators!.map(({ components: _components, ...rest }) => rest);
      return { ...record, facts: { ...facts, operators } as never };
    });
    expect(await imageSet()).toMatch(/^# Platform content only: /m);
    await put([olm]);
    expect((await put([subscription('logging'), own])).body).toMatchObject({ subscriptions: 2 });
    const sent = await post({
      documents: [...healthy, olm, subscription('logging'), own],
      target: '4.16',
      format: 'imageset',
    });
    expect(await imageSet()).toBe(sent.text);
  });

  it.each<[string, Json]>([
    ['a package', subscription('x', { name: 'x"\n  additionalImages:\n    - name: evil.example/x' })],
    ['a channel', subscription('x', { channel: '"]\nkind: Secret' })],
    ['a source', subscription('x', { source: '\n---\nkind: Secret' })],
    [
      'a name',
      subscription('x', { name: '' }, { metadata: { name: '\u2028kind: Secret', namespace: '\n' } }),
    ],
  ])('stay operators whatever %s says', async (_what, hostile) => {
    const { text } = await post({ documents: [...healthy, hostile], target: '4.16', format: 'imageset' });
    const files = filesIn(text);
    expect(files.map(({ kind }) => kind)).toEqual(['ImageSetConfiguration', 'ImageSetConfiguration']);
    const members = new Set(files.flatMap(({ mirror }) => Object.keys(mirror)));
    members.delete('operators');
    expect([...members]).toEqual(['platform']);
  });

  it('are not known without documents of them, and of none when there are none', async () => {
    const without = await post({ documents: healthy, target: '4.16' });
    expect(without.body).toMatchObject({ mirrorOperators: { catalogs: null } });
    expect((await post({ documents: complete, target: '4.16' })).body).toMatchObject({
      mirrorOperators: { catalogs: [], notes: ['No operators: none is from a catalog'] },
    });
    expect((await post({ documents: known, target: '4.18' })).body).toMatchObject({
      mirrorOperators: { catalogs: [], notes: [] },
    });
  });
});

it.each([
  [node('w0'), 'a ClusterVersion is needed'],
  [{ ...clusterVersion, status: { desired: { version: 'latest' } } }, 'the cluster runs "latest"'],
])('needs to know what the cluster runs', async (documents, detail) => {
  expect(await post({ documents })).toMatchObject({
    status: 400,
    body: { type: 'urn:cairn:problem:invalid-documents', detail: expect.stringContaining(detail) },
  });
});

describe('GET /v1/clusters/{id}/upgrade-plan', () => {
  const put = (documents: readonly Json[], collectedAt: string) =>
    deployment.request('PUT', `/v1/clusters/north?collected_at=${collectedAt}`, {
      body: JSON.stringify({ documents }),
      headers: { 'content-type': 'application/json' },
    });
  const get = async (query: string, id = 'north') => {
    const answer = await deployment.request('GET', `/v1/clusters/${id}/upgrade-plan${query}`);
    if (answer.status === 200 && answer.body !== null) parseStrictly('planClusterUpgrade', answer.body);
    return answer;
  };

  it('plans from what the cluster reported, in pieces, and knows how long a pool has been paused', async () => {
    const paused = pool('worker', { paused: true, ...selecting('worker') }, machines(3));
    const [version, ...others] = complete;
    const before = others.filter((document) => document !== complete.find(isWorkerPool));
    expect((await put([version!, ...before, paused], '2026-01-02T00:00:00Z')).status).toBe(201);
    const recently = new Date(Date.now() - 60_000).toISOString();
    expect((await put([version!, paused], recently)).status).toBe(200);
    const { status, body } = await get('?to=4.16&strategy=control-plane-only');
    expect(status).toBe(200);
    expect(body).toMatchObject({ current: '4.14.8', target: '4.16.9', hops: [{}, {}, {}] });
    const { caveats } = (body as { plan: { caveats: { type: string; text: string }[] } }).plan;
    expect(caveats[0]).toMatchObject({ type: 'PoolPausedTooLong' });
    expect(caveats[0]!.text).toContain('worker');
  });

  it('as Markdown, and with its lists in the query', async () => {
    const markdown = await get('?to=4.16&format=markdown&accept=AdminAckRequired,PoolPaused&strict');
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
  });

  it('with the windows that the query names', async () => {
    const query = '?to=4.16&windows=Mon-Sun+00:00-24:00&windows=Sat+22:00-04:00&time_zone=Asia/Kolkata';
    const { status, body } = await get(query);
    expect(status).toBe(200);
    expect(hopFits(body as Plan)).toEqual(['whole', 'whole', 'whole']);
    expect((body as Plan).windows).toMatchObject({
      timeZone: 'Asia/Kolkata',
      finishesAt: expect.stringMatching(/\+05:30$/),
    });
    const text = await get(`${query}&format=text`);
    expect(text.text.replaceAll('\n', ' ')).toContain(
      'Every week, in Asia/Kolkata: Mon-Sun 00:00-24:00 and Sat 22:00-04:00. 3 of 3 hops in 1 window, done by ',
    );
  });

  it.each([
    ['?to=4.16&windows=', 'north', 400, 'invalid-parameter'],
    ['?to=4.16&windows=Sat+22:00-04:00&time_zone=Berlin', 'north', 400, 'invalid-parameter'],
    ['?to=4.16&time_zone=Europe/Berlin', 'north', 400, 'invalid-parameter'],
    ['?to=4.16', 'nobody', 404, 'unknown-cluster'],
    ['?to=4.16&target=4.15', 'north', 400, 'invalid-parameter'],
    ['?goal=4.16', 'north', 400, 'invalid-parameter'],
    ['?to=4.16&risk=all&accept_risk=A', 'north', 400, 'invalid-parameter'],
  ])('refuses %s of %s', async (query, id, status, type) => {
    expect(await get(query, id)).toMatchObject({ status, body: { type: `urn:cairn:problem:${type}` } });
  });
});

function isWorkerPool(document: Json): boolean {
  return document['kind'] === 'MachineConfigPool' && (document['metadata'] as Json)['name'] === 'worker';
}
