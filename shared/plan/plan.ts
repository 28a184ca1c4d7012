import type { PathResult } from '../path/find-path.ts';
import { CONTROL_PLANE_LOST, hasLostControlPlane } from '../safety/checks/nodes-healthy.ts';
import type { Condition } from '../safety/condition.ts';
import type { EvaluatedHop } from '../safety/evaluate.ts';
import { lastCompleted } from '../safety/evidence/history.ts';
import { entersMinor, type Hop, type SkewPolicy, type Strategy } from '../safety/hop.ts';
import { countEffect, isMissingInput, overallVerdict, type Verdict } from '../safety/verdict.ts';
import { countInWords, listInWords } from '../text/words.ts';
import { minorOf } from '../version/minor.ts';
import { forTopology, planFigures, type PlanFigures, type PlanQuestion } from './figures.ts';
import { rescheduling, type Rescheduling } from './rescheduling.ts';
import { runSheet } from './run-sheet/run-sheet.ts';
import type { PlanStep } from './run-sheet/step.ts';
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
export function planUpgrade(asked: PlanQuestion): UpgradePlan {
  const question = forTopology(asked);
  const { facts, basis, answer, options, now, windows } = question;
  const figures = planFigures(question);
  const { evaluated, hops, duration, pools, workerRollouts, caveats } = figures;
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
      steps: runSheet({
        facts,
        hops: evaluated,
        pools,
        rollouts: workerRollouts,
        channelPlan: answer.found ? answer.upgrade.channelPlan : [],
        payloads: new Map(
          answer.found ? answer.upgrade.path.map((step) => [step.version, step.payload]) : [],
        ),
        hopMinutes: hops.map(({ duration: minutes }) => minutes?.expected ?? null),
      }),
      pools,
      workerRollouts,
      caveats,
    },
    duration,
    windows: windows && planWindows(windows, figures, now),
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

/**
 * Always mentions patches, because a blocked minor is often misread as blocking everything: `4.10 is held back: …;
 * 4.9.22 can still be installed`.
 */
function nextStep(
  verdict: Verdict,
  evaluated: readonly EvaluatedHop[],
  { answer, newestPatch, facts }: Pick<PlanQuestion, 'answer' | 'newestPatch' | 'facts'>,
): string {
  if (!answer.found) {
    const { message, suggestion } = answer.explanation;
    return [
      message,
      ...(suggestion === null ? [] : [suggestion]),
      ...(newestPatch === null || hasLostControlPlane(facts) ? [] : [patchOpen(newestPatch)]),
    ].join('; ');
  }
  const [first] = evaluated;
  if (!first) return `Nothing to do: the cluster is at ${answer.to}`;
  const target = first.hop.to.raw;
  if (verdict === 'ready') return `Update to ${target}: nothing stands against it`;
  if (verdict === 'ready-with-warnings') {
    const warnings = evaluated
      .flatMap(({ conditions }) => conditions)
      .filter(({ effect, accepted }) => effect === 'warn' && !accepted);
    const named = listInWords([...new Set(warnings.map(({ reason }) => reason))]);
    return `Update to ${target}, having looked at the warnings: ${named}`;
  }
  const held = evaluated.find((hop) => hop.verdict === HOLDING[verdict])!;
  const name = entersMinor(held.hop) ? minorOf(held.hop.to) : held.hop.to.raw;
  const why = firstAgainst(held.conditions);
  if (verdict === 'action-required') {
    return `${target} is open; before ${name} something is to be done: ${why}`;
  }
  const said = verdict === 'blocked' ? `${name} is held back: ${why}` : `${name} may be held back: ${why}`;
  const isOpen = first.verdict === 'allowed' || first.verdict === 'allowed-with-warnings';
  if (hasLostControlPlane(facts)) return `${said}; patches are blocked too`;
  // A patch as first hop is open even if a later hop is blocked.
  return `${said}; ${isOpen ? `${target} is open` : patchesOpen(newestPatch, first.hop)}`;
}

/** Hop verdict that causes the overall verdict. */
const HOLDING = { blocked: 'blocked', unknown: 'unknown', 'action-required': 'will-block' } as const;

/** Mentions patches even if no newer patch is known. */
function patchesOpen(newestPatch: string | null, { from }: Hop): string {
  return newestPatch === null ? `patches of ${minorOf(from)} are not held back` : patchOpen(newestPatch);
}

function patchOpen(newestPatch: string): string {
  return `${newestPatch} can still be installed, patches are not held back`;
}

/** Returns the worst finding: of a list, its heading and its first line. */
function firstAgainst(conditions: readonly Condition[]): string {
  const open = conditions.filter(({ accepted }) => !accepted);
  const worst =
    open.find(({ reason }) => reason === CONTROL_PLANE_LOST) ??
    open.find(({ effect }) => effect === 'block') ??
    open.find(({ effect }) => effect === 'inform') ??
    open.find(isMissingInput)!;
  // The caller continues the sentence.
  return worst.message.split('\n').slice(0, 2).join(' ').replace(/\.$/, '');
}
