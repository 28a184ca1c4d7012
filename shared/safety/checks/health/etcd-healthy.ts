import { isKnown } from '../../../cluster/cluster-version.ts';
import type { ClusterCondition, ClusterFacts } from '../../../cluster/facts.ts';
import { isInQuorum } from '../../../cluster/nodes.ts';
import { countInWords, namesInWords } from '../../../text/words.ts';
import { type Finding, asExpected, finding, inputMissing, type Check } from '../../condition.ts';
import { isHosted } from '../../evidence/hosted.ts';
import { operatorObject, quotedMessage } from '../../evidence/operator-health.ts';
import { describeCommand } from '../../tables/operator-hints.ts';

const TYPE = 'EtcdHealthy';
const OPERATOR = 'etcd';
const LIST = 'oc get clusteroperators -o json';

export const ETCD_COMMANDS = [
  'oc get pods -n openshift-etcd -l app=etcd',
  describeCommand(OPERATOR),
] as const;

/** A minor update restarts every etcd member, so all must be healthy first. Only the first hop is checked. */
export const etcdHealthy: Check = ({ facts, hop }) => {
  if (hop.index > 0 || isHosted(facts)) return [];
  if (facts.clusterOperators === null) {
    return [inputMissing(TYPE, 'the ClusterOperators were', [LIST])];
  }
  const operator = facts.clusterOperators.find(({ name }) => name === OPERATOR);
  const findings = [
    ...reported('EtcdUnavailable', 'not available', conditionOf(operator?.conditions, 'Available', 'False')),
    ...reported('EtcdDegraded', 'degraded', conditionOf(operator?.conditions, 'Degraded', 'True')),
    ...(operator ? unknownState(operator.conditions) : []),
    ...membersNotReady(facts),
  ];
  if (findings.length > 0) return findings;
  if (operator) return [asExpected(TYPE, 'etcd is available and not degraded')];
  const message = `The ClusterOperators that were supplied do not include etcd, which every cluster with its own control plane has; send what \`${LIST}\` prints`;
  return [
    {
      ...finding({ type: TYPE, status: 'Unknown', reason: 'EtcdNotReported', message, effect: 'warn' }),
      remediation: [LIST],
    },
  ];
};

function conditionOf(conditions: readonly ClusterCondition[] = [], type: string, status: string) {
  return conditions.find((each) => each.type === type && each.status === status);
}

function reported(reason: string, state: string, condition: ClusterCondition | undefined): Finding[] {
  if (!condition) return [];
  const said = quotedMessage(condition);
  const [, available, members] = /(\d+) of (\d+) members are available/.exec(condition.message) ?? [];
  const counts = available !== undefined && { available: Number(available), members: Number(members) };
  return [
    {
      ...finding({
        type: TYPE,
        status: 'False',
        reason,
        message: `etcd is ${state}${said === '' ? '' : `: ${said}`}`,
        effect: 'block',
      }),
      origin: 'reported',
      objects: [operatorObject(OPERATOR, condition, counts || {})],
      remediation: ETCD_COMMANDS,
      ...(condition.since !== null && { since: condition.since }),
    },
  ];
}

/** An operator that does not answer says nothing about etcd. */
function unknownState(conditions: readonly ClusterCondition[]): Finding[] {
  const unknown = ['Available', 'Degraded'].flatMap(
    (type) => conditions.find((each) => each.type === type && !isKnown(each)) ?? [],
  );
  const isSilent = conditions.every(({ type }) => type !== 'Available');
  if (unknown.length === 0 && !isSilent) return [];
  const [first] = unknown;
  const said = first ? quotedMessage(first) : '';
  const types = unknown.map(({ type }) => type).join(' and ');
  const why = first ? `reports ${types} as Unknown` : 'does not report Available';
  return [
    {
      ...finding({
        type: TYPE,
        status: 'Unknown',
        reason: 'EtcdUnknown',
        message: `The state of etcd is not known, because its operator ${why}${said === '' ? '' : `: ${said}`}`,
        effect: 'warn',
      }),
      origin: 'reported',
      objects: [first ? operatorObject(OPERATOR, first) : { kind: 'ClusterOperator', name: OPERATOR }],
      remediation: ETCD_COMMANDS,
      ...(first && first.since !== null && { since: first.since }),
    },
  ];
}

/** Requires at least one etcd pod: pods of other namespaces say nothing about etcd. */
function membersNotReady({ nodes, podsPerNode }: ClusterFacts): Finding[] {
  const known = (podsPerNode ?? []).filter(({ etcdReady }) => etcdReady !== undefined);
  const members = (nodes ?? []).filter(isInQuorum).map(({ name }) => name);
  const ready = new Set(known.filter(({ etcdReady }) => etcdReady).map(({ node }) => node));
  if (known.length === 0 || ready.size >= members.length) return [];
  const down = members.filter((name) => !ready.has(name)).toSorted();
  const message = `${ready.size} of ${countInWords(members.length, 'etcd member')} ${ready.size === 1 ? 'is' : 'are'} ready; not ready: ${namesInWords(down)}`;
  const effect = ready.size * 2 <= members.length ? 'block' : 'warn';
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: 'EtcdMembersNotReady', message, effect }),
      objects: down.map((name) => ({ kind: 'Node', name })),
      remediation: ETCD_COMMANDS,
    },
  ];
}
