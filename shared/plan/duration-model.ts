import type { ReleaseVersion } from '../version/release-version.ts';
import { ordinalOf } from '../version/release-line.ts';
import type { ClusterSize } from './duration.ts';
import { eachMinutes, type Minutes } from './words.ts';

/**
 * Two measurements fix the DaemonSet part: a rollout over 250 nodes takes 80 minutes one at a time and 10 minutes at 10%.
 * Base and control plane are our fit to the 60 minutes that six nodes usually take, with the slowest updates of the
 * project's own continuous integration inside the range.
 */
export const DURATION_MODEL = {
  /** API servers, etcd and the operators, whatever the size. */
  base: { min: 25, expected: 34, max: 80 },
  /** A control-plane node drains, reboots and comes back, one after the other. */
  perControlPlaneNode: { min: 5, expected: 6.7, max: 12 },
  daemonSetFactor: { min: 0.8, expected: 1, max: 1.5 },
  /** One after the other: tuning and monitoring; DNS and network; machine-config daemon. */
  daemonSetStages: 3,
  /** One node at a time. */
  serialSecondsPerNode: 19.2,
  /** A batch lasts as long as its slowest node, which grows with the logarithm of its size: 60 s for 25 nodes. */
  batchSeconds: { nodes: 25, seconds: 60 },
  /** A batch is one tenth of the nodes, rounded up. */
  batchesPerRollout: 10,
  /** The least that a patch takes, of the least that a minor takes; its worst case is that of a minor. */
  patchMinimum: 0.6,
} as const;

/** Seconds for one batch of so many nodes: 19.2 for 1, 60 for 25. */
export function batchSeconds(nodes: number): number {
  const { serialSecondsPerNode, batchSeconds: known } = DURATION_MODEL;
  return (
    serialSecondsPerNode + ((known.seconds - serialSecondsPerNode) * Math.log(nodes)) / Math.log(known.nodes)
  );
}

/** Minutes to roll a DaemonSet over all nodes: of 250, 80 one at a time and 10 at a tenth at a time. */
function daemonSetMinutes(nodes: number, atATime: 'one' | 'tenth'): number {
  const batch = atATime === 'one' ? 1 : Math.ceil(nodes / DURATION_MODEL.batchesPerRollout);
  return (Math.ceil(nodes / batch) * batchSeconds(batch)) / 60;
}

/** Minutes of a minor update, unrounded: of 6 nodes with 3 masters 44.6, 59.9 at the likeliest, 124.6 at most. */
export function modelMinutes(
  { nodes, controlPlane }: Pick<ClusterSize, 'nodes' | 'controlPlane'>,
  serialNetwork: boolean,
): Minutes {
  const { base, perControlPlaneNode, daemonSetFactor, daemonSetStages } = DURATION_MODEL;
  const stages =
    daemonSetMinutes(nodes, 'tenth') * (daemonSetStages - 1) +
    daemonSetMinutes(nodes, serialNetwork ? 'one' : 'tenth');
  return eachMinutes(
    (bound) => base[bound] + daemonSetFactor[bound] * stages + controlPlane * perControlPlaneNode[bound],
  );
}

/**
 * Whether the network is rolled out node by node: by every release up to 4.5, and by 4.6 with OpenShiftSDN. The release
 * that is installed decides, as it brings the DaemonSets. An unknown network counts as OpenShiftSDN, the default of 4.6.
 */
export function isNetworkSerial(to: ReleaseVersion, networkType: string | null): boolean {
  const ordinal = ordinalOf(to);
  return ordinal <= 5 || (ordinal === 6 && (networkType ?? 'OpenShiftSDN') === 'OpenShiftSDN');
}
