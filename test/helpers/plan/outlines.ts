import type { UpgradeAnswer } from '@cairn/shared/path/find-path';
import { type OutlineQuestion, outlinePlan, type PlanOutline } from '@cairn/shared/plan/assumed-facts';
import { type OutlineWorkings, outlineWorkings } from '@cairn/shared/plan/outline-markdown';
import { answerAlong } from '../path/random-paths.ts';

export type FoundAnswer = Extract<UpgradeAnswer, { found: true }>;

/** What the update graph says of a path; hops may be conditional. */
export function foundAlong(path: readonly string[], conditional: readonly boolean[] = []): FoundAnswer {
  return answerAlong(path, conditional) as FoundAnswer;
}

/** Outlines with what most questions have in common: six nodes, workers held back. */
export function outlineAlong(
  path: readonly string[],
  changes: Partial<OutlineQuestion> = {},
  { upgrade }: FoundAnswer = foundAlong(path),
): PlanOutline & OutlineWorkings {
  const question: OutlineQuestion = {
    path: upgrade.path,
    channelPlan: upgrade.channelPlan,
    nodes: 6,
    strategy: 'control-plane-only',
    policy: 'openshift',
    ...changes,
  };
  return { ...outlinePlan(question), ...outlineWorkings(question) };
}
