import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aHostedCluster, aNodePool, hostedDocuments } from '../../../helpers/cluster/hosted.ts';
import { clusterVersion, configMap, node } from '../../../helpers/cluster/objects.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const CHANNELS = { 'stable-4.15': ['4.14.8 > 4.15.20', '4.14.9 > 4.15.20'] };
const UPSTREAM: DrawnUpstream = { amd64: CHANNELS, arm64: CHANNELS };

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
  const run = await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
});
afterAll(() => deployment.close());

const ask = (documents: readonly object[], more: object = {}) =>
  deployment.request('POST', '/v1/upgrade-plans', {
    body: JSON.stringify({ documents, target: '4.15', ...more }),
    headers: { 'content-type': 'application/json' },
  });

const guest = aHostedCluster({}, '4.14.9');
const other = aHostedCluster({ name: 'other' }, '4.14.9');
const pools = [
  aNodePool('workers', '4.14.9', { arch: 'arm64' }),
  aNodePool('others', '4.14.9', { cluster: 'other' }),
];
/** Of the management cluster, which runs 4.14.8. */
const management = [clusterVersion, node('m0')];

describe('a plan for a hosted cluster', () => {
  it('is made from its HostedCluster and NodePools', async () => {
    const { status, body } = await ask(hostedDocuments([guest], pools));
    expect(status).toBe(200);
    parseStrictly('planUpgrade', body);
    const plan = body as UpgradePlan & { readonly path: { readonly arch: string } };
    expect(plan).toMatchObject({
      cluster: { hosted: 'clusters/guest' },
      current: '4.14.9',
      target: '4.15.20',
      policy: 'hosted',
      path: { arch: 'arm64' },
    });
    expect(plan.plan.pools.map(({ pool }) => pool)).toEqual(['workers']);
  });

  it('is one for the management cluster, unless the hosted cluster is named', async () => {
    const documents = [...management, ...hostedDocuments([guest, other], pools)];
    expect((await ask(documents)).body).toMatchObject({ current: '4.14.8', policy: 'openshift' });
    expect((await ask(documents, { hosted: 'clusters/other' })).body).toMatchObject({
      cluster: { hosted: 'clusters/other' },
      current: '4.14.9',
    });
  });

  it.each([
    ['several and none named', undefined, 'missing-parameter', 'name the HostedCluster'],
    ['an unknown name', 'clusters/absent', 'invalid-parameter', 'clusters/absent is not in the documents'],
  ])('is refused with %s, and lists them', async (_, hosted, code, detail) => {
    const { status, body } = await ask(hostedDocuments([guest, other], pools), { hosted });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: `urn:cairn:problem:${code}`,
      detail: `hosted: ${detail}; there are clusters/guest and clusters/other`,
      errors: [{ parameter: 'hosted', nearest: ['clusters/guest', 'clusters/other'] }],
    });
  });

  it('is refused as multi, with how a HostedCluster gets there', async () => {
    const { status, body } = await ask(hostedDocuments([guest], pools), { arch: 'multi' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      detail: expect.stringMatching(
        /runs the arm64 release image .*spec\.release\.image of the HostedCluster/,
      ) as string,
      errors: [{ parameter: 'arch', value: 'multi' }],
    });
    expect(JSON.stringify(body)).not.toContain('oc adm upgrade');
  });

  it('is refused for a name that is none', async () => {
    const { status } = await ask(hostedDocuments([guest], pools), { hosted: 'guest' });
    expect(status).toBe(400);
  });

  it('is refused without a version', async () => {
    const version = { ...guest.version, desired: { version: '', image: '', channels: [] } };
    const { status, body } = await ask(hostedDocuments([{ ...guest, version }], []));
    expect(status).toBe(400);
    expect(body).toMatchObject({ detail: expect.stringContaining('the HostedCluster says') as string });
  });
});

describe('documents of MicroShift', () => {
  const microshift = configMap('kube-public', 'microshift-version', { version: '4.18.3' });

  it('get no plan, but how MicroShift updates', async () => {
    const { status, body } = await ask([microshift]);
    expect(status).toBe(422);
    expect(body).toMatchObject({
      type: 'urn:cairn:problem:not-an-openshift-cluster',
      detail: expect.stringMatching(/MicroShift 4\.18\.3.*skip one minor/) as string,
    });
  });

  it('do not refuse a cluster with a ClusterVersion', async () => {
    expect((await ask([...management, microshift])).status).toBe(200);
  });
});
