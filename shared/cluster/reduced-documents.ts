import { NETWORK_MIGRATION } from './configuration.ts';
import { ADMIN_ACKS, ADMIN_GATES, MICROSHIFT_VERSION, SUPPORTED_VERSIONS } from './document-kinds.ts';
import type {
  ApiUseFacts,
  ClusterFacts,
  ClusterOperatorFacts,
  ClusterVersionFacts,
  NodeFacts,
  NodePods,
  PoolFacts,
  ReportedKind,
} from './facts.ts';
import { hostedClusterDocument, nodePoolDocument, SUPPORTED_VERSIONS_KEY } from './hosted/documents.ts';
import type { VersionStatus } from './hosted/facts.ts';
import type { Labels } from './labels.ts';
import { ETCD_PODS, metricLabel, NODE_LABELS, QUERIED_LABELS, ROLE_PREFIX } from './nodes.ts';
import {
  clusterObject,
  CONFIGURATION_WRITERS,
  configMapDocument,
  headOf,
  isPartial,
  type Json,
  listDocument,
  WORKLOAD_WRITERS,
  type Writers,
} from './reduced-configuration.ts';
import { conditionDocument, OPERATOR_WRITERS } from './reduced-operators.ts';
import { RISK_WRITERS } from './risk-inputs/documents.ts';
import { MIRROR_POD } from './workloads.ts';

const HOURS = 24;

/**
 * Minimal documents that read back as the same facts. Kinds without facts are omitted. Pods become the number that a
 * drain evicts per node, plus the etcd members.
 */
export function reducedDocuments(facts: ClusterFacts, kinds: readonly ReportedKind[]): readonly Json[] {
  // Facts that come from the same documents write the same ones.
  const written = new Map<string, Json>();
  for (const kind of kinds) {
    const value = facts[kind];
    if (value === null) continue;
    for (const document of WRITERS[kind](value as never, facts)) {
      written.set(JSON.stringify(document), document);
    }
  }
  return [...written.values()];
}

/**
 * Without the labels of nodes that nothing reads, and the MachineConfigs that no node or pool names. If none of them is
 * named, it is not known which ones count.
 */
export function neededFacts(facts: ClusterFacts): ClusterFacts {
  const { nodes, pools, configReleases } = facts;
  const named = new Set([
    ...(nodes ?? []).flatMap(({ machineConfig: { current, desired } }) => [current, desired]),
    ...(pools ?? []).flatMap(({ configuration: { wanted, current } }) => [wanted, current]),
  ]);
  const releases = configReleases?.filter(({ name }) => named.has(name)) ?? null;
  // A pool that is not known can select by any label.
  const labels = pools === null ? null : neededLabels(pools);
  return {
    ...facts,
    nodes: labels && nodes ? nodes.map((node) => ({ ...node, labels: only(labels, node.labels) })) : nodes,
    configReleases: configReleases?.length !== 0 && releases?.length === 0 ? null : releases,
  };
}

function neededLabels(pools: readonly PoolFacts[]): ReadonlySet<string> {
  const selected = pools.flatMap(({ nodeSelector: { matchLabels, matchExpressions } }) => [
    ...Object.keys(matchLabels),
    ...matchExpressions.map(({ key }) => key),
  ]);
  return new Set([...NODE_LABELS, ...selected]);
}

const QUERIED_NAMES: ReadonlySet<string> = new Set(QUERIED_LABELS.map(metricLabel));

/** Also those that a metric shows under the same name. */
function only(keys: ReadonlySet<string>, labels: Labels): Labels {
  const isNeeded = (key: string) =>
    keys.has(key) || key.startsWith(ROLE_PREFIX) || QUERIED_NAMES.has(metricLabel(key));
  return Object.fromEntries(Object.entries(labels).filter(([key]) => isNeeded(key)));
}

const WRITERS: Writers<ReportedKind> = {
  clusterVersion: (facts) => [clusterVersionDocument(facts)],
  clusterOperators: (all, facts) => [
    listDocument('ClusterOperator', all.map(clusterOperatorDocument), isPartial(facts, 'clusterOperators')),
  ],
  nodes: (all, facts) => [listDocument('Node', all.map(nodeDocument), isPartial(facts, 'nodes'))],
  pools: (all) => [listDocument('MachineConfigPool', all.map(poolDocument))],
  apiUse: (all) => [listDocument('APIRequestCount', all.map(requestCountDocument))],
  adminGates: (entries) => [configMapDocument(ADMIN_GATES, entries)],
  adminAcks: (entries) => [configMapDocument(ADMIN_ACKS, entries)],
  infrastructure: ({ platform, azureCloud, controlPlaneTopology }) => [
    clusterObject('Infrastructure', {
      status: {
        platformStatus: {
          ...(platform !== null && { type: platform }),
          ...(azureCloud !== undefined && { azure: { cloudName: azureCloud } }),
        },
        ...(controlPlaneTopology !== null && { controlPlaneTopology }),
      },
    }),
  ],
  networkType: (_type, facts) => [networkDocument(facts)],
  networkMigration: (_migration, facts) => [networkDocument(facts)],
  podsPerNode: (nodes, facts) => podLists(nodes, facts),
  ...OPERATOR_WRITERS,
  ...CONFIGURATION_WRITERS,
  ...WORKLOAD_WRITERS,
  ...RISK_WRITERS,
  drainedPods: (_groups, facts) => podLists(facts.podsPerNode ?? [], facts),
  hostedClusters: (all) => [
    listDocument(
      'HostedCluster',
      all.map((facts) =>
        hostedClusterDocument(facts, {
          version: versionStatus(facts.version),
          conditions: facts.conditions.map(conditionDocument),
        }),
      ),
    ),
  ],
  nodePools: (all) => [
    listDocument(
      'NodePool',
      all.map((facts) => nodePoolDocument(facts, facts.conditions.map(conditionDocument))),
    ),
  ],
  hostedVersions: (versions) => [
    configMapDocument(SUPPORTED_VERSIONS, [
      { key: SUPPORTED_VERSIONS_KEY, value: JSON.stringify({ versions }) },
    ]),
  ],
  microshiftVersion: (value) => [configMapDocument(MICROSHIFT_VERSION, [{ key: 'version', value }])],
};

