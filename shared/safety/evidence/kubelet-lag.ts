import type { NodeFacts } from '../../cluster/facts.ts';
import { apiServerMinors, type ApiServerMinors } from './kubelets.ts';
import type { Hop, HopContext } from '../hop.ts';
import { kubeletMinorOf } from './kubelet-version.ts';
import { nodePlaces, type NodePlace } from './pools.ts';
import { kubeletLimit } from '../tables/kubelet-limits.ts';

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
