import type { ClusterCondition, ClusterFacts, HistoryEntry } from '../../cluster/facts.ts';
import type { Insight } from '../answer.ts';
import { withDefaults } from '../insights/references.ts';
import { clockText } from '../times.ts';

/** Facts of a cluster whose clock is ahead, with the times of the update by our clock. */
export function withoutSkew(facts: ClusterFacts, skewMs: number): ClusterFacts {
  if (skewMs === 0) return facts;
  const moved = (time: string | null): string | null =>
    time === null ? null : new Date(Date.parse(time) - skewMs).toISOString();
  const movedSince = <Timed extends { readonly since: string | null }>(timed: Timed): Timed => ({
    ...timed,
    since: moved(timed.since),
  });
  const conditions = (list: readonly ClusterCondition[]) => list.map(movedSince);
  const entry = (one: HistoryEntry): HistoryEntry => ({
    ...one,
    startedTime: moved(one.startedTime),
    completionTime: moved(one.completionTime),
  });
  const { clusterVersion, clusterOperators, nodes, alerts } = facts;
  return {
    ...facts,
    clusterVersion: clusterVersion && {
      ...clusterVersion,
      history: clusterVersion.history.map(entry),
      conditions: conditions(clusterVersion.conditions),
    },
    clusterOperators:
      clusterOperators?.map((one) => ({ ...one, conditions: conditions(one.conditions) })) ?? null,
    nodes: nodes?.map((one) => ({ ...one, problems: conditions(one.problems) })) ?? null,
    alerts: alerts?.map(movedSince) ?? null,
  };
}

/** The clock of a reporter is far ahead: its times were moved. */
export function skewInsights(skewMs: number): Insight[] {
  if (skewMs === 0) return [];
  const seconds = Math.round(skewMs / 1000);
  return [
    withDefaults({
      origin: 'cairn',
      type: 'ClockSkew',
      level: 'Warning',
      impact: 'Unknown',
      scope: 'Cluster',
      since: null,
      message: `The clock of the cluster is ${clockText(seconds)} ahead; its times were moved back`,
      description:
        'Synchronize the clocks of the nodes, for example with chrony. Nodes with wrong clocks reject certificates.',
      reason: null,
      resources: [],
    }),
  ];
}
