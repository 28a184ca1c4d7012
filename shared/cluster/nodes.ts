import type { InputValue } from '../input/input-value.ts';
import { readCondition } from './cluster-version.ts';
import {
  type NodeFacts,
  type ClusterCondition,
  type NodePods,
  ROLLOUT_KEYS,
  type RolloutFacts,
} from './facts.ts';
import { isDrained, isPodReady } from './workloads.ts';

const CONTROL_PLANE_LABELS = ['node-role.kubernetes.io/master', 'node-role.kubernetes.io/control-plane'];
const ARBITER_LABEL = 'node-role.kubernetes.io/arbiter';
const WORKER_LABEL = 'node-role.kubernetes.io/worker';
const SYSTEM_LABELS = ['kubernetes.io/os', 'beta.kubernetes.io/os'] as const;
export const ZONE_LABELS = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'];
export const RHEL_LABEL = { key: 'node.openshift.io/os_id', value: 'rhel' } as const;
export const ROLE_PREFIX = 'node-role.kubernetes.io/';
/** Every kubelet sets these. */
export const ARCH_LABEL = 'kubernetes.io/arch';
export const HOST_LABEL = 'kubernetes.io/hostname';
/** Labels that reporters kept before queries of risks were read. */
export const FORMER_LABELS: readonly string[] = [
  ...CONTROL_PLANE_LABELS,
  ARBITER_LABEL,
  WORKER_LABEL,
  ...SYSTEM_LABELS,
  ...ZONE_LABELS,
  RHEL_LABEL.key,
];
/** Labels that a cluster shows to the queries of risks in any release. */
export const QUERIED_LABELS: readonly string[] = [
  ARCH_LABEL,
  'beta.kubernetes.io/arch',
  RHEL_LABEL.key,
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
];
/** Name of the label of a metric; several labels can get the same. */
export function metricLabel(label: string): string {
  return `label_${label.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`;
}

/** Labels of nodes that are read, beside roles and those that pools select by. */
export const NODE_LABELS: readonly string[] = [...new Set([...FORMER_LABELS, ...QUERIED_LABELS])];

type Labelled = Pick<NodeFacts, 'labels'>;

export function isControlPlane({ labels }: Labelled): boolean {
  return CONTROL_PLANE_LABELS.some((label) => Object.hasOwn(labels, label));
}

/** Runs an etcd member: an arbiter has one without being a control plane node. */
export function isInQuorum(node: Labelled): boolean {
  return isControlPlane(node) || Object.hasOwn(node.labels, ARBITER_LABEL);
}

/** Workers, and control plane nodes of a compact cluster, which have both labels. */
export function runsWorkloads(node: Labelled): boolean {
  return !isControlPlane(node) || Object.hasOwn(node.labels, WORKER_LABEL);
}

/** Windows nodes run none of the platform's DaemonSets. */
export function isLinux({ labels }: Labelled): boolean {
  const [label, formerLabel] = SYSTEM_LABELS;
  const system = labels[label] ?? labels[formerLabel];
  return system === undefined || system === 'linux';
}

const BROKEN_STATES: ReadonlySet<string> = new Set(['Degraded', 'Unreconcilable']);

/** The machine config daemon gave up on the node. */
export function isBroken({ machineConfig: { state } }: Pick<NodeFacts, 'machineConfig'>): boolean {
  return BROKEN_STATES.has(state);
}

const ANNOTATION = 'machineconfiguration.openshift.io';
/** Statuses of a node without that problem; a lost node reports `Unknown` for all of them. */
const HEALTHY_STATUSES: Readonly<Record<string, readonly string[]>> = {
  Ready: ['True'],
  DiskPressure: ['False'],
  NetworkUnavailable: ['False'],
  MemoryPressure: ['False', 'Unknown'],
  PIDPressure: ['False', 'Unknown'],
};

export function readNode(object: InputValue): NodeFacts {
  const metadata = object.at('metadata');
  const annotations = metadata.at('annotations');
  const info = object.at('status', 'nodeInfo');
  const conditions = object.at('status', 'conditions');
  // Read heartbeats: in an idle cluster nothing else shows the time of collection.
  for (const condition of conditions.items()) condition.at('lastHeartbeatTime').time();
  const read = conditions.items().map(readCondition);
  return {
    name: metadata.at('name').text(),
    labels: metadata.at('labels').labels(),
    createdAt: metadata.at('creationTimestamp').time(),
    unschedulable: object.at('spec', 'unschedulable').flag(),
    ready: read.findLast(({ type }) => type === 'Ready')?.status || null,
    problems: read.filter(isProblem),
    kubeletVersion: info.at('kubeletVersion').text(),
    containerRuntimeVersion: info.at('containerRuntimeVersion').text(),
    osImage: info.at('osImage').text(),
    architecture: info.at('architecture').text(),
    machineConfig: {
      current: annotations.at(`${ANNOTATION}/currentConfig`).text(),
      desired: annotations.at(`${ANNOTATION}/desiredConfig`).text(),
      state: annotations.at(`${ANNOTATION}/state`).text(),
      reason: annotations.at(`${ANNOTATION}/reason`).message(),
      ...readRollout(annotations),
    },
  };
}

/** An empty annotation differs from a missing one: both images have to be set. */
function readRollout(annotations: InputValue): RolloutFacts {
  const given = ROLLOUT_KEYS.map((key) => [key, annotations.at(`${ANNOTATION}/${key}`)] as const);
  return Object.fromEntries(
    given.filter(([, value]) => !value.isMissing).map(([key, value]) => [key, value.text()]),
  );
}

function isProblem({ type, status }: ClusterCondition): boolean {
  return Object.hasOwn(HEALTHY_STATUSES, type) && !HEALTHY_STATUSES[type]!.includes(status);
}

export const ETCD_PODS = { namespace: 'openshift-etcd', app: 'etcd' } as const;

interface PodFacts {
  readonly node: string;
  readonly isMoved: boolean;
  /** Null for other pods than etcd. */
  readonly etcdReady: boolean | null;
}

/** Null for a pod without facts: it survives a drain, has ended or has no node. */
export function readPod(object: InputValue): PodFacts | null {
  const node = object.at('spec', 'nodeName').textOrNull();
  const isMoved = isDrained(object);
  const etcdReady = isEtcdMember(object.at('metadata')) ? isPodReady(object) : null;
  return node === null || (!isMoved && etcdReady === null) ? null : { node, isMoved, etcdReady };
}

function isEtcdMember(metadata: InputValue): boolean {
  return (
    metadata.at('namespace').textOrNull() === ETCD_PODS.namespace &&
    metadata.at('labels', 'app').textOrNull() === ETCD_PODS.app
  );
}

/** Sorted by node. */
export function podsPerNode(pods: readonly PodFacts[]): NodePods[] {
  const nodes = new Map<string, NodePods>();
  for (const { node, isMoved, etcdReady } of pods) {
    const known = nodes.get(node) ?? { node, pods: 0 };
    nodes.set(node, {
      ...known,
      pods: known.pods + (isMoved ? 1 : 0),
      // If two members are on one node, the one that is not ready counts.
      ...(etcdReady !== null && { etcdReady: etcdReady && known.etcdReady !== false }),
    });
  }
  return [...nodes.values()].toSorted((a, b) => (a.node < b.node ? -1 : 1));
}
