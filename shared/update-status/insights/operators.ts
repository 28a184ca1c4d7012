import type { ClusterCondition, ClusterOperatorFacts } from '../../cluster/facts.ts';
import type { Insight } from '../answer.ts';
import { cutMessage, operatorCondition } from '../conditions.ts';
import { ageOf, sinceOf } from '../times.ts';
import { runbookOf, withDefaults } from './references.ts';

/** Shorter trouble is normal during an update. */
const TOLERATED_SECONDS = 300;

const KINDS = [
  {
    type: 'ClusterOperatorUnavailable',
    condition: 'Available',
    status: 'False',
    state: 'unavailable',
    errorAfterSeconds: 1200,
    runbook: 'ClusterOperatorDown',
  },
  {
    type: 'ClusterOperatorDegraded',
    condition: 'Degraded',
    status: 'True',
    state: 'degraded',
    errorAfterSeconds: 2400,
    runbook: 'ClusterOperatorDegraded',
  },
] as const;

export function operatorInsights(operator: ClusterOperatorFacts, at: number): Insight[] {
  return KINDS.flatMap((kind) => {
    const condition = operatorCondition(operator, kind.condition);
    if (condition?.status !== kind.status || ageOf(condition, at) <= TOLERATED_SECONDS) return [];
    return [operatorInsight(operator.name, kind, condition, at)];
  });
}

function operatorInsight(
  name: string,
  { type, state, errorAfterSeconds, runbook }: (typeof KINDS)[number],
  condition: ClusterCondition,
  at: number,
): Insight {
  const reason = cutMessage(condition.reason) || null;
  return withDefaults({
    type,
    level: ageOf(condition, at) > errorAfterSeconds ? 'Error' : 'Warning',
    impact: 'API Availability',
    scope: 'ControlPlane',
    since: sinceOf(condition, at),
    message: `Cluster operator ${name} is ${state}${reason === null ? '' : ` (${reason})`}`,
    description: condition.message,
    reason,
    reference: runbookOf(runbook),
    resources: [{ group: 'config.openshift.io', kind: 'ClusterOperator', namespace: null, name }],
  });
}
