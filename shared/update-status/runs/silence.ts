import type { ClusterFacts } from '../../cluster/facts.ts';
import { median } from '../../plan/duration.ts';
import type { UpdateRun } from './run.ts';

const MINUTE_MS = 60_000;
const FACTOR = 3;
const GAPS = 10;
const LEAST_MS = 15 * MINUTE_MS;
/** A cluster of a single node cannot report while it reboots. */
const LEAST_SINGLE_NODE_MS = 30 * MINUTE_MS;
const MOST_MS = 180 * MINUTE_MS;

/** Until when the next report is not late: three times the usual gap, by the clock of the service. */
export function silentAfter(run: UpdateRun, facts: Pick<ClusterFacts, 'nodes'>): number | null {
  const received = run.points.map(({ receivedAt }) => receivedAt).toSorted((a, b) => a - b);
  const last = received.at(-1);
  return last === undefined ? null : last + longestGap(received, facts.nodes?.length === 1);
}

function longestGap(received: readonly number[], isSingleNode: boolean): number {
  const gaps = received
    .slice(1)
    .map((time, index) => time - received[index]!)
    .slice(-GAPS);
  const usual = median(gaps);
  // One report does not show how often the cluster reports.
  if (usual === null) return MOST_MS;
  return Math.min(Math.max(FACTOR * usual, isSingleNode ? LEAST_SINGLE_NODE_MS : LEAST_MS), MOST_MS);
}
