import type { ConfigEntry } from '../../cluster/facts.ts';
import { namesInWords } from '../../text/words.ts';
import { minorOf, type Minor } from '../../version/minor.ts';
import {
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  inputMissing,
  type Check,
} from '../condition.ts';
import { lastCompleted } from '../evidence/history.ts';
import type { HopContext } from '../hop.ts';
import { gatesOfHop, type AdminGate, acknowledgeCommands } from '../tables/admin-gates.ts';

const ACKS_TYPE = 'AdminAcksCompleted';
const ACK_REQUIRED = 'AdminAckRequired';

const BAD_KEY = 'AdminAckConfigMapGateNameError';
const BAD_VALUE = 'AdminAckConfigMapGateValueError';

const GATES_COMMAND = 'oc get configmap admin-gates -n openshift-config-managed -o json';
const ACKS_COMMAND = 'oc get configmap admin-acks -n openshift-config -o json';

const GATE_KEY = /^ack-([4-5]\.\d+)-[^-]/;
/** Valid ConfigMap key that is also safe inside a shell command. */
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;

/**
 * Gates of the cluster's current minor come from the cluster. Later minors bring theirs with the update, so the table
 * supplies them.
 */
export const adminAcks: Check = (context) => {
  const { facts, hop } = context;
  const leaves = minorOf(hop.from);
  const minors = minorsOfCluster(context);
  if (minors[0] !== leaves) return gatesToCome(context, leaves);
  if (facts.adminGates === null) {
    const missing = inputMissing(ACKS_TYPE, 'the gates of the cluster were', [GATES_COMMAND, ACKS_COMMAND]);
    return [missing, ...unlistedGates(context, leaves, 'warn')];
  }
  return [
    conditionOf(facts.adminGates, facts.adminAcks, minors),
    ...unlistedGates(context, leaves, hop.index === 0 ? 'info' : 'warn'),
  ];
};

/** For assumed facts: gates to acknowledge before the hop. */
export const gatesToAcknowledge: Check = ({ hop }) => {
  const gates = gatesOfHop(hop);
  return gates.length > 0 ? [gateFinding(minorOf(hop.from), gates, 'info')] : [];
};

/** Current minor, then the previous one while its update is incomplete. */
function minorsOfCluster({ facts: { clusterVersion }, current, hop, hops }: HopContext): readonly Minor[] {
  const own = minorOf(current ?? (hops[0] ?? hop).from);
  const last = clusterVersion && lastCompleted(clusterVersion);
  return last && minorOf(last.version) !== own ? [own, minorOf(last.version)] : [own];
}

interface Problem {
  readonly gate: ConfigEntry;
  readonly reason: string;
}

function conditionOf(
  gates: readonly ConfigEntry[],
  acks: readonly ConfigEntry[] | null,
  minors: readonly Minor[],
): Finding {
  const acknowledged = acknowledgedKeys(acks);
  const problems = gates
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .flatMap((gate): Problem[] => {
      const reason = problemOf(gate, minors, acknowledged);
      return reason === null ? [] : [{ gate, reason }];
    });
  const reasons = new Set(problems.map(({ reason }) => reason));
  if (reasons.size === 0)
    return asExpected(ACKS_TYPE, `No gate of ${minors.join(' and ')} waits for an administrator`);
  if (acks === null && reasons.size === 1 && reasons.has(ACK_REQUIRED)) {
    return {
      ...inputMissing(ACKS_TYPE, 'the acknowledgements of gates were', [ACKS_COMMAND]),
      objects: problems.map(objectOf),
    };
  }
  const required = problems.filter(({ reason }) => reason === ACK_REQUIRED).map(({ gate }) => gate);
  const url = required.map(({ value }) => linkIn(value)).find((link) => link !== null);
  return {
    ...finding({
      type: ACKS_TYPE,
      status: 'False',
      reason: reasons.size === 1 ? problems[0]!.reason : 'MultipleReasons',
      message: problemsInWords(problems),
      effect: 'block',
    }),
    objects: problems.map(objectOf),
    remediation: acknowledgeCommands(required),
    ...(url && { url }),
  };
}

