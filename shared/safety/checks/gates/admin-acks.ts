import { collectCommands } from '../../../cluster/document-kinds.ts';
import type { ClusterFacts, ConfigEntry } from '../../../cluster/facts.ts';
import { joinInWords, namesInWords } from '../../../text/words.ts';
import { minorOf, type Minor } from '../../../version/minor.ts';
import {
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  inputMissing,
  type Check,
} from '../../condition.ts';
import type { Decision } from '../../decision.ts';
import { lastCompleted } from '../../evidence/history.ts';
import type { Hop, HopContext } from '../../hop.ts';
import { gatesOfHop, type AdminGate, acknowledgeCommands } from '../../tables/admin-gates.ts';
import { GATE_RULES, ruleOf } from '../../tables/gate-rules.ts';

const ACKS_TYPE = 'AdminAcksCompleted';
const ACK_REQUIRED = 'AdminAckRequired';
const ACK_EXPECTED = 'AdminAckExpected';
const ACK_CANNOT_TELL = 'AdminAckCannotTell';

const BAD_KEY = 'AdminAckConfigMapGateNameError';
const BAD_VALUE = 'AdminAckConfigMapGateValueError';

const GATE_KEY = /^ack-([4-5]\.\d+)-[^-]/;
/** Valid ConfigMap key that is also safe inside a shell command. */
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;

/**
 * The cluster lists the gates of its minor. Gates of later minors arrive with the update, so the table decides. A patch
 * before the hop can add gates too.
 */
export const adminAcks: Check = (context) => {
  const { facts, hop } = context;
  const leaves = minorOf(hop.from);
  const minors = minorsOfCluster(context);
  if (minors[0] !== leaves) return gatesToCome(context, leaves);
  const listed = new Set((facts.adminGates ?? []).map(({ key }) => key));
  const open = openGates(facts, hop);
  const required = open.required.filter(({ gate }) => !listed.has(gate.key));
  const undecided = open.undecided.filter(({ gate }) => !listed.has(gate.key));
  const expected = gateFinding(required, leaves, { reason: ACK_EXPECTED, status: 'Unknown', effect: 'warn' });
  if (facts.adminGates === null) {
    const commands = collectCommands('adminGates', 'adminAcks');
    const missing = inputMissing(ACKS_TYPE, 'the gates of the cluster were', commands);
    return [missing, ...expected, ...undecidedGates(undecided, leaves)];
  }
  const isAfterPatch = hop.index > 0;
  return [
    conditionOf(facts.adminGates, facts, minors),
    ...(isAfterPatch ? expected : []),
    // Only these stay open: what decides them is in no document.
    ...undecidedGates(
      undecided.filter((gate) => commandsOf(gate).length === 0),
      leaves,
    ),
  ];
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

function conditionOf(gates: readonly ConfigEntry[], facts: ClusterFacts, minors: readonly Minor[]): Finding {
  const { adminAcks: acks } = facts;
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
      ...inputMissing(ACKS_TYPE, 'the acknowledgements of gates were', collectCommands('adminAcks')),
      objects: problems.map(objectOf),
    };
  }
  const required = problems.filter(({ reason }) => reason === ACK_REQUIRED).map(({ gate }) => gate);
  const url = required.map(({ value }) => linkIn(value)).find((link) => link !== null);
  const causes = required.map(({ key }) => causeOf(key, ruleOf({ key }).applies(facts)));
  return {
    ...finding({
      type: ACKS_TYPE,
      status: 'False',
      reason: reasons.size === 1 ? problems[0]!.reason : 'MultipleReasons',
      message: [problemsInWords(problems), ...causes.flatMap(({ text }) => text)].join('. '),
      effect: 'block',
    }),
    objects: [...problems.map(objectOf), ...causes.flatMap(({ objects }) => objects)],
    remediation: acknowledgeCommands(required),
    ...(url && { url }),
  };
}

interface Cause {
  readonly text: readonly string[];
  readonly objects: readonly ConditionObject[];
}

/** What the cluster has the gate for; nothing for a gate of all clusters. */
function causeOf(key: string, decision: Decision): Cause {
  if (decision.answer !== 'yes' || !GATE_RULES.has(key)) return { text: [], objects: [] };
  return { text: [decision.message], objects: decision.objects ?? [] };
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
    detail: {
      reason,
      ...(value !== '' && { text: value }),
      ...(url !== null && { url }),
      ...preparationOf(key),
    },
  };
}

function linkIn(text: string): string | null {
  return /https:\/\/\S*[^\s.,;:!?)\]}'"]/.exec(text)?.[0] ?? null;
}

