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
  wholeCluster,
} from '../cluster/objects.ts';
import { byDigest, image, pod as podOf, stream } from '../prune/cluster-scenario.ts';
import { updates } from '../prune/histories.ts';
import { digestOf } from '../registry/test-registry.ts';

export function versionOf(
  version: string,
  channel: string,
  more: { history?: unknown; clusterID: string },
): Json {
  const status = clusterVersion['status'] as Json;
  const completed = (status['history'] as Json[])[0]!;
  return {
    ...clusterVersion,
    spec: { clusterID: more.clusterID, channel },
    status: {
      ...status,
      desired: { version, image: `quay.example/release@${digestOf(version)}`, channels: [channel] },
      history: more.history ?? [{ ...completed, version }],
    },
  };
}

const MASTER = { 'node-role.kubernetes.io/master': '' };
const WORKER = { 'node-role.kubernetes.io/worker': '' };

/** Every kind of a cluster report. */
export const FULL_REPORT: readonly Json[] = [
  versionOf('4.14.8', 'stable-4.14', {
    clusterID: 'full',
    history: [...updates(6, { perMinor: 3 })].toReversed().map((entry, index) => ({
      ...entry,
      version: `4.14.${8 - index}`,
      state: index === 2 ? 'Partial' : 'Completed',
    })),
  }),
  ...['m0', 'm1', 'm2'].map((name) => node(name, { metadata: { name, labels: MASTER } })),
  ...['w0', 'w1'].map((name) => node(name, { metadata: { name, labels: WORKER } })),
  pool('master', { nodeSelector: { matchLabels: MASTER } }, { machineCount: 3, updatedMachineCount: 3 }),
  pool(
    'worker',
    { nodeSelector: { matchLabels: WORKER }, paused: true },
    { machineCount: 2, updatedMachineCount: 1 },
  ),
  clusterOperator('dns'),
  clusterOperator('network', {
    status: { conditions: [{ type: 'Upgradeable', status: 'False', reason: 'X', message: 'not now' }] },
  }),
  operator('openshift-logging', 'logging.v5', {
    'operatorframework.io/properties': '[{"type":"olm.maxOpenShiftVersion","value":"4.15"}]',
  }),
  subscription('logging', {}, { status: { installedCSV: 'logging.v5', currentCSV: 'logging.v5' } }),
  requestCount('flowschemas.v1beta2.flowcontrol.apiserver.k8s.io', {
    removedInRelease: '1.29',
    requestCount: 7,
    last24h: [
      {
        byNode: [
          {
            nodeName: 'm0',
            requestCount: 7,
            byUser: [
              {
                username: 'system:serviceaccount:shop:deployer',
                userAgent: 'curl/8',
                requestCount: 7,
                byVerb: [{ verb: 'get', requestCount: 7 }],
              },
            ],
          },
        ],
      },
    ],
  }),
  configMap('openshift-config-managed', 'admin-gates', {
    'ack-4.14-kube-1.28-api-removals-in-4.15': 'Removed.',
  }),
  configMap('openshift-config', 'admin-acks', {}),
  { kind: 'Infrastructure', metadata: { name: 'cluster' }, status: { platformStatus: { type: 'AWS' } } },
  { kind: 'Network', metadata: { name: 'cluster' }, status: { networkType: 'OVNKubernetes' } },
  pod('p0', 'w0'),
  pod('p1', 'w1'),
];

/** One document. */
export const SMALL_REPORT: readonly Json[] = [versionOf('4.15.11', 'stable-4.15', { clusterID: 'small' })];

export const ofVersion = (version: string, channel: string, clusterID: string): readonly Json[] => [
  versionOf(version, channel, { clusterID }),
  ...wholeCluster().slice(1),
];

export const IN_USE_KINDS = 'pods,rc,rs,deployments,statefulsets,daemonsets,jobs,cronjobs,builds,bc,dc'.split(
  ',',
);
/** An in-use report with Images of a cluster, one of them prunable. */
export const CLUSTER_IMAGES = {
  documents: [
    ...['D0', 'D1', 'D2', 'D3', 'D4'].map((name) => image(name)),
    stream('foo/bar', { latest: ['D0', 'D1', 'D2', 'D3', 'D4'] }),
    podOf('Running', byDigest('foo/bar', 'D4')),
  ],
  asked: IN_USE_KINDS,
};
