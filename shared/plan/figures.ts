import type { ClusterFacts } from '../cluster/facts.ts';
import type { PathResult } from '../path/find-path.ts';
import type { SupportCalendar } from '../releases/lifecycle.ts';
import type { HopRisk } from '../risk/cluster-risks.ts';
import type { Check, Condition } from '../safety/condition.ts';
import { currentVersion, evaluateHops, type EvaluatedHop } from '../safety/evaluate.ts';
import { hostedClusterOf, isHosted } from '../safety/evidence/hosted.ts';
import type { RiskSources } from '../safety/evidence/risks.ts';
import { type SafetyOptions, hopsOfSteps } from '../safety/hop.ts';
import type { MissingInput } from '../safety/missing-input.ts';
import type { HopVerdict } from '../safety/verdict.ts';
import type { UpdateType } from '../version/release-line.ts';
import { caveatsOf, type Caveat } from './caveats.ts';
import { type HopDuration, pathDuration, type PathDuration } from './duration.ts';
import {
  type MeasuredMinutes,
  simulatePools,
  type PoolHop,
  type PoolPlan,
  workerRollouts,
  type WorkerRollout,
} from './pools.ts';
import type { Basis, UpdateServiceChoice } from './values.ts';
import type { PlanWindows } from './windows/fit.ts';

export interface PlanQuestion extends RiskSources {
  readonly facts: ClusterFacts;
  readonly basis: Basis;
  /**
   * `CHECKS` for reported facts, `VERSION_CHECKS` for assumed ones: a page without a cluster does not load the rest.
   */
  readonly checks: readonly Check[];
  readonly answer: PathResult;
  readonly options: SafetyOptions;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** First time each paused pool was seen paused, by pool name, in ISO 8601. */
  readonly pausedSince: ReadonlyMap<string, string>;
  /** Median ratio of actual to modelled duration in the fleet; null if unknown. */
  readonly fleetMedian: number | null;
  /** Minutes of one node by pool, from past updates of the cluster; absent without any. */
  readonly measuredNodes?: ReadonlyMap<string, MeasuredMinutes>;
  /** Newest release of the cluster's minor; null if the cluster runs it or none is known. */
  readonly newestPatch: string | null;
  /** Null without maintenance windows. A function, because a page without a cluster has none. */
  readonly windows: ((figures: PlanFigures, now: number) => PlanWindows) | null;
  readonly calendar: SupportCalendar;
  /** Why this is the target, if the question has none; null for a requested target. */
  readonly targetReason: string | null;
  /** `auto` if absent. */
  readonly updateService?: UpdateServiceChoice;
  /** Documents that a step collects, beside those that findings ask for. */
  readonly missing?: readonly MissingInput[];
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
  /** Known risks of a conditional update. */
  readonly risks: readonly HopRisk[];
  readonly upgradeable: Condition;
  readonly pools: readonly (PoolHop & { readonly pool: string | null })[];
  readonly duration: HopDuration | null;
}

/** Plan without steps, windows and workloads; a page shows it before it loads those. */
export interface PlanFigures {
  readonly hops: readonly PlanHop[];
  readonly pools: readonly PoolPlan[];
  readonly workerRollouts: readonly WorkerRollout[];
  readonly caveats: readonly Caveat[];
  readonly duration: PathDuration;
}

/** The model is of control planes on nodes of their own. */
const HOSTED_DURATION: PathDuration = {
  total: null,
  reason: 'the duration of hosted control plane updates is not known',
};

export function planFigures(
  question: PlanQuestion,
): PlanFigures & { readonly evaluated: readonly EvaluatedHop[] } {
  const { facts, answer, options } = question;
  const hops = answer.found ? hopsOfSteps(answer.upgrade.path, currentVersion(facts)) : [];
  const nodePools = hostedClusterOf(facts) && (facts.nodePools ?? []);
  const pools = simulatePools({
    ...facts,
    hops,
    ...options,
    hostedPools: nodePools,
    isHosted: isHosted(facts),
  });
  const evaluated = evaluateHops({ ...question, hops, pools, isCurrentExcluded: answer.sourceExcluded });
  const duration = nodePools ? HOSTED_DURATION : pathDuration({ ...question, hops });
  const { clusterVersion } = facts;
  const declared = nodePools?.map(({ name, atOnce }) => ({ name, maxUnavailable: atOnce })) ?? facts.pools;
  return {
    evaluated,
    hops: evaluated.map((hop, index) => planHop(hop, pools, duration, index)),
    pools,
    workerRollouts: workerRollouts(pools, declared, question.measuredNodes),
    // Caveats are about paused pools, and node pools are not paused.
    caveats: isHosted(facts)
      ? []
      : caveatsOf({ ...question, hops, pools, strategy: options.strategy, clusterVersion }),
    duration,
  };
}

function planHop(
  { hop, verdict, conditions, risks, upgradeable }: EvaluatedHop,
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
    risks,
    upgradeable,
    pools: pools.map(({ pool, hops }) => ({ pool, ...hops[index]! })),
    duration: duration.total === null ? null : duration.hops[index]!,
  };
}
