/** Small valid objects as the Kubernetes API returns them. */
export type Json = Record<string, unknown>;

export const clusterVersion: Json = {
  apiVersion: 'config.openshift.io/v1',
  kind: 'ClusterVersion',
  metadata: { name: 'version', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { clusterID: 'c0ffee', channel: 'stable-4.14' },
  status: {
    desired: { version: '4.14.8', image: 'quay.example/release@sha256:1', channels: ['stable-4.14'] },
    history: [
      {
        state: 'Completed',
        version: '4.14.8',
        image: 'quay.example/release@sha256:1',
        startedTime: '2026-01-01T00:00:00Z',
        completionTime: '2026-01-01T00:40:00Z',
        verified: false,
      },
    ],
    availableUpdates: null,
  },
};

/** A ready worker, unless `changes` override its conditions. */
export function node(name: string, changes: Json = {}): Json {
  const { status = {} } = changes;
  const healthy = {
    conditions: [{ type: 'Ready', status: 'True' }],
    nodeInfo: { kubeletVersion: 'v1.27.6' },
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'node-role.kubernetes.io/worker': '' } },
    ...changes,
    status: typeof status === 'object' ? { ...healthy, ...status } : status,
  };
}

export function clusterOperator(name: string, changes: Json = {}): Json {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterOperator',
    metadata: { name },
    status: {
      conditions: ['Available', 'Upgradeable'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: '2026-01-02T00:00:00Z',
      })),
    },
    ...changes,
  };
}

/** All that the status of an update requires. */
export const idleCluster: readonly Json[] = [
  {
    ...clusterVersion,
    status: {
      ...(clusterVersion['status'] as Json),
      conditions: [{ type: 'Progressing', status: 'False', lastTransitionTime: '2026-01-02T00:00:00Z' }],
    },
  },
  clusterOperator('dns'),
];

/** During the update from 4.14.8 to 4.14.9. */
export const updatingCluster: readonly Json[] = [
  {
    ...clusterVersion,
    status: {
      desired: { version: '4.14.9', image: 'quay.example/release@sha256:2' },
      history: [
        {
          state: 'Partial',
          version: '4.14.9',
          image: 'quay.example/release@sha256:2',
          startedTime: '2026-01-03T00:00:00Z',
          completionTime: null,
          verified: true,
        },
        ...((clusterVersion['status'] as Json)['history'] as Json[]),
      ],
      availableUpdates: null,
      conditions: [{ type: 'Progressing', status: 'True', lastTransitionTime: '2026-01-03T00:00:00Z' }],
    },
  },
  clusterOperator('dns', {
    metadata: {
      name: 'dns',
      annotations: { 'include.release.openshift.io/self-managed-high-availability': 'true' },
    },
  }),
];

export function pool(name: string, spec: Json = {}, status: Json = {}): Json {
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { name },
    spec,
    status: { conditions: [{ type: 'Degraded', status: 'False' }], ...status },
  };
}

export function operator(namespace: string, name: string, annotations: Json = {}, changes: Json = {}): Json {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name, namespace, annotations },
    spec: { version: '1.2.3', displayName: 'An operator' },
    status: { phase: 'Succeeded' },
    ...changes,
  };
}

/** Package and namespace have the same name; the catalog is Red Hat's. */
export function subscription(name: string, spec: Json = {}, changes: Json = {}): Json {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name, namespace: `openshift-${name}` },
    spec: {
      name,
      channel: 'stable',
      source: 'redhat-operators',
      sourceNamespace: 'openshift-marketplace',
      ...spec,
    },
    status: { installedCSV: `${name}.v1`, currentCSV: `${name}.v1` },
    ...changes,
  };
}

export function requestCount(name: string, status: Json = {}): Json {
  return {
    apiVersion: 'apiserver.openshift.io/v1',
    kind: 'APIRequestCount',
    metadata: { name },
    spec: {},
    status,
  };
}

export function configMap(namespace: string, name: string, data: Json): Json {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

export function pod(
  name: string,
  nodeName: string | undefined,
  changes: Json = {},
  metadata: Json = {},
): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ...metadata },
    spec: { nodeName },
    status: { phase: 'Running' },
    ...changes,
  };
}

export function listOf(...items: readonly unknown[]): Json {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
}

/** A typed list, whose items have no kind. */
export function typedListOf(kind: string, apiVersion: string, items: readonly Json[]): Json {
  const bare = items.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest);
  return { kind: `${kind}List`, apiVersion, metadata: {}, items: bare };
}

const master = { 'node-role.kubernetes.io/master': '' };

/** Everything that a plan reads, of a small cluster without findings, unless an operator is not upgradeable. */
export function wholeCluster(isUpgradeable = true): readonly Json[] {
  const nodeInfo = { kubeletVersion: 'v1.27.6', architecture: 'amd64' };
  const upgradeable = { type: 'Upgradeable', status: isUpgradeable ? 'True' : 'False', reason: 'X' };
  return [
    clusterVersion,
    node('m', { metadata: { name: 'm', labels: master }, status: { nodeInfo } }),
    pool('master', { nodeSelector: { matchLabels: master } }),
    clusterOperator('dns', { status: { conditions: [{ type: 'Available', status: 'True' }, upgradeable] } }),
    clusterOperator('etcd'),
    typedListOf('ClusterServiceVersion', 'operators.coreos.com/v1alpha1', []),
    typedListOf('APIRequestCount', 'apiserver.openshift.io/v1', []),
    configMap('openshift-config-managed', 'admin-gates', {}),
    configMap('openshift-config', 'admin-acks', {}),
  ];
}
