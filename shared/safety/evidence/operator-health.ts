import type { ClusterCondition, ClusterFacts } from '../../cluster/facts.ts';
import { excerpt } from '../../text/quote.ts';
import { type ConditionObject, type Finding, finding, inputMissing } from '../condition.ts';
import { checksOf, type ReportedCheck } from './guard-reports.ts';

const COMMAND = 'oc get clusteroperators -o json';

/** Null if there are cluster operators to check. */
export function missingOperators(
  type: string,
  { clusterOperators }: Pick<ClusterFacts, 'clusterOperators'>,
): Finding | null {
  if (clusterOperators === null) return inputMissing(type, 'the ClusterOperators were', [COMMAND]);
  if (clusterOperators.length > 0) return null;
  const message = `The list of ClusterOperators is empty, which it is on no cluster; send what \`${COMMAND}\` prints`;
  return {
    ...finding({ type, status: 'Unknown', reason: 'NoClusterOperators', message, effect: 'warn' }),
    remediation: [COMMAND],
  };
}

/** Words of the cluster as they are, with line breaks; the reason if there is no message. */
export function quotedMessage({ message, reason }: Pick<ClusterCondition, 'message' | 'reason'>): string {
  return excerpt(message) || reason;
}

export function operatorObject(
  name: string,
  { reason, message, since }: ClusterCondition,
  more: Readonly<Record<string, unknown>> = {},
): ConditionObject {
  return {
    kind: 'ClusterOperator',
    name,
    detail: { reason, message: excerpt(message), ...(since !== null && { since }), ...more },
  };
}

/** Cluster operator condition that other checks compute themselves. */
export interface Corroboration {
  readonly checks: readonly ReportedCheck[];
  readonly operator: string;
  readonly condition: ClusterCondition;
}

/**
 * Avoids counting a problem twice: `kube-apiserver` reports old kubelets, `operator-lifecycle-manager` reports
 * incompatible operators, `olm` reports incompatible extensions, `machine-config` reports degraded pools, and any
 * operator a forward guard. Operators join several reasons; a report is a duplicate only if all of them are. Sorted by
 * operator.
 */
export function corroborations(facts: ClusterFacts): readonly Corroboration[] {
  return (facts.clusterOperators ?? [])
    .flatMap(({ name, conditions }): Corroboration[] => {
      const condition = conditions.find(({ type }) => type === 'Upgradeable');
      if (condition?.status !== 'False') return [];
      const checks = new Set(checksOf(name, condition.reason, facts));
      return checks.has(null) ? [] : [{ checks: [...checks] as ReportedCheck[], operator: name, condition }];
    })
    .toSorted((a, b) => (a.operator < b.operator ? -1 : 1));
}
