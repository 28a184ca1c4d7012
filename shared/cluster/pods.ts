import type { NodePods } from './facts.ts';
import type { Field } from '../input/input-value.ts';

export const ETCD_PODS = { namespace: 'openshift-etcd', app: 'etcd' } as const;
/** The annotation of a static pod, which the kubelet runs by itself. */
export const MIRROR_POD = 'kubernetes.io/config.mirror';

/** What is kept of a pod on a node. */
export interface PodFacts {
  readonly node: string;
  /** Whether a drain moves it. */
  readonly isMoved: boolean;
  /** Whether it is an etcd member that is ready; null for any other pod. */
  readonly etcdReady: boolean | null;
}

/** Null for a pod of which nothing is kept: it stays in a drain, has ended or has no node yet. */
export function readPod(object: Field): PodFacts | null {
  const metadata = object.at('metadata');
  const isOfDaemonSet = metadata
    .at('ownerReferences')
    .items()
    .some((owner) => owner.at('kind').text() === 'DaemonSet');
  const isStatic = !metadata.at('annotations', MIRROR_POD).isMissing;
  const phase = object.at('status', 'phase').text();
  const node = object.at('spec', 'nodeName').textOrNull();
  const isMoved = !isOfDaemonSet && !isStatic && phase !== 'Succeeded' && phase !== 'Failed';
  const etcdReady = isEtcdMember(metadata) ? isReady(object) : null;
  return node === null || (!isMoved && etcdReady === null) ? null : { node, isMoved, etcdReady };
}

function isEtcdMember(metadata: Field): boolean {
  return (
    metadata.at('namespace').textOrNull() === ETCD_PODS.namespace &&
    metadata.at('labels', 'app').textOrNull() === ETCD_PODS.app
  );
}

function isReady(object: Field): boolean {
  return object
    .at('status', 'conditions')
    .items()
    .some((each) => each.at('type').text() === 'Ready' && each.at('status').text() === 'True');
}

/** The pods of each node, sorted by its name. */
export function podsPerNode(pods: readonly PodFacts[]): NodePods[] {
  const nodes = new Map<string, NodePods>();
  for (const { node, isMoved, etcdReady } of pods) {
    const known = nodes.get(node) ?? { node, pods: 0 };
    nodes.set(node, {
      ...known,
      pods: known.pods + (isMoved ? 1 : 0),
      // Of two members on one node, one that fails counts.
      ...(etcdReady !== null && { etcdReady: etcdReady && known.etcdReady !== false }),
    });
  }
  return [...nodes.values()].toSorted((a, b) => (a.node < b.node ? -1 : 1));
}