function gatesToCome({ facts, hop }: HopContext, leaves: Minor): readonly Finding[] {
  if (hop.updateType !== 'minor' && hop.updateType !== 'major') {
    return [asExpected(ACKS_TYPE, `Stays in ${leaves}, which asks for nothing`)];
  }
  const { required, undecided } = openGates(facts, hop);
  const findings = [
    ...gateFinding(required, leaves, { reason: ACK_REQUIRED, status: 'False', effect: 'block' }),
    ...undecidedGates(undecided, leaves),
  ];
  const acknowledged = acknowledgedKeys(facts.adminAcks);
  const ahead = gatesOfHop(hop, facts).filter(({ key }) => acknowledged.has(key));
  if (findings.length > 0 && ahead.length === 0) return findings;
  const message =
    ahead.length > 0
      ? `Acknowledged ahead of time: ${namesInWords(ahead.map(({ key }) => key))}`
      : `No gate is known for clusters that leave ${leaves}`;
  return [...findings, { ...asExpected(ACKS_TYPE, message), origin: 'catalogue' }];
}

interface DecidedGate {
  readonly gate: AdminGate;
  readonly decision: Exclude<Decision, { readonly answer: 'no' }>;
}

/** Gates of the table without an acknowledgment. */
function openGates(
  facts: ClusterFacts,
  hop: Hop,
): { readonly required: readonly DecidedGate[]; readonly undecided: readonly DecidedGate[] } {
  const acknowledged = acknowledgedKeys(facts.adminAcks);
  const open = gatesOfHop(hop, facts)
    .filter(({ key }) => !acknowledged.has(key))
    .flatMap((gate): DecidedGate[] => {
      const decision = ruleOf(gate).applies(facts);
      return decision.answer === 'no' ? [] : [{ gate, decision }];
    });
  return {
    required: open.filter(({ decision }) => decision.answer === 'yes'),
    undecided: open.filter(({ decision }) => decision.answer === 'unknown'),
  };
}

/** Gates from the table without a known acknowledgment; empty without gates. */
function gateFinding(
  gates: readonly DecidedGate[],
  leaves: Minor,
  { reason, status, effect }: Pick<Finding, 'reason' | 'status' | 'effect'>,
): readonly Finding[] {
  const [first] = gates;
  if (!first) return [];
  const keys = namesInWords(gates.map(({ gate }) => gate.key));
  const message =
    reason === ACK_EXPECTED
      ? `${leaves} may require administrator acknowledgment, although the documents do not list it: ${keys}`
      : `${leaves} requires administrator acknowledgment before the next minor: ${keys}. You can acknowledge ahead of time`;
  const { url } = first.gate;
  const causes = gates.map(({ gate, decision }) => causeOf(gate.key, decision));
  return [
    {
      ...finding({
        type: ACKS_TYPE,
        status,
        reason,
        message: [message, ...causes.flatMap(({ text }) => text)].join('. '),
        effect,
      }),
      origin: 'catalogue',
      objects: [
        ...gates.map((each) => gateObject(each, reason)),
        ...causes.flatMap(({ objects }) => objects),
      ],
      remediation: acknowledgeCommands(gates.map(({ gate }) => gate)),
      ...(url !== undefined && { url }),
    },
  ];
}

/** One finding for all gates that the documents leave open. */
function undecidedGates(gates: readonly DecidedGate[], leaves: Minor): readonly Finding[] {
  if (gates.length === 0) return [];
  const keys = namesInWords(gates.map(({ gate }) => gate.key));
  const commands = [...new Set(gates.flatMap(commandsOf))];
  const reasons = gates.flatMap(({ decision }) => (decision.answer === 'unknown' && decision.why) || []);
  const more = [
    ...reasons,
    ...(commands.length === 0
      ? []
      : [`send the output of ${joinInWords(commands.map((each) => `\`${each}\``))}`]),
  ];
  const message = [
    `Not known whether ${leaves} requires administrator acknowledgment of ${keys}`,
    ...more,
  ].join('; ');
  return [
    {
      ...finding({
        type: ACKS_TYPE,
        status: 'Unknown',
        reason: ACK_CANNOT_TELL,
        message,
        effect: 'warn',
      }),
      origin: 'catalogue',
      objects: gates.map((each) => gateObject(each, ACK_CANNOT_TELL)),
      remediation: commands,
    },
  ];
}

function commandsOf({ decision }: DecidedGate): readonly string[] {
  return decision.answer === 'unknown' ? collectCommands(...decision.missing) : [];
}

function gateObject(each: DecidedGate, reason: string): ConditionObject {
  const { gate, decision } = each;
  const cannotTell = commandsOf(each);
  const { url, isConditional } = gate;
  return {
    kind: 'AdminGate',
    name: gate.key,
    detail: {
      reason,
      ...(url !== undefined && { url }),
      ...(decision.answer === 'yes' && isConditional && { because: decision.message }),
      // Without it `strict` does not block: nothing is missing that could be sent.
      ...(cannotTell.length > 0 && { cannotTell }),
      ...preparationOf(gate.key),
    },
  };
}

function preparationOf(key: string): Readonly<Record<string, unknown>> {
  const { preparation } = ruleOf({ key });
  return preparation ? { preparation: preparation.text, commands: preparation.commands ?? [] } : {};
}
