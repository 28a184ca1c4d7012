import type { ClusterFacts } from '../cluster/facts.ts';
import type { UpgradeAnswer } from '../path/find-path.ts';
import type { Condition } from '../safety/condition.ts';
import { currentVersion, evaluateHops, type EvaluatedHop } from '../safety/evaluate.ts';
import { lastCompleted } from '../safety/evidence/history.ts';
import { type SkewOptions, type SkewPolicy, type Strategy, hopsOfSteps } from '../safety/hop.ts';
import { countEffect, overallVerdict, type HopVerdict, type Verdict } from '../safety/verdict.ts';
import { countInWords } from '../text/words.ts';
import type { UpdateType } from '../version/release-line.ts';
import { caveatsOf, type Caveat } from './caveats.ts';
import { type HopDuration } from './duration.ts';
import type { PlanStep } from './health-steps.ts';
import { nextStep } from './next-step.ts';
import { pathDuration, type PathDuration } from './path-duration.ts';
import { simulatePools, type PoolHop, type PoolPlan } from './pools.ts';
import { rescheduling, type Rescheduling } from './rescheduling.ts';
import { planSteps } from './steps.ts';
import { type PlanWindows, planWindows } from './windows/fit.ts';
import type { MaintenanceWindows } from './windows/maintenance-windows.ts';
import { workerRollouts, type WorkerRollout } from './worker-rollout.ts';

export interface ReportQuestion {
  readonly facts: ClusterFacts;
  /** The way from where the cluster is, or why there is none. */
  readonly answer: UpgradeAnswer;
  readonly options: SkewOptions;
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

export interface HopReport {
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

/** Whether a cluster may take a way, why not, and what to do, from the first preparation to the last reboot. */
export interface UpgradeReport {
  readonly cluster: { readonly id: string | null; readonly channel: string | null };
  readonly current: string | null;
  readonly lastCompleted: { readonly version: string; readonly assumed: boolean } | null;
  readonly target: string | null;
  readonly policy: SkewPolicy;
  readonly strategy: Strategy;
  readonly verdict: Verdict;
  readonly blockers: number;
  readonly informs: number;
  readonly nextStep: string;
  readonly pathExists: Condition;
  readonly hops: readonly HopReport[];
  readonly plan: {
    readonly steps: readonly PlanStep[];
    readonly pools: readonly PoolPlan[];
    readonly workerRollouts: readonly WorkerRollout[];
    readonly caveats: readonly Caveat[];
  };
  readonly duration: PathDuration;
  /** Null when no maintenance windows are given. */
  readonly windows: PlanWindows | null;
  readonly rescheduling: Rescheduling;
  readonly evaluatedAt: string;
}

/** The same question gives the same report, to the byte. */
export function upgradeReport(question: ReportQuestion): UpgradeReport {
  const { facts, answer, options, now, pausedSince, fleetMedian, windows } = question;
  const hops = answer.found ? hopsOfSteps(answer.upgrade.path, currentVersion(facts)) : [];
  const evaluated = evaluateHops(facts, hops, options, now);
  const pools = simulatePools({ ...facts, hops, ...options });
  const duration = pathDuration(hops, facts, fleetMedian);
  const conditions = evaluated.flatMap((hop) => hop.conditions);
  const last = facts.clusterVersion && lastCompleted(facts.clusterVersion);
  const verdict = overallVerdict(evaluated, answer.found);
  const hopReports = evaluated.map((hop, index) => hopReport(hop, pools, duration, index));
  const rollouts = workerRollouts(pools, facts.pools);
  return {
    cluster: {
      id: facts.clusterVersion?.clusterId ?? null,
      channel: facts.clusterVersion?.channel ?? null,
    },
    current: facts.clusterVersion?.desired.version ?? null,
    lastCompleted: last && { version: last.version.raw, assumed: last.assumed },
    target: answer.to,
    policy: options.policy,
    strategy: options.strategy,
    verdict,
    blockers: countEffect(conditions, 'block') + (answer.found ? 0 : 1),
    informs: countEffect(conditions, 'inform'),
    nextStep: nextStep({ verdict, evaluated, answer, newestPatch: question.newestPatch, facts }),
    pathExists: pathExists(answer),
    hops: hopReports,
    plan: {
      steps: planSteps({
        hops: evaluated,
        pools,
        channelPlan: answer.found ? answer.upgrade.channelPlan : [],
        channel: facts.clusterVersion?.channel ?? null,
        offeredChannels: facts.clusterVersion?.desired.channels ?? [],
      }),
      pools,
      workerRollouts: rollouts,
      caveats: caveatsOf({
        hops,
        pools,
        strategy: options.strategy,
        pausedSince,
        clusterVersion: facts.clusterVersion,
        now,
      }),
    },
    duration,
    windows: windows && planWindows({ windows, hops: hopReports, duration, rollouts, now }),
    rescheduling: rescheduling(facts, pools),
    evaluatedAt: new Date(now).toISOString(),
  };
}

function pathExists(answer: UpgradeAnswer): Condition {
  const common = { type: 'PathExists', origin: 'computed' } as const;
  if (answer.found) {
    const { hops } = answer.upgrade.stats;
    const message =
      hops === 0 ? `The cluster is at ${answer.to}` : `${answer.to} is ${countInWords(hops, 'hop')} away`;
    return { ...common, status: 'True', reason: 'AsExpected', message, effect: 'ok' };
  }
  const { code, message, suggestion } = answer.explanation;
  return {
    ...common,
    status: 'False',
    reason: code,
    message,
    effect: 'block',
    ...(suggestion !== null && { remediation: [suggestion] }),
  };
}

function hopReport(
  { hop, verdict, conditions, upgradeable }: EvaluatedHop,
  pools: readonly PoolPlan[],
  duration: PathDuration,
  index: number,
): HopReport {
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
