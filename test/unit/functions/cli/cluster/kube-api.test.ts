import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { unsentConfigurations } from '@cairn/shared/safety/evidence/guarded-settings';
import { missingInput } from '@cairn/shared/safety/missing-input';
import { afterEach, describe, expect, it } from 'vitest';
import { collectFromCluster } from '../../../../../functions/cli/cluster/collect-report.ts';
import { inCluster, KUBE_LIMITS, serviceAccount } from '../../../../../functions/cli/cluster/kube-api.ts';
import {
  COUNT_QUERIES,
  queryName,
  queryPath,
  REPORT_QUERIES,
  WORKLOAD_QUERIES,
} from '../../../../../functions/cli/cluster/queries.ts';
import { cliMachine, runCli } from '../../../../helpers/cli/cli.ts';
import {
  type Kube,
  type KubeAnswer,
  type KubeOptions,
  startKube,
  status,
} from '../../../../helpers/cli/kube.ts';
import { context } from '../../../../helpers/cluster/clusters.ts';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  node,
  operator,
  pod,
  pool,
  requestCount,
  subscription,
} from '../../../../helpers/cluster/objects.ts';
import { everyOtherKind } from '../../../../helpers/cluster/other-objects.ts';
import { createAuthority } from '../../../../helpers/upstream/certificates.ts';
import { drawnSource } from '../../../../helpers/upstream/drawn-upstream.ts';

const one = (kind: string, changes: Json): Json => ({
  apiVersion: 'config.openshift.io/v1',
  kind,
  metadata: { name: 'cluster' },
  ...changes,
});

const CONFIG = 'machineconfiguration.openshift.io';

const machineConfig = (name: string, version: string, changes: Json = {}): Json => ({
  apiVersion: `${CONFIG}/v1`,
  kind: 'MachineConfig',
  metadata: { name, annotations: { [`${CONFIG}/release-image-version`]: version } },
  ...changes,
});
const configured = (name: string, current: string): Json =>
  node(name, { metadata: { name, annotations: { [`${CONFIG}/currentConfig`]: current } } });

/** Something of every kind that is read, and copies of an operator. */
const CLUSTER: readonly Json[] = [
  clusterVersion,
  clusterOperator('kube-apiserver'),
  clusterOperator('machine-config'),
  node('w0'),
  configured('w1', 'rendered-worker-1'),
  pool('worker'),
  machineConfig('rendered-worker-1', '4.14.8'),
  operator('shop', 'cart.v1'),
  {
    ...operator('other', 'cart.v1'),
    metadata: { namespace: 'other', name: 'cart.v1', labels: { 'olm.copiedFrom': 'shop' } },
  },
  subscription('cart'),
  requestCount('cronjobs.v1beta1.batch', { removedInRelease: '1.25', requestCount: 3 }),
  configMap('openshift-config-managed', 'admin-gates', { 'ack-4.14': 'read this' }),
  configMap('openshift-config', 'admin-acks', { 'ack-4.14': 'true' }),
  configMap('openshift-config', 'others', { secret: 'of somebody' }),
  one('Infrastructure', { status: { platformStatus: { type: 'AWS' } } }),
  pod('web-0', 'w0', {
    spec: { nodeName: 'w0', containers: [{ env: [{ name: 'KEY', value: 'hunter2' }] }] },
  }),
  pod('web-1', 'w1'),
  ...everyOtherKind.filter(isReadByReporter),
  ...unsentConfigurations({ operatorConfigs: null })
    .filter((kind) => !everyOtherKind.some((object) => object['kind'] === kind))
    .map((kind) => one(kind, { apiVersion: 'operator.openshift.io/v1' })),
];

