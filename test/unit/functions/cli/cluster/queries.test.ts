import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { afterEach, describe, expect, it } from 'vitest';
import { collectFromCluster } from '../../../../../functions/cli/cluster/collect-report.ts';
import { inCluster, KUBE_LIMITS } from '../../../../../functions/cli/cluster/kube-api.ts';
import { cliMachine, runCli } from '../../../../helpers/cli/cli.ts';
import { type Kube, type KubeOptions, startKube } from '../../../../helpers/cli/kube.ts';
import {
  clusterVersion,
  configMap,
  type Json,
  listOf,
  node,
  operator,
} from '../../../../helpers/cluster/objects.ts';

const CLOUD = 'openshift-cloud-controller-manager';
const policy = (name: string): Json => ({
  kind: 'NetworkPolicy',
  apiVersion: 'networking.k8s.io/v1',
  metadata: { namespace: 'shop', name },
});
const OBJECTS = [
  clusterVersion,
  node('w0'),
  ...['a', 'b', 'c'].map(policy),
  configMap(CLOUD, 'cloud-conf', { key: 'hunter2' }),
  configMap(CLOUD, 'kube-root-ca.crt', {}),
  configMap('elsewhere', 'other', {}),
];

let kube: Kube | undefined;
afterEach(async () => {
  await kube?.close();
  kube = undefined;
});

async function collect(options: Partial<KubeOptions>) {
  kube = await startKube({ objects: OBJECTS, ...options });
  const { host, ended } = cliMachine(kube.pod);
  const source = await inCluster(host, { ...KUBE_LIMITS, backoffBaseMs: 1 });
  const wanted = { collectedAt: 0, usernames: false, workloads: false, alerts: null, uses: [] };
  const { facts } = await collectFromCluster(source, wanted);
  if (facts instanceof Error) throw facts;
  return { facts, err: ended(0).err };
}

/** A report by oc; `printed` answers the paths. */
async function report(printed: (path: string) => { readonly stdout?: unknown; readonly stderr?: string }) {
  const { out, err } = await runCli(['report', '--oc', '--cluster', 'a', '--dry-run'], {
    oc: ([, resource, path]) => {
      if (resource === 'clusterserviceversions.operators.coreos.com') {
        return { stdout: Buffer.from(JSON.stringify(listOf(operator('a', 'cart.v1')))) };
      }
      if (resource !== '--raw') return { stdout: Buffer.from(JSON.stringify(listOf())) };
      const { stdout, stderr = '' } = printed(path!);
      return stdout === undefined ? { exitCode: 1, stderr } : { stdout: Buffer.from(JSON.stringify(stdout)) };
    },
  });
  const documents = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  return { documents, counts: documents.find(({ kind }) => kind === 'ObjectCounts'), err };
}

const INSTALLER = { namespace: 'openshift-config', resource: 'configmaps' };

