import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { Hop as PathHop } from '@cairn/shared/path/solver/solve';
import { simulatePools } from '@cairn/shared/plan/pools';
import type { Condition } from '@cairn/shared/safety/condition';
import { CHECKS, evaluateHops, currentVersion, type EvaluatedHop } from '@cairn/shared/safety/evaluate';
import type { RiskSources } from '@cairn/shared/safety/evidence/risks';
import { hopsOfSteps, type SafetyOptions } from '@cairn/shared/safety/hop';
import { anUpdate, NOW, ALL_SUPPORTED } from './clusters.ts';

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
  more: RiskSources & {
    readonly updates?: readonly (PathHop | null)[];
    readonly now?: number;
    readonly isCurrentExcluded?: boolean;
  } = {},
): EvaluatedHop[] {
  const steps = path.map((version, index) => ({
    version,
    hop: index === 0 ? null : more.updates ? (more.updates[index - 1] ?? null) : anUpdate(),
  }));
  const hops = hopsOfSteps(steps, currentVersion(facts));
  const asked = { ...OPTIONS, ...options };
  const { clusterRisks, acceptedRisks } = more;
  return evaluateHops({
    checks: CHECKS,
    facts,
    ...(clusterRisks && { clusterRisks }),
    ...(acceptedRisks && { acceptedRisks }),
    hops,
    pools: simulatePools({ ...facts, hops, ...asked }),
    options: asked,
    now: more.now ?? NOW,
    isCurrentExcluded: more.isCurrentExcluded ?? false,
    calendar: ALL_SUPPORTED,
  });
}

/** Evaluates a path of one hop. */
export function evaluateHop(...question: Parameters<typeof evaluate>): EvaluatedHop {
  return evaluate(...question)[0]!;
}

/** Note of every cluster that leaves 4.10 to 4.14, as the default path does. */
const ETCD_NOTE = 'EtcdRecentBackup';

/** Findings as `reason effect`, in the order of the checks, without the note on etcd. */
export function findingsOf({ conditions }: Pick<EvaluatedHop, 'conditions'>): string[] {
  return conditions
    .filter(({ effect, reason }) => effect !== 'ok' && reason !== ETCD_NOTE)
    .map(({ reason, effect, accepted }) => `${reason} ${effect}${accepted ? ' accepted' : ''}`);
}

export function conditionOf({ conditions }: EvaluatedHop, type: string): Condition {
  const found = conditions.find((condition) => condition.type === type);
  if (!found) throw new Error(`no ${type} among ${conditions.map((each) => each.type).join(' ')}`);
  return found;
}
