import type { PathResult } from '@cairn/shared/path/find-path';
import { assumedFacts } from '@cairn/shared/plan/assumed-facts';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { VERSION_CHECKS } from '@cairn/shared/safety/evaluate';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { answerAlong } from '../path/random-paths.ts';
import { reportOn } from './reports.ts';

export type FoundAnswer = Extract<PathResult, { found: true }>;

/** A found path; hops can be conditional. */
export function foundAlong(path: readonly string[], conditional: readonly boolean[] = []): FoundAnswer {
  return answerAlong(path, conditional) as FoundAnswer;
}

/** Plans from versions alone with the defaults of most tests: six nodes, paused workers. */
export function assumedAlong(
  answer: FoundAnswer,
  { nodes = 6, ...options }: Partial<SafetyOptions> & { readonly nodes?: number } = {},
): UpgradePlan {
  return reportOn(
    assumedFacts(answer.upgrade.path, nodes),
    answer,
    { strategy: 'control-plane-only', ...options },
    { basis: 'assumed', checks: VERSION_CHECKS },
  );
}
