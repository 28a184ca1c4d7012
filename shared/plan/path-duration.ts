import type { ClusterFacts } from '../cluster/facts.ts';
import { pastReleases } from '../safety/evidence/history.ts';
import type { Hop } from '../safety/hop.ts';
import { countInWords } from '../text/words.ts';
import { type Calibration, calibrate, LONGEST_SAMPLE_MINUTES, SCALE_LIMITS } from './calibration.ts';
import {
  addMinutes,
  clusterSize,
  hopDuration,
  type HopDuration,
  modelMinutes,
  isNetworkSerial,
  type ClusterSize,
  DURATION_MODEL,
} from './duration.ts';
import type { Basis } from './values.ts';
import type { Minutes, PathMinutes } from './words.ts';

export interface KnownDuration {
  readonly total: PathMinutes;
  /** One per hop, in order. */
  readonly hops: readonly HopDuration[];
  readonly calibration: Calibration;
  readonly assumptions: readonly string[];
  readonly excludes: readonly string[];
}

export interface UnknownDuration {
  readonly total: null;
  readonly reason: string;
}

export type PathDuration = KnownDuration | UnknownDuration;

export interface DurationQuestion {
  readonly hops: readonly Hop[];
  readonly facts: Pick<ClusterFacts, 'nodes' | 'pools' | 'clusterVersion' | 'networkType'>;
  readonly basis: Basis;
  /** Median ratio of actual to modelled duration in the fleet; null if unknown. */
  readonly fleetMedian: number | null;
}

/**
 * Control plane minutes, per hop and in total. Two hops of 45, 60, 125 give 90, 120, 210 because both rarely run late,
 * and 250 at worst. Sums the rounded hops so that readers can verify the total.
 */
export function pathDuration({ hops, facts, basis, fleetMedian }: DurationQuestion): PathDuration {
  const size = clusterSize(facts);
  if ('reason' in size) return { total: null, reason: size.reason };
  const calibration = calibrate(
    (facts.clusterVersion ? pastReleases(facts.clusterVersion) : []).map(({ entry }) => entry),
    (to) => modelMinutes(size, isNetworkSerial(to, facts.networkType)).expected,
    fleetMedian,
  );
  const durations = hops.map((hop) => hopDuration(hop, size, facts.networkType, calibration.scale));
  const counted = basis === 'assumed' ? 'as assumed' : `counted from the ${size.countedFrom}`;
  return {
    total: addMinutes(durations),
    hops: durations,
    calibration,
    assumptions: [sizeText(size, counted), ...assumptionsOf(size, calibration, facts.networkType, hops)],
    excludes: ['worker MachineConfigPool rollout'],
  };
}

function sizeText({ nodes, controlPlane }: ClusterSize, counted: string): string {
  return `${countInWords(nodes, 'Linux node')}, ${controlPlane} of them control plane, ${counted}`;
}

function assumptionsOf(
  size: ClusterSize,
  calibration: Calibration,
  networkType: string | null,
  hops: readonly Hop[],
): string[] {
  const { base, perControlPlaneNode, daemonSetFactor, daemonSetStages, batchSeconds, ...model } =
    DURATION_MODEL;
  const serial = hops.filter((hop) => isNetworkSerial(hop.to, networkType));
  return [
    `API servers, etcd and operators take ${range(base)} minutes, whatever the size`,
    size.controlPlane === 0
      ? 'No control-plane node is among the nodes: it is hosted elsewhere, and no reboot of it is counted'
      : `Control-plane nodes reboot one after the other, ${range(perControlPlaneNode)} minutes each`,
    `${daemonSetStages} DaemonSet rollouts over all nodes follow each other, a tenth of the nodes at a time: ` +
      `${model.serialSecondsPerNode} seconds for one node, growing with the logarithm of the batch to ` +
      `${batchSeconds.seconds} seconds for ${batchSeconds.nodes} nodes, times ${range(daemonSetFactor)}`,
    ...serial.map(
      ({ to }) =>
        `${to.raw} rolls the network out one node at a time` +
        (networkType === null ? ', as far as known: the network type was not supplied' : ''),
    ),
    `A patch may take as little as ${model.patchMinimum} of the least of a minor, and as long as one`,
    scaleText(calibration),
    `An update that took over ${LONGEST_SAMPLE_MINUTES / 60} hours counts as stuck, not as slow; a scale stays ` +
      `within ${SCALE_LIMITS.least} and ${SCALE_LIMITS.most}`,
    'Minutes above 30 are rounded to 5',
  ];
}

function scaleText({ scale, source, samples }: Calibration): string {
  if (source === 'none')
    return 'No past update of this cluster or of others is known: the model is not scaled';
  const basis =
    source === 'cluster'
      ? countInWords(samples.length, 'completed update') + ' of this cluster'
      : 'the other clusters';
  return `The likeliest and the longest are scaled by ${scale}, the median of ${basis}`;
}

/** `34 (25 to 80)` */
function range({ min, expected, max }: Minutes): string {
  return `${expected} (${min} to ${max})`;
}
