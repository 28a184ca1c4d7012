import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import type { Condition } from '@cairn/shared/safety/condition';
import { CHECKS, evaluateHops, currentVersion, type EvaluatedHop } from '@cairn/shared/safety/evaluate';
import { hopsOfSteps, type SafetyOptions } from '@cairn/shared/safety/hop';
import { anUpdate, NOW } from './clusters.ts';

export const OPTIONS: SafetyOptions = {
  policy: 'openshift',
  strategy: 'rolling',
  strict: false,
  apiRemovals: 'block',
  accept: [],
};

/** Evaluates all hops. They are recommended updates, unless `updates` overrides them. */
export function evaluate(
  facts: ClusterFacts,
  path: readonly string[],
  options: Partial<SafetyOptions> = {},
  more: { readonly updates?: readonly (PathHop | null)[]; readonly now?: number } = {},
): EvaluatedHop[] {
  const steps = path.map((version, index) => ({
    version,
    hop: index === 0 ? null : more.updates ? (more.updates[index - 1] ?? null) : anUpdate(),
  }));
  const hops = hopsOfSteps(steps, currentVersion(facts));
  return evaluateHops({
    checks: CHECKS,
    facts,
    hops,
    options: { ...OPTIONS, ...options },
    now: more.now ?? NOW,
  });
}

/** Evaluates a path of one hop. */
export function evaluateHop(...question: Parameters<typeof evaluate>): EvaluatedHop {
  return evaluate(...question)[0]!;
}

/** Findings as `reason effect`, in the order of the checks. */
export function findingsOf({ conditions }: Pick<EvaluatedHop, 'conditions'>): string[] {
  return conditions
    .filter(({ effect }) => effect !== 'ok')
    .map(({ reason, effect, accepted }) => `${reason} ${effect}${accepted ? ' accepted' : ''}`);
}

export function conditionOf({ conditions }: EvaluatedHop, type: string): Condition {
  const found = conditions.find((condition) => condition.type === type);
  if (!found) throw new Error(`no ${type} among ${conditions.map((each) => each.type).join(' ')}`);
  return found;
}
