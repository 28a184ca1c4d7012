import type { NodeFacts } from './facts.ts';

const CONTROL_PLANE_LABELS = ['node-role.kubernetes.io/master', 'node-role.kubernetes.io/control-plane'];
const ARBITER_LABEL = 'node-role.kubernetes.io/arbiter';
const WORKER_LABEL = 'node-role.kubernetes.io/worker';

type Labelled = Pick<NodeFacts, 'labels'>;

export function isControlPlane({ labels }: Labelled): boolean {
  return CONTROL_PLANE_LABELS.some((label) => Object.hasOwn(labels, label));
}

/** Whether an etcd member runs there: an arbiter has one without being in the control plane. */
export function isInQuorum(node: Labelled): boolean {
  return isControlPlane(node) || Object.hasOwn(node.labels, ARBITER_LABEL);
}

/** Whether workloads run there: on workers, and on the control plane of a compact cluster, labelled as both. */
export function runsWorkloads(node: Labelled): boolean {
  return !isControlPlane(node) || Object.hasOwn(node.labels, WORKER_LABEL);
}

/** Windows nodes get none of the DaemonSets of the platform. */
export function isLinux({ labels }: Labelled): boolean {
  const system = labels['kubernetes.io/os'] ?? labels['beta.kubernetes.io/os'];
  return system === undefined || system === 'linux';
}
