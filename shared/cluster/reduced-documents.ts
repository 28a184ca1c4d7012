import type {
  ApiUseFacts,
  ClusterCondition,
  ClusterFacts,
  ClusterOperatorFacts,
  ClusterVersionFacts,
  ConfigEntry,
  NodeFacts,
  NodePods,
  OperatorFacts,
  PoolFacts,
  SubscriptionFacts,
  ReportedKind,
} from './facts.ts';
import { ADMIN_ACKS, ADMIN_GATES } from './kinds.ts';
import { ETCD_PODS, MIRROR_POD } from './nodes.ts';

type Json = Readonly<Record<string, unknown>>;

const CONFIG = 'config.openshift.io/v1';
const LIFECYCLE_MANAGER = 'operators.coreos.com/v1alpha1';
const HOURS = 24;

/**
 * Minimal documents that read back as the same facts. Kinds without facts are omitted. Pods become the number that a
 * drain evicts per node, plus the etcd members.
 */
export function reducedDocuments(facts: ClusterFacts, kinds: readonly ReportedKind[]): readonly Json[] {
  return kinds.flatMap((kind) => {
    const value = facts[kind];
    return value === null ? [] : [WRITERS[kind](value as never)];
  });
}

const WRITERS: { readonly [Kind in ReportedKind]: (value: NonNullable<ClusterFacts[Kind]>) => Json } = {
  clusterVersion: clusterVersionDocument,
  clusterOperators: (all) => listOf('ClusterOperator', CONFIG, all.map(clusterOperatorDocument)),
  nodes: (all) => listOf('Node', 'v1', all.map(nodeDocument)),
  pools: (all) => listOf('MachineConfigPool', 'machineconfiguration.openshift.io/v1', all.map(poolDocument)),
  operators: (all) => listOf('ClusterServiceVersion', LIFECYCLE_MANAGER, all.map(operatorDocument)),
  subscriptions: (all) => listOf('Subscription', LIFECYCLE_MANAGER, all.map(subscriptionDocument)),
  apiUse: (all) => listOf('APIRequestCount', 'apiserver.openshift.io/v1', all.map(requestCountDocument)),
  adminGates: (entries) => configMapDocument(ADMIN_GATES, entries),
  adminAcks: (entries) => configMapDocument(ADMIN_ACKS, entries),
  infrastructure: ({ platform, controlPlaneTopology }) =>
    clusterObject('Infrastructure', {
      ...(platform !== null && { platformStatus: { type: platform } }),
      ...(controlPlaneTopology !== null && { controlPlaneTopology }),
    }),
  networkType: (networkType) => clusterObject('Network', { networkType }),
  podsPerNode: (nodes) => listOf('Pod', 'v1', nodes.flatMap(podDocuments)),
};

function listOf(kind: string, apiVersion: string, items: readonly Json[]): Json {
  return { kind: `${kind}List`, apiVersion, items };
}

function clusterObject(kind: string, status: Json): Json {
  return { kind, apiVersion: CONFIG, metadata: { name: 'cluster' }, status };
}

function clusterVersionDocument(facts: ClusterVersionFacts): Json {
  const { clusterId, createdAt, channel, upstream, desiredUpdate, unmanagedOverrides, desired } = facts;
  return {
    kind: 'ClusterVersion',
    apiVersion: CONFIG,
    metadata: { name: 'version', ...(createdAt !== null && { creationTimestamp: createdAt }) },
    spec: {
      ...(clusterId !== null && { clusterID: clusterId }),
      ...(channel !== null && { channel }),
      ...(upstream !== null && { upstream }),
      ...(desiredUpdate !== null && { desiredUpdate }),
      overrides: unmanagedOverrides.map((override) => ({ ...override, unmanaged: true })),
    },
    status: {
      desired,
      history: facts.history,
      conditions: facts.conditions.map(conditionDocument),
      availableUpdates: facts.availableUpdates.map((version) => ({ version })),
      conditionalUpdates: facts.conditionalUpdates.map(({ version, risks, recommended }) => ({
        release: { version },
        risks: risks.map((name) => ({ name })),
        conditions: recommended === null ? [] : [conditionDocument(recommended)],
      })),
    },
  };
}

function conditionDocument({ since, ...condition }: ClusterCondition): Json {
  return { ...condition, ...(since !== null && { lastTransitionTime: since }) };
}

function clusterOperatorDocument({ name, platform, conditions, versions }: ClusterOperatorFacts): Json {
  const annotations = { 'include.release.openshift.io/self-managed-high-availability': 'true' };
  return {
    metadata: { name, ...(platform && { annotations }) },
    status: { conditions: conditions.map(conditionDocument), versions },
  };
}

