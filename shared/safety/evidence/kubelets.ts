import type { ClusterFacts, NodeFacts } from '../../cluster/facts.ts';
import { kubernetesMinorOf } from '../../version/release-line.ts';
import type { Hop, HopContext } from '../hop.ts';
import { kubeletLimit } from '../tables/kubelet-limits.ts';
import { lastCompleted, signsOfProgress } from './history.ts';
import { isDegraded, nodePlaces, type NodePlace } from './pools.ts';

/** Minors of Kubernetes 1; they differ while an update is in progress. */
interface ApiServerMinors {
  readonly oldest: number;
  readonly newest: number;
}

/** Minors before a hop. For the first hop, the reported version wins over that of the release. */
export function apiServerMinors(facts: ClusterFacts, hop: Hop): ApiServerMinors {
  if (hop.index > 0) return { oldest: hop.kubeFrom, newest: hop.kubeFrom };
  const reported = reportedMinor(facts);
  if (!isUpdating(facts)) {
    const minor = reported ?? hop.kubeFrom;
    return { oldest: minor, newest: minor };
  }
  // The operator reports a new version only once every API server runs it.
  const settled = reported ?? lastCompletedMinor(facts) ?? hop.kubeFrom;
  return { oldest: Math.min(settled, hop.kubeFrom), newest: Math.max(settled, hop.kubeFrom) };
}

function reportedMinor({ clusterOperators }: ClusterFacts): number | null {
  const operator = clusterOperators?.find(({ name }) => name === 'kube-apiserver');
  const operand = operator?.versions.find(({ name }) => name === 'kube-apiserver');
  return operand ? kubeletMinorOf(operand.version) : null;
}

function isUpdating({ clusterVersion }: ClusterFacts): boolean {
  return clusterVersion !== null && signsOfProgress(clusterVersion).some((sign) => sign !== 'pending');
}

function lastCompletedMinor({ clusterVersion }: ClusterFacts): number | null {
  const last = clusterVersion && lastCompleted(clusterVersion);
  return last && kubernetesMinorOf(last.version).minor;
}

/** Worst first, with the reasons of the kube-apiserver operator. */
export const SKEW_REASONS = [
  'KubeletMinorVersionUnsupported',
  'KubeletMinorVersionUnsupportedNextUpgrade',
  'KubeletMinorVersionAhead',
  'KubeletVersionUnknown',
  'KubeletMinorVersionPlannedRoll',
  'KubeletMinorVersionSupportedNextUpgrade',
  'KubeletMinorVersionsSynced',
] as const;
export type SkewReason = (typeof SKEW_REASONS)[number];

/** Kubelet skew in minors, before and after a hop. */
export interface KubeletLag {
  readonly node: NodeFacts;
  readonly place: NodePlace;
  readonly reason: SkewReason;
  /** This and the following are null if the kubelet version cannot be parsed. */
  readonly minor: number | null;
  readonly now: number | null;
  readonly after: number | null;
  readonly limitNow: number | null;
  readonly limitAfter: number | null;
}

/** By node name. */
export function kubeletLags(context: HopContext): readonly KubeletLag[] {
  const places = nodePlaces(context.facts);
  const servers = apiServerMinors(context.facts, context.hop);
  return (context.facts.nodes ?? [])
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((node) => lagOf(node, places.get(node.name)!, servers, context));
}

function lagOf(
  node: NodeFacts,
  place: NodePlace,
  { oldest, newest }: ApiServerMinors,
  context: HopContext,
): KubeletLag {
  const { hop, options } = context;
  const { minor, isPlanned } = minorByThen(node, place, context);
  if (minor === null) {
    const unknown = { minor, now: null, after: null, limitNow: null, limitAfter: null };
    return { node, place, reason: 'KubeletVersionUnknown', ...unknown };
  }
  // While two API server versions run, a kubelet must fit both: not too old for the newer, not newer than the older.
  const lag = {
    minor,
    now: newest - minor,
    after: hop.kubeTo - minor,
    limitNow: kubeletLimit(options.policy, hop.from, minor),
    limitAfter: kubeletLimit(options.policy, hop.to, minor),
  };
  const reason = isPlanned ? 'KubeletMinorVersionPlannedRoll' : reasonOf(lag, minor > oldest);
  return { node, place, reason, ...lag };
}

interface MinorByThen {
  readonly minor: number | null;
  /** The plan itself updates the pool right before the hop. */
  readonly isPlanned: boolean;
}

/** Kubelet minor at the start of the hop. A kubelet too old for an earlier hop must have been updated before it. */
function minorByThen(node: NodeFacts, place: NodePlace, context: HopContext): MinorByThen {
  const { hop, hops, options } = context;
  if (hasRolled(place, context)) return { minor: hop.kubeFrom, isPlanned: false };
  const isTooOld = (minor: number, { to, kubeFrom, kubeTo }: Hop): boolean =>
    kubeTo > kubeFrom && kubeTo - minor > kubeletLimit(options.policy, to, minor);
  const today = kubeletMinorOf(node.kubeletVersion);
  const minor = hops
    .slice(0, hop.index)
    .reduce(
      (minor, earlier) => (minor !== null && isTooOld(minor, earlier) ? earlier.kubeFrom : minor),
      today,
    );
  const isPlanned = minor !== null && isTooOld(minor, hop) && canRollBefore(hop, place);
  return { minor: isPlanned ? hop.kubeFrom : minor, isPlanned };
}

/** Before the first hop the cluster itself refuses. */
function canRollBefore({ index }: Hop, place: NodePlace): boolean {
  return index > 0 && completesRollouts(place);
}

/** A degraded pool never completes a rollout. */
function completesRollouts({ pool, isManaged }: NodePlace): boolean {
  return isManaged && !(pool && isDegraded(pool));
}

/** By a later hop the control plane has updated, and so have workers that are not paused. */
function hasRolled(place: NodePlace, { hop, options }: HopContext): boolean {
  if (hop.index === 0) return false;
  const isPaused = place.pool?.paused ?? false;
  return place.isControlPlane || (options.strategy === 'rolling' && !isPaused && completesRollouts(place));
}

function reasonOf(
  lag: Record<'now' | 'after' | 'limitNow' | 'limitAfter', number>,
  isAhead: boolean,
): SkewReason {
  if (lag.now > lag.limitNow) return 'KubeletMinorVersionUnsupported';
  if (lag.after > lag.limitAfter) return 'KubeletMinorVersionUnsupportedNextUpgrade';
  if (isAhead) return 'KubeletMinorVersionAhead';
  return lag.now > 0 ? 'KubeletMinorVersionSupportedNextUpgrade' : 'KubeletMinorVersionsSynced';
}

const VERSION = /^v?1\.(0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,8})(?:[-+].*)?$/;
const CRI_O = 'cri-o://';

/** `v1.21.0-rc.0+6143dea` → 21; null if invalid. API servers use the same format. */
export function kubeletMinorOf(version: string): number | null {
  const minor = VERSION.exec(version)?.[1];
  return minor === undefined ? null : Number(minor);
}

/** CRI-O follows Kubernetes minors: `cri-o://1.31.4-3.rhaos4.18` → 31; null for another runtime. */
export function crioMinorOf(containerRuntimeVersion: string): number | null {
  return containerRuntimeVersion.startsWith(CRI_O)
    ? kubeletMinorOf(containerRuntimeVersion.slice(CRI_O.length))
    : null;
}
