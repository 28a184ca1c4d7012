import type { PoolFacts } from '../cluster/facts.ts';
import type { PathStep, UpgradePath } from '../path/solver/solve.ts';
import { type Hop, type SkewPolicy, type Strategy, hopsOfSteps } from '../safety/hop.ts';
import { gatesOfHop, type AdminGate } from '../safety/tables/admin-gates.ts';
import type { UpdateType } from '../version/release-line.ts';
import { UNCALIBRATED } from './calibration.ts';
import { type HopDuration, type ClusterSize, wayMinutes, type WayMinutes } from './duration.ts';
import { type PoolPlan, type RollPoint, simulatePools } from './pools.ts';
import { workerRollouts, type WorkerRollout } from './worker-rollout.ts';

export interface OutlineQuestion {
  /** The source first. */
  readonly path: readonly PathStep[];
  readonly channelPlan: UpgradePath['channelPlan'];
  /** All of them; with one or two each is a control-plane node, with more three are. */
  readonly nodes: number;
  readonly strategy: Strategy;
  readonly policy: SkewPolicy;
}

export interface OutlineHop {
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly updateType: UpdateType;
  /** `1.27` */
  readonly kubeFrom: string;
  readonly kubeTo: string;
  /** How far the kubelets of workers are behind after the hop; null without workers. */
  readonly skew: { readonly lag: number; readonly limit: number; readonly isWithinLimit: boolean } | null;
  readonly duration: HopDuration;
  /** Workers that are held back have to be rolled before the hop; null where they need not, or follow every hop. */
  readonly roll: RollPoint | null;
  /** To be acknowledged before the hop. */
  readonly gates: readonly AdminGate[];
}

/** What can be said of a way when nothing of the cluster is known but its version and how many nodes it has. */
export interface PlanOutline {
  readonly nodes: number;
  readonly controlPlane: number;
  readonly hops: readonly OutlineHop[];
  /** Of the control plane. */
  readonly duration: WayMinutes;
  /** Of the workers, in the order of the way. */
  readonly rollouts: readonly WorkerRollout[];
  /** Of each worker: as asked for, when workers are held back, and when they follow every hop. */
  readonly reboots: { readonly planned: number; readonly paused: number; readonly rolling: number };
}

const WORKERS = 'worker';

/**
 * The plan along a path for a healthy cluster with a pool of control-plane nodes and one of workers, none of them behind
 * or paused: from 4.14 to 4.16, 6 nodes take two hops of 60 minutes, and workers that are held back one reboot.
 */
export function outlinePlan(question: OutlineQuestion): PlanOutline {
  const { strategy } = question;
  const { size, pools, hops } = assumedCluster(question);
  const plansFor = (each: Strategy) => simulateAssumed({ ...question, strategy: each });
  const plans = plansFor(strategy);
  const reboots = (each: Strategy) => workersOf(plansFor(each)).rolls.length;
  const duration = wayMinutes(hops, size, null, UNCALIBRATED);
  const workers = workersOf(plans);
  return {
    nodes: size.nodes,
    controlPlane: size.controlPlane,
    hops: hops.map((hop, index) => outlineHop(hop, workers, duration.hops[index]!)),
    duration,
    rollouts: workerRollouts(plans, pools),
    reboots: {
      planned: workers.rolls.length,
      paused: reboots('control-plane-only'),
      rolling: reboots('rolling'),
    },
  };
}

interface AssumedCluster {
  readonly size: ClusterSize;
  readonly pools: readonly PoolFacts[];
  readonly hops: readonly Hop[];
}

/** What is taken for granted of a cluster that nothing else is known of. */
export function assumedCluster({ path, nodes }: Pick<OutlineQuestion, 'path' | 'nodes'>): AssumedCluster {
  if (!Number.isInteger(nodes) || nodes < 1) {
    throw new RangeError(`${nodes} is not a number of nodes, which is a whole one from 1 on`);
  }
  const controlPlane = nodes < 3 ? nodes : 3;
  return {
    size: { nodes, controlPlane, countedFrom: 'question' },
    pools: [assumedPool('master', controlPlane), assumedPool(WORKERS, nodes - controlPlane)],
    hops: hopsOfSteps(path, null),
  };
}

export function simulateAssumed(question: OutlineQuestion): readonly PoolPlan[] {
  const { hops, pools } = assumedCluster(question);
  const { policy, strategy } = question;
  return simulatePools({ hops, nodes: null, pools, policy, strategy });
}

function assumedPool(name: string, total: number): PoolFacts {
  return {
    name,
    labels: {},
    paused: false,
    maxUnavailable: 1,
    nodeSelector: { matchLabels: {}, matchExpressions: [] },
    configuration: { wanted: '', current: '' },
    machines: { total, updated: total, ready: total, unavailable: 0, degraded: 0 },
    conditions: [],
  };
}

function workersOf(plans: readonly PoolPlan[]): PoolPlan {
  return plans.find(({ pool }) => pool === WORKERS)!;
}

function outlineHop(hop: Hop, workers: PoolPlan, duration: HopDuration): OutlineHop {
  const { index, from, to, updateType } = hop;
  const { lag, limit, isWithinLimit } = workers.hops[index]!;
  const isKnown = workers.nodes !== 0 && lag !== null && limit !== null && isWithinLimit !== null;
  const roll = workers.staysBehind && workers.rolls.find(({ beforeHop }) => beforeHop === index);
  return {
    index,
    from: from.raw,
    to: to.raw,
    updateType,
    kubeFrom: `1.${hop.kubeFrom}`,
    kubeTo: `1.${hop.kubeTo}`,
    skew: isKnown ? { lag, limit, isWithinLimit } : null,
    duration,
    roll: roll || null,
    gates: gatesOfHop(hop),
  };
}
