import type { Condition } from '../../safety/condition.ts';
import { isHosted } from '../../safety/evidence/hosted.ts';
import { pauseCommand, rolloutMinutes, waitCommand, waitMinutes } from '../../safety/evidence/pools.ts';
import { shellWord } from '../../text/quote.ts';
import type { PoolPlan, WorkerRollout } from '../pools.ts';
import { nodePoolSteps } from './hosted-steps.ts';
import {
  isInProgress,
  type ResolvedFinding,
  type StepDraft,
  type StepHop,
  type StepObject,
  type UpdateQuestion,
} from './step.ts';

interface PoolQuestion extends Pick<UpdateQuestion, 'facts' | 'payloads'> {
  readonly hops: readonly StepHop[];
  readonly pools: readonly PoolPlan[];
  readonly rollouts: readonly WorkerRollout[];
}

interface ManagedPool extends PoolPlan {
  readonly pool: string;
}

interface DueRollout {
  readonly plan: ManagedPool;
  /** Null if the pool catches up with the current version. */
  readonly version: string | null;
  readonly text: string;
}

const CONTROL_PLANE_PAUSED = { type: 'PoolsReady', reason: 'ControlPlanePoolPaused' } as const;

/**
 * Pool steps before each hop and, with hop null, at the end. Pools roll out in parallel: unpause paused pools, wait
 * for all, then pause those that skip the next hop. A pool that rolls out right after the next hop stays unpaused.
 */
export function poolSteps(question: PoolQuestion): StepDraft[] {
  if (isHosted(question.facts)) return nodePoolSteps(question);
  const count = question.hops.length;
  const managed = question.pools.filter((plan): plan is ManagedPool => plan.pool !== null);
  const paused = new Set(managed.filter((plan) => plan.paused).map(({ pool }) => pool));
  return Array.from({ length: count + 1 }, (_, index) => index).flatMap((index) => {
    const hop = index === count ? null : index;
    const due = managed.flatMap((plan) => dueRollout(plan, hop));
    const released = due.filter(({ plan }) => paused.delete(plan.pool));
    const held = managed.filter((plan) => !paused.has(plan.pool) && skipsNext(plan, index, count));
    for (const { pool } of held) paused.add(pool);
    return [
      ...(hop === 0 ? managed.flatMap((plan) => keepPaused(plan, due, question)) : []),
      ...released.map((rollout) => unpause(rollout, hop, question)),
      ...due.map((rollout) => waitFor(rollout, hop, question)),
      ...held.map(({ pool }) => pause(pool, hop)),
    ];
  });
}

function isKubeletSkew({ type, status }: Condition): boolean {
  return type === 'KubeletMinorVersionUpgradeable' && status === 'False';
}

function dueRollout(plan: ManagedPool, hop: number | null): readonly DueRollout[] {
  if (plan.kind === 'control-plane' && plan.paused && hop === 0) {
    return [{ plan, version: null, text: 'No update completes while the control plane is paused' }];
  }
  return plan.rolls
    .filter(({ beforeHop }) => beforeHop === hop)
    .map(({ version, text }) => ({ plan, version, text }));
}

function skipsNext({ staysBehind, rolls }: ManagedPool, index: number, hops: number): boolean {
  const next = rolls.map(({ beforeHop }) => beforeHop ?? hops).find((before) => before > index);
  return staysBehind && next !== undefined && next > index + 1;
}

/** A pool that is paused today with outdated machines, and that the plan updates only later. */
function keepPaused(
  plan: ManagedPool,
  due: readonly DueRollout[],
  { hops }: PoolQuestion,
): readonly StepDraft[] {
  const found = hops[0]!.conditions.filter((condition) => isPausedOutdated(condition, plan.pool));
  const [next] = plan.rolls;
  if (found.length === 0 || next === undefined || due.some((rollout) => rollout.plan === plan)) return [];
  return [
    {
      phase: 'repair',
      kind: 'check',
      hop: 0,
      text: `Confirm that pool ${plan.pool} may stay paused; the plan updates it to ${next.version}`,
      commands: [`oc get mcp/${shellWord(plan.pool)}`],
      objects: [poolObject(plan.pool)],
      resolves: found,
      blocking: false,
    },
  ];
}

function isPausedOutdated({ type, reason, objects = [] }: Condition, pool: string): boolean {
  return (
    type === 'PoolsReady' && reason === 'PoolPausedOutdated' && objects.some(({ name }) => name === pool)
  );
}

function poolObject(name: string): StepObject {
  return { kind: 'MachineConfigPool', name };
}

function pause(pool: string, hop: number | null): StepDraft {
  return {
    phase: 'pause',
    kind: 'pause',
    hop,
    text: `Pause machine config pool ${pool}`,
    commands: [pauseCommand(pool, true)],
    objects: [poolObject(pool)],
    blocking: true,
  };
}

function unpause({ plan, version, text }: DueRollout, hop: number | null, { hops }: PoolQuestion): StepDraft {
  const effect = version === null ? '' : `; its nodes update to ${version} and reboot`;
  // A running update never completes while the control plane pool is paused.
  const isUnblocking =
    plan.kind === 'control-plane' && hops.some(({ conditions }) => conditions.some(isInProgress));
  return {
    phase: isUnblocking ? 'unblock' : 'rollout',
    kind: 'unpause',
    hop,
    text: `Unpause machine config pool ${plan.pool}${effect}: ${text}`,
    commands: [pauseCommand(plan.pool, false)],
    objects: [poolObject(plan.pool)],
    resolves: findingsOf(plan, hop, hops),
    blocking: true,
  };
}

/** The next hop waits for a rollout; after the last hop it is only verified. */
function waitFor(
  { plan, version, text }: DueRollout,
  hop: number | null,
  { hops, rollouts }: PoolQuestion,
): StepDraft {
  const rollout = rollouts
    .filter(({ beforeHop }) => beforeHop === hop)
    .flatMap(({ pools }) => pools)
    .find(({ pool }) => pool === plan.pool);
  const minutes = rollout?.expected ?? rolloutMinutes(plan.nodes ?? 1, 1);
  return {
    phase: 'rollout',
    kind: hop === null ? 'verify' : 'roll-pool',
    hop,
    text: `Wait until pool ${plan.pool} is updated${version === null ? '' : ` to ${version}`}: ${text}`,
    commands: [waitCommand(plan.pool, minutes)],
    objects: [poolObject(plan.pool)],
    resolves: findingsOf(plan, hop, hops),
    blocking: true,
    timeoutMinutes: waitMinutes(minutes),
  };
}

/** Findings of the hop that the rollout of the pool resolves. */
function findingsOf(
  { pool, kind }: ManagedPool,
  hop: number | null,
  hops: readonly StepHop[],
): readonly ResolvedFinding[] {
  if (hop === null) return [];
  if (kind === 'control-plane') return hop === 0 ? [CONTROL_PLANE_PAUSED] : [];
  return hops[hop]!.conditions.filter((condition) => {
    const { objects = [] } = condition;
    return (
      (isKubeletSkew(condition) && objects.some(({ detail }) => detail?.['pool'] === pool)) ||
      isPausedOutdated(condition, pool)
    );
  });
}
