import type { Insight } from '../answer.ts';

/** What names a node or an operator comes before what only says that nothing moves. */
const MOST_TELLING: readonly Insight['type'][] = [
  'NodeStuck',
  'NodeDegraded',
  'ClusterOperatorDegraded',
  'ClusterOperatorUnavailable',
  'ClusterVersionFailing',
  'UpdateStalled',
];

type Ranked = Pick<Insight, 'type' | 'level' | 'reason'>;

/** Null if nothing needs attention. Insights come worst first. */
export function mostTelling<One extends Ranked>(insights: readonly One[]): One | null {
  const serious = insights.filter(({ level }) => level !== 'Info');
  return serious.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? null;
}

function rankOf({ type, reason }: Ranked): number {
  const rank = MOST_TELLING.indexOf(type);
  if (rank < 0) return MOST_TELLING.length;
  // The clock alone names every operator that is left, other reasons the one that is waited for.
  return type === 'UpdateStalled' && reason === 'OverEstimate' ? rank + 0.5 : rank;
}
