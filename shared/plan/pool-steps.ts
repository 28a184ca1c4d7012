import { shellWord } from '../text/quote.ts';
import type { PlanStep } from './plan-step.ts';
import type { PoolPlan } from './pool-simulation.ts';

interface ManagedPool extends PoolPlan {
  readonly pool: string;
}

/** A pool that rolls at some point, and why. */
interface DueRoll {
  readonly pool: string;
  /** Null when it is to get to where the cluster is already. */
  readonly version: string | null;
  readonly text: string;
}

/**
 * What is done with pools before each hop and, with null for the hop, at the end. Pools roll side by side: those that are
 * held back are let go, all are waited for, and those that skip what follows are held again. One that is to roll after
 * the very next hop is left to follow it.
 */
export function poolSteps(pools: readonly PoolPlan[], hops: number): PlanStep[] {
  const managed = pools.filter((plan): plan is ManagedPool => plan.pool !== null);
  const paused = new Set(managed.filter((plan) => plan.paused).map(({ pool }) => pool));
  return Array.from({ length: hops + 1 }, (_, index) => index).flatMap((index) => {
    const hop = index === hops ? null : index;
    const due = managed.flatMap((plan) => dueRoll(plan, hop));
    const released = due.filter(({ pool }) => paused.delete(pool));
    const held = managed.filter((plan) => !paused.has(plan.pool) && skipsNext(plan, index, hops));
    for (const { pool } of held) paused.add(pool);
    return [
      ...released.map((roll) => unpause(roll, hop)),
      ...due.map((roll) => waitFor(roll, hop)),
      ...held.map(({ pool }) => pause(pool, hop)),
    ];
  });
}

function dueRoll({ pool, kind, paused, rolls }: ManagedPool, hop: number | null): readonly DueRoll[] {
  if (kind === 'control-plane' && paused && hop === 0) {
    return [{ pool, version: null, text: 'No update completes while the control plane is paused' }];
  }
  return rolls
    .filter(({ beforeHop }) => beforeHop === hop)
    .map(({ version, text }) => ({ pool, version, text }));
}

function skipsNext({ staysBehind, rolls }: ManagedPool, index: number, hops: number): boolean {
  const next = rolls.map(({ beforeHop }) => beforeHop ?? hops).find((before) => before > index);
  return staysBehind && next !== undefined && next > index + 1;
}

function pause(pool: string, hop: number | null): PlanStep {
  return {
    kind: 'pause',
    hop,
    text: `Hold pool ${pool} back`,
    command: pausedCommand(pool, true),
    blocking: true,
  };
}

function unpause({ pool, version, text }: DueRoll, hop: number | null): PlanStep {
  return {
    kind: 'unpause',
    hop,
    text: `Let pool ${pool} roll${version === null ? '' : ` to ${version}`}: ${text}`,
    command: pausedCommand(pool, false),
    blocking: true,
  };
}

/** On the way the next hop waits for it; at the end it only remains to be seen. */
function waitFor({ pool, version, text }: DueRoll, hop: number | null): PlanStep {
  return {
    kind: hop === null ? 'verify' : 'roll-pool',
    hop,
    text: `Wait until pool ${pool} has rolled${version === null ? '' : ` to ${version}`}: ${text}`,
    command: `oc wait mcp/${shellWord(pool)} --for=condition=Updated=True --timeout=-1s`,
    blocking: true,
  };
}

function pausedCommand(pool: string, paused: boolean): string {
  return `oc patch mcp/${shellWord(pool)} --type merge -p '{"spec":{"paused":${paused}}}'`;
}
