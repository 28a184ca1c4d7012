import type { PathResult } from '../path/find-path.ts';
import type { Condition } from '../safety/condition.ts';
import { lastCompleted } from '../safety/evidence/history.ts';
import type { SkewPolicy, Strategy } from '../safety/hop.ts';
import { countEffect, overallVerdict, type Verdict } from '../safety/verdict.ts';
import { countInWords } from '../text/words.ts';
import { planFigures, type PlanFigures, type PlanQuestion } from './figures.ts';
import type { PlanStep } from './health-steps.ts';
import { nextStep } from './next-step.ts';
import { rescheduling, type Rescheduling } from './rescheduling.ts';
import { planSteps } from './steps.ts';
import type { Basis } from './values.ts';
import { type PlanWindows, planWindows } from './windows/fit.ts';

export interface UpgradePlan extends Pick<PlanFigures, 'hops' | 'duration'> {
  readonly basis: Basis;
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
  readonly plan: PlanDetails & Pick<PlanFigures, 'pools' | 'workerRollouts' | 'caveats'>;
  /** Null without maintenance windows. */
  readonly windows: PlanWindows | null;
  readonly rescheduling: Rescheduling;
  readonly evaluatedAt: string;
}

/** Part of a plan that a page loads on demand. */
export interface PlanDetails {
  readonly steps: readonly PlanStep[];
}

/** Deterministic: equal questions give byte-equal plans. */
export function planUpgrade(question: PlanQuestion): UpgradePlan {
  const { facts, basis, answer, options, now, windows } = question;
  const { evaluated, hops, duration, pools, workerRollouts: rollouts, caveats } = planFigures(question);
  const conditions = hops.flatMap((hop) => hop.conditions);
  const { clusterVersion } = facts;
  const last = clusterVersion && lastCompleted(clusterVersion);
  const verdict = overallVerdict(hops, answer.found);
  return {
    basis,
    cluster: { id: clusterVersion?.clusterId ?? null, channel: clusterVersion?.channel ?? null },
    current: clusterVersion?.desired.version ?? null,
    lastCompleted: last && { version: last.version.raw, assumed: last.assumed },
    target: answer.to,
    policy: options.policy,
    strategy: options.strategy,
    verdict,
    blockers: countEffect(conditions, 'block') + (answer.found ? 0 : 1),
    informs: countEffect(conditions, 'inform'),
    nextStep: nextStep(verdict, evaluated, question),
    pathExists: pathExists(answer),
    hops,
    plan: {
      steps: planSteps({
        hops: evaluated,
        pools,
        channelPlan: answer.found ? answer.upgrade.channelPlan : [],
        channel: clusterVersion?.channel ?? null,
        offeredChannels: clusterVersion?.desired.channels ?? [],
      }),
      pools,
      workerRollouts: rollouts,
      caveats,
    },
    duration,
    windows: windows && planWindows({ windows, hops, duration, rollouts, now }),
    rescheduling: rescheduling(facts, pools),
    evaluatedAt: new Date(now).toISOString(),
  };
}

function pathExists(answer: PathResult): Condition {
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
