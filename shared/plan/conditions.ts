import type { Condition } from '../safety/condition.ts';
import type { UpgradePlan } from './plan.ts';

/** Findings of all hops, or about a cluster that is at its target. */
export function allConditions({
  hops,
  conditions = [],
}: Pick<UpgradePlan, 'hops' | 'conditions'>): readonly Condition[] {
  return [...conditions, ...hops.flatMap((hop) => hop.conditions)];
}
