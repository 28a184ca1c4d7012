import type { ClusterCondition, ClusterFacts } from '../../cluster/facts.ts';

/** What an operator of the cluster reports of a matter that one of our checks computes itself. */
export interface Corroboration {
  /** The type of the check. */
  readonly check: 'KubeletMinorVersionUpgradeable' | 'OperatorsCompatible';
  readonly operator: string;
  readonly condition: ClusterCondition;
}

/**
 * Reports that say again what checks find out themselves, so that nothing is counted twice: `kube-apiserver` of old
 * kubelets, `operator-lifecycle-manager` of operators with a newest version. Without the documents that the check needs,
 * the report is the only thing known, and not left out. Sorted by operator.
 */
export function corroborations(facts: ClusterFacts): readonly Corroboration[] {
  return (facts.clusterOperators ?? [])
    .flatMap(({ name, conditions }): Corroboration[] => {
      const condition = conditions.find(({ type }) => type === 'Upgradeable');
      if (condition?.status !== 'False') return [];
      const check = checkedByUs(name, condition, facts);
      return check === null ? [] : [{ check, operator: name, condition }];
    })
    .toSorted((a, b) => (a.operator < b.operator ? -1 : 1));
}

function checkedByUs(
  operator: string,
  { reason }: ClusterCondition,
  { nodes, operators }: ClusterFacts,
): Corroboration['check'] | null {
  // An operator with several reasons joins them; a report is ours only if all of them are.
  const reasons = reason.split('::');
  if (operator === 'kube-apiserver' && reasons.every((each) => each.startsWith('KubeletMinorVersion_'))) {
    return nodes !== null && nodes.length > 0 ? 'KubeletMinorVersionUpgradeable' : null;
  }
  if (
    operator === 'operator-lifecycle-manager' &&
    reasons.every((each) => each === 'IncompatibleOperatorsInstalled')
  ) {
    return operators === null ? null : 'OperatorsCompatible';
  }
  return null;
}
