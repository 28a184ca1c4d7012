import type { ClusterFacts } from '../cluster/facts.ts';
import type { Hop as PathHop, PathStep } from '../path/solver/solve.ts';
import type { SupportCalendar } from '../releases/lifecycle.ts';
import type { HopRisk } from '../risk/cluster-risks.ts';
import { ordinalOf, type UpdateType, kubernetesMinorOf, updateTypeOf } from '../version/release-line.ts';
import { type ReleaseVersion, mustParseVersion } from '../version/release-version.ts';
import type { API_REMOVALS, SKEW_POLICIES, STRATEGIES } from './values.ts';

/** Allowed kubelet skew: the OpenShift guard, a fixed number of minors, or the Kubernetes policy. */
export type SkewPolicy = (typeof SKEW_POLICIES)[number];
/** Workers update at every hop, or stay paused until the skew limit or the target requires a rollout. */
export type Strategy = (typeof STRATEGIES)[number];
/** `block`: an API in use that a hop removes blocks it; `ack`: warns only if its gate is acknowledged. */
export type ApiRemovals = (typeof API_REMOVALS)[number];

export interface SafetyOptions {
  readonly policy: SkewPolicy;
  readonly strategy: Strategy;
  /** Missing input blocks. */
  readonly strict: boolean;
  readonly apiRemovals: ApiRemovals;
  /** Reasons or types of accepted findings. */
  readonly accept: readonly string[];
}

export interface Hop {
  readonly index: number;
  readonly from: ReleaseVersion;
  readonly to: ReleaseVersion;
  readonly updateType: UpdateType;
  /** Kubernetes minor, 27 for 1.27. */
  readonly kubeFrom: number;
  readonly kubeTo: number;
  /** Minors between the cluster's current version and `to`. */
  readonly minorDistance: number;
  /** Edge of the update graph; null if the path is not from one. */
  readonly update: PathHop | null;
}

/** The hop enters a minor new to the cluster. A patch does not, nor does 4.23 to 5.0. */
export function entersMinor({ from, to, minorDistance }: Hop): boolean {
  return minorDistance > 0 && ordinalOf(to) > ordinalOf(from);
}

/** Points of the path at which the nodes of a pool reboot; control plane nodes reboot with every hop. */
export interface PlannedPool {
  /** Null for nodes without a pool. */
  readonly pool: string | null;
  /** `beforeHop` is null at the end of the path. */
  readonly rolls: readonly { readonly beforeHop: number | null }[];
}

export interface HopContext {
  readonly facts: ClusterFacts;
  /** The version the cluster reconciles; null if invalid. */
  readonly current: ReleaseVersion | null;
  readonly hop: Hop;
  readonly hops: readonly Hop[];
  readonly pools: readonly PlannedPool[];
  readonly options: SafetyOptions;
  /** Milliseconds since 1970. */
  readonly now: number;
  /**
   * The configuration excludes the version that the cluster runs.
   * @default false
   */
  readonly isCurrentExcluded?: boolean;
  readonly calendar: SupportCalendar;
  /** Known risks of the hop. */
  readonly risks: readonly HopRisk[];
}

/** Expects the source first. Distances count from the cluster's current version. */
export function hopsOfSteps(
  steps: readonly Pick<PathStep, 'version' | 'hop'>[],
  current: ReleaseVersion | null,
): Hop[] {
  const versions = steps.map(({ version }) => mustParseVersion(version));
  return steps.slice(1).map(({ hop: update }, index) => {
    const from = versions[index]!;
    const to = versions[index + 1]!;
    return {
      index,
      from,
      to,
      updateType: updateTypeOf(from, to),
      kubeFrom: kubernetesMinorOf(from).minor,
      kubeTo: kubernetesMinorOf(to).minor,
      minorDistance: ordinalOf(to) - ordinalOf(current ?? versions[0]!),
      update,
    };
  });
}