/** Null if the gate does not block. */
function problemOf(
  { key, value }: ConfigEntry,
  minors: readonly string[],
  acknowledged: ReadonlySet<string>,
): string | null {
  const minor = CONFIG_KEY.test(key) ? GATE_KEY.exec(key)?.[1] : undefined;
  if (minor === undefined) return BAD_KEY;
  if (!minors.includes(minor)) return null;
  if (value === '') return BAD_VALUE;
  return acknowledged.has(key) ? null : ACK_REQUIRED;
}

function acknowledgedKeys(acks: readonly ConfigEntry[] | null): ReadonlySet<string> {
  return new Set((acks ?? []).filter(({ value }) => value === 'true').map(({ key }) => key));
}

function problemsInWords(problems: readonly Problem[]): string {
  const keysOf = (wanted: string): string =>
    namesInWords(problems.filter(({ reason }) => reason === wanted).map(({ gate }) => gate.key));
  const texts = [
    [BAD_KEY, 'These gates are not named as gates are, such as ack-4.8-subject'],
    [BAD_VALUE, 'These gates do not say what is to be acknowledged'],
    [ACK_REQUIRED, 'An administrator has to acknowledge'],
  ] as const;
  return texts
    .filter(([wanted]) => problems.some(({ reason }) => reason === wanted))
    .map(([wanted, text]) => `${text}: ${keysOf(wanted)}`)
    .join('. ');
}

function objectOf({ gate: { key, value }, reason }: Problem): ConditionObject {
  const url = linkIn(value);
  return {
    kind: 'AdminGate',
    name: key,
    detail: { reason, ...(value !== '' && { text: value }), ...(url !== null && { url }) },
  };
}

function linkIn(text: string): string | null {
  return /https:\/\/\S*[^\s.,;:!?)\]}'"]/.exec(text)?.[0] ?? null;
}

function gatesToCome({ facts, hop }: HopContext, leaves: Minor): readonly Finding[] {
  if (hop.updateType !== 'minor' && hop.updateType !== 'major') {
    return [asExpected(ACKS_TYPE, `Stays in ${leaves}, which asks for nothing`)];
  }
  const known = gatesOfHop(hop);
  const [first, ...others] = openGates(known, facts.adminAcks);
  if (!first) {
    const message =
      known.length > 0
        ? `Acknowledged ahead of time: ${namesInWords(known.map(({ key }) => key))}`
        : `No gate is known for clusters that leave ${leaves}`;
    return [{ ...asExpected(ACKS_TYPE, message), origin: 'catalogue' }];
  }
  return [gateFinding(leaves, [first, ...others], 'block')];
}

/** Gates from the table that the cluster does not list; a patch before the hop can add them. */
function unlistedGates(
  { facts, hop }: HopContext,
  leaves: Minor,
  effect: 'info' | 'warn',
): readonly Finding[] {
  const listed = new Set((facts.adminGates ?? []).map(({ key }) => key));
  const known = gatesOfHop(hop).filter((gate) => !listed.has(gate.key));
  const open = openGates(known, facts.adminAcks);
  if (open.length === 0) return [];
  return [{ ...gateFinding(leaves, open, effect), status: effect === 'info' ? 'True' : 'Unknown' }];
}

function openGates(gates: readonly AdminGate[], acks: readonly ConfigEntry[] | null): readonly AdminGate[] {
  const acknowledged = acknowledgedKeys(acks);
  return gates.filter(({ key }) => !acknowledged.has(key));
}

/** Gates from the table without a known acknowledgment. */
function gateFinding(leaves: Minor, gates: readonly AdminGate[], effect: 'info' | 'warn' | 'block'): Finding {
  const keys = gates.map(({ key }) => key);
  const message = `Releases of ${leaves} ask an administrator to acknowledge ${namesInWords(keys)} before they are left; that may be done ahead of time`;
  return {
    ...finding({ type: ACKS_TYPE, status: 'False', reason: ACK_REQUIRED, message, effect }),
    origin: 'catalogue',
    objects: gates.map(({ key, url }) => ({
      kind: 'AdminGate',
      name: key,
      detail: { reason: ACK_REQUIRED, url },
    })),
    remediation: acknowledgeCommands(gates),
    ...(gates[0] && { url: gates[0].url }),
  };
}