/** Numbers of what is above. */
const COUNTED: Json = {
  kind: 'ObjectCounts',
  apiVersion: 'cairn/v1',
  counts: {
    nodes: 2,
    'egressips.k8s.ovn.org': 0,
    'network-attachment-definitions.k8s.cni.cncf.io': 0,
    'containerruntimeconfigs.machineconfiguration.openshift.io': 1,
    'kubeletconfigs.machineconfiguration.openshift.io': 0,
    'machineconfigpools.machineconfiguration.openshift.io': 1,
    'performanceprofiles.performance.openshift.io': 0,
    'networkpolicies.networking.k8s.io': 0,
    'imagedigestmirrorsets.config.openshift.io': 1,
    'imagecontentsourcepolicies.operator.openshift.io': 1,
  },
  names: [{ resource: 'configmaps', namespace: 'openshift-cloud-controller-manager', names: [] }],
};

/**
 * Not the content of MachineConfigs, nor hosted clusters and their lists of versions. Alerts are no objects, and what Cairn
 * writes about a cluster is not in it.
 */
function isReadByReporter({ kind, apiVersion, metadata }: Json): boolean {
  const { namespace } = (metadata ?? {}) as { readonly namespace?: string };
  return (
    kind !== undefined &&
    apiVersion !== 'cairn/v1' &&
    !['MachineConfig', 'HostedCluster', 'NodePool'].includes(kind as string) &&
    !['hypershift', 'kube-public'].includes(namespace ?? '')
  );
}

const DRY_RUN = ['report', '--in-cluster', '--workloads', '--cluster', 'a', '--dry-run'];

let kube: Kube | undefined;
afterEach(async () => {
  await kube?.close();
  kube = undefined;
});

async function report(options: Partial<KubeOptions>) {
  kube = await startKube({ objects: CLUSTER, ...options });
  const { pod: host } = kube;
  return runCli(DRY_RUN, {
    ...host,
    clock: () => Date.parse('2026-11-16T08:00:00Z'),
  });
}

const TRY_SOON = { ...KUBE_LIMITS, pageObjects: 2, backoffBaseMs: 1 };

