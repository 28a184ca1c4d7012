import type { ClusterFacts } from '../../cluster/facts.ts';
import { REMOVALS_ON_PATH, REQUEST_COUNTS_COMMAND } from '../../safety/checks/api-removals.ts';
import type { Condition, ConditionObject } from '../../safety/condition.ts';
import { isHosted, worksOnHosted } from '../../safety/evidence/hosted.ts';
import { isMissingInput } from '../../safety/verdict.ts';
import { shellWord } from '../../text/quote.ts';
import { listInWords } from '../../text/words.ts';
import { minorOf } from '../../version/minor.ts';
import { ordinalOf } from '../../version/release-line.ts';
import { healthSteps } from './health-steps.ts';
import { isActedOn, isBlocking, joined, type ResolvedFinding, type StepDraft, type StepHop } from './step.ts';
import { stableCommand, type UpdateQuestion } from './update-steps.ts';

/**
 * Steps that resolve findings. Every finding with an effect gets one before its hop: a special one where there is one,
 * else one from its own remediation. `isResolved` names findings that other steps resolve.
 */
export function conditionSteps(
  { facts, hops }: Pick<UpdateQuestion, 'facts' | 'hops'>,
  isResolved: (finding: ResolvedFinding, hop: number) => boolean,
): StepDraft[] {
  const special = [
    ...waitForUpdate(facts, hops),
    ...collectDocuments(hops),
    ...healthSteps(hops[0]?.conditions ?? []),
    ...migrateApis(hops),
    ...checkApis(hops),
    ...updateOperators(hops),
    ...acknowledge(hops),
  ];
  const hasStep = ({ type, reason }: Condition, hop: number): boolean =>
    isResolved({ type, reason }, hop) ||
    special.some(
      (step) =>
        (step.hop ?? Infinity) <= hop &&
        step.resolves?.some((each) => each.type === type && each.reason === reason),
    );
  const others = hops.flatMap(({ hop, conditions }) =>
    conditions
      .filter((condition) => isActedOn(condition) && !hasStep(condition, hop.index))
      .map((condition) => fromRemediation(condition, hop.index)),
  );
  return [
    ...special.map((step) => withSameRepair(step, others)),
    ...others.filter((step) => !isRepaired(step, special)),
  ];
}

/** Two checks can report one cause, such as etcd: its repair resolves the findings of both. */
function withSameRepair(step: StepDraft, others: readonly StepDraft[]): StepDraft {
  return others.filter((other) => isSameRepair(step, other)).reduce(joined, step);
}

function isRepaired(step: StepDraft, special: readonly StepDraft[]): boolean {
  return special.some((each) => isSameRepair(each, step));
}

function isSameRepair(a: StepDraft, b: StepDraft): boolean {
  const [command] = a.commands ?? [];
  return (
    a.phase === 'repair' &&
    b.phase === 'repair' &&
    command !== undefined &&
    command === b.commands?.[0] &&
    b.commands.length === 1
  );
}

const UPDATE_WAIT_MINUTES = 120;
/** First release whose `oc adm upgrade status` is generally available. */
const FIRST_WITH_STATUS = 20;

/** Another update has to complete before anything else is done. */
function waitForUpdate(facts: ClusterFacts, [first]: readonly StepHop[]): StepDraft[] {
  if (!first) return [];
  const { from } = first.hop;
  return first.conditions
    .filter(
      ({ type, status, effect }) => type === 'NoUpdateInProgress' && status === 'False' && effect !== 'ok',
    )
    .map((condition) => ({
      phase: 'wait',
      kind: 'wait',
      hop: 0,
      text: condition.remediation?.find((text) => !isCommand(text)) ?? condition.message,
      commands: [
        ordinalOf(from) < FIRST_WITH_STATUS ? 'oc adm upgrade' : 'oc adm upgrade status',
        stableCommand(from, UPDATE_WAIT_MINUTES),
      ].filter((command) => !isHosted(facts) || worksOnHosted(command)),
      resolves: [condition],
      blocking: isBlocking(condition),
      timeoutMinutes: UPDATE_WAIT_MINUTES,
    }));
}

/** One step for all missing documents, with every command. */
function collectDocuments(hops: readonly StepHop[]): StepDraft[] {
  const missing = hops.flatMap(({ conditions }) => conditions).filter(isMissingInput);
  if (missing.length === 0) return [];
  return [
    {
      phase: 'collect',
      kind: 'check',
      hop: 0,
      text: 'Collect the missing documents, and plan again with them',
      commands: [...new Set(missing.flatMap(({ remediation = [] }) => remediation.filter(isCommand)))],
      resolves: missing,
      blocking: missing.some(isBlocking),
    },
  ];
}

interface Concern {
  readonly object: ConditionObject;
  readonly evaluated: StepHop;
  readonly blocking: boolean;
  readonly resolves: readonly ResolvedFinding[];
}

