import type { Random } from '../random.ts';
import type { TrueSeries } from './true-series.ts';

interface Known {
  readonly minor: number;
  readonly hasOvn: boolean;
  readonly nodes: readonly string[];
}

/** Metrics that only the monitoring of a cluster shows. */
export function drawMeasured(random: Random, { minor, hasOvn, nodes }: Known): readonly TrueSeries[] {
  const maybe = (chance: number, series: readonly TrueSeries[]) => (random.chance(chance) ? series : []);
  const ipsec = random.pick([0, 0, 1]);
  const perNode = (metric: string, value: number): readonly TrueSeries[] =>
    nodes.map((node) => ({ metric, labels: {}, hidden: { node, pod: `ovn-${node}` }, value }));
  return [
    ...(hasOvn && minor >= 14 ? maybe(0.9, perNode('ovnkube_controller_ipsec_enabled', ipsec)) : []),
    ...(hasOvn && minor < 14
      ? maybe(0.9, [{ metric: 'ovnkube_master_ipsec_enabled', labels: {}, value: ipsec }])
      : []),
    ...(hasOvn
      ? maybe(0.8, [
          { metric: 'ovnkube_clustermanager_num_egress_ips', labels: {}, value: random.pick([0, 0, 2]) },
        ])
      : []),
    ...maybe(
      0.7,
      ['ptp', 'any', 'sriov'].map((networks) => ({
        metric: 'network_attachment_definition_instances',
        labels: { networks },
        value: random.pick([0, 0, 0, 4]),
      })),
    ),
    ...maybe(
      0.3,
      Array.from({ length: random.pick([1, 1, 1, 2]) }, (_, at) => ({
        metric: 'ceph_health_status',
        labels: {},
        hidden: { rook: `rook-${at}` },
        value: random.pick([0, 1, 2]),
      })),
    ),
    ...maybe(0.4, [
      {
        metric: 'kubernetes_nmstate_features_applied',
        labels: { name: random.pick(['ovn.bridge-mappings', 'dns-resolver']) },
        value: random.pick([0, 1, 2]),
      },
    ]),
    ...maybe(
      0.8,
      ['get', 'put'].map((operation) => ({
        metric: 'imageregistry_request_duration_seconds_count',
        labels: { operation },
        value: random.below(100),
      })),
    ),
    ...maybe(0.6, [
      { metric: 'imageregistry_http_request_duration_seconds_count', labels: { method: 'get' }, value: 7 },
    ]),
    ...maybe(0.9, [{ metric: 'ALERTS', labels: { alertname: 'Watchdog', alertstate: 'firing' }, value: 1 }]),
    ...maybe(0.2, [
      {
        metric: 'ALERTS',
        labels: { alertname: 'PodSecurityViolation', alertstate: random.pick(['firing', 'pending']) },
        value: 1,
      },
    ]),
    ...maybe(0.9, [
      {
        metric: 'kube_namespace_labels',
        labels: {
          namespace: 'openshift-insights',
          ...(random.chance(0.3) && { label_openshift_io_run_level: '1' }),
        },
        value: 1,
      },
    ]),
    ...drawSecrets(random),
    ...drawProcessors(random, nodes),
    ...maybe(
      0.9,
      nodes.map((node, at) => ({
        metric: 'mcd_update_state',
        labels: {
          node,
          config: random.pick(['', `rendered-${at < 3 ? 'master' : 'worker'}-0a`]),
          err: random.pick(['', 'failed']),
        },
        value: random.pick([0, 1_794_916_800]),
      })),
    ),
  ];
}

function drawSecrets(random: Random): readonly TrueSeries[] {
  const names = [
    ['kube-system', 'aws-creds'],
    ['openshift-image-registry', 'image-registry-private-configuration'],
    ['openshift-image-registry', 'image-registry-private-configuration-user'],
  ] as const;
  const some = names.filter(() => random.chance(0.5));
  return [['openshift-etcd', 'etcd-client'] as const, ...some].map(([namespace, secret]) => ({
    metric: 'kube_secret_info',
    labels: { namespace, secret },
    value: 1,
  }));
}

function drawProcessors(random: Random, nodes: readonly string[]): readonly TrueSeries[] {
  if (random.chance(0.1)) return [];
  return nodes.flatMap((node) => {
    const [vendor, family] = random.pick([
      ['GenuineIntel', '6'],
      ['GenuineIntel', '6'],
      ['AuthenticAMD', '25'],
      ['AuthenticAMD', '23'],
    ] as const);
    return ['0', '1'].map((cpu) => ({
      metric: 'node_cpu_info',
      labels: { vendor, family },
      hidden: { cpu, node },
      value: 1,
    }));
  });
}