/** What is read of a cluster by small pages, and what was said of it. */
async function collect(options: Partial<KubeOptions>, limits = TRY_SOON) {
  kube = await startKube({ objects: CLUSTER, ...options });
  const { host, ended } = cliMachine(kube.pod);
  const source = await inCluster(host, limits);
  const { facts } = await collectFromCluster(source, {
    collectedAt: 0,
    usernames: false,
    workloads: true,
    alerts: null,
    uses: [],
  });
  if (facts instanceof Error) throw facts;
  return { facts, err: ended(0).err };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const pathsOf = ({ paths }: Kube) => paths.map((path) => path.split('?')[0]);

describe('--in-cluster', () => {
  it('has the same result as the same documents in a file', async () => {
    const lists = ['Node', 'ClusterOperator', 'ClusterServiceVersion', 'Pod'].map((kind) => ({
      kind: `${kind}List`,
      items: [],
    }));
    const file = await runCli(['report', 'dump.json', '--cluster', 'a', '--dry-run'], {
      files: {
        'dump.json': [...CLUSTER, ...lists, COUNTED].map((object) => JSON.stringify(object)).join('\n'),
      },
    });
    const { code, out, err } = await report({});
    expect({ code, out, err }).toEqual({ code: 0, out: file.out, err: '' });
    expect(out).not.toMatch(/hunter2|of somebody/);
  });

  it('asks for what is listed, each once, and for nothing else', async () => {
    await report({});
    expect(pathsOf(kube!)).toEqual([...REPORT_QUERIES, ...COUNT_QUERIES, ...WORKLOAD_QUERIES].map(queryPath));
    expect(kube!.paths).toContain('/api/v1/nodes?limit=50');
    expect(kube!.paths).toContain('/apis/config.openshift.io/v1/clusterversions/version');
    expect(kube!.paths).toContain(
      '/apis/operators.coreos.com/v1alpha1/clusterserviceversions?limit=50&labelSelector=%21olm.copiedFrom',
    );
  });

  it('asks for the metadata of MachineConfigs, and keeps the release of those that a node or pool names', async () => {
    const spec = { config: { storage: { files: [{ path: '/etc/key', contents: { source: 'hunter2' } }] } } };
    const named = ['rendered-worker-1', 'rendered-worker-2', 'rendered-worker-0'].map((name) =>
      machineConfig(name, '4.14.8', { spec }),
    );
    const wanted = pool('worker', { configuration: { name: 'rendered-worker-2' } });
    const objects = [clusterVersion, configured('w0', 'rendered-worker-1'), wanted, pod('p', 'w0'), ...named];
    const accepted: boolean[] = [];
    const { facts } = await collect({
      objects,
      instead: ({ path, isMetadata }) => {
        if (path.endsWith('/machineconfigs')) accepted.push(isMetadata);
        return null;
      },
    });
    expect(facts.configReleases).toEqual([
      { name: 'rendered-worker-1', version: '4.14.8' },
      { name: 'rendered-worker-2', version: '4.14.8' },
    ]);
    // Without bodies nobody knows what they set.
    expect(facts.machineConfigs).toBeNull();
    expect(accepted).toEqual([true, true]);
    // An API that sends bodies instead is not read.
    await kube!.close();
    const { facts: refused, err } = await collect({
      objects,
      instead: ({ path }) =>
        path.endsWith('/machineconfigs')
          ? { status: 200, body: JSON.stringify({ kind: 'MachineConfigList', items: named }) }
          : null,
    });
    expect(refused.configReleases).toBeNull();
    expect(err).toContain('what is answered is no PartialObjectMetadataList; goes on without it\n');
  });

  it('sends only the labels of nodes that a pool selects by or a check reads', async () => {
    const labels = {
      'node-role.kubernetes.io/worker': '',
      'topology.kubernetes.io/zone': 'a',
      tier: 'gold',
      'kubernetes.io/hostname': 'w0',
    };
    const objects = [
      clusterVersion,
      node('w0', { metadata: { name: 'w0', labels } }),
      pool('gold', { nodeSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }),
      pod('p', 'w0'),
    ];
    const { facts } = await collect({ objects });
    const { 'kubernetes.io/hostname': _unread, ...read } = labels;
    expect(facts.nodes![0]!.labels).toEqual(read);
    await kube!.close();
    const { facts: withoutPools } = await collect({ objects, forbidden: ['MachineConfigPool'] });
    expect(withoutPools.nodes![0]!.labels).toEqual(labels);
  });

  it('reads alerts of the address that it is told, with the token of the pod', async () => {
    const alert = { labels: { alertname: 'Slow', severity: 'warning' }, state: 'firing' };
    const body = JSON.stringify({ status: 'success', data: { alerts: [alert] } });
    const dryRun = async (answer: KubeAnswer | null, ...argv: readonly string[]) => {
      await kube?.close();
      kube = await startKube({
        objects: CLUSTER,
        instead: ({ path }) => (path === '/api/v1/alerts' ? answer : null),
      });
      const { variables, files } = kube.pod;
      const ca = files['/var/run/secrets/kubernetes.io/serviceaccount/ca.crt']!;
      return runCli([...DRY_RUN, ...argv], {
        files: { ...files, '/var/run/secrets/kubernetes.io/serviceaccount/service-ca.crt': ca },
        variables: {
          ...variables,
          CAIRN_ALERTS: `https://127.0.0.1:${variables['KUBERNETES_SERVICE_PORT']}`,
        },
      });
    };
    const { code, out } = await dryRun({ status: 200, body });
    expect([code, out]).toEqual([0, expect.stringContaining('"alertname":"Slow"')]);
    const refused = await dryRun({ status: 403, body: '{"message":"Forbidden"}' });
    expect([refused.code, refused.out]).toEqual([0, expect.not.stringContaining('alertname')]);
    expect(refused.err).toContain('may not get it: Forbidden (403); goes on without them\n');
    const other = await dryRun({ status: 200, body: '<html>' });
    expect(other.err).toContain('alerts: what is answered has no alerts; goes on without them\n');
    const plain = await dryRun(null, '--alerts', 'http://127.0.0.1');
    expect([plain.code, plain.err]).toEqual([64, expect.stringContaining('an https URL is')]);
  });

  it('asks for workloads only with the flag', async () => {
    kube = await startKube({ objects: CLUSTER });
    const withoutFlag = DRY_RUN.filter((argument) => argument !== '--workloads');
    const { code } = await runCli(withoutFlag, kube.pod);
    expect([code, pathsOf(kube)]).toEqual([0, [...REPORT_QUERIES, ...COUNT_QUERIES].map(queryPath)]);
  });

  it('asks oc for the same', async () => {
    const { ran } = await runCli(['report', '--oc', '--cluster', 'a', '--dry-run'], {
      oc: () => ({ stdout: Buffer.from('{"kind":"List","items":[]}') }),
    });
    expect(ran.map((line) => line.split(' ')[2])).toEqual([
      ...REPORT_QUERIES.map(queryName),
      ...COUNT_QUERIES.map(() => '--raw'),
    ]);
    expect(ran).toContain('oc get --raw /apis/k8s.ovn.org/v1/egressips?limit=1');
    expect(ran).toContain('oc get --raw /api/v1/namespaces/openshift-cloud-controller-manager/configmaps');
    expect(ran).toContain('oc get configmaps/admin-acks -n openshift-config -o json');
    expect(ran).toContain('oc get clusterserviceversions.operators.coreos.com -A -l !olm.copiedFrom -o json');
  });

  it('plans, too', async () => {
    const source = drawnSource({ amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } });
    const files = {
      'stable-4.14.json': JSON.stringify(source('stable-4.14', 'amd64')),
      'dump.json': CLUSTER.map((object) => JSON.stringify(object)).join('\n'),
    };
    kube = await startKube({ objects: CLUSTER });
    const plan = ['plan', '--graph', 'stable-4.14.json', '-o', 'json'];
    const clock = () => Date.parse('2026-11-16T08:00:00Z');
    const here = await runCli([...plan, '--in-cluster'], {
      ...kube.pod,
      files: { ...files, ...kube.pod.files },
      clock,
    });
    const there = await runCli([...plan, 'dump.json'], { files, clock });
    const [told, expected] = [here, there].map(({ out }) => {
      const { input: _input, ...rest } = JSON.parse(out) as Json;
      return rest;
    });
    expect(told).toEqual(expected);
    expect(here.code).toBe(there.code);
  });

  it.each([
    [DRY_RUN, 'KUBERNETES_SERVICE_HOST is not set here'],
    [['plan', '--in-cluster', '--oc', '--graph', 'g'], '--oc and --in-cluster are both given'],
    [
      ['report', '--in-cluster', 'a.json', '--cluster', 'a', '--dry-run'],
      'files and --in-cluster are both given',
    ],
    [
      ['plan', '--in-cluster', '--cluster', 'a', '--url', 'https://x.example'],
      'documents and --cluster are both',
    ],
  ])('refuses %j', async (argv, told) => {
    const { code, err } = await runCli(argv);
    expect(code).toBe(64);
    expect(err).toContain(told);
  });

  it('reports the missing parts of its service account', async () => {
    kube = await startKube({ objects: CLUSTER });
    const { variables } = kube.pod;
    const { code, err } = await runCli(DRY_RUN, {
      variables,
    });
    expect(code).toBe(64);
    expect(err).toContain(
      "cairn: the ca.crt of the service account can't be read: no such file; is automount",
    );
    const files = {
      ...kube.pod.files,
      '/var/run/secrets/kubernetes.io/serviceaccount/token': undefined as never,
    };
    const without = await runCli(DRY_RUN, {
      variables,
      files,
    });
    expect(without.code).toBe(64);
    expect(without.err).toContain("cairn: the token of the service account can't be read");
    expect(kube.paths).toEqual([]);
  });

  it('knows addresses of either kind', async () => {
    const variables = { KUBERNETES_SERVICE_HOST: 'fd02::1', KUBERNETES_SERVICE_PORT: '443' };
    const { host } = cliMachine({
      variables,
      files: { '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt': '' },
    });
    expect((await serviceAccount(host)).api.href).toBe('https://[fd02::1]/');
  });

  it('reads its token anew, as clusters change it while a pod runs', async () => {
    kube = await startKube({ objects: CLUSTER });
    const path = '/var/run/secrets/kubernetes.io/serviceaccount/token';
    let read = 0;
    const good = kube.pod.files[path]!;
    const files = Object.defineProperty({ ...kube.pod.files }, path, { get: () => (++read, good) });
    const { code } = await runCli(DRY_RUN, {
      ...kube.pod,
      files,
    });
    expect([code, read]).toEqual([0, REPORT_QUERIES.length + COUNT_QUERIES.length + WORKLOAD_QUERIES.length]);
  });
});

