import type { ClusterCondition, ClusterOperatorFacts, ClusterVersionFacts } from '../cluster/facts.ts';

/** If a type stands twice, the first one of a ClusterVersion counts. */
export function versionCondition(
  { conditions }: Pick<ClusterVersionFacts, 'conditions'>,
  wanted: string,
): ClusterCondition | undefined {
  return conditions.find(({ type }) => type === wanted);
}

/** If a type stands twice, the last one of a ClusterOperator counts. */
export function operatorCondition(
  { conditions }: Pick<ClusterOperatorFacts, 'conditions'>,
  wanted: string,
): ClusterCondition | undefined {
  return conditions.findLast(({ type }) => type === wanted);
}

/** Characters of a message in a response. */
const LONGEST_MESSAGE = 1000;

/** Cuts text of the cluster at a whole character. */
export function cutMessage(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  return `${text.slice(0, LONGEST_MESSAGE).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
