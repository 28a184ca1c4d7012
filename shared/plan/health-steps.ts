import { ETCD_COMMANDS } from '../safety/checks/etcd-healthy.ts';
import { CONTROL_PLANE_LOST, lookCommand, uncordonCommand } from '../safety/checks/nodes-healthy.ts';
import type { Condition, ConditionObject } from '../safety/condition.ts';
import { shellWord } from '../text/quote.ts';
import { countInWords, listInWords, namesInWords } from '../text/words.ts';
import { rolloutOf } from './pools.ts';
import type { StepKind } from './values.ts';

export interface PlanStep {
  readonly kind: StepKind;
  /** Index of the hop; null after the last hop. */
  readonly hop: number | null;
  readonly text: string;
  readonly command?: string;
  /** True if the plan cannot continue without it. */
  readonly blocking: boolean;
}

type Step = Pick<PlanStep, 'kind' | 'text' | 'command'>;

/** Ordered by urgency: control plane, etcd, pools, single nodes. */
const STEPS: readonly (readonly [string, (objects: readonly ConditionObject[]) => readonly Step[]])[] = [
  [CONTROL_PLANE_LOST, (nodes) => [repairNodes('control plane node', nodes)]],
  ['ControlPlaneNodeNotReady', (nodes) => [repairNodes('control plane node', nodes)]],
  ['EtcdUnavailable', repairEtcd],
  ['EtcdDegraded', repairEtcd],
  ['EtcdMembersNotReady', repairEtcd],
  ['PoolDegraded', (pools) => pools.map(repairPool)],
  ['PoolUpdating', (pools) => pools.map(waitForPool)],
  ['NodeNotReady', (nodes) => [repairNodes('worker node', nodes)]],
  ['NodePressure', (nodes) => [relieve(nodes)]],
  ['NodeCordoned', (nodes) => [uncordon(nodes)]],
  ['ControlPlaneCountUnusual', (nodes) => [confirmCount(nodes)]],
];

/** Limits matching to these types: operators may report reasons with the same names. */
const TYPES: ReadonlySet<string> = new Set(['NodesHealthy', 'EtcdHealthy', 'PoolsReady']);

/** Repairs before the first hop, from its conditions. */
export function healthSteps(conditions: readonly Condition[]): PlanStep[] {
  const steps = STEPS.flatMap(([reason, stepsFor]) =>
    conditions
      .filter(({ type, ...condition }) => TYPES.has(type) && condition.reason === reason)
      .flatMap(({ objects = [], effect, accepted }) =>
        stepsFor(objects).map((step): PlanStep => ({
          ...step,
          hop: 0,
          blocking: effect === 'block' && accepted !== true,
        })),
      ),
  );
  // Several reasons can need the same command: keep the first, blocking if any of them blocks.
  const byCommand = new Map<string, PlanStep>();
  for (const step of steps) {
    const key = `${step.text}\n${step.command}`;
    const known = byCommand.get(key);
    byCommand.set(key, { ...step, blocking: step.blocking || known?.blocking === true });
  }
  return [...byCommand.values()];
}

function repairNodes(noun: string, nodes: readonly ConditionObject[]): Step {
  const names = nodes.map(({ name }) => name);
  const what = `${noun}${names.length === 1 ? '' : 's'} ${namesInWords(names)}`;
  return {
    kind: 'fix',
    text: `Repair ${what}: ${names.length === 1 ? 'it is' : 'they are'} not ready`,
    command: lookCommand(names),
  };
}

function repairEtcd(): readonly Step[] {
  const [members, operator] = ETCD_COMMANDS;
  return [
    { kind: 'fix', text: 'Find the etcd members that are not ready', command: members },
    { kind: 'fix', text: 'Repair etcd: its operator reports the cause', command: operator },
  ];
}

function repairPool({ name, detail }: ConditionObject): Step {
  const causes = (detail?.['causes'] ?? []) as readonly string[];
  const why = causes.length === 0 ? 'it is degraded' : listInWords(causes);
  return { kind: 'fix', text: `Repair pool ${name}: ${why}`, command: `oc describe mcp/${shellWord(name)}` };
}

const SHORTEST_WAIT = 30;

/** Waits twice the expected time, so a timeout means that something is wrong. */
function waitForPool({ name, detail }: ConditionObject): Step {
  const { machines, updated, maxUnavailable } = detail as {
    readonly machines: number;
    readonly updated: number;
    readonly maxUnavailable: number | string;
  };
  const minutes = Math.max(SHORTEST_WAIT, 2 * rolloutOf(machines, maxUnavailable).expected);
  return {
    kind: 'wait',
    text: `Wait for pool ${name}: ${updated} of ${countInWords(machines, 'machine')} ${updated === 1 ? 'is' : 'are'} updated`,
    command: `oc wait mcp/${shellWord(name)} --for=condition=Updated=True --timeout=${Math.ceil(minutes / 5) * 5}m`,
  };
}

function relieve(nodes: readonly ConditionObject[]): Step {
  const causes = nodes.map(({ name, detail }) => {
    const conditions = (detail?.['conditions'] ?? []) as readonly { readonly type: string }[];
    return `${name} (${conditions.map(({ type }) => type).join(', ')})`;
  });
  const names = nodes.map(({ name }) => name);
  return {
    kind: 'fix',
    text: `Resolve the shortage on ${namesInWords(causes)}`,
    command: lookCommand(names),
  };
}

function uncordon(nodes: readonly ConditionObject[]): Step {
  const names = nodes.map(({ name }) => name);
  const cordoned = names.length === 1 ? 'it is cordoned' : 'they are cordoned';
  return {
    kind: 'fix',
    text: `Uncordon ${namesInWords(names)}, unless ${cordoned} on purpose`,
    command: uncordonCommand(names),
  };
}

function confirmCount(nodes: readonly ConditionObject[]): Step {
  if (nodes.length === 0) {
    const command = 'oc get nodes,infrastructure/cluster -o json';
    return { kind: 'check', text: 'Send all nodes: no control plane node is known', command };
  }
  const text = `Confirm that the cluster has ${countInWords(nodes.length, 'control plane node')}`;
  return { kind: 'check', text, command: 'oc get nodes' };
}