function nodeDocument(facts: NodeFacts): Json {
  const { name, labels, createdAt, unschedulable, ready, problems, machineConfig, ...info } = facts;
  const { kubeletVersion, containerRuntimeVersion, osImage, architecture } = info;
  const { current, desired, state, reason } = machineConfig;
  const annotations = Object.entries({ currentConfig: current, desiredConfig: desired, state, reason });
  return {
    metadata: {
      name,
      labels,
      ...(createdAt !== null && { creationTimestamp: createdAt }),
      annotations: Object.fromEntries(
        annotations
          .filter(([, value]) => value !== '')
          .map(([key, value]) => [`machineconfiguration.openshift.io/${key}`, value]),
      ),
    },
    spec: { unschedulable },
    status: {
      conditions: [
        ...problems.map(conditionDocument),
        ...(ready === 'True' ? [{ type: 'Ready', status: ready }] : []),
      ],
      nodeInfo: { kubeletVersion, containerRuntimeVersion, osImage, architecture },
    },
  };
}

function poolDocument(facts: PoolFacts): Json {
  const { name, labels, paused, maxUnavailable, nodeSelector, configuration, machines, conditions } = facts;
  return {
    metadata: { name, labels },
    spec: { paused, maxUnavailable, nodeSelector, configuration: { name: configuration.wanted } },
    status: {
      configuration: { name: configuration.current },
      machineCount: machines.total,
      updatedMachineCount: machines.updated,
      readyMachineCount: machines.ready,
      unavailableMachineCount: machines.unavailable,
      degradedMachineCount: machines.degraded,
      conditions: conditions.map(conditionDocument),
    },
  };
}

function operatorDocument(facts: OperatorFacts): Json {
  const { namespace, name, displayName, version, minKubeVersion, phase } = facts;
  const properties = propertiesText(facts.properties, (list) => `{"properties":${list}}`);
  const declared = propertiesText(facts.declaredProperties, (list) => list);
  return {
    metadata: {
      namespace,
      name,
      labels: Object.fromEntries(facts.components.map((part) => [`operators.coreos.com/${part}`, ''])),
      annotations: {
        ...(properties !== null && { 'operatorframework.io/properties': properties }),
        ...(declared !== null && { 'olm.properties': declared }),
      },
    },
    spec: { displayName, version, minKubeVersion },
    status: { phase },
  };
}

function subscriptionDocument(facts: SubscriptionFacts): Json {
  const { namespace, name, channel, source, sourceNamespace, startingCsv, installedCsv, currentCsv } = facts;
  return {
    metadata: { namespace, name },
    spec: { name: facts.package, channel, source, sourceNamespace, startingCSV: startingCsv },
    status: { installedCSV: installedCsv, currentCSV: currentCsv },
  };
}

/** Writes unreadable text as text that is unreadable for the same reason. */
function propertiesText(
  properties: OperatorFacts['properties'],
  inPlace: (list: string) => string,
): string | null {
  if (properties === null) return null;
  if (!('unreadable' in properties)) return inPlace(JSON.stringify(properties));
  const { unreadable } = properties;
  const [, property] = /^its property (\d+) /.exec(unreadable) ?? [];
  if (property !== undefined) {
    return inPlace(JSON.stringify([...Array.from({ length: Number(property) }, () => ({ type: '' })), 0]));
  }
  if (unreadable === 'its properties are not an array') return inPlace('0');
  return unreadable === 'it is not a JSON object' ? '[]' : '';
}

/** Puts all requests of a user into the hour of the last one. */
function requestCountDocument({ name, removedInRelease, requests, users }: ApiUseFacts): Json {
  const inHour = (hour: number | null) =>
    users
      .filter(({ lastHour }) => lastHour === hour)
      .map(({ username, userAgent, requests: requestCount, verbs }) => ({
        username,
        userAgent,
        requestCount,
        byVerb: verbs.map((verb) => ({ verb })),
      }));
  const isByHour = users.some(({ lastHour }) => lastHour !== null);
  return {
    metadata: { name },
    status: {
      ...(removedInRelease !== null && { removedInRelease }),
      ...(isByHour
        ? {
            last24h: Array.from({ length: HOURS }, (_, hour) => ({
              requestCount: hour === 0 ? requests : 0,
              byNode: [{ byUser: inHour(hour) }],
            })),
          }
        : { requestCount: requests, currentHour: { byNode: [{ byUser: inHour(null) }] } }),
    },
  };
}

function configMapDocument(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  entries: readonly ConfigEntry[],
): Json {
  const data = Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace, name }, data };
}

function podDocuments({ node, pods, etcdReady }: NodePods): Json[] {
  const moved = Array.from({ length: pods }, (_, number) => ({
    metadata: { namespace: node, name: String(number) },
    spec: { nodeName: node },
  }));
  return etcdReady === undefined ? moved : [...moved, etcdPodDocument(node, etcdReady)];
}

function etcdPodDocument(node: string, isReady: boolean): Json {
  return {
    metadata: {
      namespace: ETCD_PODS.namespace,
      name: `etcd-${node}`,
      labels: { app: ETCD_PODS.app },
      annotations: { [MIRROR_POD]: '' },
    },
    spec: { nodeName: node },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  };
}
