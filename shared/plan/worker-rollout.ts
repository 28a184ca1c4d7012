import type { PoolFacts } from '../cluster/facts.ts';
import { groupBy } from '../collection/group-by.ts';
import { maxUnavailableOf } from '../safety/evidence/pools.ts';
import type { PoolPlan } from './pools.ts';
import { eachMinutes, roundMinutes, type Minutes } from './words.ts';

/** Minutes for a worker to drain, update and reboot; nodes that reboot together count once. */
const MINUTES_PER_WORKER: Minutes = { min: 5, expected: 10, max: 20 };

export interface PoolRollout extends Minutes {
  readonly pool: string;
  readonly nodes: number;
  /** Machines that may be unavailable at once. */
  readonly maxUnavailable: number;
  readonly iterations: number;
}

/** All pools that roll out at one point of the path. */
export interface WorkerRollout {
  readonly version: string;
  /** Hop that waits for the rollout; null at the end of the path. */
  readonly beforeHop: number | null;
  readonly pools: readonly PoolRollout[];
  /** Maximum over the pools, which roll out in parallel; null if a pool size is unknown. */
  readonly minutes: Minutes | null;
}

/**
 * Rollout durations in path order, separate from the duration of the update: 6 nodes, 2 at a time, take 3 rounds of 10
 * minutes.
 */
export function workerRollouts(
  plans: readonly PoolPlan[],
  pools: readonly PoolFacts[] | null,
): readonly WorkerRollout[] {
  const declared = new Map((pools ?? []).map(({ name, maxUnavailable }) => [name, maxUnavailable]));
  const rolls = plans.flatMap((plan) => plan.rolls.map((roll) => ({ ...roll, plan })));
  const points = groupBy(rolls, ({ beforeHop }) => beforeHop ?? Infinity);
  return [...points]
    .toSorted(([a], [b]) => a - b)
    .map(([, [first, ...others]]) => {
      const rolling = [first!, ...others].map(({ plan }) => plan);
      const rollouts = rolling.flatMap((plan) => poolRollout(plan, declared));
      return {
        version: first!.version,
        beforeHop: first!.beforeHop,
        pools: rollouts,
        minutes:
          rollouts.length === rolling.length
            ? eachMinutes((bound) => Math.max(...rollouts.map((rollout) => rollout[bound])))
            : null,
      };
    });
}

function poolRollout(
  { pool, nodes }: PoolPlan,
  declared: ReadonlyMap<string, number | string>,
): readonly PoolRollout[] {
  if (pool === null || nodes === null) return [];
  return [{ pool, nodes, ...rolloutOf(nodes, declared.get(pool) ?? 1) }];
}

export function rolloutOf(
  nodes: number,
  declared: number | string,
): Pick<PoolRollout, 'maxUnavailable' | 'iterations' | keyof Minutes> {
  const maxUnavailable = maxUnavailableOf(declared, nodes);
  const iterations = Math.ceil(nodes / maxUnavailable);
  const minutes = eachMinutes((bound) => roundMinutes(iterations * MINUTES_PER_WORKER[bound]));
  return { maxUnavailable, iterations, ...minutes };
}
