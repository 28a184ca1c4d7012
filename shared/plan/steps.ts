import { REMOVALS_ON_PATH, REQUEST_COUNTS_COMMAND } from '../safety/checks/api-removals.ts';
import type { Condition, ConditionObject } from '../safety/condition.ts';
import type { EvaluatedHop } from '../safety/evaluate.ts';
import { shellWord } from '../text/quote.ts';
import { listInWords } from '../text/words.ts';
import { minorOf } from '../version/minor.ts';
import { healthSteps, type PlanStep } from './health-steps.ts';
import type { PoolPlan } from './pools.ts';

type StepHop = Pick<EvaluatedHop, 'hop' | 'conditions'>;

export interface StepQuestion {
  readonly hops: readonly StepHop[];
  readonly pools: readonly PoolPlan[];
  readonly channelPlan: readonly { readonly channel: string; readonly untilVersion: string }[];
  /** Current channel of the cluster. */
  readonly channel: string | null;
  /** Channels listed by the current release; empty if unknown. */
  readonly offeredChannels: readonly string[];
}

/**
 * Orders steps: repairs first, then clients of removed APIs because those need other teams. Each hop follows with
 * clients whose new API the last hop brought, its operators, acknowledgments, pools, update and wait. Paused pools come
 * last.
 */
export function planSteps(question: StepQuestion): PlanStep[] {
  const { hops, pools } = question;
  if (hops.length === 0) return [];
  const migrations = migrateApis(hops);
  const operators = updateOperators(hops);
  const acknowledgements = acknowledge(hops);
  const rolls = poolSteps(pools, hops.length);
  return [
    ...healthSteps(hops[0]!.conditions),
    ...migrations.filter(({ afterHop }) => afterHop === null).map(({ step }) => step),
    ...checkApis(hops),
    ...hops.flatMap((evaluated, index) => [
      ...migrations.filter(({ afterHop }) => afterHop === index - 1).map(({ step }) => step),
      ...operators.filter(({ hop }) => hop === index),
      ...acknowledgements.filter(({ hop }) => hop === index),
      ...rolls.filter(({ hop }) => hop === index),
      ...updateSteps(evaluated, question),
    ]),
    ...rolls.filter(({ hop }) => hop === null),
  ];
}

interface Concern {
  readonly object: ConditionObject;
  readonly evaluated: StepHop;
  readonly blocking: boolean;
}

/** Pairs each object with the first hop that it blocks, or else the first hop that names it. */
function concerns(
  hops: readonly StepHop[],
  isMeant: (condition: Condition, object: ConditionObject) => boolean,
): Concern[] {
  const found = new Map<string, Concern>();
  for (const evaluated of hops) {
    for (const condition of evaluated.conditions) {
      const { effect, accepted, objects = [] } = condition;
      const blocking = (effect === 'block' || effect === 'inform') && accepted !== true;
      for (const object of objects.filter((each) => isMeant(condition, each))) {
        const key = JSON.stringify([object.kind, object.namespace, object.name]);
        const known = found.get(key);
        if (!known || (blocking && !known.blocking)) found.set(key, { object, evaluated, blocking });
      }
    }
  }
  return [...found.values()].toSorted((a, b) => a.evaluated.hop.index - b.evaluated.hop.index);
}

interface Migration {
  readonly step: PlanStep;
  /** Hop that brings the new API; null if clients can move before the first hop. */
  readonly afterHop: number | null;
}

function migrateApis(hops: readonly StepHop[]): Migration[] {
  const isRemoved = ({ type, status }: Condition) => type === 'APIRemovals' && status === 'False';
  return concerns(hops, isRemoved).map(({ object, evaluated: { hop }, blocking }) => {
    const { replacement, replacementSince } = object.detail ?? {};
    const instead =
      typeof replacement === 'string'
        ? `Move clients of ${object.name} to ${replacement}`
        : `Stop all clients of ${object.name}`;
    const introduced = hops.findIndex((each) => `1.${each.hop.kubeTo}` === replacementSince);
    return {
      afterHop: introduced >= 0 && introduced < hop.index ? introduced : null,
      step: {
        kind: 'migrate-api',
        hop: hop.index,
        text: `${instead}: ${hop.to.raw} does not serve it`,
        command: `oc get apirequestcounts ${shellWord(object.name)} -o yaml`,
        blocking,
      },
    };
  });
}

