import { Random } from '../random.ts';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  node,
  operator,
  pool,
  requestCount,
  subscription,
} from './objects.ts';

export interface SeededCluster {
  /** Concatenated output of `oc get`. */
  readonly documents: string;
  readonly flags: readonly string[];
}

const WINDOWS = [
  ['--window', 'Sat 22:00-04:00', '--time-zone', 'Europe/Berlin'],
  ['--window', 'Mon-Fri 01:00-03:30', '--window', 'sun 00:00-24:00', '--time-zone', 'America/New_York'],
  ['--window', 'Sat 23:00-01:00,Sun 01:00-02:15', '--time-zone', 'Australia/Lord_Howe'],
  ['--window', 'Tue 01:00-01:30'],
];

/** Random version, state and question. */
export function seededCluster(seed: number, versions: readonly string[]): SeededCluster {
  const random = new Random(seed);
  const version = random.pick(versions);
  const minor = Number(version.split('.')[1]);
  const kubelet = () => `v1.${minor + 13 - random.below(3)}.6`;
  const maybe = (...objects: readonly Json[]) => (random.chance(0.8) ? objects : []);
  const status = clusterVersion['status'] as Json;
  const objects: readonly Json[] = [
    {
      ...clusterVersion,
      spec: {
        clusterID: `cluster-${seed}`,
        channel: random.pick([`stable-4.${minor}`, `eus-4.${minor}`, '']),
      },
      status: {
        ...status,
        desired: { version, image: 'quay.example/release@sha256:1' },
        history: [{ ...(status['history'] as readonly Json[])[0], version }],
      },
    },
    ...['m0', 'm1', 'm2'].map((name) =>
      node(name, {
        metadata: { name, labels: { 'node-role.kubernetes.io/master': '' } },
        status: { nodeInfo: { kubeletVersion: `v1.${minor + 13}.6`, architecture: 'amd64' } },
      }),
    ),
    ...Array.from({ length: random.below(5) }, (_, at) =>
      node(`w${at}`, { status: { nodeInfo: { kubeletVersion: kubelet(), architecture: 'amd64' } } }),
    ),
    ...maybe(
      pool('master', { nodeSelector: { matchLabels: { 'node-role.kubernetes.io/master': '' } } }),
      pool('worker', {
        paused: random.chance(0.3),
        nodeSelector: { matchLabels: { 'node-role.kubernetes.io/worker': '' } },
      }),
    ),
    ...maybe(
      clusterOperator('kube-apiserver'),
      clusterOperator('machine-config', {
        status: {
          conditions: [{ type: 'Upgradeable', status: random.pick(['True', 'False']), reason: 'Some' }],
        },
      }),
    ),
    ...maybe(
      operator('shop', 'cart.v1', {
        'operatorframework.io/properties': JSON.stringify({
          properties: [{ type: 'olm.maxOpenShiftVersion', value: `4.${minor + random.below(3)}` }],
        }),
      }),
    ),
    ...maybe(
      requestCount('flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', {
        removedInRelease: '1.32',
        requestCount: random.below(9),
      }),
    ),
    ...maybe(
      configMap('openshift-config-managed', 'admin-gates', {}),
      configMap('openshift-config', 'admin-acks', {}),
    ),
    ...maybe(
      operator(
        'shop',
        'stock.v2',
        {},
        {
          metadata: {
            name: 'stock.v2',
            namespace: 'shop',
            labels: { 'operators.coreos.com/stock.shop': '', [`operators.coreos.com/${'x'.repeat(63)}`]: '' },
          },
        },
      ),
    ),
    ...maybe(
      subscription('logging', { channel: random.pick(['stable', '4.10', '', 'a: b\n- c']) }),
      subscription('stock', { source: random.pick(['redhat-operators', 'my-own', '../..']) }),
    ),
  ];
  const flags = [
    ...random.pick([[], ['--to', `4.${minor + 1}`], ['--to', `4.${minor + 2}`], ['--to', 'latest']]),
    ...random.pick([[], ['--strategy', 'control-plane-only']]),
    ...random.pick([[], ['--policy', 'n-2'], ['--strict']]),
    ...random.pick([[], ['--risk', 'all']]),
    ...random.pick([[], [], ...WINDOWS]),
  ];
  return { documents: objects.map((object) => JSON.stringify(object, null, 4)).join('\n'), flags };
}
