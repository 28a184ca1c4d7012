import { ETCD_COMMANDS } from '../../safety/checks/etcd-healthy.ts';
import { CONTROL_PLANE_LOST, lookCommand, uncordonCommand } from '../../safety/checks/nodes-healthy.ts';
import type { Condition, ConditionObject } from '../../safety/condition.ts';
import { rolloutMinutes, waitCommand, waitMinutes } from '../../safety/evidence/pools.ts';
import { shellWord } from '../../text/quote.ts';
import { countInWords, listInWords, namesInWords } from '../../text/words.ts';
import type { StepDraft } from './step.ts';

type Repair = Pick<StepDraft, 'kind' | 'text' | 'timeoutMinutes'> & { readonly command: string };

/** Ordered by urgency: control plane, etcd, pools, single nodes. */
const STEPS: readonly (readonly [string, (objects: readonly ConditionObject[]) => readonly Repair[]])[] = [
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
export function healthSteps(conditions: readonly Condition[]): StepDraft[] {
  return STEPS.flatMap(([reason, repairsFor]) =>
    conditions
      .filter(({ type, ...condition }) => TYPES.has(type) && condition.reason === reason)
      .flatMap((condition) =>
        repairsFor(condition.objects ?? []).map(({ command, ...step }): StepDraft => ({
          ...step,
          phase: 'repair',
          hop: 0,
          commands: [command],
          resolves: [condition],
          blocking: condition.effect === 'block' && condition.accepted !== true,
        })),
      ),
  );
}

function repairNodes(noun: string, nodes: readonly ConditionObject[]): Repair {
  const names = nodes.map(({ name }) => name);
  const what = `${noun}${names.length === 1 ? '' : 's'} ${namesInWords(names)}`;
  return {
    kind: 'fix',
    text: `Repair ${what}: ${names.length === 1 ? 'it is' : 'they are'} not ready`,
    command: lookCommand(names),
  };
}

function repairEtcd(): readonly Repair[] {
  const [members, operator] = ETCD_COMMANDS;
  return [
    { kind: 'fix', text: 'Find the etcd members that are not ready', command: members },
    { kind: 'fix', text: 'Repair etcd: its operator reports the cause', command: operator },
  ];
}

function repairPool({ name, detail }: ConditionObject): Repair {
  const causes = (detail?.['causes'] ?? []) as readonly string[];
  const why = causes.length === 0 ? 'it is degraded' : listInWords(causes);
  return { kind: 'fix', text: `Repair pool ${name}: ${why}`, command: `oc describe mcp/${shellWord(name)}` };
}

function waitForPool({ name, detail }: ConditionObject): Repair {
  const { machines, updated, maxUnavailable } = detail as {
    readonly machines: number;
    readonly updated: number;
    readonly maxUnavailable: number | string;
  };
  const minutes = rolloutMinutes(machines, maxUnavailable);
  return {
    kind: 'wait',
    text: `Wait for pool ${name}: ${updated} of ${countInWords(machines, 'machine')} ${updated === 1 ? 'is' : 'are'} updated`,
    command: waitCommand(name, minutes),
    timeoutMinutes: waitMinutes(minutes),
  };
}

function relieve(nodes: readonly ConditionObject[]): Repair {
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

function uncordon(nodes: readonly ConditionObject[]): Repair {
  const names = nodes.map(({ name }) => name);
  const cordoned = names.length === 1 ? 'it is cordoned' : 'they are cordoned';
  return {
    kind: 'fix',
    text: `Uncordon ${namesInWords(names)}, unless ${cordoned} on purpose`,
    command: uncordonCommand(names),
  };
}

function confirmCount(nodes: readonly ConditionObject[]): Repair {
  if (nodes.length === 0) {
    const command = 'oc get nodes,infrastructure/cluster -o json';
    return { kind: 'check', text: 'Send all nodes: no control plane node is known', command };
  }
  const text = `Confirm that the cluster has ${countInWords(nodes.length, 'control plane node')}`;
  return { kind: 'check', text, command: 'oc get nodes' };
}
