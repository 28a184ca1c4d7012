import { type ClusterFacts, NO_FACTS, REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { neededFacts, reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { familiesOf } from '@cairn/shared/risk/derive/families';
import type { Family } from '@cairn/shared/risk/family';
import { describe, expect, it } from 'vitest';
import { readParsedDocuments } from '../../../../helpers/cluster/cluster-documents.ts';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  listOf,
  node,
  operator,
  pod,
  pool,
  typedListOf,
} from '../../../../helpers/cluster/objects.ts';

const CONFIG = 'config.openshift.io/v1';
const CSV = 'operators.coreos.com/v1alpha1';

function factsOf(documents: readonly Json[]): ClusterFacts {
  if (documents.length === 0) return NO_FACTS;
  const reading = readParsedDocuments(documents, { isRemovedApi: () => false, acceptsPages: true });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

function family(metric: string, ...documents: readonly Json[]): Family {
  const found = familiesOf(factsOf(documents))(metric);
  if (found === null) throw new Error(`${metric} is not known`);
  return found;
}

/** As `AWS 1`: the values of the labels, in their order, and the value. */
function seriesOf({ series }: Family): readonly string[] {
  return series.map(({ labels, value }) => [...Object.values(labels), value].join(' '));
}

const singleton = (kind: string, content: Json, apiVersion = CONFIG): Json => ({
  kind,
  apiVersion,
  metadata: { name: 'cluster' },
  ...content,
});

const infrastructure = (type: string | undefined, controlPlaneTopology = 'HighlyAvailable'): Json =>
  singleton('Infrastructure', { status: { platformStatus: type && { type }, controlPlaneTopology } });
const counts = (content: Json): Json => ({ kind: 'ObjectCounts', apiVersion: 'cairn/v1', ...content });

const entry = (state: string, version: string, startedTime: string): Json => ({
  state,
  version,
  startedTime,
});
const version = (status: Json, desired = '4.16.20'): Json => ({
  ...clusterVersion,
  status: { desired: { version: desired, image: 'i' }, conditions: [], ...status },
});
const HISTORY = [
  entry('Partial', '4.16.20', '2026-03-01T00:00:00Z'),
  entry('Completed', '4.15.9', '2026-02-01T00:00:00Z'),
  entry('Partial', '4.15.8', '2026-01-20T00:00:00Z'),
  entry('Completed', '4.14.8', '2026-01-10T00:00:00Z'),
  entry('Partial', '4.13.0-rc.2', '2026-01-01T00:00:00Z'),
];
const capabilities = (known: readonly string[], enabled: readonly string[]): Json =>
  version({ history: HISTORY, capabilities: { knownCapabilities: known, enabledCapabilities: enabled } });
const OLM = 'OperatorLifecycleManager';

describe('families: cluster_version', () => {
  it('has the entries of the history, of which the oldest can be partial', () => {
    const found = family('cluster_version', version({ history: HISTORY }));
    expect(seriesOf(found)).toEqual([
      'initial 4.13.0-rc.2  1767225600',
      'completed 4.15.9 4.14.8 ',
      'cluster 4.16.20 4.13.0-rc.2 ',
      'current 4.16.20 4.15.9 ',
      'updating 4.16.20 4.15.9 ',
    ]);
    expect(found).toMatchObject({
      covered: [{ type: { in: ['initial', 'completed', 'cluster', 'current'] } }],
      labels: { names: ['type', 'version', 'from_version'] },
      exists: false,
      horizon: 'version',
      readFrom: ['clusterVersion'],
      documents: [],
    });
  });

  it('has no completed version during the installation', () => {
    const found = family('cluster_version', version({ history: HISTORY.slice(-1) }, '4.13.0-rc.2'));
    expect(seriesOf(found)).toEqual([
      'initial 4.13.0-rc.2  1767225600',
      'cluster 4.13.0-rc.2  ',
      'current 4.13.0-rc.2  ',
      'updating 4.13.0-rc.2  ',
    ]);
  });

  it('is not known without a history, and not of a ClusterVersion that was not sent', () => {
    for (const documents of [[version({ history: [] })], []]) {
      expect(family('cluster_version', ...documents)).toMatchObject({ series: [], covered: [] });
    }
    expect(family('cluster_version')).toMatchObject({ readFrom: [], documents: ['clusterversions'] });
  });

  it('takes the first version from what the cluster reports, not from a longer stored history', () => {
    const facts = factsOf([version({ history: HISTORY })]);
    const older = { ...facts.clusterVersion!.history.at(-1)!, version: '4.9.1' };
    const stored = { ...facts.clusterVersion!, history: [...facts.clusterVersion!.history, older] };
    const found = familiesOf({ ...facts, clusterVersion: stored })('cluster_version')!;
    expect(seriesOf(found)[0]).toBe('initial 4.13.0-rc.2  1767225600');
  });
});

describe('families: capabilities', () => {
  it('are 1 if enabled, 0 if the release knows them', () => {
    const found = family('cluster_version_capability', capabilities(['Console', 'Build'], ['Console']));
    expect(seriesOf(found)).toEqual(['Build 0', 'Console 1']);
    expect(found.covered).toBe('all');
  });

  it.each([
    ['are in no field', version({ history: HISTORY })],
    ['are not there yet', capabilities([], [])],
  ])('are not known if they %s', (_title, document) => {
    const found = family('cluster_version_capability', document);
    expect(found).toMatchObject({ series: [], covered: [] });
  });
});

describe('families: conditions of operators', () => {
  const conditions = [
    { type: 'Available', status: 'True', reason: 'AsExpected' },
    { type: 'Degraded', status: 'False' },
    { type: 'Upgradeable', status: 'Unknown' },
  ];
  const operators = typedListOf('ClusterOperator', CONFIG, [
    clusterOperator('aro', { status: { conditions } }),
  ]);
  const ofVersion = version({ history: HISTORY, conditions: [{ type: 'Failing', status: 'False' }] });

  it('have a series each, unless they are unknown', () => {
    const found = family('cluster_operator_conditions', operators, ofVersion);
    expect(seriesOf(found)).toEqual(['aro Available AsExpected 1', 'aro Degraded  0', 'version Failing  0']);
    expect(found).toMatchObject({ covered: 'all', horizon: 'configuration', documents: [] });
  });

  it('are those of all but the version without a ClusterVersion', () => {
    const found = family('cluster_operator_conditions', operators);
    expect(found.covered).toEqual([{ name: { notIn: ['version'] } }]);
    expect(found.documents).toEqual(['clusterversions']);
  });

  it.each([
    ['on a page', [{ ...operators, metadata: { continue: 'x' } }]],
    ['on their own', [clusterOperator('aro', { status: { conditions } })]],
  ])('are some of them %s', (_title, documents) => {
    const found = family('cluster_operator_conditions', ...documents, ofVersion);
    expect(found.series).toHaveLength(3);
    expect(found.covered).toEqual([{ name: { in: ['version'] } }]);
    expect(found.documents).toEqual(['clusteroperators']);
  });

  it('show which operators are up, as far as no release differs', () => {
    const listed = ['True', 'False', 'Unknown'].flatMap((status) =>
      ['True', 'False'].map((degraded) =>
        clusterOperator(`${status}-${degraded}`, {
          status: {
            conditions: [
              { type: 'Available', status },
              { type: 'Degraded', status: degraded },
            ],
          },
        }),
      ),
    );
    const found = family('cluster_operator_up', typedListOf('ClusterOperator', CONFIG, listed));
    expect(seriesOf(found)).toEqual([
      'True-True ',
      'True-False 1',
      'False-True 0',
      'False-False 0',
      'Unknown-True 0',
      'Unknown-False 0',
    ]);
  });
});

describe('families: configuration', () => {
  it.each([
    ['AWS', ['AWS 1']],
    ['None', ['None 0']],
    [undefined, []],
  ])('has the platform %s', (type, series) => {
    const found = family('cluster_infrastructure_provider', infrastructure(type));
    expect(seriesOf(found)).toEqual(series);
    expect(found).toMatchObject({ covered: 'all', horizon: 'birth' });
  });

  const installer = configMap('openshift-config', 'openshift-install', {
    version: 'v4.12.3',
    invoker: 'user',
  });
  const manifests = configMap('openshift-config', 'openshift-install-manifests', { invoker: 'hypershift' });
  const absent = (...names: readonly string[]) =>
    counts({
      absent: names.map((name) => ({ resource: 'configmaps', namespace: 'openshift-config', name })),
    });

  it.each<[string, readonly Json[], readonly string[]]>([
    ['the first ConfigMap', [installer, manifests], ['openshift-install v4.12.3 user 1']],
    [
      'an empty ConfigMap',
      [configMap('openshift-config', 'openshift-install', {})],
      ['openshift-install <missing> <missing> 1'],
    ],
    ['the second one', [manifests, absent('openshift-install')], ['other <missing> hypershift 1']],
    ['neither', [absent('openshift-install', 'openshift-install-manifests')], ['   1']],
  ])('has the installer from %s', (_title, documents, series) => {
    const found = family('cluster_installer', ...documents);
    expect(seriesOf(found)).toEqual(series);
    expect(found).toMatchObject({ covered: 'all', horizon: 'birth', documents: [] });
  });

  it.each<[string, readonly Json[], string]>([
    ['nothing', [], 'configmaps/openshift-install'],
    ['the second ConfigMap alone', [manifests], 'configmaps/openshift-install'],
    ['the first that is absent', [absent('openshift-install')], 'configmaps/openshift-install-manifests'],
    ['another that is absent', [absent('openshift-install-manifests')], 'configmaps/openshift-install'],
  ])('does not have the installer from %s', (_title, documents, wanted) => {
    const found = family('cluster_installer', ...documents);
    expect(found).toMatchObject({ series: [], covered: [], documents: [wanted] });
  });

  it.each([
    [undefined, [' 1']],
    ['TechPreviewNoUpgrade', ['TechPreviewNoUpgrade 0']],
  ])('has the feature set %s', (featureSet, series) => {
    const found = family('cluster_feature_set', singleton('FeatureGate', { spec: { featureSet } }));
    expect(seriesOf(found)).toEqual(series);
    expect(found.covered).toBe('all');
  });

  it('has what is set of the proxy', () => {
    const spec = { httpProxy: 'http://proxy.example.com', trustedCA: { name: 'ca' } };
    const found = family('cluster_proxy_enabled', singleton('Proxy', { spec }));
    expect(seriesOf(found)).toEqual(['http 1', 'https 0', 'trusted_ca 1']);
    const gone = counts({ absent: [{ resource: 'proxies.config.openshift.io', name: 'cluster' }] });
    expect(family('cluster_proxy_enabled', gone)).toMatchObject({ series: [], covered: 'all' });
    expect(family('cluster_proxy_enabled')).toMatchObject({ covered: [], documents: ['proxies'] });
  });

  it('rules out modes of credentials only if they are manual', () => {
    const mode = (credentialsMode: string) =>
      family(
        'cco_credentials_mode',
        singleton('CloudCredential', { spec: { credentialsMode } }, 'operator.openshift.io/v1'),
      );
    expect(mode('Manual')).toMatchObject({
      series: [],
      covered: [{ mode: { in: ['mint', 'passthrough'] } }],
    });
    expect(mode('')).toMatchObject({ series: [], covered: [], documents: [] });
    expect(mode('Mint')).toMatchObject({ series: [], covered: [] });
    expect(family('cco_credentials_mode').documents).toEqual(['cloudcredentials.operator.openshift.io']);
  });
});

describe('families: installed operators', () => {
  const failed = operator('b', 'sriov.v2', {}, { status: { phase: 'Failed', reason: 'UnsupportedConfig' } });
  const copy = operator('c', 'cart.v1', {}, { status: { phase: 'Succeeded', reason: 'Copied' } });
  const all = typedListOf('ClusterServiceVersion', CSV, [operator('a', 'cart.v1'), failed, copy]);
  const none = typedListOf('ClusterServiceVersion', CSV, []);

  it('have a series each without copies, also those that failed', () => {
    const found = family('csv_succeeded', all);
    expect(seriesOf(found)).toEqual(['cart.v1 1.2.3 1', 'sriov.v2 1.2.3 0']);
    expect(found.covered).toBe('all');
    expect(seriesOf(family('csv_abnormal', all))).toEqual(['sriov.v2 1.2.3 Failed UnsupportedConfig 1']);
    expect(family('csv_count', all)).toMatchObject({ series: [{ labels: {}, value: null }], covered: 'all' });
  });

  it.each<[string, readonly Json[], Family['covered'], number]>([
    ['a list of one namespace', [listOf(operator('a', 'cart.v1'))], [], 1],
    ['a page', [{ ...all, metadata: { continue: 'x' } }], [], 2],
    ['nothing', [], [], 0],
    ['an empty list alone', [none], [], 0],
    ['an empty list in a release without the capability', [none, capabilities(['Build'], [])], 'all', 0],
    ['an empty list of a cluster with it', [none, capabilities([OLM], [OLM])], 'all', 0],
    ['a cluster without it', [capabilities([OLM], [])], 'all', 0],
  ])('are covered as far as they can be by %s', (_title, documents, covered, series) => {
    const found = family('csv_succeeded', ...documents);
    expect(found.covered).toEqual(covered);
    expect(found.series).toHaveLength(series);
    expect(family('csv_abnormal', ...documents).covered).toEqual(covered);
  });

  it.each<[string, readonly Json[], Family['covered'], number]>([
    ['some operators', [listOf(operator('a', 'cart.v1'))], 'all', 1],
    ['an empty list', [none], [], 0],
    ['the capability', [capabilities([OLM], [OLM])], 'all', 1],
    ['a release without the capability', [capabilities(['Build'], [])], 'all', 1],
    ['the capability, which is off', [none, capabilities([OLM], [])], 'all', 0],
  ])('are counted if %s shows the lifecycle manager', (_title, documents, covered, series) => {
    const found = family('csv_count', ...documents);
    expect(found.covered).toEqual(covered);
    expect(found.series).toHaveLength(series);
  });

  it('want the documents that would decide', () => {
    expect(family('csv_succeeded').documents).toEqual(['clusterserviceversions', 'clusterversions']);
    expect(
      family('csv_succeeded', listOf(operator('a', 'cart.v1')), capabilities([OLM], [OLM])),
    ).toMatchObject({
      documents: ['clusterserviceversions'],
    });
  });
});

describe('families: nodes', () => {
  const labelled = (name: string, labels: Json) => node(name, { metadata: { name, labels } });
  const own = { 'kubernetes.io/arch': 'arm64', 'kubernetes.io/hostname': 'a' };
  const list = (...nodes: readonly Json[]) => typedListOf('Node', 'v1', nodes);
  const current = version({ history: HISTORY });

  it('have all their labels, as Prometheus names them', () => {
    const labels = { ...own, 'x.io/a-b': '1', 'x.io/a.b': '2', 'x.io/a_b': '3', plain: '' };
    const found = family('kube_node_labels', list(labelled('n', labels)), current);
    expect(found.series).toEqual([
      {
        labels: {
          node: 'n',
          label_kubernetes_io_arch: 'arm64',
          label_kubernetes_io_hostname: 'a',
          label_x_io_a_b_conflict1: '1',
          label_x_io_a_b_conflict2: '2',
          label_x_io_a_b_conflict3: '3',
          label_plain: '',
        },
        value: 1,
      },
    ]);
    expect(found).toMatchObject({
      covered: 'all',
      labels: { names: ['node'], prefix: 'label_' },
      documents: [],
    });
  });

  const QUERIED = [
    'node',
    'label_kubernetes_io_arch',
    'label_beta_kubernetes_io_arch',
    'label_node_openshift_io_os_id',
    'label_node_kubernetes_io_instance_type',
    'label_beta_kubernetes_io_instance_type',
  ];

  it.each<[string, Json, readonly Json[]]>([
    ['below 4.14', own, [version({ history: HISTORY }, '4.13.40')]],
    ['of an unknown release', own, []],
    ['with capital letters', { ...own, 'x.io/cpu.AVX': 'true' }, [current]],
    ['of a report, which leaves some out', { 'kubernetes.io/arch': 'arm64' }, [current]],
  ])('have the labels that any release exports: %s', (_title, labels, documents) => {
    const found = family('kube_node_labels', list(labelled('n', labels)), ...documents);
    expect(found).toMatchObject({ covered: 'all', labels: { names: QUERIED } });
    expect(found.labels.prefix).toBeUndefined();
    expect(found.series[0]!.labels).toEqual({ node: 'n', label_kubernetes_io_arch: 'arm64' });
  });

  it('have fewer in reports of former releases', () => {
    const found = family(
      'kube_node_labels',
      list(labelled('n', { 'node.openshift.io/os_id': 'rhel' })),
      current,
    );
    expect(found.labels).toEqual({ names: ['node', 'label_node_openshift_io_os_id'] });
    expect(found.documents).toEqual(['nodes']);
  });

  it('are some of them on a page, and on their own', () => {
    for (const documents of [
      [{ ...list(labelled('n', own)), metadata: { continue: 'x' } }],
      [labelled('n', own)],
    ]) {
      for (const metric of ['kube_node_labels', 'kube_node_role']) {
        expect(family(metric, ...documents, current)).toMatchObject({ covered: [], documents: ['nodes'] });
      }
      expect(family('kube_node_labels', ...documents, current).series).toHaveLength(1);
    }
  });

  it('have their roles', () => {
    const roles = { 'node-role.kubernetes.io/master': '', 'node-role.kubernetes.io/gpu': '' };
    const found = family('kube_node_role', list(labelled('n', { ...own, ...roles })));
    expect(seriesOf(found)).toEqual(['n gpu 1', 'n master 1']);
    expect(found.covered).toBe('all');
    const former = family('kube_node_role', list(labelled('n', roles)));
    expect(former.covered).toEqual([{ role: { in: ['master', 'control-plane', 'arbiter', 'worker'] } }]);
  });

  it('show the same of what queries name after a report left out the others', () => {
    const labels = {
      ...own,
      'node-role.kubernetes.io/gpu': '',
      'node.openshift.io/os_id': 'rhel',
      other: 'x',
    };
    const selector = { nodeSelector: { matchLabels: { 'kubernetes.io/hostname': 'a' } } };
    for (const spec of [{}, selector]) {
      const facts = factsOf([list(labelled('n', labels)), pool('gpu', spec), current]);
      const reported = factsOf(reducedDocuments(neededFacts(facts), REPORTED_KINDS));
      const [whole, kept] = [facts, reported].map((each) => familiesOf(each)('kube_node_role')!);
      expect(kept).toEqual(whole);
      const found = familiesOf(reported)('kube_node_labels')!;
      expect(found.labels).toEqual({ names: QUERIED });
      expect(found.series[0]!.labels).toEqual({
        node: 'n',
        label_kubernetes_io_arch: 'arm64',
        label_node_openshift_io_os_id: 'rhel',
      });
    }
  });
});

describe('families: objects', () => {
  const document = counts({ counts: { nodes: 6, 'egressips.k8s.ovn.org': 0, 'a.b': null } });

  it.each([
    ['apiserver_storage_objects', true],
    ['cluster:usage:resources:sum', undefined],
  ] as const)(
    'are counted in %s: 0 is a series, and a resource that is not served has none',
    (metric, isRepeated) => {
      const found = family(metric, document);
      expect(seriesOf(found).toSorted()).toEqual(['egressips.k8s.ovn.org 0', 'nodes 6']);
      expect(found.covered).toEqual([{ resource: { in: ['a.b', 'egressips.k8s.ovn.org', 'nodes'] } }]);
      expect(found.isRepeated).toBe(isRepeated);
      expect(found.documents).toEqual(['ObjectCounts']);
      expect(family(metric)).toMatchObject({ series: [], covered: [], documents: ['ObjectCounts'] });
    },
  );

  it('have the names of ConfigMaps in the namespaces that were read', () => {
    const names = [
      { resource: 'configmaps', namespace: 'one', names: ['b', 'a'] },
      { resource: 'configmaps', namespace: 'two', names: [] },
      { resource: 'secrets', namespace: 'three', names: ['c'] },
    ];
    const found = family('kube_configmap_info', counts({ names }));
    expect(seriesOf(found)).toEqual(['one a 1', 'one b 1']);
    expect(found.covered).toEqual([{ namespace: { in: ['one', 'two'] } }]);
  });

  const REGISTRY = { namespace: 'openshift-image-registry', name: 'image-registry' };
  it('have the replicas of the image registry, or none if it is absent', () => {
    const deployment = {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: REGISTRY,
      spec: { replicas: 0 },
    };
    const covered = [
      { namespace: { in: ['openshift-image-registry'] }, deployment: { in: ['image-registry'] } },
    ];
    const found = family('kube_deployment_spec_replicas', deployment);
    expect(seriesOf(found)).toEqual(['openshift-image-registry image-registry 0']);
    expect(found.covered).toEqual(covered);
    const gone = counts({ absent: [{ resource: 'deployments.apps', ...REGISTRY }] });
    expect(family('kube_deployment_spec_replicas', gone)).toMatchObject({ series: [], covered });
    expect(family('kube_deployment_spec_replicas', deployment, gone).series).toHaveLength(1);
    const other = counts({ absent: [{ resource: 'deployments.apps', ...REGISTRY, name: 'other' }] });
    expect(family('kube_deployment_spec_replicas', other)).toMatchObject({
      covered: [],
      documents: ['deployments/image-registry'],
    });
  });

  const running = (name: string, ...images: readonly string[]) =>
    pod(name, 'w0', { status: { phase: 'Running', containerStatuses: images.map((image) => ({ image })) } });
  const pending = pod('waiting', undefined, { status: { phase: 'Pending' } });
  const pods = (...items: readonly Json[]) => typedListOf('Pod', 'v1', items);

  it.each<[string, Json, readonly string[], Family['covered']]>([
    ['all Pods', pods(running('a', 'x', 'y'), running('b', 'x'), pending), ['x 1', 'y 1'], 'all'],
    ['Pods of a namespace', listOf(running('a', 'x')), ['x 1'], []],
    ['a page', { ...pods(running('a', 'x')), metadata: { continue: 'x' } }, ['x 1'], []],
    ['Pods without their status', pods(running('a', 'x'), pod('b', 'w0')), ['x 1'], []],
    ['reduced Pods', pods(pod('b', 'w0')), [], []],
    ['no Pods', pods(), [], []],
    [
      'a report',
      { kind: 'ContainerImages', apiVersion: 'cairn/v1', images: ['x'], complete: true },
      ['x 1'],
      'all',
    ],
    ['part of a report', { kind: 'ContainerImages', apiVersion: 'cairn/v1', images: ['x'] }, ['x 1'], []],
    [
      'too many Pods',
      pods(...Array.from({ length: 2001 }, (_, at) => running(`p${at}`, `i${String(at).padStart(4, '0')}`))),
      Array.from({ length: 2000 }, (_, at) => `i${String(at).padStart(4, '0')} 1`),
      [],
    ],
  ])('have the images of containers from %s', (_title, document, series, covered) => {
    const found = family('kube_pod_container_info', document);
    expect(seriesOf(found)).toEqual(series);
    expect(found).toMatchObject({ covered, isRepeated: true });
  });
});

describe('families: metrics of every cluster', () => {
  const EVERYWHERE = [
    'apiserver_storage_objects',
    'kube_node_labels',
    'kube_configmap_info',
    'kube_secret_info',
    'kube_deployment_spec_replicas',
    'kube_pod_container_info',
  ];
  const OTHERS = [
    'cluster_version',
    'cluster_version_capability',
    'cluster_operator_conditions',
    'cluster_operator_up',
    'cluster_infrastructure_provider',
    'cluster_installer',
    'cluster_feature_set',
    'cluster_proxy_enabled',
    'cco_credentials_mode',
    'csv_succeeded',
    'csv_count',
    'csv_abnormal',
    'kube_node_role',
    'cluster:usage:resources:sum',
    'kube_namespace_labels',
    'node_cpu_info',
    'mcd_update_state',
    'ovnkube_controller_ipsec_enabled',
    'ceph_health_status',
  ];

  it('exist on a cluster with a control plane', () => {
    const families = familiesOf(factsOf([infrastructure('AWS')]));
    const existing = [...EVERYWHERE, ...OTHERS].filter((metric) => families(metric)!.exists);
    expect(existing).toEqual(EVERYWHERE);
  });

  it.each([
    ['of a hosted cluster', [infrastructure('AWS', 'External')]],
    ['of a cluster that may be hosted', []],
  ])('may be missing in the metrics %s', (_title, documents) => {
    const families = familiesOf(factsOf(documents));
    expect(EVERYWHERE.filter((metric) => families(metric)!.exists)).toEqual([]);
  });

  it('have no documents if only the cluster can answer', () => {
    const families = familiesOf(factsOf([infrastructure('AWS')]));
    for (const metric of ['kube_secret_info', 'node_cpu_info', 'ovnkube_master_ipsec_enabled']) {
      expect(families(metric)).toMatchObject({ series: [], covered: [], documents: [] });
    }
    expect(families('ALERTS')).toBeNull();
    expect(families('something_new')).toBeNull();
    expect(families('constructor')).toBeNull();
  });

  it('are derived once, and only when they are asked for', () => {
    const facts = factsOf([infrastructure('AWS')]);
    const read: PropertyKey[] = [];
    const watched = new Proxy(facts, {
      get(target, key, receiver) {
        read.push(key);
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const families = familiesOf(watched);
    expect(read).toEqual([]);
    const first = families('cluster_infrastructure_provider');
    expect(read).not.toContain('nodes');
    const times = read.length;
    expect(families('cluster_infrastructure_provider')).toBe(first);
    expect(read).toHaveLength(times);
  });
});
