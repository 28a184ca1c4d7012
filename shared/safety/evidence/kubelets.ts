import type { ClusterFacts, NodeFacts } from '../../cluster/facts.ts';
import { kubernetesMinorOf } from '../../version/release-line.ts';
import type { Hop, HopContext } from '../hop.ts';
import { kubeletLimit } from '../tables/kubelet-limits.ts';
import { lastCompleted, signsOfProgress } from './history.ts';
import { nodePlaces, type NodePlace } from './pools.ts';

/** Of Kubernetes 1: 27 and 27, or 27 and 28 while an update goes from one to the other. */
interface ApiServerMinors {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * The minors of the API servers that run before a hop. For the cluster as it is now, what the API server reports of itself
 * counts for more than what its release is built on.
 */
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

/** What a kubelet means for a hop, the worst first, in the words of the guard of the API server. */
export const SKEW_REASONS = [
  'KubeletMinorVersionUnsupported',
  'KubeletMinorVersionUnsupportedNextUpgrade',
  'KubeletMinorVersionAhead',
  'KubeletVersionUnknown',
  'KubeletMinorVersionSupportedNextUpgrade',
  'KubeletMinorVersionsSynced',
] as const;
export type SkewReason = (typeof SKEW_REASONS)[number];

/** How far a kubelet is behind the API server, in minors, before a hop and after it. */
export interface KubeletLag {
  readonly node: NodeFacts;
  readonly place: NodePlace;
  readonly reason: SkewReason;
  /** The rest is null when the kubelet's version cannot be read. */
  readonly minor: number | null;
  readonly now: number | null;
  readonly after: number | null;
  readonly limitNow: number | null;
  readonly limitAfter: number | null;
}

/** All nodes, by name. */
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
  const minor = minorByThen(node, place, context);
  if (minor === null) {
    const unknown = { minor, now: null, after: null, limitNow: null, limitAfter: null };
    return { node, place, reason: 'KubeletVersionUnknown', ...unknown };
  }
  // While two API servers run, a kubelet has to suit both: not too old for the newer, not too new for the older.
  const lag = {
    minor,
    now: newest - minor,
    after: hop.kubeTo - minor,
    limitNow: kubeletLimit(options.policy, hop.from, minor),
    limitAfter: kubeletLimit(options.policy, hop.to, minor),
  };
  return { node, place, reason: reasonOf(lag, minor > oldest), ...lag };
}

/** What the kubelet is at when the hop begins. A hop that it was too old for was only taken once it had been updated. */
function minorByThen(node: NodeFacts, place: NodePlace, context: HopContext): number | null {
  const { hop, hops, options } = context;
  if (hasRolled(place, context)) return hop.kubeFrom;
  const isTooOld = (minor: number, { to, kubeFrom, kubeTo }: Hop): boolean =>
    kubeTo > kubeFrom && kubeTo - minor > kubeletLimit(options.policy, to, minor);
  const today = kubeletMinorOf(node.kubeletVersion);
  return hops
    .slice(0, hop.index)
    .reduce(
      (minor, earlier) => (minor !== null && isTooOld(minor, earlier) ? earlier.kubeFrom : minor),
      today,
    );
}

/** By a later hop, the control plane has followed, and with it the workers that nothing holds back. */
function hasRolled({ pool, isControlPlane, isManaged }: NodePlace, { hop, options }: HopContext): boolean {
  if (hop.index === 0) return false;
  return isControlPlane || (options.strategy === 'rolling' && isManaged && !(pool?.paused ?? false));
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

/**
 * The minor of a kubelet, or of an API server, which writes its version the same way: `v1.21.0-rc.0+6143dea` → 21; null for
 * what is no such version.
 */
export function kubeletMinorOf(version: string): number | null {
  const minor = VERSION.exec(version)?.[1];
  return minor === undefined ? null : Number(minor);
}

/** CRI-O counts minors as Kubernetes does: `cri-o://1.31.4-3.rhaos4.18` → 31; null for another runtime. */
export function crioMinorOf(containerRuntimeVersion: string): number | null {
  return containerRuntimeVersion.startsWith(CRI_O)
    ? kubeletMinorOf(containerRuntimeVersion.slice(CRI_O.length))
    : null;
}
