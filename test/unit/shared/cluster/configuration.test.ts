import { REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import { configMap, type Json, pod, typedListOf } from '../../../helpers/cluster/objects.ts';
import { everyOtherKind } from '../../../helpers/cluster/other-objects.ts';

function factsOf(...documents: readonly Json[]) {
  const text = documents.map((document) => JSON.stringify(document)).join('\n');
  const reading = readDocuments(text, { isRemovedApi: () => false });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

const object = (kind: string, apiVersion: string, content: Json = {}, name = 'cluster'): Json => ({
  kind,
  apiVersion,
  ...content,
  metadata: { name, ...(content['metadata'] as Json | undefined) },
});

describe('configuration of a cluster', () => {
  it('is read from every kind', () => {
    const facts = factsOf(...everyOtherKind);
    expect(facts).toMatchObject({
      machineConfiguration: {
        bootImageManagers: [{ resource: 'machinesets', apiGroup: 'machine.openshift.io', mode: 'None' }],
        bootImageSkew: { mode: 'Manual', ocpVersion: '4.12.30', rhcosVersion: '' },
      },
      customResources: [
        { name: 'gateways.gateway.networking.k8s.io', group: 'gateway.networking.k8s.io', versions: ['v1'] },
      ],
      unservableRoutes: [{ namespace: 'shop', name: 'route-True', router: 'second', message: 'SHA1' }],
      vsphereVolumes: ['pv-0'],
      cgroupMode: 'v1',
      featureSet: 'TechPreviewNoUpgrade',
      cloudCredential: { mode: 'Manual', upgradeableTo: 'v4.15' },
      configuredNetwork: 'OpenShiftSDN',
      networkMigration: { isInProgress: true, message: 'half done' },
      machineConfigs: [{ name: '99-runtime', role: 'worker', runtime: 'runc' }],
      configReleases: [{ name: 'rendered-worker-1', version: '4.14.8' }],
      machineConfigImage: 'quay.example/operator@sha256:2',
      selinuxConflicts: 'True',
      certRotationBase: '1h',
      imagePolicies: ['openshift'],
      operatorConfigs: [
        { kind: 'Etcd', name: 'cluster', overrides: [] },
        { kind: 'KubeAPIServer', name: 'cluster', overrides: ['a', 'b'] },
      ],
    });
  });

  it('knows releases, but no drop-ins, from the metadata of MachineConfigs', () => {
    const configs = everyOtherKind.filter(({ kind }) => kind === 'MachineConfig');
    const { machineConfigs, configReleases } = factsOf(...configs.map(({ spec: _spec, ...head }) => head));
    expect(machineConfigs).toBeNull();
    expect(configReleases).toEqual([{ name: 'rendered-worker-1', version: '4.14.8' }]);
    expect(factsOf(...configs.slice(1)).machineConfigs).toEqual([]);
  });

  it('distinguishes an object of another API group', () => {
    const facts = factsOf(object('Node', 'config.openshift.io/v1', { spec: { cgroupMode: 'v2' } }));
    expect([facts.nodes, facts.cgroupMode]).toEqual([null, 'v2']);
    const core = factsOf(object('Node', 'v1', {}, 'w0'));
    expect([core.nodes?.length, core.cgroupMode]).toEqual([1, null]);
  });

  it.each([
    ['MachineConfiguration', 'operator.openshift.io/v1', 'machineConfiguration'],
    ['FeatureGate', 'config.openshift.io/v1', 'featureSet'],
    ['CloudCredential', 'operator.openshift.io/v1', 'cloudCredential'],
    ['ImageDigestMirrorSet', 'config.openshift.io/v1', 'digestMirrorSets'],
    ['KubeAPIServer', 'operator.openshift.io/v1', 'operatorConfigs'],
  ] as const)('without a %s is known', (kind, apiVersion, fact) => {
    const facts = factsOf(typedListOf(kind, apiVersion, []));
    expect(REPORTED_KINDS.filter((each) => facts[each] !== null)).toEqual([fact]);
  });

  it('has overrides of any operator, and says which kinds were sent without an object', () => {
    const overridden = { spec: { unsupportedConfigOverrides: { x: 1 } } };
    const facts = factsOf(
      typedListOf('Etcd', 'operator.openshift.io/v1', []),
      object('Network', 'operator.openshift.io/v1', overridden),
      object('Ingress', 'operator.openshift.io/v1', { ...overridden, metadata: { namespace: 'ingress' } }),
      object('Storage', 'operator.openshift.io/v1', { spec: {} }),
      object('Ingress', 'config.openshift.io/v1', overridden),
    );
    expect(facts.operatorConfigs).toEqual([
      { kind: 'Etcd', name: 'cluster', overrides: [] },
      { kind: 'Ingress', namespace: 'ingress', name: 'cluster', overrides: ['x'] },
      { kind: 'Network', name: 'cluster', overrides: ['x'] },
    ]);
    expect(factsOf(object('Storage', 'operator.openshift.io/v1', { spec: {} })).operatorConfigs).toBeNull();
    // Some programs write null for an empty list.
    const none = { ...typedListOf('Etcd', 'operator.openshift.io/v1', []), items: null };
    expect(factsOf(none).operatorConfigs).toEqual([{ kind: 'Etcd', name: 'cluster', overrides: [] }]);
    const other = { ...typedListOf('Storage', 'operator.openshift.io/v1', []), items: null };
    expect(factsOf(other).operatorConfigs).toBeNull();
  });

  it('takes the group of a definition from its name, where only metadata was sent', () => {
    const name = 'gateways.gateway.networking.k8s.io';
    const [definition] = factsOf(
      object('CustomResourceDefinition', 'apiextensions.k8s.io/v1', {}, name),
    ).customResources!;
    expect(definition?.group).toBe('gateway.networking.k8s.io');
  });

  it('keeps an opt-out of boot images apart from no choice', () => {
    const of = (spec: Json) => factsOf(object('MachineConfiguration', 'operator.openshift.io/v1', { spec }));
    expect(of({}).machineConfiguration?.bootImageManagers).toBeNull();
    expect(of({ managedBootImages: {} }).machineConfiguration?.bootImageManagers).toBeNull();
    expect(
      of({ managedBootImages: { machineManagers: [] } }).machineConfiguration?.bootImageManagers,
    ).toEqual([]);
  });

  it('has no runtime from drop-ins that cannot be read', () => {
    const config = (source: string) =>
      factsOf(
        object('MachineConfig', 'machineconfiguration.openshift.io/v1', {
          spec: {
            config: { storage: { files: [{ path: '/etc/crio/crio.conf.d/1', contents: { source } }] } },
          },
        }),
      ).machineConfigs;
    expect(config('data:,%E0%A4%A')).toEqual([]);
    expect(config('data:;base64,!!!')).toEqual([]);
    expect(config('https://example.com/file')).toEqual([]);
    expect(config('data:,%23default_runtime%20%3D%20%22runc%22')).toEqual([]);
  });

  it('ignores ConfigMaps of the same name elsewhere', () => {
    expect(factsOf(configMap('shop', 'selinux-conflicts', { conflictsPresent: 'True' }))).toMatchObject({
      selinuxConflicts: null,
    });
  });
});

describe('workloads of a cluster', () => {
  const budget = (apiVersion: string, selector: Json | undefined) =>
    factsOf(
      object('PodDisruptionBudget', apiVersion, { spec: { selector }, metadata: { namespace: 'shop' } }, 'b'),
    ).budgets![0]!.selector;

  it('have budgets whose empty selector depends on the version', () => {
    expect(budget('policy/v1', {})).toEqual({ matchLabels: {}, matchExpressions: [] });
    expect(budget('policy/v1beta1', {})).toBeNull();
    expect(budget('policy/v1', undefined)).toBeNull();
  });

  it('are pods that a drain evicts, grouped by labels and owner', () => {
    const { drainedPods, podsPerNode } = factsOf(...everyOtherKind, pod('bare', 'w9'));
    expect(drainedPods).toMatchObject([
      { owner: null, pods: [{ name: 'bare', node: 'w9' }] },
      {
        namespace: 'shop',
        labels: { app: 'shop' },
        owner: { kind: 'StatefulSet', name: 'shop' },
        pods: [
          { name: 'shop-0', node: 'w0', ready: true },
          { name: 'shop-1', node: 'w0', ready: false },
        ],
      },
    ]);
    expect(podsPerNode).toEqual([
      { node: 'w0', pods: 2 },
      { node: 'w9', pods: 1 },
    ]);
  });

  it('are not the pods that stand for a number in reports of former versions', () => {
    const counted = {
      kind: 'PodList',
      apiVersion: 'v1',
      items: [{ metadata: { namespace: 'w0', name: '0' }, spec: { nodeName: 'w0' } }],
    };
    expect(factsOf(counted)).toMatchObject({ drainedPods: null, podsPerNode: [{ node: 'w0', pods: 1 }] });
  });

  it('are read from the last document of a pod', () => {
    const [first, second] = ['w0', 'w1'].map((node) => pod('a', node));
    expect(factsOf(first!, second!).drainedPods).toMatchObject([{ pods: [{ name: 'a', node: 'w1' }] }]);
    const ended = { ...pod('a', 'w0'), status: { phase: 'Succeeded' } };
    expect(factsOf(first!, ended).drainedPods).toEqual([]);
  });

  it('have alerts that fire and have a name', () => {
    const alert = (labels: Json, state = 'firing') => ({ labels, state, annotations: {} });
    const { alerts } = factsOf({
      status: 'success',
      data: {
        alerts: [
          alert({ alertname: 'B' }),
          alert({}),
          alert({ alertname: 'A' }, 'pending'),
          alert({ alertname: 'C' }, 'suppressed'),
        ],
      },
    });
    expect(alerts?.map(({ name, isFiring }) => [name, isFiring])).toEqual([
      ['B', undefined],
      ['C', false],
    ]);
    expect(factsOf({ status: 'success', data: {} }).alerts).toEqual([]);
  });

  it.each([
    ['that failed', '{"status":"error","data":{}}'],
    ['of another path', '{"status":"success","data":{"resultType":"vector","result":[]}}'],
  ])('have no alerts in a response %s', (_name, response) => {
    expect(readDocuments(response, { isRemovedApi: () => false }).ok).toBe(false);
  });
});
