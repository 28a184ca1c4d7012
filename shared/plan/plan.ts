import type { PathResult } from '../path/find-path.ts';
import { isInvalid } from '../safety/checks/health/cluster-operators-healthy.ts';
import { CONTROL_PLANE_LOST, hasLostControlPlane } from '../safety/checks/health/nodes-healthy.ts';
import { type Condition, isUndecided } from '../safety/condition.ts';
import { currentVersion, evaluateAtTarget, type EvaluatedHop } from '../safety/evaluate.ts';
import { lastCompleted } from '../safety/evidence/history.ts';
import { hostedClusterOf, hostedName, isReconciliationPaused } from '../safety/evidence/hosted.ts';
import { hopRisks, riskObject } from '../safety/evidence/risks.ts';
import { entersMinor, type Hop, hopsOfSteps, type SkewPolicy, type Strategy } from '../safety/hop.ts';
import type { MissingInput } from '../safety/missing-input.ts';
import { countEffect, isMissingInput, overallVerdict, type Verdict } from '../safety/verdict.ts';
import { countInWords, listInWords } from '../text/words.ts';
import { minorOf } from '../version/minor.ts';
import { planFigures, type PlanFigures, type PlanQuestion } from './figures.ts';
import { rescheduling, type Rescheduling } from './rescheduling.ts';
import { runSheet } from './run-sheet/run-sheet.ts';
import type { PlanStep } from './run-sheet/step.ts';
import { forTopology } from './topology.ts';
import type { Basis } from './values.ts';
import type { PlanWindows } from './windows/fit.ts';
import { alsoPossible, type OtherTarget } from './words.ts';

export interface UpgradePlan extends Pick<PlanFigures, 'hops' | 'duration'> {
  readonly basis: Basis;
  readonly cluster: {
    readonly id: string | null;
    readonly channel: string | null;
    /** HostedCluster as `namespace/name`, if the plan is made from documents of its management cluster. */
    readonly hosted?: string;
  };
  readonly current: string | null;
  readonly lastCompleted: { readonly version: string; readonly assumed: boolean } | null;
  readonly target: string | null;
  /** Why this is the target; null if it was requested. */
  readonly targetReason: string | null;
  /** Other updates to choose: the newest patch of the current minor. */
  readonly alsoPossible: readonly OtherTarget[];
  readonly policy: SkewPolicy;
  readonly strategy: Strategy;
  readonly verdict: Verdict;
  readonly blockers: number;
  readonly informs: number;
  readonly nextStep: string;
  readonly pathExists: Condition;
  /** Findings about a cluster that is at its target; absent if there are hops or nothing is wrong. */
  readonly conditions?: readonly Condition[];
  readonly plan: PlanDetails & Pick<PlanFigures, 'pools' | 'workerRollouts' | 'caveats'>;
  /** Null without maintenance windows. */
  readonly windows: PlanWindows | null;
  readonly rescheduling: Rescheduling;
  readonly evaluatedAt: string;
  /** Absent for assumed facts. */
  readonly input?: { readonly missing: readonly MissingInput[] };
}

/** Part of a plan that a page loads on demand. */
export interface PlanDetails {
  readonly steps: readonly PlanStep[];
}

const NODES_ELSEWHERE = 'the nodes of a hosted cluster are not known on its management cluster';

/** Deterministic: equal questions give byte-equal plans. */
export function planUpgrade(asked: PlanQuestion): UpgradePlan {
  const { changes, ...question } = forTopology(asked);
  const { facts, basis, answer, options, now, windows } = question;
  const figures = planFigures(question);
  const { evaluated, hops, duration, pools, workerRollouts, caveats } = figures;
  const atTarget = answer.found && hops.length === 0 ? evaluateAtTarget(question, answer) : null;
  const judged = atTarget ? [atTarget] : evaluated;
  const conditions = judged.flatMap((hop) => hop.conditions);
  const { clusterVersion } = facts;
  const last = clusterVersion && lastCompleted(clusterVersion);
  const hosted = hostedClusterOf(facts);
  const verdict = overallVerdict(judged, answer.found);
  return {
    basis,
    cluster: {
      id: clusterVersion?.clusterId ?? null,
      channel: clusterVersion?.channel ?? null,
      ...(hosted && { hosted: hostedName(hosted) }),
    },
    current: clusterVersion?.desired.version ?? null,
    lastCompleted: last && { version: last.version.raw, assumed: last.assumed },
    target: answer.to,
    targetReason: question.targetReason,
    alsoPossible: alsoPossible(question.newestPatch, answer.to),
    policy: options.policy,
    strategy: options.strategy,
    verdict,
    blockers: countEffect(conditions, 'block') + (answer.found ? 0 : 1),
    informs: countEffect(conditions, 'inform'),
    nextStep: atTarget ? nextStepAtTarget(atTarget, question) : nextStep(verdict, evaluated, question),
    pathExists: pathExists(answer, question),
    ...(atTarget && atTarget.conditions.length > 0 && { conditions: atTarget.conditions }),
    hops,
    plan: {
      steps: runSheet({
        facts,
        hops: judged,
        isAtTarget: atTarget !== null,
        pools,
        rollouts: workerRollouts,
        channelPlan: answer.found ? answer.upgrade.channelPlan : [],
        payloads: new Map(
          answer.found ? answer.upgrade.path.map((step) => [step.version, step.payload]) : [],
        ),
        ...(question.updateService && { updateService: question.updateService }),
        ...(question.missing && { missing: question.missing }),
        hopMinutes: hops.map(({ duration: minutes }) => minutes?.expected ?? null),
      }),
      pools,
      workerRollouts,
      caveats: [...(hops.length > 0 ? changes : []), ...caveats],
    },
    duration,
    windows: windows && windows(figures, now),
    rescheduling: hosted ? { optimum: null, reason: NODES_ELSEWHERE } : rescheduling(facts, pools),
    evaluatedAt: new Date(now).toISOString(),
  };
}

