import type { ClusterFacts } from '../cluster/facts.ts';
import type { PathResult } from '../path/find-path.ts';
import type { Check, Condition } from '../safety/condition.ts';
import { currentVersion, evaluateHops, type EvaluatedHop } from '../safety/evaluate.ts';
import { type SafetyOptions, hopsOfSteps } from '../safety/hop.ts';
import type { HopVerdict } from '../safety/verdict.ts';
import type { UpdateType } from '../version/release-line.ts';
import { caveatsOf, type Caveat } from './caveats.ts';
import type { HopDuration } from './duration.ts';
import { pathDuration, type PathDuration } from './path-duration.ts';
import { simulatePools, type PoolHop, type PoolPlan } from './pools.ts';
import type { Basis } from './values.ts';
import type { MaintenanceWindows } from './windows/maintenance-windows.ts';
import { workerRollouts, type WorkerRollout } from './worker-rollout.ts';

export interface PlanQuestion {
  readonly facts: ClusterFacts;
  readonly basis: Basis;
  /** `CHECKS` for reported facts, `VERSION_CHECKS` for assumed ones: a page without a cluster does not load the others. */
  readonly checks: readonly Check[];
  /** The way from where the cluster is, or why there is none. */
  readonly answer: PathResult;
  readonly options: SafetyOptions;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When each pool that is paused was first seen so, in ISO 8601. */
  readonly pausedSince: ReadonlyMap<string, string>;
  /** How other clusters took compared to the model; null when none is known. */
  readonly fleetMedian: number | null;
  /** The newest release of the minor that the cluster is in; null when it is on it, or none is known. */
  readonly newestPatch: string | null;
  /** When the cluster may be worked on; null when nobody says so. */
  readonly windows: MaintenanceWindows | null;
}

export interface PlanHop {
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly updateType: UpdateType;
  readonly kubeFrom: string;
  readonly kubeTo: string;
  readonly minorDistance: number;
  readonly verdict: HopVerdict;
  readonly conditions: readonly Condition[];
  readonly upgradeable: Condition;
  readonly pools: readonly (PoolHop & { readonly pool: string | null })[];
  readonly duration: HopDuration | null;
}

/** The part of a plan without steps, windows and workloads: a page shows it before it loads them. */
export interface PlanFigures {
  readonly hops: readonly PlanHop[];
  readonly pools: readonly PoolPlan[];
  readonly workerRollouts: readonly WorkerRollout[];
  readonly caveats: readonly Caveat[];
  readonly duration: PathDuration;
}

export function planFigures(
  question: PlanQuestion,
): PlanFigures & { readonly evaluated: readonly EvaluatedHop[] } {
  const { facts, answer, options } = question;
  const hops = answer.found ? hopsOfSteps(answer.upgrade.path, currentVersion(facts)) : [];
  const evaluated = evaluateHops({ ...question, hops });
  const pools = simulatePools({ ...facts, hops, ...options });
  const duration = pathDuration({ ...question, hops });
  const { clusterVersion } = facts;
  return {
    evaluated,
    hops: evaluated.map((hop, index) => planHop(hop, pools, duration, index)),
    pools,
    workerRollouts: workerRollouts(pools, facts.pools),
    caveats: caveatsOf({ ...question, hops, pools, strategy: options.strategy, clusterVersion }),
    duration,
  };
}

function planHop(
  { hop, verdict, conditions, upgradeable }: EvaluatedHop,
  pools: readonly PoolPlan[],
  duration: PathDuration,
  index: number,
): PlanHop {
  return {
    index,
    from: hop.from.raw,
    to: hop.to.raw,
    updateType: hop.updateType,
    kubeFrom: `1.${hop.kubeFrom}`,
    kubeTo: `1.${hop.kubeTo}`,
    minorDistance: hop.minorDistance,
    verdict,
    conditions,
    upgradeable,
    pools: pools.map(({ pool, hops }) => ({ pool, ...hops[index]! })),
    duration: duration.total === null ? null : duration.hops[index]!,
  };
}
