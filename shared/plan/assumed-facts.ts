import { listedChannels } from '../path/mirror-list.ts';
import { gateFinding } from '../safety/checks/admin-acks.ts';
import type { Hop } from '../safety/hop.ts';
import { gatesOfHop } from '../safety/tables/admin-gates.ts';
import { removalsOfHop } from '../safety/tables/api-removals.ts';
import { minorOf } from '../version/minor.ts';
import { UNCALIBRATED } from './calibration.ts';
import { assumptionsOf } from './path-duration.ts';
import { assumedCluster, type OutlineQuestion, simulateAssumed } from './plan-outline.ts';
import type { PlanStep } from './plan-step.ts';
import { planSteps } from './steps.ts';

/** What a plan known from versions comes to in detail. Few look at it, so that a page may load it when they do. */
export interface OutlineWorkings {
  readonly steps: readonly PlanStep[];
  /** Per hop the APIs that it takes away: `flowschemas.v1beta2.flowcontrol.apiserver.k8s.io`. */
  readonly removals: readonly (readonly string[])[];
  /** What the minutes rest on. */
  readonly assumptions: readonly string[];
}

/** For the same question as `outlinePlan`. */
export function outlineWorkings(question: OutlineQuestion): OutlineWorkings {
  const { path, channelPlan } = question;
  const { size, hops } = assumedCluster(question);
  return {
    steps: planSteps({
      hops: hops.map((hop) => ({ hop, conditions: gateConditions(hop) })),
      pools: simulateAssumed(question),
      channelPlan,
      channel: null,
      offeredChannels: path[0] ? listedChannels(path[0].node) : [],
    }),
    removals: hops.map((hop) => removalsOfHop(hop).map(({ name }) => name)),
    assumptions: assumptionsOf(size, UNCALIBRATED, null, hops),
  };
}

function gateConditions(hop: Hop) {
  const gates = gatesOfHop(hop);
  return gates.length > 0 ? [gateFinding(minorOf(hop.from), gates, 'block')] : [];
}
