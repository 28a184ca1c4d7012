import { approveCommand } from '../../safety/checks/health/certificate-requests.ts';
import { ETCD_COMMANDS } from '../../safety/checks/health/etcd-healthy.ts';
import {
  CONTROL_PLANE_LOST,
  lookCommand,
  uncordonCommand,
} from '../../safety/checks/health/nodes-healthy.ts';
import type { Condition, ConditionObject } from '../../safety/condition.ts';
import { rolloutMinutes, waitCommand, waitMinutes } from '../../safety/evidence/pools.ts';
import { describeCommand } from '../../safety/tables/operator-hints.ts';
import { shellWord } from '../../text/quote.ts';
import { countInWords, listInWords, namesInWords } from '../../text/words.ts';
import { isBlocking, type Repair, type StepDraft } from './step.ts';

/** A step without objects is about all of its finding. */
type RepairStep = Pick<StepDraft, 'kind' | 'text' | 'timeoutMinutes' | 'objects'> & {
  readonly command: string;
};

interface Rule {
  readonly type: string;
  readonly reason: string;
  readonly repair: Repair;
  readonly steps: (objects: readonly ConditionObject[]) => readonly RepairStep[];
}

/** Within a repair, in the order of work. */
const RULES: readonly Rule[] = [
  ...[CONTROL_PLANE_LOST, 'ControlPlaneNodeNotReady'].map((reason): Rule => ({
    type: 'NodesHealthy',
    reason,
    repair: 'control-plane',
    steps: (nodes) => [repairNodes('control plane node', nodes)],
  })),
  ...['EtcdUnavailable', 'EtcdDegraded', 'EtcdUnknown', 'EtcdMembersNotReady'].map((reason): Rule => ({
    type: 'EtcdHealthy',
    reason,
    repair: 'etcd',
    steps: repairEtcd,
  })),
  ...operators('InvalidClusterVersion', 'core-operators', () => [correctVersion()]),
  ...operators('CoreOperatorUnavailable', 'core-operators', (all) => all.map(repairOperator)),
  ...operators('UpdateFailing', 'core-operators', () => [unblockUpdate()]),
  { type: 'PoolsReady', reason: 'PoolDegraded', repair: 'pools', steps: (pools) => pools.map(repairPool) },
  {
    type: 'PoolsReady',
    reason: 'PoolUpdating',
    repair: 'rollouts',
    steps: (pools) => pools.map(waitForPool),
  },
  ...nodes('NodeNotReady', (all) => repairNodes('worker node', all)),
  ...nodes('NodePressure', relieve),
  ...nodes('NodeCordoned', uncordon),
  ...nodes('ControlPlaneCountUnusual', confirmCount),
  {
    type: 'CertificateRequestsApproved',
    reason: 'PendingNodeCertificates',
    repair: 'certificates',
    steps: (requests) => [approve(requests)],
  },
  ...operators('ClusterOperatorsUnavailable', 'operators', (all) => all.map(repairOperator)),
  ...operators('ClusterOperatorsUnknown', 'operators', (all) => all.map(repairOperator)),
  ...operators('ClusterOperatorsDegraded', 'operators', (all) => all.map(repairOperator)),
];

function nodes(reason: string, step: (objects: readonly ConditionObject[]) => RepairStep): Rule[] {
  return [{ type: 'NodesHealthy', reason, repair: 'nodes', steps: (objects) => [step(objects)] }];
}

function operators(reason: string, repair: Repair, steps: Rule['steps']): Rule[] {
  return [{ type: 'ClusterOperatorsHealthy', reason, repair, steps }];
}

/** An update that is stuck does not complete before these. */
const BEFORE_WAIT: ReadonlySet<Repair> = new Set([
  'control-plane',
  'etcd',
  'core-operators',
  'pools',
  'operators',
]);

/** Repairs before the first hop, from its conditions. */
export function healthSteps(conditions: readonly Condition[], isUpdateStuck: boolean): StepDraft[] {
  return RULES.flatMap(({ type, reason, repair, steps }) =>
    conditions
      .filter((condition) => condition.type === type && condition.reason === reason)
      .flatMap((condition) =>
        steps(condition.objects ?? []).map(({ command, ...step }): StepDraft => ({
          objects: condition.objects ?? [],
          ...step,
          phase: isUpdateStuck && BEFORE_WAIT.has(repair) ? 'unblock' : 'repair',
          repair,
          hop: 0,
          commands: [command],
          resolves: [condition],
          blocking: isBlocking(condition),
        })),
      ),
  );
}

function repairNodes(noun: string, nodes: readonly ConditionObject[]): RepairStep {
  const names = nodes.map(({ name }) => name);
  const what = `${noun}${names.length === 1 ? '' : 's'} ${namesInWords(names)}`;
  return {
    kind: 'fix',
    text: `Repair ${what}: ${names.length === 1 ? 'it is' : 'they are'} not ready`,
    command: lookCommand(names),
  };
}

function repairEtcd(): readonly RepairStep[] {
  const [members, operator] = ETCD_COMMANDS;
  return [
    { kind: 'fix', text: 'Find the etcd members that are not ready', command: members },
    { kind: 'fix', text: 'Repair etcd: its operator reports the cause', command: operator },
  ];
}

/** The same text for every finding, so that one step resolves all findings of an operator. */
function repairOperator(operator: ConditionObject): RepairStep {
  return {
    kind: 'fix',
    text: `Repair cluster operator ${operator.name}: its conditions name the cause`,
    command: describeCommand(operator.name),
    objects: [operator],
  };
}

function correctVersion(): RepairStep {
  return {
    kind: 'fix',
    text: 'Correct the ClusterVersion: the cluster starts no update while it is invalid',
    command: 'oc get clusterversion version -o yaml',
  };
}

function unblockUpdate(): RepairStep {
  return {
    kind: 'fix',
    text: 'Repair what keeps the cluster from applying its release: the condition Failing names it',
    command: 'oc describe clusterversion version',
  };
}

function repairPool(pool: ConditionObject): RepairStep {
  const { name, detail } = pool;
  const causes = (detail?.['causes'] ?? []) as readonly string[];
  const why = causes.length === 0 ? 'it is degraded' : listInWords(causes);
  return {
    kind: 'fix',
    text: `Repair pool ${name}: ${why}`,
    command: `oc describe mcp/${shellWord(name)}`,
    objects: [pool],
  };
}

function waitForPool(pool: ConditionObject): RepairStep {
  const { name, detail } = pool;
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
    objects: [pool],
    timeoutMinutes: waitMinutes(minutes),
  };
}

function relieve(nodes: readonly ConditionObject[]): RepairStep {
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

function uncordon(nodes: readonly ConditionObject[]): RepairStep {
  const names = nodes.map(({ name }) => name);
  const cordoned = names.length === 1 ? 'it is cordoned' : 'they are cordoned';
  return {
    kind: 'fix',
    text: `Uncordon ${namesInWords(names)}, unless ${cordoned} on purpose`,
    command: uncordonCommand(names),
  };
}

function approve(requests: readonly ConditionObject[]): RepairStep {
  const names = requests.map(({ name }) => name);
  return {
    kind: 'fix',
    text: `Approve certificate requests that are from nodes of this cluster: ${namesInWords(names)}`,
    command: approveCommand(names),
  };
}

function confirmCount(nodes: readonly ConditionObject[]): RepairStep {
  const text = `Confirm that the cluster has ${countInWords(nodes.length, 'control plane node')}`;
  return { kind: 'check', text, command: 'oc get nodes' };
}
