import type { Risk } from '../graph/graph.ts';
import type { PREFERENCES, RISK_MODES } from './values.ts';

export type RiskMode = (typeof RISK_MODES)[number];
/** Which of two paths is the better one. */
export type Preference = (typeof PREFERENCES)[number];

export interface RiskPolicy {
  readonly risk: RiskMode;
  /** Names; read in the mode `accept` only. */
  readonly acceptedRisks?: readonly string[] | undefined;
}

/** Whether the risk applies to every cluster there is. */
export function isAlways(risk: Risk): boolean {
  return risk.matchingRules.some((rule) => rule.type === 'Always');
}

/** Per risk list 1 where an edge with it may be used, else 0. The empty list, that of plain edges, always may. */
export function permittedLists(riskSets: readonly (readonly Risk[])[], policy: RiskPolicy): Uint8Array {
  const isPermitted = permits(policy);
  return Uint8Array.from(riskSets, (risks) => (isPermitted(risks) ? 1 : 0));
}

/** Whether an edge with these risks may be used. */
export function permits(policy: RiskPolicy): (risks: readonly Risk[]) => boolean {
  const accepted = new Set(policy.acceptedRisks);
  const tests: Record<RiskMode, (risks: readonly Risk[]) => boolean> = {
    none: (risks) => risks.length === 0,
    accept: (risks) => risks.every((risk) => accepted.has(risk.name)),
    'non-always': (risks) => !risks.some(isAlways),
    all: () => true,
  };
  return tests[policy.risk];
}
