import {
  hostedClusterOf,
  hostedCommand,
  hostedName,
  isHosted,
  worksOnHosted,
} from '../../safety/evidence/hosted.ts';
import type { PoolPlan, WorkerRollout } from '../pools.ts';
import { conditionSteps } from './condition-steps.ts';
import { drainSteps } from './drain-steps.ts';
import { getHosted, hostedObject, placed } from './hosted-steps.ts';
import { poolSteps } from './pool-steps.ts';
import { riskSteps } from './risk-steps.ts';
import { numberSteps, type PlanStep, type StepDraft, type UpdateQuestion } from './step.ts';
import { suspendSteps } from './suspend-steps.ts';
import { updateSteps } from './update-steps.ts';

export interface RunSheetQuestion extends UpdateQuestion {
  /**
   * The only hop is the cluster as it is: there is no update.
   * @default false
   */
  readonly isAtTarget?: boolean;
  readonly pools: readonly PoolPlan[];
  readonly rollouts: readonly WorkerRollout[];
}

/**
 * Ordered steps from today to the target. Every finding with an effect has a step before the update of its hop; no
 * command waits without a limit.
 */
export function runSheet(question: RunSheetQuestion): PlanStep[] {
  const { hops } = question;
  if (hops.length === 0) return [];
  if (question.isAtTarget) return repairs(question);
  const rollouts = poolSteps(question);
  const planned = [
    ...rollouts,
    ...drainSteps(question),
    ...suspendSteps(hops, rollouts),
    ...hops.flatMap((hop) => updateSteps(hop, question)),
    ...riskSteps(question),
  ];
  const isResolved = (finding: { readonly type: string; readonly reason: string }, hop: number): boolean =>
    planned.some(
      (step) =>
        (step.hop ?? Infinity) <= hop &&
        step.resolves?.some(({ type, reason }) => type === finding.type && reason === finding.reason),
    );
  const drafts = [...conditionSteps(question, isResolved), ...planned, checkResult(question)];
  return numberSteps(drafts.map((draft) => placed(draft, question.facts)));
}

/** What is to be repaired without an update. */
function repairs(question: RunSheetQuestion): PlanStep[] {
  const { hops, facts } = question;
  // Pools that have not rolled out are drained as soon as they are unpaused.
  const drains = drainSteps({ hops, pools: [] }).map((draft) =>
    draft.phase === 'drain' ? { ...draft, phase: 'repair' as const, repair: 'drains' as const } : draft,
  );
  const suspensions = suspendSteps(hops, []).map((draft) =>
    draft.phase === 'suspend' ? { ...draft, phase: 'protect' as const } : draft,
  );
  const planned = [...drains, ...suspensions];
  const isResolved = (finding: { readonly type: string; readonly reason: string }) =>
    planned.some(({ resolves = [] }) =>
      resolves.some(({ type, reason }) => type === finding.type && reason === finding.reason),
    );
  const drafts = [...conditionSteps(question, isResolved), ...planned];
  return numberSteps(drafts.map((draft) => ({ ...placed(draft, facts), hop: null })));
}

function checkResult({ facts }: RunSheetQuestion): StepDraft {
  const hosted = hostedClusterOf(facts);
  if (hosted) {
    return {
      phase: 'verify',
      kind: 'verify',
      hop: null,
      text: `Check ${hostedName(hosted)} and its node pools`,
      commands: [getHosted(hosted), hostedCommand(hosted, 'get nodepools')],
      objects: [hostedObject(hosted)],
      blocking: true,
      where: 'management',
    };
  }
  const commands = [
    'oc get clusterversion version',
    'oc get clusteroperators',
    'oc get nodes',
    'oc get machineconfigpools',
  ];
  return {
    phase: 'verify',
    kind: 'verify',
    hop: null,
    text: `Check the cluster version, operators${isHosted(facts) ? ' and nodes' : ', nodes and pools'}`,
    commands: isHosted(facts) ? commands.filter(worksOnHosted) : commands,
    blocking: true,
  };
}
