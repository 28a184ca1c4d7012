import type { ClusterFacts, HistoryEntry } from '../cluster/facts.ts';
import { isControlPlane, isLinux } from '../cluster/nodes.ts';
import { CONTROL_PLANE_POOL } from '../cluster/pools.ts';
import { pastReleases } from '../safety/evidence/history.ts';
import type { Hop } from '../safety/hop.ts';
import { countInWords } from '../text/words.ts';
import { ordinalOf } from '../version/release-line.ts';
import { parseVersion, type ReleaseVersion } from '../version/release-version.ts';
import type { Basis, CALIBRATION_SOURCES } from './values.ts';
import { eachMinutes, type Minutes, roundMinutes, type PathMinutes } from './words.ts';

export interface ClusterSize {
  /** Linux nodes, including the control plane. */
  readonly nodes: number;
  readonly controlPlane: number;
  readonly countedFrom: 'nodes' | 'pools';
}

/** Counts nodes, or the machines of the pools if nodes are missing: 3 masters and 3 workers → 6, 3. */
export function clusterSize({
  nodes,
  pools,
}: Pick<ClusterFacts, 'nodes' | 'pools'>): ClusterSize | { readonly reason: string } {
  if (nodes !== null) {
    const linux = nodes.filter(isLinux);
    if (linux.length === 0) return { reason: 'there is no Linux node among the nodes that were supplied' };
    return { nodes: linux.length, controlPlane: linux.filter(isControlPlane).length, countedFrom: 'nodes' };
  }
  const machines = (pools ?? []).reduce((sum, pool) => sum + pool.machines.total, 0);
  if (machines <= 0)
    return { reason: 'the number of nodes is not known; supply the output of `oc get nodes -o json`' };
  // An arbiter reboots beside them.
  const controlPlane = (pools ?? []).filter(({ name }) => name === CONTROL_PLANE_POOL);
  return {
    nodes: machines,
    controlPlane: controlPlane.reduce((sum, pool) => sum + pool.machines.total, 0),
    countedFrom: 'pools',
  };
}

/**
 * Two measurements fix the DaemonSet part: 250 nodes take 80 minutes one at a time and 10 minutes at 10%. Base and
 * control plane are fitted to the usual 60 minutes for six nodes. The range includes the slowest updates of the
 * project's continuous integration.
 */
export const DURATION_MODEL = {
  /** API servers, etcd and operators; independent of cluster size. */
  base: { min: 25, expected: 34, max: 80 },
  /** Drain and reboot of one control plane node; nodes reboot one by one. */
  perControlPlaneNode: { min: 5, expected: 6.7, max: 12 },
  daemonSetFactor: { min: 0.8, expected: 1, max: 1.5 },
  /** Sequential stages: tuning and monitoring; DNS and network; machine-config daemon. */
  daemonSetStages: 3,
  /** Rollout of one node at a time. */
  serialSecondsPerNode: 19.2,
  /** A batch lasts as long as its slowest node, which grows with the logarithm of the batch size: 60 s for 25 nodes. */
  batchSeconds: { nodes: 25, seconds: 60 },
  /** A batch is 10% of the nodes, rounded up. */
  batchesPerRollout: 10,
  /** Minimum of a patch as a share of the minimum of a minor; both have the same maximum. */
  patchMinimum: 0.6,
} as const;

/** Seconds for one batch: 19.2 for 1 node, 60 for 25. */
export function batchSeconds(nodes: number): number {
  const { serialSecondsPerNode, batchSeconds: known } = DURATION_MODEL;
  return (
    serialSecondsPerNode + ((known.seconds - serialSecondsPerNode) * Math.log(nodes)) / Math.log(known.nodes)
  );
}

/** Minutes to roll out a DaemonSet: 250 nodes take 80 one at a time, 10 with a tenth at a time. */
function daemonSetMinutes(nodes: number, nodesAtOnce: 'one' | 'tenth'): number {
  const batch = nodesAtOnce === 'one' ? 1 : Math.ceil(nodes / DURATION_MODEL.batchesPerRollout);
  return (Math.ceil(nodes / batch) * batchSeconds(batch)) / 60;
}

/** Unrounded minutes of a minor update: 6 nodes with 3 masters give 44.6, 59.9 and 124.6. */
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
 * Releases up to 4.5 roll out the network node by node, and so does 4.6 with OpenShiftSDN. The target release decides
 * because it brings the DaemonSets. An unknown network counts as OpenShiftSDN, the default of 4.6.
 */
export function isNetworkSerial(to: ReleaseVersion, networkType: string | null): boolean {
  const ordinal = ordinalOf(to);
  return ordinal <= 5 || (ordinal === 6 && (networkType ?? 'OpenShiftSDN') === 'OpenShiftSDN');
}

