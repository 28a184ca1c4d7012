import type { TrueSeries } from './true-series.ts';
import type { World } from './world.ts';

const CREATED = 1_600_000_000;
/** What releases before 4.14 export at least. */
const FIRST_LABELS = ['kubernetes.io/arch', 'beta.kubernetes.io/arch', 'node.openshift.io/os_id'];

/** All series of the metrics of risks, as the operators of this cluster export them. */
export function trueSeries(world: World): readonly TrueSeries[] {
  const all = [
    ...versionSeries(world),
    ...capabilitySeries(world),
    ...conditionSeries(world),
    ...configurationSeries(world),
    ...operatorSeries(world),
    ...nodeSeries(world),
    ...objectSeries(world),
    ...world.measured,
  ];
  return all.filter(({ metric }) => !world.gone.includes(metric));
}

function versionSeries({ history, desired, seed }: World): readonly TrueSeries[] {
  const completed = history.filter(({ state }) => state === 'Completed').map(({ version }) => version);
  const initial = history.at(-1)?.version ?? '';
  const [last = '', former = ''] = completed;
  const series = (type: string, version: string, from_version: string): TrueSeries => ({
    metric: 'cluster_version',
    labels: { type, version, from_version },
    hidden: { image: `quay.io/release@sha256:${version}` },
    value: CREATED + seed,
  });
  return [
    series('initial', initial, ''),
    ...(completed.length > 0 ? [series('completed', last, former)] : []),
    series('cluster', desired, completed.length > 0 ? initial : ''),
    series('current', desired, last),
    ...(history[0]?.state === 'Partial' ? [series('updating', history[0].version, last)] : []),
  ];
}

function capabilitySeries({ capabilities }: World): readonly TrueSeries[] {
  return (capabilities?.known ?? []).map((name) => ({
    metric: 'cluster_version_capability',
    labels: { name },
    value: capabilities!.enabled.includes(name) ? 1 : 0,
  }));
}

function conditionSeries({ clusterOperators, conditions }: World): readonly TrueSeries[] {
  const all = [...clusterOperators, { name: 'version', conditions }];
  return all.flatMap(({ name, conditions }) => [
    ...conditions
      .filter(({ status }) => status !== 'Unknown')
      .map(({ type, status, reason }) => ({
        metric: 'cluster_operator_conditions',
        labels: { name, condition: type, reason },
        value: status === 'True' ? 1 : 0,
      })),
    {
      metric: 'cluster_operator_up',
      labels: { name },
      hidden: { version: '4' },
      value: conditions.some(({ type, status }) => type === 'Available' && status === 'True') ? 1 : 0,
    },
  ]);
}

function configurationSeries(world: World): readonly TrueSeries[] {
  const { platform, installer, featureSet, proxy, credentialsMode } = world;
  const { type, version = '<missing>', invoker = '<missing>' } = installer;
  return [
    ...(platform === null
      ? []
      : [
          {
            metric: 'cluster_infrastructure_provider',
            labels: { type: platform },
            hidden: platform === 'AWS' ? { region: 'us-east-1' } : {},
            value: platform === 'None' ? 0 : 1,
          },
        ]),
    {
      metric: 'cluster_installer',
      labels: type === null ? { type: '', version: '', invoker: '' } : { type, version, invoker },
      value: 1,
    },
    { metric: 'cluster_feature_set', labels: { name: featureSet }, value: featureSet === '' ? 1 : 0 },
    ...Object.entries({ http: proxy.http, https: proxy.https, trusted_ca: proxy.trustedCa }).map(
      ([type, isSet]) => ({ metric: 'cluster_proxy_enabled', labels: { type }, value: Number(isSet) }),
    ),
    ...credentialSeries(credentialsMode, world.seed),
  ];
}

