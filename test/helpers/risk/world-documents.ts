import {
  clusterOperator,
  configMap,
  type Json,
  listOf,
  node,
  operator,
  pod,
  pool,
  typedListOf,
} from '../cluster/objects.ts';
import type { Condition, World } from './world.ts';

/** Documents of a cluster in the order in which they were added to what is reported. */
export const TIERS = {
  reported: ['clusterVersion', 'clusterOperators', 'infrastructure', 'nodes', 'pools', 'operators'],
  small: ['installer', 'manifests', 'featureGate', 'proxy', 'cloudCredential', 'registry', 'absent'],
  counts: ['counts', 'pods'],
} as const;
export type DocumentName = (typeof TIERS)[keyof typeof TIERS][number];
export type WorldDocuments = Readonly<Partial<Record<DocumentName, Json>>>;

export const COUNTED = [
  'nodes',
  'egressips.k8s.ovn.org',
  'network-attachment-definitions.k8s.cni.cncf.io',
  'containerruntimeconfigs.machineconfiguration.openshift.io',
  'kubeletconfigs.machineconfiguration.openshift.io',
  'machineconfigpools.machineconfiguration.openshift.io',
  'performanceprofiles.performance.openshift.io',
  'networkpolicies.networking.k8s.io',
  'imagedigestmirrorsets.config.openshift.io',
  'imagecontentsourcepolicies.operator.openshift.io',
];

const CONFIG = 'config.openshift.io/v1';
const CLOUD = 'openshift-cloud-controller-manager';

/** All documents of the cluster, as `oc get … -o json` prints them. */
export function worldDocuments(world: World): WorldDocuments {
  const { gone } = world;
  const objectCounts = countsOf(world);
  return {
    clusterVersion: versionDocument(world),
    clusterOperators: typedListOf(
      'ClusterOperator',
      CONFIG,
      world.clusterOperators.map(({ name, conditions }) =>
        clusterOperator(name, { status: { conditions: conditions.map(conditionOf) } }),
      ),
    ),
    infrastructure: {
      apiVersion: CONFIG,
      kind: 'Infrastructure',
      metadata: { name: 'cluster' },
      spec: {},
      status: {
        infrastructureName: 'a',
        controlPlaneTopology: world.topology,
        ...(world.platform !== null && { platformStatus: { type: world.platform } }),
      },
    },
    nodes: typedListOf(
      'Node',
      'v1',
      world.nodes.map(({ name, labels }) => node(name, { metadata: { name, labels } })),
    ),
    pools: typedListOf(
      'MachineConfigPool',
      'machineconfiguration.openshift.io/v1',
      ['master', 'worker'].map((name) =>
        pool(name, { nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } } }),
      ),
    ),
    operators: operatorList(world),
    ...installerDocuments(world),
    featureGate: cluster(
      CONFIG,
      'FeatureGate',
      world.featureSet === '' ? {} : { featureSet: world.featureSet },
    ),
    proxy: cluster(CONFIG, 'Proxy', {
      ...(world.proxy.http && { httpProxy: 'http://user:secret@proxy.example' }),
      ...(world.proxy.https && { httpsProxy: 'http://proxy.example' }),
      trustedCA: { name: world.proxy.trustedCa ? 'ca' : '' },
    }),
    cloudCredential: cluster('operator.openshift.io/v1', 'CloudCredential', {
      credentialsMode: world.credentialsMode,
      managementState: 'Managed',
    }),
    ...(world.registryReplicas !== null &&
      !gone.includes('kube_deployment_spec_replicas') && {
        registry: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'image-registry', namespace: 'openshift-image-registry' },
          spec: { replicas: world.registryReplicas },
        },
      }),
    absent: { ...OBJECT_COUNTS, absent: absentOf(world) },
    ...(objectCounts !== null && { counts: objectCounts }),
    ...(!gone.includes('kube_pod_container_info') && { pods: podList(world) }),
  };
}

const OBJECT_COUNTS: Json = { apiVersion: 'cairn/v1', kind: 'ObjectCounts' };