describe('lists', () => {
  const nodes = Array.from({ length: 7 }, (_, at) => node(`w${at}`));
  const objects = [clusterVersion, ...nodes, pod('p', 'w0')];
  const isNodes = (path: string) => path === '/api/v1/nodes';

  it('are read page by page', async () => {
    const { facts } = await collect({ objects });
    expect(facts.nodes!.map(({ name }) => name)).toEqual(nodes.map((_, at) => `w${at}`));
    expect(kube!.paths.filter((path) => isNodes(path.split('?')[0]!))).toEqual([
      '/api/v1/nodes?limit=2',
      '/api/v1/nodes?limit=2&continue=from-2',
      '/api/v1/nodes?limit=2&continue=from-4',
      '/api/v1/nodes?limit=2&continue=from-6',
      '/api/v1/nodes?limit=1',
    ]);
    expect(facts.completeLists).toContain('nodes');
    expect(facts.objectCounts?.counts).toMatchObject({ nodes: 7 });
  });

  it('are empty where the cluster has none', async () => {
    const { facts, err } = await collect({ objects: [clusterVersion, node('w0'), pod('p', 'w0')] });
    expect([facts.pools, facts.operators, facts.apiUse]).toEqual([[], [], []]);
    expect([facts.adminAcks, facts.selinuxConflicts, facts.featureSet]).toEqual([[], '', '']);
    expect([facts.infrastructure, facts.configuredNetwork]).toEqual([null, null]);
    expect(err).toBe('');
  });

  it('of a kind that the cluster does not know are empty', async () => {
    const { facts, err } = await collect({
      absent: ['MachineConfigPool', 'ClusterServiceVersion', 'APIRequestCount'],
    });
    expect([facts.pools, facts.operators, facts.apiUse]).toEqual([[], [], []]);
    expect(err).toBe('');
  });

  it('that expire are begun again, and nothing is left of the first beginning', async () => {
    let gone = false;
    const { facts } = await collect({
      // A node that was in the first page goes away meanwhile.
      objects: () => (gone ? objects.filter((object) => object !== nodes[0]) : objects),
      instead: ({ path, query }) => {
        if (!isNodes(path) || query.get('continue') !== 'from-4' || gone) return null;
        gone = true;
        return status(410, 'The provided continue parameter is too old', 'Expired');
      },
    });
    expect(facts.nodes!.map(({ name }) => name)).toEqual(['w1', 'w2', 'w3', 'w4', 'w5', 'w6']);
  });

  it('that expire again and again are given up', async () => {
    const expired = {
      instead: ({ path }: { path: string }) => (isNodes(path) ? status(410, 'too old') : null),
    };
    await expect(collect({ objects, ...expired })).rejects.toThrow(
      'nodes: it changes faster than it can be read: too old (410)',
    );
    expect(pathsOf(kube!).filter((path) => isNodes(path!))).toHaveLength(TRY_SOON.beginnings);
  });

  it('of a great many objects leave little behind while they are read', async () => {
    const padding = 'x'.repeat(100_000);
    const pages = 15;
    const used = () => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const early: number[] = [];
    const late: number[] = [];
    const { facts } = await collect({
      instead: ({ path, before: page }) => {
        if (path !== '/api/v1/pods') return null;
        if (page >= 2 && page <= 4) early.push(used());
        if (page >= pages - 3) late.push(used());
        const items = Array.from({ length: 20 }, (_, at) => pod(`p${page}-${at}`, 'w0', { padding }));
        const metadata = { ...(page < pages - 1 && { continue: `page-${page}` }) };
        return { status: 200, body: JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items }) };
      },
    });
    // 20 MB were read in between. The least of three: what another task holds for a moment does not count.
    expect(Math.min(...late) - Math.min(...early)).toBeLessThan(10_000_000);
    expect(facts.podsPerNode).toEqual([{ node: 'w0', pods: pages * 20 }]);
  });

  it('that never end are given up', async () => {
    const page = { kind: 'NodeList', apiVersion: 'v1', metadata: { continue: 'x' }, items: [] };
    await expect(
      collect({
        instead: ({ path }) => (isNodes(path) ? { status: 200, body: JSON.stringify(page) } : null),
      }),
    ).rejects.toThrow('nodes: its list leads to the same page again');
  });
});