/** The default mode stands in a Secret, and old operators export every mode that they do not have with 0. */
function credentialSeries(mode: string, seed: number): readonly TrueSeries[] {
  const own = mode === '' ? ['mint', 'passthrough'][seed % 2]! : mode.toLowerCase();
  const modes = mode !== 'Manual' && seed % 3 === 0 ? ['mint', 'passthrough', 'manual'] : [own];
  return modes.map((one) => ({
    metric: 'cco_credentials_mode',
    labels: { mode: one },
    value: one === own ? 1 : 0,
  }));
}

function operatorSeries({ operators, hasLifecycleManager }: World): readonly TrueSeries[] {
  if (!hasLifecycleManager) return [];
  const own = operators.filter(({ isCopy }) => !isCopy);
  return [
    { metric: 'csv_count', labels: {}, value: operators.length },
    ...own.flatMap(({ namespace, name, version, phase }) => [
      {
        metric: 'csv_succeeded',
        labels: { name, version },
        hidden: { namespace },
        value: phase === 'Succeeded' ? 1 : 0,
      },
      ...(phase === 'Succeeded'
        ? []
        : [
            {
              metric: 'csv_abnormal',
              labels: { name, version, phase, reason: '' },
              hidden: { namespace },
              value: 1,
            },
          ]),
    ]),
  ];
}

function nodeSeries({ nodes, exportsAllLabels }: World): readonly TrueSeries[] {
  return nodes.flatMap(({ name, labels }) => {
    const exported = Object.entries(labels).filter(
      ([label]) => exportsAllLabels || FIRST_LABELS.includes(label),
    );
    const roles = Object.keys(labels).flatMap(
      (label) => /^node-role[.]kubernetes[.]io\/(.+)$/.exec(label)?.[1] ?? [],
    );
    return [
      {
        metric: 'kube_node_labels',
        labels: { node: name, ...metricLabels(exported) },
        value: 1,
      },
      ...roles.map((role) => ({ metric: 'kube_node_role', labels: { node: name, role }, value: 1 })),
    ];
  });
}

/** Labels that become the same are numbered, by the order of their names. */
function metricLabels(labels: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const sorted = labels
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, text]) => [`label_${label.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`, text] as const);
  const isAlone = (label: string) => sorted.filter(([other]) => other === label).length === 1;
  return Object.fromEntries(
    sorted.map(([label, text], at) => {
      const number = sorted.slice(0, at + 1).filter(([other]) => other === label).length;
      return [isAlone(label) ? label : `${label}_conflict${number}`, text];
    }),
  );
}

function objectSeries(world: World): readonly TrueSeries[] {
  const { objects, cloudConfigMaps, registryReplicas, pods, topology } = world;
  const servers = topology === 'SingleReplica' ? 1 : 3;
  const configMaps = [
    ['openshift-config', 'admin-acks'],
    ...cloudConfigMaps.map((name) => ['openshift-cloud-controller-manager', name]),
  ] as const;
  const deployments = [
    ['openshift-ingress', 'router-default', 2],
    ...(registryReplicas === null
      ? []
      : [['openshift-image-registry', 'image-registry', registryReplicas] as const]),
  ] as const;
  return [
    ...Object.entries(objects).flatMap(([resource, value]): readonly TrueSeries[] => [
      { metric: 'apiserver_storage_objects', labels: { resource }, value, copies: servers },
      { metric: 'cluster:usage:resources:sum', labels: { resource }, value },
    ]),
    ...configMaps.map(([namespace, configmap]) => ({
      metric: 'kube_configmap_info',
      labels: { namespace, configmap },
      value: 1,
    })),
    ...deployments.map(([namespace, deployment, value]) => ({
      metric: 'kube_deployment_spec_replicas',
      labels: { namespace, deployment },
      value,
    })),
    ...pods.flatMap(({ namespace, name, image }) =>
      image === null
        ? []
        : [
            {
              metric: 'kube_pod_container_info',
              labels: { namespace, pod: name, container: 'main', image },
              hidden: { uid: name, container_id: `cri-o://${name}` },
              value: 1,
            },
          ],
    ),
  ];
}
