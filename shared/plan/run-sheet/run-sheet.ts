import { isHosted, worksOnHosted } from '../../safety/evidence/hosted.ts';
import type { PoolPlan, WorkerRollout } from '../pools.ts';
import { conditionSteps } from './condition-steps.ts';
import { poolSteps } from './pool-steps.ts';
import { numberSteps, type PlanStep, type StepDraft } from './step.ts';
import { type UpdateQuestion, updateSteps } from './update-steps.ts';

export interface RunSheetQuestion extends UpdateQuestion {
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
  const planned = [...poolSteps(question), ...hops.flatMap((hop) => updateSteps(hop, question))];
  const isResolved = (finding: { readonly type: string; readonly reason: string }, hop: number): boolean =>
    planned.some(
      (step) =>
        (step.hop ?? Infinity) <= hop &&
        step.resolves?.some(({ type, reason }) => type === finding.type && reason === finding.reason),
    );
  return numberSteps([...conditionSteps(question, isResolved), ...planned, checkResult(question)]);
}

function checkResult({ facts }: RunSheetQuestion): StepDraft {
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
