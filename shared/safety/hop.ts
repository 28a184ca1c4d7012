import type { ClusterFacts } from '../cluster/facts.ts';
import type { Hop as PathHop, PathStep } from '../path/solver/solve.ts';
import { ordinalOf, type UpdateType, kubernetesMinorOf, updateTypeOf } from '../version/release-line.ts';
import { type ReleaseVersion, mustParseVersion } from '../version/release-version.ts';
import type { API_REMOVALS, SKEW_POLICIES, STRATEGIES } from './values.ts';

/** How far kubelets may be behind: as OpenShift guards it, by a fixed number of minors, or as Kubernetes itself allows. */
export type SkewPolicy = (typeof SKEW_POLICIES)[number];
/** Whether workers follow every hop, or stay where they are until skew or the target makes them move. */
export type Strategy = (typeof STRATEGIES)[number];
/** `block`: an API in use that goes away blocks; `ack`: only warns when its gate is acknowledged. */
export type ApiRemovals = (typeof API_REMOVALS)[number];

export interface SkewOptions {
  readonly policy: SkewPolicy;
  readonly strategy: Strategy;
  /** What was not supplied stands in the way. */
  readonly strict: boolean;
  readonly apiRemovals: ApiRemovals;
  /** Reasons or types of findings that were accepted. */
  readonly accept: readonly string[];
}

/** One step of the way. */
export interface Hop {
  readonly index: number;
  readonly from: ReleaseVersion;
  readonly to: ReleaseVersion;
  readonly updateType: UpdateType;
  /** Kubernetes minors, 27 for 1.27. */
  readonly kubeFrom: number;
  readonly kubeTo: number;
  /** Minors between the cluster as it is now and where the hop leads. */
  readonly minorDistance: number;
  /** What the update graph says of the hop; null when the path was not taken from one. */
  readonly update: PathHop | null;
}

/** Whether the hop takes the cluster to a minor that it is not in; a patch, or 4.23 to 5.0, does not. */
export function entersMinor({ from, to, minorDistance }: Hop): boolean {
  return minorDistance > 0 && ordinalOf(to) > ordinalOf(from);
}

/** All that a check may look at. */
export interface HopContext {
  readonly facts: ClusterFacts;
  /** What the cluster is reconciling; null when it is not a version. */
  readonly current: ReleaseVersion | null;
  readonly hop: Hop;
  /** All hops, this one included. */
  readonly hops: readonly Hop[];
  readonly options: SkewOptions;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The hops of a path, the source first, with what the update graph says of each; distances are from where the cluster is. */
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
