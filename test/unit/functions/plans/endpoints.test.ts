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
    'stable-4.16': [
      '4.14.8 > 4.14.30',
      '4.14.30 > 4.15.20',
      '4.14.8 > 4.15.20 A',
      '4.15.20 > 4.16.9',
      // Excluded, so no plan below leads there.
      '4.15.20 > 4.16.20',
      '4.14.7 > 4.14.30',
    ],
  },
  arm64: { 'stable-4.14': ['4.14.8 > 4.14.30'] },
  multi: { 'stable-4.14': ['4.14.8 > 4.14.30'] },
};

let deployment: Deployment;
beforeAll(async () => {
  const releases = { ...drawnConfig(UPSTREAM), ignored_openshift_versions: ['4.16.20', '4.14.7'] };
  deployment = await startDeployment({ releases, source: drawnSource(UPSTREAM) });
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
  ...['etcd', 'kube-apiserver', 'machine-config'].map((name) => clusterOperator(name)),
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

const FEATURE_GATE = {
  kind: 'FeatureGate',
  command: 'oc get featuregates cluster -o json',
  decides: ['RestrictedFeatureGates'],
};

const hopFits = ({ windows }: Plan) => windows?.hops.map(({ fit }) => fit);

interface Plan {
  readonly verdict: string;
  readonly nextStep: string;
  readonly hops: { to: string; verdict: string; conditions: { type: string; docs: string }[] }[];
  readonly plan: { steps: { kind: string; text: string }[] };
  readonly windows: UpgradePlan['windows'];
}

describe('excluded versions', () => {
  it.each(['json', 'imageset'])('are refused as a target, in the format %s too', async (format) => {
    const { status, body } = await post({ documents: complete, target: '4.16.20', format });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:excluded',
      detail: expect.stringContaining('4.16.20 is excluded by ignored_openshift_versions') as string,
      errors: [{ parameter: 'target', value: '4.16.20', nearest: ['4.16.9'] }],
    });
  });

  it('are in no plan', async () => {
    const { status, body } = await post({ documents: complete, target: '4.16' });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('4.16.20');
  });

  it('are warned of if the cluster runs one', async () => {
    const running = {
      ...clusterVersion,
      status: { ...(clusterVersion['status'] as Json), desired: { version: '4.14.7' } },
    };
    const { body } = await post({ documents: [running, ...complete.slice(1)], target: '4.14.30' });
    expect(body).toMatchObject({ current: '4.14.7', verdict: 'ready-with-warnings' });
    const [first] = (body as Plan).hops;
    expect(first!.conditions.find(({ type }) => type === 'CurrentVersionAllowed')).toMatchObject({
      reason: 'CurrentVersionExcluded',
      docs: 'docs/reference/checks.md#currentversionallowed',
    });
  });
});

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
      input: { documents: complete.length, ignored: [], missing: expect.arrayContaining([FEATURE_GATE]) },
    });
    const { plan, hops } = body as Plan;
    expect(plan.steps.map(({ kind }) => kind)).toEqual([
      'check',
      'check',
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
      title: expect.stringMatching(/^Kubelets /) as string,
      docs: 'docs/reference/checks.md#kubeletminorversionupgradeable',
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
    expect(nextStep).toContain('4.15 is blocked');
    expect(nextStep).toContain('you can update to 4.14.30');
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

  it('case 71: goes from an EUS minor to the next supported one when no target is given, and says why', async () => {
    const { body } = await post({ documents: complete });
    expect(body).toMatchObject({
      target: '4.16.9',
      strategy: 'control-plane-only',
      targetReason:
        '4.16 is the next supported EUS minor after 4.14, supported until 2027-06-27 (EUS term 2)',
      alsoPossible: [{ version: '4.14.30', reason: 'Newest patch of 4.14' }],
      path: { channel: 'stable-4.16' },
    });
    const rolling = await post({ documents: complete, strategy: 'rolling' });
    expect(rolling.body).toMatchObject({ target: '4.16.9', strategy: 'rolling' });
  });

  it("follows the cluster's own channel to its newest for latest", async () => {
    const { body } = await post({ documents: complete, target: 'latest' });
    expect(body).toMatchObject({
      target: '4.14.30',
      targetReason: null,
      alsoPossible: [],
      path: { channel: 'stable-4.14' },
    });
  });

  it('case 72: warns of a requested target that is end of life', async () => {
    const { body } = await post({ documents: complete, target: '4.15' });
    expect(body).toMatchObject({ verdict: 'ready-with-warnings', strategy: 'rolling' });
    const [condition] = (body as UpgradePlan).hops
      .at(-1)!
      .conditions.filter(({ type }) => type === 'SupportedTarget');
    expect(condition).toMatchObject({ reason: 'TargetUnsupported', effect: 'warn' });
  });

  it.each([
    [{ eusTerms: 0 }, ''],
    [{}, '?eus_terms=0'],
  ])('counts the support terms of the cluster: %j%s', async (fields, query) => {
    const { body } = await post({ documents: complete, ...fields }, query);
    // Without terms 4.16 has ended too, so no supported minor is left here.
    expect(body).toMatchObject({ target: '4.14.30', verdict: 'ready-with-warnings' });
  });

  it.each([
    [{ updateService: 'none' }, ''],
    [{}, '?update_service=none'],
  ])('updates by digest without an update service: %j%s', async (fields, query) => {
    const { body } = await post({ documents: complete, target: '4.15', ...fields }, query);
    const commands = (body as UpgradePlan).plan.steps.map(({ command = '' }) => command);
    expect(commands.filter((command) => / --to-image=\S+@sha256:/.test(command))).not.toEqual([]);
    expect(commands.filter((command) => / --to=|upgrade channel/.test(command))).toEqual([]);
    expect((await post({ documents: complete, updateService: 'x' })).status).toBe(400);
  });

  it('refuses a number of terms that does not exist', async () => {
    expect((await post({ documents: complete, eusTerms: 4 })).status).toBe(400);
    expect((await post({ documents: complete }, '?eus_terms=x')).status).toBe(400);
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

  const nodesOf = (architecture: string) => (document: Json) =>
    document['kind'] === 'Node'
      ? { ...document, status: { nodeInfo: { kubeletVersion: 'v1.27.6', architecture } } }
      : document;
  const accepting = (architecture: string) => (document: Json) => {
    if (document['kind'] !== 'ClusterVersion') return document;
    const message = `Payload loaded version="4.14.8" image="quay.example/release@sha256:1" architecture="${architecture}"`;
    const accepted = { type: 'ReleaseAccepted', status: 'True', reason: 'PayloadLoaded', message };
    return { ...document, status: { ...(document['status'] as Json), conditions: [accepted] } };
  };
  const amd64 = complete.map(nodesOf('amd64'));

  it.each([{}, { arch: 'multi' }])(
    'takes the multi release image from the ClusterVersion, also with nodes of one architecture: %j',
    async (asked) => {
      const { status, body } = await post({ documents: amd64.map(accepting('Multi')), ...asked });
      expect([status, body]).toMatchObject([200, { path: { arch: 'multi' }, target: '4.14.30' }]);
    },
  );

  it.each([
    ['without a word of the ClusterVersion', amd64],
    ['that the ClusterVersion says too', amd64.map(accepting('amd64'))],
    ['of the ClusterVersion alone', complete.map(accepting('amd64'))],
  ])('refuses to plan a cluster of one architecture as multi, %s', async (_, documents) => {
    const { status, body } = await post({ documents, arch: 'multi' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:invalid-parameter',
      detail: expect.stringMatching(
        /^arch=multi: the cluster runs the amd64 release image of 4\.14\.8\. .*oc adm upgrade --to-multi-arch/,
      ) as string,
      errors: [{ parameter: 'arch', value: 'multi' }],
    });
  });

  it.each([
    ['multi', amd64.map(accepting('Multi')), 'amd64'],
    ['amd64', amd64, 'arm64'],
  ])('refuses to plan a cluster of %s as one of another architecture', async (own, documents, arch) => {
    const { status, body } = await post({ documents, arch });
    expect([status, body]).toMatchObject([
      400,
      { detail: expect.stringContaining(`the cluster runs the ${own} release image of 4.14.8`) as string },
    ]);
  });

  it('takes the word of the caller if the documents do not say', async () => {
    const { body } = await post({ documents: complete, arch: 'multi' });
    expect(body).toMatchObject({ path: { arch: 'multi' } });
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
        expect(plan.steps.find(({ kind }) => kind !== 'check')).toMatchObject({
          kind: 'fix',
          command: 'oc get nodes',
          blocking: true,
        });
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
  /** More than one if a hostile name splits the file. */
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
    const first = await post({ documents: known, target: '4.16', format: 'imageset' });
    expect(first.headers).toMatchObject({ 'content-type': 'application/yaml', 'cairn-files': '4' });
    expect(first.text).toMatch(/^# File 1 of 4: release /);
    const set = await post({ documents: known, target: '4.16', format: 'imageset', file: 4 });
    expect(operatorsIn(set.text)).toEqual([
      ['4.14', '4.15', '4.16'].map((minor) => ({
        catalog: index(minor),
        packages: [{ name: 'logging', defaultChannel: '5.10', channels: [{ name: '5.10' }] }],
      })),
    ]);
    expect((body as { imageSets: object }).imageSets).toMatchObject([
      { file: 1, text: first.text },
      { file: 2 },
      { file: 3 },
      { file: 4, channel: null, version: null, text: set.text },
    ]);
    expect(await post(known, '?target=4.16&format=imageset&file=5')).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'file', value: '5', detail: 'there are 4 files; use 1 to 4' }] },
    });
    expect(await post({ documents: known, target: '4.16', file: 1 })).toMatchObject({
      status: 400,
      body: { errors: [{ parameter: 'file', detail: 'is for format=imageset only' }] },
    });
    expect(set.text).toContain('    # The catalog of openshift-marketplace/my-own for 4.16:\n');
  });

  it('are those of a stored cluster, as it last said', async () => {
    const id = 'with-operators';
    const put = (documents: readonly Json[]) =>
      deployment.request('PUT', `/v1/clusters/${id}`, {
        body: JSON.stringify({ documents }),
        headers: { 'content-type': 'application/json' },
      });
    const imageSet = async (file = 1) =>
      (
        await deployment.request(
          'GET',
          `/v1/clusters/${id}/upgrade-plan?to=4.16&format=imageset&file=${file}`,
        )
      ).text;
    await put(healthy);
    expect(await imageSet()).toMatch(/^# Platform content only: /m);
    expect(operatorsIn(await imageSet())).toEqual([undefined]);
    expect(await imageSet(4)).toContain('there are 3 files; use 1 to 3');
    expect((await put([olm])).body).toMatchObject({ operators: 1, subscriptions: null });
    expect(operatorsIn(await imageSet(4))).toEqual([
      ['4.14', '4.15', '4.16'].map((minor) => ({ catalog: index(minor), packages: [{ name: 'logging' }] })),
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
      file: 4,
    });
    expect(sent.text).toContain('operators:');
    expect(await imageSet(4)).toBe(sent.text);
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
    const { body } = await post({ documents: [...healthy, hostile], target: '4.16' });
    const { imageSets } = body as { imageSets: { text: string }[] };
    const files = imageSets.flatMap(({ text }) => filesIn(text));
    expect(new Set(files.map(({ kind }) => kind))).toEqual(new Set(['ImageSetConfiguration']));
    expect(files).toHaveLength(imageSets.length);
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

  it('has an entity tag that lasts while nothing but the time of the plan changes', async () => {
    const path = '/v1/clusters/north/upgrade-plan?to=4.16';
    const { headers, body } = await get('?to=4.16');
    const again = await deployment.request('GET', path, { headers: { 'if-none-match': headers['etag']! } });
    expect([again.status, again.headers['etag']]).toEqual([304, headers['etag']]);
    expect((await get('?to=4.16')).body).not.toMatchObject({
      evaluatedAt: (body as { evaluatedAt: string }).evaluatedAt,
    });
    const other = await deployment.request('GET', `${path}&risk=all&strategy=control-plane-only`, {
      headers: { 'if-none-match': headers['etag']! },
    });
    expect(other.status).toBe(200);
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