describe('what the cluster does not show', () => {
  it.each([
    ['Pod', 'pods', 'podsPerNode'],
    ['MachineConfigPool', 'machineconfigpools.machineconfiguration.openshift.io', 'pools'],
    ['Infrastructure', 'infrastructures.config.openshift.io/cluster', 'infrastructure'],
  ] as const)('%s is said and left out', async (kind, name, facts) => {
    const seen = await collect({ forbidden: [kind] });
    expect(seen.facts[facts]).toBeNull();
    expect(seen.err).toContain(`${name}: the service account of this pod may not`);
    expect(seen.err).toMatch(/is forbidden: User .* cannot list resource \(403\); goes on without it\n$/);
  });

  it.each([
    ['MachineHealthCheck', 'healthChecks'],
    ['StatefulSet', 'singleReplicas'],
  ] as const)('without %s, other kinds do not count as all %s', async (kind, fact) => {
    const { facts } = await collect({ forbidden: [kind] });
    expect(facts[fact]).toBeNull();
    const { hops } = context(facts, ['4.14.8', '4.15.3']);
    const missing = missingInput(facts, hops).flatMap((each) => each.kind.split(', '));
    expect(missing).toContain(kind);
  });

  it('no configuration of an operator that the cluster lacks is missing', async () => {
    const { facts } = await collect({ objects: [clusterVersion, node('w0'), clusterOperator('dns')] });
    const missing = missingInput(facts, context(facts, ['4.14.8', '4.15.3']).hops);
    expect(missing.flatMap(({ decides }) => decides)).not.toContain('UnsupportedConfigOverridesSet');
  });

  it('keeps the operator configurations that it shows', async () => {
    const { facts } = await collect({ forbidden: ['Etcd'] });
    const asked = missingInput(facts, context(facts, ['4.14.8', '4.15.3']).hops).find(({ decides }) =>
      decides.includes('UnsupportedConfigOverridesSet'),
    );
    expect(facts.operatorConfigs?.length).toBeGreaterThan(0);
    expect(asked?.kind).toBe('Etcd');
  });

  it.each([
    [{ forbidden: ['Node'] }, /^cairn: nodes: the service account of this pod may not list it: .*\(403\)\n$/],
    [
      { forbidden: ['ClusterVersion'] },
      /clusterversions.*\/version: the service account of this pod may not get it/,
    ],
    [
      { absent: ['ClusterOperator'] },
      /clusteroperators.config.openshift.io: there is none: 404 page not found \(404\)/,
    ],
    // Only Kubernetes itself may lack nothing: something else has answered.
    [{ absent: ['Node'] }, /nodes: there is none/],
  ])('ends the report where it is needed: %j', async (options, told) => {
    const { code, out, err } = await report(options);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(told);
  });

  it('pods that are not found are left out, not none', async () => {
    const { facts, err } = await collect({ absent: ['Pod'] });
    expect(facts.podsPerNode).toBeNull();
    expect(err).toContain('pods: there is none');
  });
});

