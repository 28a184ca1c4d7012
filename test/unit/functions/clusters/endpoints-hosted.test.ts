import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterVersion, type Json } from '../../../helpers/cluster/objects.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = {
  amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'], 'stable-4.15': ['4.14.8 > 4.15.3'] },
};

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
  const run = await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
});
afterAll(() => deployment.close());

const IMAGE = 'quay.example/release@sha256:1';

interface Entry {
  readonly version: string;
  readonly state: 'Completed' | 'Partial';
  readonly startedTime: string;
}

const entry = (version: string, day: string, state: Entry['state'] = 'Completed') => ({
  version,
  state,
  image: IMAGE,
  startedTime: `2026-01-${day}T00:00:00Z`,
  completionTime: state === 'Completed' ? `2026-01-${day}T01:00:00Z` : null,
});

function hostedCluster(
  name: string,
  history: readonly Entry[] = [entry('4.14.8', '01')],
  controlPlane?: readonly Entry[],
): Json {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { namespace: 'clusters', name },
    spec: { clusterID: `id-of-${name}`, channel: 'stable-4.14', release: { image: IMAGE } },
    status: {
      version: { desired: { version: history[0]!.version, image: IMAGE }, history },
      ...(controlPlane && { controlPlaneVersion: { history: controlPlane } }),
      conditions: [],
    },
  };
}

const nodePool = (clusterName: string): Json => ({
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'NodePool',
  metadata: { namespace: 'clusters', name: `${clusterName}-a` },
  spec: { clusterName, release: { image: IMAGE }, management: { upgradeType: 'Replace' } },
  status: { version: '4.14.8', replicas: 2, conditions: [] },
});

async function ask(method: string, target: string, documents?: readonly Json[]) {
  const headers = { 'content-type': 'application/json' };
  const body = documents && JSON.stringify({ documents });
  const response = await deployment.request(method, target, { headers, ...(body && { body }) });
  return { status: response.status, body: response.body as Record<string, unknown> };
}
const put = (id: string, documents: readonly Json[], query = '') =>
  ask('PUT', `/v1/clusters/${id}${query}`, documents);

const both = [hostedCluster('guest'), nodePool('guest'), hostedCluster('other'), nodePool('other')];

it('a hosted cluster is stored by its HostedCluster, and planned for', async () => {
  const stored = await put('guest', [hostedCluster('guest'), nodePool('guest')]);
  expect(stored).toMatchObject({
    status: 201,
    body: { clusterId: 'id-of-guest', version: '4.14.8', channel: 'stable-4.14' },
  });
  const { body } = await ask('GET', '/v1/clusters/guest/upgrade-plan?target=4.14');
  expect(body).toMatchObject({ cluster: { hosted: 'clusters/guest' }, target: '4.14.30' });
  expect(JSON.stringify(body['plan'])).not.toMatch(/oc adm upgrade|mcp/);
});

it('later reports add to its history, also during an update', async () => {
  await put('growing', [hostedCluster('guest')]);
  const later = [entry('4.14.30', '09', 'Partial'), entry('4.14.8', '01')];
  expect(await put('growing', [hostedCluster('guest', later)])).toMatchObject({
    status: 200,
    body: { version: '4.14.30', updating: true, historyEntries: 2 },
  });
  expect(await ask('GET', '/v1/clusters/growing/update-status')).toMatchObject({ status: 409 });
});

it('updates of its control plane are a history of their own', async () => {
  const versionsOf = async (history: string) => {
    const { body } = await ask('GET', `/v1/clusters/apart/history?history=${history}`);
    return (body['entries'] as Entry[]).map(({ version, state }) => `${version} ${state}`);
  };
  const reports = [
    [entry('4.14.8', '02')],
    [entry('4.14.30', '09', 'Partial'), entry('4.14.8', '02')],
    // HyperShift has dropped the oldest.
    [entry('4.14.30', '09')],
  ];
  const plans: unknown[] = [];
  for (const controlPlane of reports) {
    await put('apart', [hostedCluster('guest', [entry('4.14.8', '01')], controlPlane)]);
    const { body } = await ask('GET', '/v1/clusters/apart/upgrade-plan?target=4.15');
    const [hop] = body['hops'] as { conditions: { type: string; reason: string }[] }[];
    plans.push(hop!.conditions.find(({ type }) => type === 'NoUpdateInProgress')!.reason);
  }
  expect(plans).toEqual(['AsExpected', 'UpdateInProgress', 'AsExpected']);
  expect(await versionsOf('control-plane')).toEqual(['4.14.30 Completed', '4.14.8 Completed']);
  expect(await versionsOf('version')).toEqual(['4.14.8 Completed']);
  await put('inside', [clusterVersion]);
  const none = await ask('GET', '/v1/clusters/inside/history?history=control-plane');
  expect(none.body).toMatchObject({ entries: [], removed: { total: 0 } });
});

it('a hosted cluster without an ID shows an update of its control plane in its plan', async () => {
  const controlPlane = [entry('4.14.30', '09', 'Partial'), entry('4.14.8', '02')];
  const anonymous = hostedCluster('anonymous', [entry('4.14.8', '01')], controlPlane);
  delete (anonymous['spec'] as { clusterID?: string }).clusterID;
  await put('anonymous', [anonymous]);
  const { body } = await ask('GET', '/v1/clusters/anonymous/upgrade-plan?target=4.15');
  expect(JSON.stringify(body['hops'])).toContain('"UpdateInProgress"');
});

it('more updates than any cluster has are refused, of the cluster and of its control plane', async () => {
  const tooMany = Array.from({ length: 1001 }, () => entry('4.14.8', '01'));
  const refused = { status: 413, body: { type: 'urn:cairn:problem:cluster-too-large' } };
  const long = await put('long', [hostedCluster('guest', tooMany)]);
  expect(long).toMatchObject(refused);
  expect(long.body['detail']).toContain('1001 updates in the history');
  const twice = await put('long', [hostedCluster('guest', undefined, tooMany)]);
  expect(twice).toMatchObject(refused);
  expect(twice.body['detail']).toContain('1001 updates of the control plane');
});

it('of several, `hosted` names the one to store', async () => {
  const unnamed = await put('several', both);
  expect(unnamed).toMatchObject({ status: 400, body: { type: 'urn:cairn:problem:missing-parameter' } });
  expect(unnamed.body['detail']).toContain('clusters/guest and clusters/other');
  expect(await put('several', both, '?hosted=clusters/none')).toMatchObject({ status: 400 });
  expect(await put('several', both, '?hosted=clusters/other')).toMatchObject({
    status: 201,
    body: { clusterId: 'id-of-other' },
  });
  expect(await put('several', both, '?hosted=clusters/guest')).toMatchObject({
    status: 409,
    body: { type: 'urn:cairn:problem:cluster-mismatch' },
  });
});

it('a management cluster stays itself, also if it reports its hosted clusters apart', async () => {
  await put('management', [clusterVersion, ...both]);
  expect(await put('management', both)).toMatchObject({ status: 200, body: { clusterId: 'c0ffee' } });
});