describe('queries: what is counted in a pod', () => {
  it('are numbers and names, read from the metadata of one object', async () => {
    const wholeObjects: string[] = [];
    const { facts, err } = await collect({
      instead: ({ path, isMetadata }) => {
        if (!isMetadata) wholeObjects.push(path);
        return null;
      },
    });
    expect(wholeObjects.filter((path) => /networkpolicies|cloud-controller/.test(path))).toEqual([]);
    expect(facts.objectCounts).toMatchObject({
      counts: { nodes: 1, 'networkpolicies.networking.k8s.io': 3, 'egressips.k8s.ovn.org': 0 },
      names: [{ resource: 'configmaps', namespace: CLOUD, names: ['cloud-conf', 'kube-root-ca.crt'] }],
    });
    expect(err).toBe('');
    expect(kube!.paths).toContain('/apis/networking.k8s.io/v1/networkpolicies?limit=1');
    // With the small objects, the requests that risks add.
    const added = kube!.paths.filter((path) =>
      /limit=1$|limit=500|openshift-install|proxies|image-reg/.test(path),
    );
    expect(added).toHaveLength(15);
  });

  it('are what the cluster does not serve, and which objects it does not have', async () => {
    const { facts, err } = await collect({ absent: ['EgressIP', 'PerformanceProfile'] });
    expect(facts.objectCounts?.counts).toMatchObject({
      'egressips.k8s.ovn.org': null,
      'performanceprofiles.performance.openshift.io': null,
    });
    expect(facts.objectCounts?.absent).toEqual([
      { ...INSTALLER, name: 'openshift-install' },
      { ...INSTALLER, name: 'openshift-install-manifests' },
      { resource: 'deployments.apps', namespace: 'openshift-image-registry', name: 'image-registry' },
      { resource: 'proxies.config.openshift.io', name: 'cluster' },
    ]);
    expect([facts.installer, facts.registryReplicas, facts.proxy]).toEqual([null, null, null]);
    expect(err).toBe('');
  });

  it('leaves out what the reporter may not read', async () => {
    const { facts, err } = await collect({
      forbidden: ['NetworkPolicy', 'ConfigMap', 'Proxy', 'Deployment'],
    });
    expect(facts.objectCounts?.counts).not.toHaveProperty(['networkpolicies.networking.k8s.io']);
    expect(facts.objectCounts).toMatchObject({ counts: { nodes: 1 }, names: [], absent: [] });
    expect(err).toContain(
      'networkpolicies.networking.k8s.io: the service account of this pod may not list it',
    );
  });

  it.each<[string, Json]>([
    ['does not say how many follow', { metadata: { continue: 'x' }, items: [{ metadata: {} }] }],
    ['is of another kind', { kind: 'NetworkPolicyList', items: [] }],
  ])('leaves out a list that %s', async (_title, content) => {
    const head = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
    const body = JSON.stringify({ ...head, ...content });
    const { facts, err } = await collect({
      instead: ({ path }) => (path.endsWith('/networkpolicies') ? { status: 200, body } : null),
    });
    expect(facts.objectCounts?.counts).not.toHaveProperty(['networkpolicies.networking.k8s.io']);
    expect(err).toMatch(/networkpolicies.networking.k8s.io: .+; goes on without it\n/);
  });

  it('is small in a report', async () => {
    const { facts } = await collect({});
    const added = ['installer', 'installerManifests', 'proxy', 'registryReplicas', 'objectCounts'] as const;
    const bytes = JSON.stringify(added.map((kind) => facts[kind] satisfies ClusterFacts[typeof kind])).length;
    expect(bytes).toBeLessThan(2000);
  });
});

describe('queries: what is counted with oc', () => {
  const page = (remainingItemCount: number | undefined, next = 'x') => ({
    kind: 'List',
    metadata: { continue: next, remainingItemCount },
    items: [{ metadata: { name: 'first' } }],
  });

  it('are the same numbers and names', async () => {
    const { counts, err } = await report((path) => {
      if (path.endsWith('/configmaps')) return { stdout: page(undefined, '') };
      if (path.includes('egressips'))
        return { stderr: 'Error from server (NotFound): the server could not find it' };
      if (path.includes('networkpolicies')) return { stderr: 'Error from server (Forbidden): no' };
      return { stdout: path.includes('nodes') ? page(5) : page(undefined) };
    });
    expect(counts).toMatchObject({
      counts: { nodes: 6, 'egressips.k8s.ovn.org': null },
      names: [{ resource: 'configmaps', namespace: CLOUD, names: ['first'] }],
    });
    expect(Object.keys(counts!['counts'] as Json)).toHaveLength(2);
    expect(err).toContain(
      'oc get networkpolicies.networking.k8s.io: Error from server (Forbidden): no; goes on',
    );
    expect(err).toContain('does not say how many objects there are; goes on without it\n');
  });

  it('knows that a list of all namespaces is whole', async () => {
    const { documents } = await report(() => ({ stdout: page(0, '') }));
    const operators = documents.find(({ kind }) => kind === 'ClusterServiceVersionList');
    expect(operators).toMatchObject({ items: [{ metadata: { name: 'cart.v1' } }] });
    expect(operators).not.toHaveProperty('metadata');
  });
});