/** Pairs each object with the first hop that it blocks, or else the first hop that names it. */
function concerns(
  hops: readonly StepHop[],
  isMeant: (condition: Condition, object: ConditionObject) => boolean,
): Concern[] {
  const found = new Map<string, Concern>();
  for (const evaluated of hops) {
    for (const condition of evaluated.conditions) {
      const blocking = isBlocking(condition);
      for (const object of (condition.objects ?? []).filter((each) => isMeant(condition, each))) {
        const key = JSON.stringify([object.kind, object.namespace, object.name]);
        const known = found.get(key);
        const resolves = [...(known?.resolves ?? []), condition];
        const isFirst = !known || (blocking && !known.blocking);
        found.set(key, isFirst ? { object, evaluated, blocking, resolves } : { ...known, resolves });
      }
    }
  }
  return [...found.values()].toSorted((a, b) => a.evaluated.hop.index - b.evaluated.hop.index);
}

/** Clients move before the first hop, because that needs other teams, or after the hop that brings the new API. */
function migrateApis(hops: readonly StepHop[]): StepDraft[] {
  const isRemoved = ({ type, status }: Condition) => type === 'APIRemovals' && status === 'False';
  return concerns(hops, isRemoved).map(({ object, evaluated: { hop }, blocking, resolves }): StepDraft => {
    const { replacement, replacementSince } = object.detail ?? {};
    const instead =
      typeof replacement === 'string'
        ? `Move clients of ${object.name} to ${replacement}`
        : `Stop all clients of ${object.name}`;
    const introduced = hops.findIndex((each) => `1.${each.hop.kubeTo}` === replacementSince);
    const isLater = introduced >= 0 && introduced < hop.index;
    return {
      phase: isLater ? 'migrate' : 'prepare',
      kind: 'migrate-api',
      hop: isLater ? introduced + 1 : hop.index,
      text: `${instead}: ${hop.to.raw} does not serve it`,
      commands: [`oc get apirequestcounts ${shellWord(object.name)} -o yaml`],
      resolves,
      blocking,
    };
  });
}

/** One step per hop if API clients are unknown. */
function checkApis(hops: readonly StepHop[]): StepDraft[] {
  return hops.flatMap(({ hop, conditions }) =>
    conditions
      .filter(({ reason, status }) => reason === REMOVALS_ON_PATH && status === 'Unknown')
      .map((condition): StepDraft => {
        const names = (condition.objects ?? []).map(({ name }) => name);
        return {
          phase: 'prepare',
          kind: 'check',
          hop: hop.index,
          text: `Check that nothing uses ${listInWords(names)}: ${hop.to.raw} does not serve ${names.length === 1 ? 'it' : 'them'}`,
          commands: [REQUEST_COUNTS_COMMAND],
          resolves: [condition],
          blocking: false,
        };
      }),
  );
}

function updateOperators(hops: readonly StepHop[]): StepDraft[] {
  const isIncompatible = ({ reason }: Condition) => reason === 'IncompatibleOperatorsInstalled';
  return concerns(hops, isIncompatible).map(({ object, evaluated: { hop }, blocking, resolves }) => ({
    phase: 'operators',
    kind: 'update-operator',
    hop: hop.index,
    text: `Update or remove ${object.namespace}/${object.name}, which is not known to work with ${minorOf(hop.to)}`,
    commands: [`oc -n ${shellWord(object.namespace ?? '')} get subscription,installplan`],
    resolves,
    blocking,
  }));
}

/** Includes acknowledgments whose state is unknown. */
function acknowledge(hops: readonly StepHop[]): StepDraft[] {
  const isOpen = ({ type, status }: Condition, { detail }: ConditionObject) =>
    type === 'AdminAcksCompleted' && status !== 'True' && detail?.['reason'] === 'AdminAckRequired';
  return concerns(hops, isOpen).map(({ object, evaluated: { hop }, blocking, resolves }) => {
    const url = object.detail?.['url'];
    const patch = shellWord(JSON.stringify({ data: { [object.name]: 'true' } }));
    return {
      phase: 'acknowledge',
      kind: 'ack',
      hop: hop.index,
      text: `${typeof url === 'string' ? `Read ${url}, then acknowledge` : 'Acknowledge'} ${object.name}`,
      commands: [`oc -n openshift-config patch cm admin-acks --type=merge -p ${patch}`],
      resolves,
      blocking,
    };
  });
}

const LONGEST_TEXT = 240;

function fromRemediation(condition: Condition, hop: number): StepDraft {
  const { type, reason, message, remediation = [] } = condition;
  const [advice] = remediation.filter((text) => !isCommand(text));
  const [line = ''] = message.split('\n');
  const text = advice ?? line;
  const isRepair = hop === 0 && HEALTH_TYPES.has(type);
  return {
    phase: isRepair ? 'repair' : 'resolve',
    kind: isBlocking(condition) ? 'fix' : 'check',
    hop,
    text: text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text,
    commands: remediation.filter(isCommand),
    resolves: [{ type, reason }],
    blocking: isBlocking(condition),
  };
}

const HEALTH_TYPES: ReadonlySet<string> = new Set([
  'ClusterOperatorsUpgradeable',
  'NodesHealthy',
  'EtcdHealthy',
  'PoolsReady',
]);

function isCommand(text: string): boolean {
  return text.startsWith('oc ');
}
