import type { AlertFacts } from '../../cluster/workloads.ts';
import { INSIGHT_LEVELS, type Insight, type InsightResource } from '../answer.ts';
import { cutMessage, versionCondition } from '../conditions.ts';
import type { OperatorProgress } from '../operators.ts';
import type { PoolProgress } from '../pools.ts';
import { lastCompletedOf, targetOf, type Update } from '../target.ts';
import { isoTime, momentOf, sinceOf } from '../times.ts';
import { alertInsights } from './alerts.ts';
import { nodeInsights } from './nodes.ts';
import { operatorInsights } from './operators.ts';
import { runbookOf, withDefaults } from './references.ts';

/** Everything that insights are derived from. */
export interface UpdateEvidence {
  readonly update: Update;
  readonly operators: OperatorProgress;
  readonly pools: readonly PoolProgress[];
  readonly alerts: readonly AlertFacts[];
  readonly at: number;
}

/** As `oc adm upgrade status` shows them, in the order of collection. */
export function insightsOfUpdate(evidence: UpdateEvidence): Insight[] {
  const { update, operators, pools, alerts, at } = evidence;
  const found = [
    ...pools.flatMap(nodeInsights),
    ...alertInsights(alerts, update),
    ...failingInsights(update, at),
    ...operators.all.flatMap((operator) => operatorInsights(operator, at)),
    ...incompleteInsights(evidence),
  ];
  return found.length > 0 ? found : [proceedingWell(update, at)];
}

/** Worst first, then the latest; those without a time come last. */
export function inOrder(insights: readonly Insight[]): Insight[] {
  const latest = ({ since }: Insight) => momentOf(since) ?? -Infinity;
  return insights.toSorted(
    (a, b) =>
      INSIGHT_LEVELS.indexOf(a.level) - INSIGHT_LEVELS.indexOf(b.level) ||
      // Both can be -Infinity, whose difference is no number.
      (latest(a) === latest(b) ? 0 : latest(b) - latest(a)),
  );
}

export const CLUSTER_VERSION: InsightResource = {
  group: 'config.openshift.io',
  kind: 'ClusterVersion',
  namespace: null,
  name: 'version',
};

function failingInsights({ clusterVersion }: Update, at: number): Insight[] {
  const condition = versionCondition(clusterVersion, 'Failing');
  if (condition?.status === 'False') return [];
  const type =
    condition === undefined
      ? 'ClusterVersionFailingUnknown'
      : condition.status === 'Unknown'
        ? 'ClusterVersionMayBeFailing'
        : 'ClusterVersionFailing';
  const reason = cutMessage(condition?.reason ?? '') || null;
  const because = reason === null ? '' : ` (${reason})`;
  const messages = {
    ClusterVersionFailing: `ClusterVersion version cannot proceed with the update${because}`,
    ClusterVersionMayBeFailing: `ClusterVersion version may be unable to proceed with the update${because}`,
    ClusterVersionFailingUnknown: 'ClusterVersion version does not report whether the update fails',
  };
  return [
    withDefaults({
      type,
      level: 'Warning',
      impact: 'Update Stalled',
      scope: 'ControlPlane',
      since: condition === undefined ? isoTime(at) : sinceOf(condition, at),
      message: messages[type],
      description: condition?.message ?? 'The ClusterVersion has no condition Failing.',
      reason,
      ...(type === 'ClusterVersionFailing' && { reference: runbookOf('ClusterOperatorDegraded') }),
      resources: [CLUSTER_VERSION],
    }),
  ];
}

function incompleteInsights({ update, operators, at }: UpdateEvidence): Insight[] {
  const { previous, previousIncomplete, version } = targetOf(update);
  const isCompleted = operators.outdated.length === 0 && operators.all.length > 0;
  if (isCompleted || !previousIncomplete || previous === null) return [];
  const lastCompleted = lastCompletedOf(update);
  return [
    withDefaults({
      type: 'PreviousUpdateIncomplete',
      level: 'Warning',
      impact: 'None',
      scope: 'ControlPlane',
      since: sinceOf({ since: update.clusterVersion.history[0]!.startedTime }, at),
      message: `The previous update to ${previous} did not complete; the last completed update was to ${lastCompleted}`,
      description: `The update to ${version} began while the update to ${previous} was in progress.`,
      reason: null,
      resources: [CLUSTER_VERSION],
      previous,
      lastCompleted,
    }),
  ];
}

function proceedingWell({ startedAt }: Update, at: number): Insight {
  return withDefaults({
    type: 'ProceedingWell',
    level: 'Info',
    impact: 'None',
    scope: null,
    since: sinceOf({ since: startedAt }, at),
    message: 'The update is proceeding well',
    description: 'No operator, node or alert needs attention.',
    reason: null,
    resources: [],
  });
}