describe('an API that is not well', () => {
  const isPods = (path: string) => path === '/api/v1/pods';

  it('is asked again when it fails for a moment', async () => {
    const { facts } = await collect({
      instead: ({ path, before }) =>
        isPods(path) && before < 2 ? { ...status(503, 'starting'), headers: { 'retry-after': '0' } } : null,
    });
    expect(facts.podsPerNode).toHaveLength(2);
  });

  it('goes without what it fails at for long, and fails with what is needed', async () => {
    const failing = (wanted: string): Partial<KubeOptions> => ({
      instead: ({ path }) => (path === wanted ? status(500, 'etcdserver: request timed out') : null),
    });
    const { facts, err } = await collect(failing('/api/v1/pods'));
    expect(facts.podsPerNode).toBeNull();
    expect(err).toBe(
      'pods: the API of the cluster fails: etcdserver: request timed out (500); goes on without it\n',
    );
    await kube!.close();
    await expect(collect(failing('/api/v1/nodes'))).rejects.toThrow('nodes: the API of the cluster fails');
  });

  it('does not know the token', async () => {
    const { code, err } = await report({ instead: () => status(401, 'Unauthorized') });
    expect(code).toBe(3);
    expect(err).toBe(
      'cairn: the cluster does not accept the token of this pod: Unauthorized (401)\ncairn: it may have expired, or its service account be gone\n',
    );
    expect(kube!.paths).toHaveLength(1);
  });

  it('is not the one that the authority of the pod vouches for', async () => {
    const stranger = createAuthority('stranger');
    await expect(collect({ certifiedBy: stranger })).rejects.toThrow(
      /^the API of the cluster, 127\.0\.0\.1:\d+, does not answer: .*certificate/,
    );
    expect(kube!.paths).toEqual([]);
  });

  it('does not answer in time', async () => {
    const hanging = collect({ instead: () => 'hang' }, { ...TRY_SOON, timeoutMs: 100, attempts: 2 });
    await expect(hanging).rejects.toThrow(/does not answer: .*(timeout|aborted)/);
    expect(kube!.paths).toHaveLength(2);
  });

  it('answers more than fits', async () => {
    const tooMuch = collect({}, { ...TRY_SOON, pageBytes: 100, attempts: 1 });
    await expect(tooMuch).rejects.toThrow('the answer is longer than 100 bytes');
  });

  it.each([
    ['<html>log in</html>', 'nodes: what is answered is no NodeList'],
    ['{"kind":"Status","status":"Success"}', 'nodes: what is answered is no NodeList'],
    ['{"kind":"PodList","metadata":{},"items":[]}', 'nodes: what is answered is no NodeList'],
    ['{"kind":"NodeList","metadata":{oops},"items":[]}', 'nodes: what is answered is no JSON'],
    ['[]', 'nodes: what is answered is no NodeList'],
    ['', 'nodes: what is answered is no NodeList'],
    ['{"kind":"NodeList","metadata":{},"items":[{"metadata":{"name":"a"', 'nodes: document 0'],
    ['{"kind":"NodeList","metadata":{},"items":[{"spec":{}}]}', 'nodes: document 0 /items/0/metadata/name'],
  ])('answers %s', async (body, told) => {
    const broken = collect({
      instead: ({ path }) => (path === '/api/v1/nodes' ? { status: 200, body } : null),
    });
    await expect(broken).rejects.toThrow(told);
  });

  it('says nothing that a terminal would obey', async () => {
    const { err } = await collect({
      instead: ({ path }) => (isPods(path) ? status(403, '\u001b[2Jno\nway '.repeat(200)) : null),
    });
    // oxlint-disable-next-line no-control-regex
    expect(err).not.toMatch(/\u001b/);
    expect(err.split('\n')).toHaveLength(2);
    expect(err.length).toBeLessThan(700);
  });
});
