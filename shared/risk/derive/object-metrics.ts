import type { ClusterFacts } from '../../cluster/facts.ts';
import { IMAGE_REGISTRY } from '../../cluster/risk-inputs/kinds.ts';
import type { Region, Series } from '../family.ts';
import { everything, isKnownAbsent, type Metric, NOTHING_SHOWN, type Shown, someOf } from './metric.ts';

const COUNTS = {
  labels: { names: ['resource'] },
  horizon: 'configuration',
  readFrom: ['objectCounts'],
  show: showCounts,
} as const;

/** What the API server and kube-state-metrics export of objects. */
export const OBJECT_METRICS: Readonly<Record<string, Metric>> = {
  // Each API server exports its own.
  apiserver_storage_objects: { ...COUNTS, isEverywhere: true, isRepeated: true },
  'cluster:usage:resources:sum': COUNTS,
  kube_configmap_info: {
    labels: { names: ['namespace', 'configmap'] },
    horizon: 'configuration',
    readFrom: ['objectCounts'],
    isEverywhere: true,
    show: showConfigMaps,
  },
  kube_deployment_spec_replicas: {
    labels: { names: ['namespace', 'deployment'] },
    horizon: 'configuration',
    readFrom: ['registryReplicas'],
    isEverywhere: true,
    show: showReplicas,
  },
  kube_pod_container_info: {
    // Reports have images, not the Pods that run them.
    labels: { names: ['image'] },
    horizon: 'configuration',
    readFrom: ['containerImages'],
    isEverywhere: true,
    isRepeated: true,
    show: showImages,
  },
};

/** A resource that is not served has no series; one without objects has one of 0. */
function showCounts({ objectCounts }: ClusterFacts): Shown {
  if (objectCounts === null) return NOTHING_SHOWN;
  const counts = Object.entries(objectCounts.counts);
  const series = counts.flatMap(([resource, value]) =>
    value === null ? [] : [{ labels: { resource }, value }],
  );
  const counted = { resource: { in: counts.map(([resource]) => resource) } };
  return { ...someOf(series, counted), wanted: ['objectCounts'] };
}

function showConfigMaps({ objectCounts }: ClusterFacts): Shown {
  const listed = (objectCounts?.names ?? []).filter(({ resource }) => resource === 'configmaps');
  const series = listed.flatMap(({ namespace, names }) =>
    names.map((configmap): Series => ({ labels: { namespace, configmap }, value: 1 })),
  );
  const namespaces = { namespace: { in: listed.map(({ namespace }) => namespace) } };
  return { ...someOf(series, namespaces), wanted: ['objectCounts'] };
}

const REGISTRY: Region = {
  namespace: { in: [IMAGE_REGISTRY.namespace] },
  deployment: { in: [IMAGE_REGISTRY.name] },
};

function showReplicas(facts: ClusterFacts): Shown {
  const { registryReplicas } = facts;
  const labels = { namespace: IMAGE_REGISTRY.namespace, deployment: IMAGE_REGISTRY.name };
  if (registryReplicas !== null) return someOf([{ labels, value: registryReplicas }], REGISTRY);
  return isKnownAbsent('registryReplicas', facts) ? someOf([], REGISTRY) : NOTHING_SHOWN;
}

function showImages({ containerImages }: ClusterFacts): Shown {
  if (containerImages === null) return NOTHING_SHOWN;
  const series = containerImages.images.map((image) => ({ labels: { image }, value: 1 }));
  return containerImages.isComplete ? everything(series) : someOf(series);
}

const LIVE = { horizon: 'version', readFrom: [] } as const;
const NO_LABELS = { names: [] } as const;

/** Metrics that no document shows; labels are those that are known, and may be on a series. */
export const LIVE_METRICS: Readonly<Record<string, Metric>> = {
  kube_secret_info: {
    ...LIVE,
    horizon: 'configuration',
    labels: { names: ['namespace', 'secret'] },
    isEverywhere: true,
  },
  kube_namespace_labels: {
    ...LIVE,
    horizon: 'configuration',
    labels: { names: ['namespace'], prefix: 'label_' },
  },
  node_cpu_info: {
    ...LIVE,
    horizon: 'configuration',
    labels: {
      names: [
        'vendor',
        'family',
        'model',
        'model_name',
        'stepping',
        'microcode',
        'cachesize',
        'core',
        'cpu',
        'package',
      ],
    },
    isRepeated: true,
  },
  mcd_update_state: { ...LIVE, labels: { names: ['config', 'err'] }, isRepeated: true },
  ovnkube_controller_ipsec_enabled: { ...LIVE, labels: NO_LABELS },
  ovnkube_master_ipsec_enabled: { ...LIVE, labels: NO_LABELS },
  ovnkube_clustermanager_num_egress_ips: { ...LIVE, labels: NO_LABELS },
  network_attachment_definition_instances: { ...LIVE, labels: { names: ['networks'] } },
  ceph_health_status: { ...LIVE, labels: { names: ['managedBy'] } },
  kubernetes_nmstate_features_applied: { ...LIVE, labels: { names: ['name'] } },
  imageregistry_http_request_duration_seconds_count: {
    ...LIVE,
    labels: { names: ['code', 'handler', 'method'] },
  },
  imageregistry_request_duration_seconds_count: { ...LIVE, labels: { names: ['name', 'operation'] } },
};