function pathExists(answer: PathResult, question: PlanQuestion): Condition {
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
    ...closingRisks(answer, question),
    ...(suggestion !== null && { remediation: [suggestion] }),
  };
}

/** Risks of the safest path that apply or may apply, with the documents that decide them. */
function closingRisks(
  { explanation }: Exclude<PathResult, { found: true }>,
  question: PlanQuestion,
): Pick<Condition, 'objects'> {
  if (explanation.code !== 'risks_not_accepted') return {};
  const hops = hopsOfSteps(explanation.details.path.path, currentVersion(question.facts));
  const risks = hops
    .flatMap((hop) => hopRisks(hop, question.facts, question))
    .filter(({ applies, accepted }) => applies !== 'no' && accepted === undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const byName = new Map(risks.toReversed().map((risk) => [risk.name, risk]));
  return { objects: [...byName.values()].toReversed().map(riskObject) };
}

/**
 * Always mentions patches, because a blocked minor is often misread as blocking everything: `4.10 is blocked: …; you
 * can still update to 4.9.22`.
 */
function nextStep(
  verdict: Verdict,
  evaluated: readonly EvaluatedHop[],
  { answer, newestPatch, facts, now }: Pick<PlanQuestion, 'answer' | 'newestPatch' | 'facts' | 'now'>,
): string {
  const isPatchBlocked = hasLostControlPlane(facts) || isInvalid(facts);
  if (!answer.found) {
    const { message, suggestion } = answer.explanation;
    return [
      message,
      ...(suggestion === null ? [] : [suggestion]),
      ...(newestPatch === null || newestPatch === answer.to || isPatchBlocked
        ? []
        : [patchAllowed(newestPatch)]),
    ].join('; ');
  }
  const first = evaluated[0]!;
  const target = first.hop.to.raw;
  if (verdict === 'ready') return `Update to ${target}. No blockers or warnings`;
  if (verdict === 'ready-with-warnings') {
    const named = warningsInWords(evaluated.flatMap((hop) => hop.conditions));
    return `Review the warnings, then update to ${target}: ${named}`;
  }
  const stop = evaluated.find((hop) => hop.verdict === STOPPING[verdict])!;
  const name = entersMinor(stop.hop) ? minorOf(stop.hop.to) : stop.hop.to.raw;
  const why = firstAgainst(stop.conditions);
  if (verdict === 'action-required') {
    const upcoming = countInWords(countEffect(stop.conditions, 'inform'), 'upcoming blocker');
    return `You can update to ${target}. Fix ${upcoming} before ${name}: ${why}`;
  }
  const said = verdict === 'blocked' ? `${name} is blocked: ${why}` : `${name} may be blocked: ${why}`;
  const isAllowed = first.verdict === 'allowed' || first.verdict === 'allowed-with-warnings';
  if (isPatchBlocked) return `${said}; patch updates are blocked too`;
  const hosted = hostedClusterOf(facts);
  // No update starts meanwhile, whatever its size.
  if (hosted && isReconciliationPaused(hosted, now)) return `${said}; resume reconciliation first`;
  // A patch as first hop is allowed even if a later hop is blocked.
  return `${said}; ${isAllowed ? `you can update to ${target}` : patchesAllowed(newestPatch, first.hop)}`;
}

/** The cluster is at its target. Patches are blocked by the same findings as it is. */
function nextStepAtTarget(
  { hop, verdict, conditions }: EvaluatedHop,
  { newestPatch }: Pick<PlanQuestion, 'newestPatch'>,
): string {
  const at = `the cluster is at ${hop.to.raw}`;
  if (verdict === 'allowed') return `Nothing to do: ${at}`;
  if (verdict === 'blocked') {
    const patches = newestPatch === null ? '' : '; patch updates are blocked too';
    return `Repair the cluster: ${firstAgainst(conditions)}${patches}`;
  }
  return `Nothing to update: ${at}. Review the warnings: ${warningsInWords(conditions)}`;
}

const MISSING_DOCUMENTS = 'missing documents';

function warningsInWords(conditions: readonly Condition[]): string {
  const warnings = conditions.filter(({ effect, accepted }) => effect === 'warn' && !accepted);
  return listInWords([
    ...new Set(warnings.map((warning) => (isUndecided(warning) ? MISSING_DOCUMENTS : warning.reason))),
  ]);
}

/** Hop verdict that causes the overall verdict. */
const STOPPING = { blocked: 'blocked', unknown: 'unknown', 'action-required': 'will-block' } as const;

/** Mentions patches even if no newer patch is known. */
function patchesAllowed(newestPatch: string | null, { from }: Hop): string {
  return newestPatch === null
    ? `patch updates of ${minorOf(from)} are not blocked`
    : patchAllowed(newestPatch);
}

function patchAllowed(newestPatch: string): string {
  return `you can still update to ${newestPatch}, because patch updates are not blocked`;
}

/** Returns the worst finding: of a list, its heading and its first item. */
function firstAgainst(conditions: readonly Condition[]): string {
  const open = conditions.filter(({ accepted }) => !accepted);
  const worst =
    open.find(({ reason }) => reason === CONTROL_PLANE_LOST) ??
    open.find(({ effect }) => effect === 'block') ??
    open.find(({ effect }) => effect === 'inform') ??
    open.find(isMissingInput)!;
  const [head = '', item] = worst.message.split('\n');
  const text = item === undefined ? head : `${head} ${item.replace(/^\s*(?:[*-] )?/, '')}`;
  // The caller continues the sentence.
  return text.replace(/\.$/, '');
}