function networkDocument({ networkType, networkMigration }: ClusterFacts): Json {
  const { isInProgress = false, message = '' } = networkMigration ?? {};
  const status = isInProgress ? 'True' : 'False';
  return clusterObject('Network', {
    status: {
      ...(networkType !== null && { networkType }),
      conditions: [{ type: NETWORK_MIGRATION, status, message }],
    },
  });
}

/** Without the pods themselves, as many pods as a drain evicts per node. */
function podLists(nodes: readonly NodePods[], facts: ClusterFacts): readonly Json[] {
  const { drainedPods } = facts;
  if (drainedPods === null) return [listDocument('Pod', nodes.flatMap(countedPods))];
  const members = nodes.flatMap(({ node, etcdReady }) =>
    etcdReady === undefined ? [] : [etcdPodDocument(node, etcdReady)],
  );
  return [...WORKLOAD_WRITERS.drainedPods(drainedPods, facts), listDocument('Pod', members)];
}

function clusterVersionDocument(facts: ClusterVersionFacts): Json {
  const { clusterId, createdAt, channel, upstream, desiredUpdate, unmanagedOverrides } = facts;
  const { acceptedRisks, baselineCapabilitySet, capabilities } = facts;
  return {
    ...headOf('ClusterVersion'),
    metadata: { name: 'version', ...(createdAt !== null && { creationTimestamp: createdAt }) },
    spec: {
      ...(clusterId !== null && { clusterID: clusterId }),
      ...(channel !== null && { channel }),
      ...(upstream !== null && { upstream }),
      ...((desiredUpdate !== null || acceptedRisks !== null) && {
        desiredUpdate: {
          ...desiredUpdate,
          ...(acceptedRisks !== null && { acceptRisks: acceptedRisks.map((name) => ({ name })) }),
        },
      }),
      overrides: unmanagedOverrides.map((override) => ({ ...override, unmanaged: true })),
      ...(baselineCapabilitySet !== undefined && { capabilities: { baselineCapabilitySet } }),
    },
    status: {
      ...versionStatus(facts),
      ...(capabilities && {
        capabilities: {
          knownCapabilities: capabilities.known,
          enabledCapabilities: capabilities.enabled,
        },
      }),
      conditions: facts.conditions.map(conditionDocument),
    },
  };
}

function versionStatus(facts: VersionStatus): Json {
  const { desired, history, availableUpdates, conditionalUpdates, knownRisks } = facts;
  return {
    desired,
    history,
    availableUpdates: availableUpdates.map((version) => ({ version })),
    conditionalUpdates: conditionalUpdates.map(({ version, risks, links = [], recommended }) => ({
      release: { version },
      risks: risks.map((name) => ({ ...links.find((link) => link.name === name), name })),
      conditions: recommended === null ? [] : [conditionDocument(recommended)],
    })),
    ...(knownRisks !== null && {
      conditionalUpdateRisks: knownRisks.map(({ applies, ...risk }) => ({
        ...risk,
        conditions: applies === null ? [] : [conditionDocument(applies)],
      })),
    }),
  };
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
  const { current, desired, state, reason, ...rollout } = machineConfig;
  const annotations = [
    ...Object.entries({ currentConfig: current, desiredConfig: desired, state, reason }).filter(
      ([, value]) => value !== '',
    ),
    ...Object.entries(rollout),
  ];
  return {
    metadata: {
      name,
      labels,
      ...(createdAt !== null && { creationTimestamp: createdAt }),
      annotations: Object.fromEntries(
        annotations.map(([key, value]) => [`machineconfiguration.openshift.io/${key}`, value]),
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
  const { name, labels, paused, maxUnavailable, nodeSelector, osImageStream, configuration } = facts;
  const { machines, conditions } = facts;
  return {
    metadata: { name, labels },
    spec: {
      paused,
      maxUnavailable,
      nodeSelector,
      configuration: { name: configuration.wanted },
      ...(osImageStream !== undefined && { osImageStream: { name: osImageStream } }),
    },
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

function countedPods({ node, pods, etcdReady }: NodePods): Json[] {
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
