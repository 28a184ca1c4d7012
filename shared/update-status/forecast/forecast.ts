import type { ClusterFacts } from '../../cluster/facts.ts';
import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import { DURATION_MODEL } from '../../plan/duration.ts';
import type { Forecast, UpdateForecast } from '../answer.ts';
import type { UpdateEvidence } from '../insights/insights.ts';
import { isOnlyMachineConfig } from '../operators.ts';
import { controlPlaneForecast } from './control-plane.ts';
import { type KnownNodes, laterForecast, workersForecast } from './nodes.ts';

export function updateForecast(
  evidence: UpdateEvidence,
  facts: Pick<ClusterFacts, 'nodes' | 'pools' | 'networkType'>,
  known: KnownNodes | null,
): UpdateForecast {
  const controlPlane = controlPlaneForecast(evidence, facts, known);
  const workers = workersForecast(evidence, known, workersStart(evidence, controlPlane));
  const held = evidence.pools.filter(({ pool }) => pool.paused && pool.name !== CONTROL_PLANE_POOL);
  return {
    controlPlane,
    workers,
    whole: laterForecast(controlPlane, workers),
    heldNodes: held.reduce((sum, { status }) => sum + status.counts.outdated, 0),
  };
}

/** Workers begin with the control plane nodes, after all other operators. */
function workersStart({ operators, pools, at }: UpdateEvidence, controlPlane: Forecast | null): number {
  if (controlPlane === null || isOnlyMachineConfig(operators)) return at;
  const nodes = pools.find(({ pool }) => pool.name === CONTROL_PLANE_POOL)?.nodes.length ?? 0;
  const minutes = nodes * DURATION_MODEL.perControlPlaneNode.expected;
  return Date.parse(controlPlane.likelyAt) - minutes * 60_000;
}
