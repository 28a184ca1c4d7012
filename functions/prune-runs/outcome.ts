import type { PrunePlan } from '@cairn/shared/prune/images/plan/plan';
import { DELETION_KINDS } from '@cairn/shared/prune/images/values';

const EXAMPLES = 1000;

/** What is told of a plan. */
export function planOutcome(plan: PrunePlan) {
  return {
    planHash: plan.hash,
    breaker: plan.verdict.breaker,
    keptManifests: plan.keptManifests,
    frozen: plan.frozen,
    totals: plan.totals,
    reasons: DELETION_KINDS.flatMap((kind) =>
      Array.from(plan.reasons[kind], ([reason, total]) => ({ kind, reason, ...total })),
    ),
    blobs: plan.blobs,
    examples: DELETION_KINDS.flatMap((kind) =>
      plan.examples(kind, EXAMPLES).map((item) => ({
        ...item,
        since: item.since === null ? null : new Date(item.since).toISOString(),
      })),
    ),
  };
}

export type PlanOutcome = ReturnType<typeof planOutcome>;