export interface HopDuration extends Minutes {
  /** True if the network rolls out node by node, which makes large clusters slow. */
  readonly serialNetwork: boolean;
}

/**
 * Minutes from the start of a hop until `Completed`: 45, 60, 125 for 6 nodes; a patch starts at 25. The scale changes
 * the minimum only if the expected duration falls below it.
 */
export function hopDuration(
  hop: Pick<Hop, 'to' | 'updateType'>,
  size: ClusterSize,
  networkType: string | null,
  scale: number,
): HopDuration {
  const serialNetwork = isNetworkSerial(hop.to, networkType);
  const model = modelMinutes(size, serialNetwork);
  const least = model.min * (hop.updateType === 'patch' ? DURATION_MODEL.patchMinimum : 1);
  const expected = model.expected * scale;
  const minutes = { min: Math.min(least, expected), expected, max: model.max * scale };
  return { ...eachMinutes((bound) => roundMinutes(minutes[bound])), serialNetwork };
}

/** Adds overruns as independent errors (root of the sum of squares). */
export function addMinutes(durations: readonly Minutes[]): PathMinutes {
  const sum = (value: (duration: Minutes) => number) =>
    durations.reduce((total, duration) => total + value(duration), 0);
  const expected = sum((duration) => duration.expected);
  const overrun = Math.sqrt(sum((duration) => (duration.max - duration.expected) ** 2));
  return {
    min: sum(({ min }) => min),
    expected,
    max: roundMinutes(expected + overrun),
    worst: sum(({ max }) => max),
  };
}

interface PastUpdate {
  readonly version: string;
  readonly minutes: number;
  /** Actual minutes divided by modelled minutes: 1.5 is 50% longer. */
  readonly ratio: number;
}

interface Calibration {
  /** Factor for the expected and the maximum duration. */
  readonly scale: number;
  readonly source: (typeof CALIBRATION_SOURCES)[number];
  /** Newest first. */
  readonly samples: readonly PastUpdate[];
  /** Updates that took longer than a day; they were stuck and predict nothing. */
  readonly outliers: readonly PastUpdate[];
}

const SCALE_LIMITS = { least: 0.5, most: 3 } as const;
const LONGEST_SAMPLE_MINUTES = 24 * 60;

/**
 * Compares the cluster's completed updates with the model: 90 and 66 minutes against 60 give 1.3. Falls back to the
 * fleet median. Skips the installation (oldest entry) and entries that changed only the image. Excludes workers: an
 * update completes without them.
 */
export function calibrate(
  history: readonly HistoryEntry[],
  modelled: (to: ReleaseVersion) => number,
  fleetMedian: number | null,
): Calibration {
  const past = history.slice(0, -1).flatMap((entry, index) => {
    const minutes = minutesOf(entry);
    const version = parseVersion(entry.version);
    if (minutes === null || version === null || entry.version === history[index + 1]?.version) return [];
    return [{ version: entry.version, minutes, ratio: minutes / modelled(version) }];
  });
  const samples = past.filter(({ minutes }) => minutes <= LONGEST_SAMPLE_MINUTES);
  const ratio = median(samples.map((sample) => sample.ratio));
  const scale = ratio ?? fleetMedian;
  return {
    scale: scale === null ? 1 : twoDigits(Math.min(Math.max(scale, SCALE_LIMITS.least), SCALE_LIMITS.most)),
    source: ratio !== null ? 'cluster' : fleetMedian !== null ? 'fleet' : 'none',
    samples: samples.map(shown),
    outliers: past.filter(({ minutes }) => minutes > LONGEST_SAMPLE_MINUTES).map(shown),
  };
}

/** Averages the two middle values of an even count; null if empty. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Ignores incomplete updates: their completion time is the start of the next update. */
function minutesOf({ state, startedTime, completionTime }: HistoryEntry): number | null {
  if (state !== 'Completed' || startedTime === null || completionTime === null) return null;
  const minutes = (Date.parse(completionTime) - Date.parse(startedTime)) / 60_000;
  return minutes > 0 ? minutes : null;
}

function shown({ version, minutes, ratio }: PastUpdate): PastUpdate {
  return { version, minutes: Math.round(minutes), ratio: twoDigits(ratio) };
}

function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}

export interface KnownDuration {
  readonly total: PathMinutes;
  /** One per hop, in order. */
  readonly hops: readonly HopDuration[];
  readonly calibration: Calibration;
  readonly assumptions: readonly string[];
  readonly excludes: readonly string[];
}

export type PathDuration = KnownDuration | { readonly total: null; readonly reason: string };

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