function conditionOf({ type, status, reason }: Condition): Json {
  return { type, status, reason, lastTransitionTime: '2026-01-02T00:00:00Z' };
}

function cluster(apiVersion: string, kind: string, spec: Json): Json {
  return { apiVersion, kind, metadata: { name: 'cluster' }, spec };
}

function versionDocument({ seed, desired, history, capabilities, conditions }: World): Json {
  return {
    apiVersion: CONFIG,
    kind: 'ClusterVersion',
    metadata: { name: 'version', creationTimestamp: '2020-09-13T12:26:40Z' },
    spec: { clusterID: `cluster-${seed}`, channel: 'stable-4.15' },
    status: {
      desired: { version: desired, image: 'quay.io/release@sha256:1' },
      history: history.map(({ version, state }, at) => ({
        state,
        version,
        image: 'quay.io/release@sha256:1',
        startedTime: `2026-02-${20 - at}T00:00:00Z`,
        completionTime: state === 'Partial' && at === 0 ? null : `2026-02-${20 - at}T01:00:00Z`,
        verified: false,
      })),
      availableUpdates: null,
      ...(capabilities && {
        capabilities: { knownCapabilities: capabilities.known, enabledCapabilities: capabilities.enabled },
      }),
      conditions: conditions.map(conditionOf),
    },
  };
}

export function operatorList({ operators }: World, namespace?: string): Json {
  const items = operators
    .filter((one) => namespace === undefined || one.namespace === namespace)
    .map(({ namespace, name, version, phase, isCopy }) =>
      operator(
        namespace,
        name,
        {},
        {
          metadata: {
            name,
            namespace,
            ...(isCopy && { labels: { 'olm.copiedFrom': 'openshift-operators' } }),
          },
          spec: { version, displayName: name },
          status: { phase, ...(isCopy && { reason: 'Copied' }) },
        },
      ),
    );
  return namespace === undefined
    ? typedListOf('ClusterServiceVersion', 'operators.coreos.com/v1alpha1', items)
    : listOf(...items);
}

const INSTALL_MAPS = { installer: 'openshift-install', manifests: 'openshift-install-manifests' } as const;

function installerDocuments({ installer: { type, version, invoker } }: World): WorldDocuments {
  if (type === null) return {};
  const data = { ...(version !== undefined && { version }), ...(invoker !== undefined && { invoker }) };
  const name = type === 'other' ? 'manifests' : 'installer';
  return { [name]: configMap('openshift-config', INSTALL_MAPS[name], data) };
}

function absentOf({ installer, registryReplicas, gone }: World): readonly Json[] {
  const missing = (resource: string, namespace: string, name: string) => ({ resource, namespace, name });
  return [
    ...(installer.type === 'openshift-install'
      ? []
      : [missing('configmaps', 'openshift-config', INSTALL_MAPS.installer)]),
    ...(installer.type === 'other'
      ? []
      : [missing('configmaps', 'openshift-config', INSTALL_MAPS.manifests)]),
    ...(registryReplicas === null && !gone.includes('kube_deployment_spec_replicas')
      ? [missing('deployments.apps', 'openshift-image-registry', 'image-registry')]
      : []),
  ];
}

function countsOf({ objects, cloudConfigMaps, gone }: World): Json | null {
  const counts = Object.fromEntries(COUNTED.map((resource) => [resource, objects[resource] ?? null]));
  const names = { resource: 'configmaps', namespace: CLOUD, names: cloudConfigMaps };
  const known = {
    ...(!gone.includes('apiserver_storage_objects') && { counts }),
    ...(!gone.includes('kube_configmap_info') && { names: [names] }),
  };
  return Object.keys(known).length === 0 ? null : { ...OBJECT_COUNTS, ...known };
}

function podList({ pods }: World): Json {
  const items = pods.map(({ namespace, name, phase, image, wantedImage }) =>
    pod(
      name,
      'w0',
      {
        spec: { nodeName: 'w0', containers: [{ name: 'main', image: wantedImage }] },
        status: { phase, ...(image !== null && { containerStatuses: [{ name: 'main', image }] }) },
      },
      { namespace },
    ),
  );
  return typedListOf('Pod', 'v1', items);
}
