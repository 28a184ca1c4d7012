import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { PathResult } from '@cairn/shared/path/find-path';
import type { PlanQuestion } from '@cairn/shared/plan/figures';
import { planUpgrade, type UpgradePlan } from '@cairn/shared/plan/plan';
import { CHECKS } from '@cairn/shared/safety/evaluate';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { ALL_SUPPORTED, NOW } from '../cluster/clusters.ts';
import { OPTIONS } from '../cluster/evaluations.ts';

/** Plans with the defaults of most tests. */
export function reportOn(
  facts: ClusterFacts,
  answer: PathResult,
  options: Partial<SafetyOptions> = {},
  more: Partial<PlanQuestion> = {},
): UpgradePlan {
  return planUpgrade({
    facts,
    basis: 'reported',
    checks: CHECKS,
    answer,
    options: { ...OPTIONS, ...options },
    now: NOW,
    pausedSince: new Map(),
    fleetMedian: null,
    newestPatch: null,
    windows: null,
    calendar: ALL_SUPPORTED,
    targetReason: null,
    ...more,
  });
}
