import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import { listInWords } from '../../text/words.ts';
import type { ControlPlaneStatus, Insight, STALLED_REASONS } from '../answer.ts';
import { versionCondition } from '../conditions.ts';
import { isoTime, MINUTE_SECONDS, ageOf, sinceOf } from '../times.ts';
import { CLUSTER_VERSION, type UpdateEvidence } from './insights.ts';
import { poolResource } from './nodes.ts';
import { withDefaults } from './references.ts';

/** The clock calls an update late whose nodes still progress one by one. */
const QUIET_SECONDS = 15 * MINUTE_SECONDS;
const FAILING_SECONDS = 10 * MINUTE_SECONDS;

export interface StalledReason {
  readonly reason: (typeof STALLED_REASONS)[number];
  /** Worker pool; null for the control plane. */
  readonly pool: string | null;
  readonly since: string | null;
  readonly message: string;
  readonly description: string;
}

/** `last` is when the control plane last progressed, in milliseconds. */
export function stalledReasons(
  evidence: UpdateEvidence,
  controlPlane: ControlPlaneStatus,
  last: number,
): StalledReason[] {
  return [...overEstimate(evidence, controlPlane, last), ...failing(evidence)];
}

function overEstimate(
  { operators, at }: UpdateEvidence,
  { assessment }: ControlPlaneStatus,
  last: number,
): StalledReason[] {
  if (assessment !== 'Stalled' || at - last < QUIET_SECONDS * 1000) return [];
  const waiting = operators.outdated.map(({ name }) => name);
  return [
    {
      reason: 'OverEstimate',
      pool: null,
      since: isoTime(last),
      message: `The update takes longer than estimated, and no operator has progressed: waiting for ${listInWords(waiting)}`,
      description: 'Read the conditions of the operators with: oc get clusteroperators',
    },
  ];
}

function failing({ update, at }: UpdateEvidence): StalledReason[] {
  const condition = versionCondition(update.clusterVersion, 'Failing');
  if (condition?.status !== 'True' || ageOf(condition, at) < FAILING_SECONDS) return [];
  return [
    {
      reason: 'Failing',
      pool: null,
      since: sinceOf(condition, at),
      message: `The cluster version operator cannot proceed${condition.reason === '' ? '' : ` (${condition.reason})`}`,
      description: `${condition.message || 'No message'}. Read more with: oc describe clusterversion version`,
    },
  ];
}

/** For the summary: what does not happen. */
export function stalledInWords({ reason, pool }: Pick<StalledReason, 'reason' | 'pool'>): string {
  const words: Readonly<Record<StalledReason['reason'], string>> = {
    OverEstimate: 'no operator progresses, and the estimate has passed',
    Failing: 'the cluster version operator fails',
    NoOperatorProgress: 'no operator progresses',
    NoControlPlaneNodeProgress: 'no control plane node progresses',
    NoNodeProgress: `no node of pool ${pool} progresses`,
    PoolBlocked: `pool ${pool} updates no further node`,
  };
  return words[reason];
}

/** An estimate that was wrong is no failure. */
export function stalledInsights(reasons: readonly StalledReason[]): Insight[] {
  const isEstimateAlone = reasons.every(({ reason }) => reason === 'OverEstimate');
  return reasons.map(({ pool, ...stalled }) =>
    withDefaults({
      origin: 'cairn',
      type: 'UpdateStalled',
      level: isEstimateAlone ? 'Warning' : 'Error',
      impact: 'Update Stalled',
      scope: pool === null || pool === CONTROL_PLANE_POOL ? 'ControlPlane' : 'WorkerPool',
      resources: [pool === null ? CLUSTER_VERSION : poolResource(pool)],
      ...stalled,
    }),
  );
}