/** Adds one step per hop if API clients are unknown. */
function checkApis(hops: readonly StepHop[]): PlanStep[] {
  return hops.flatMap(({ hop, conditions }) =>
    conditions
      .filter(({ reason, status }) => reason === REMOVALS_ON_PATH && status === 'Unknown')
      .map(({ objects = [] }): PlanStep => ({
        kind: 'check',
        hop: hop.index,
        text:
          `Check that nothing uses ${listInWords(objects.map(({ name }) => name))}: ` +
          `${hop.to.raw} does not serve ${objects.length === 1 ? 'it' : 'them'} any more`,
        command: REQUEST_COUNTS_COMMAND,
        blocking: false,
      })),
  );
}

function updateOperators(hops: readonly StepHop[]): PlanStep[] {
  const isIncompatible = ({ reason }: Condition) => reason === 'IncompatibleOperatorsInstalled';
  return concerns(hops, isIncompatible).map(({ object, evaluated: { hop }, blocking }) => ({
    kind: 'update-operator',
    hop: hop.index,
    text: `Update or remove ${object.namespace}/${object.name}, which is not known to work with ${minorOf(hop.to)}`,
    command: `oc -n ${shellWord(object.namespace ?? '')} get subscription,installplan`,
    blocking,
  }));
}

/** Includes acknowledgments whose state is unknown. */
function acknowledge(hops: readonly StepHop[]): PlanStep[] {
  const isOpen = ({ type, status }: Condition, { detail }: ConditionObject) =>
    type === 'AdminAcksCompleted' && status !== 'True' && detail?.['reason'] === 'AdminAckRequired';
  return concerns(hops, isOpen).map(({ object, evaluated: { hop }, blocking }) => {
    const url = object.detail?.['url'];
    return {
      kind: 'ack',
      hop: hop.index,
      text: `Acknowledge ${object.name}${typeof url === 'string' ? `, having read ${url}` : ''}`,
      command: `oc -n openshift-config patch cm admin-acks --type=merge -p ${acknowledgement(object.name)}`,
      blocking,
    };
  });
}

function acknowledgement(gate: string): string {
  return shellWord(JSON.stringify({ data: { [gate]: 'true' } }));
}

function updateSteps(
  { hop }: StepHop,
  { channelPlan, channel, offeredChannels, hops }: StepQuestion,
): PlanStep[] {
  const versions = hops.map((evaluated) => evaluated.hop.to.raw);
  const planned = channelPlan.find(({ untilVersion }) => versions.indexOf(untilVersion) >= hop.index);
  const isFirst = hop.index === 0 || versions[hop.index - 1] === previousUntil(channelPlan, planned);
  const steps: PlanStep[] = [];
  if (planned && isFirst && !(hop.index === 0 && planned.channel === channel)) {
    // oc rejects channels that the current release does not list; channels of later releases are unknown here.
    const isRefused =
      hop.index === 0 && offeredChannels.length > 0 && !offeredChannels.includes(planned.channel);
    steps.push({
      kind: 'update',
      hop: hop.index,
      text: `Follow channel ${planned.channel}`,
      command: `oc adm upgrade channel ${shellWord(planned.channel)}${isRefused ? ' --allow-explicit-channel' : ''}`,
      blocking: true,
    });
  }
  const isConditional = hop.update?.conditional === true;
  steps.push(
    {
      kind: 'update',
      hop: hop.index,
      text: `Update from ${hop.from.raw} to ${hop.to.raw}${isConditional ? `, accepting ${hop.update.risks.map(({ name }) => name).join(', ')}` : ''}`,
      command: `oc adm upgrade --to ${hop.to.raw}${isConditional ? ' --allow-not-recommended' : ''}`,
      blocking: true,
    },
    {
      kind: 'verify',
      hop: hop.index,
      text: `Wait until ${hop.to.raw} is completed, and look at the cluster operators again: new ones say new things`,
      command: 'oc adm wait-for-stable-cluster',
      blocking: true,
    },
  );
  return steps;
}

function previousUntil(
  channelPlan: StepQuestion['channelPlan'],
  planned: StepQuestion['channelPlan'][number] | undefined,
): string | undefined {
  return planned && channelPlan[channelPlan.indexOf(planned) - 1]?.untilVersion;
}

interface ManagedPool extends PoolPlan {
  readonly pool: string;
}

interface DueRoll {
  readonly pool: string;
  /** Null if the pool catches up with the current version. */
  readonly version: string | null;
  readonly text: string;
}

/**
 * Pool steps before each hop and, with hop null, at the end. Pools roll out in parallel: unpause paused pools, wait
 * for all, then pause those that skip the next hop. A pool that rolls out right after the next hop stays unpaused.
 */
function poolSteps(pools: readonly PoolPlan[], hops: number): PlanStep[] {
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

/** The next hop waits for a rollout; after the last hop it is only verified. */
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
