import type { Insight } from '../answer.ts';
import { cutMessage } from '../conditions.ts';

const RUNBOOKS = 'https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator';
const NO_MESSAGE = 'no message';

export function runbookOf(name: 'ClusterOperatorDown' | 'ClusterOperatorDegraded'): string {
  return `${RUNBOOKS}/${name}.md`;
}

const PAGE = 'docs/reference/update-status.md';

/** Insight of `oc`; without a runbook it refers to its part of the documentation. */
export function withDefaults(
  insight: Omit<Insight, 'origin' | 'reference'> & Partial<Pick<Insight, 'origin' | 'reference'>>,
): Insight {
  return {
    origin: 'oc',
    reference: `${PAGE}#${insight.type.toLowerCase()}`,
    ...insight,
    description: cutMessage(insight.description) || NO_MESSAGE,
  };
}
