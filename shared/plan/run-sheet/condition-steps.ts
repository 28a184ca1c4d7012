import type { ClusterFacts } from '../../cluster/facts.ts';
import { REMOVALS_ON_PATH, REQUEST_COUNTS_COMMAND } from '../../safety/checks/compatibility/api-removals.ts';
import { type Condition, type ConditionObject, isUndecided, NOT_CHECKED } from '../../safety/condition.ts';
import { hostedClusterOf, isHosted, worksOnHosted } from '../../safety/evidence/hosted.ts';
import { isControlPlanePool } from '../../safety/evidence/pools.ts';
import type { Hop } from '../../safety/hop.ts';
import { isMissingInput } from '../../safety/verdict.ts';
import { shellWord } from '../../text/quote.ts';
import { listInWords, namesInWords } from '../../text/words.ts';
import { minorOf } from '../../version/minor.ts';
import { ordinalOf } from '../../version/release-line.ts';
import { gateSteps, guardSteps } from './gate-steps.ts';
import { healthSteps } from './health-steps.ts';
import { checkInside, checkManagement, getHosted, hostedWait, isInside } from './hosted-steps.ts';
import {
  concerns,
  isActedOn,
  isBlocking,
  isCommand,
  isFailing,
  isInProgress,
  joined,
  type ResolvedFinding,
  shortText,
  type StepDraft,
  type StepHop,
  type UpdateQuestion,
} from './step.ts';
import { stableCommand } from './update-steps.ts';

type ConditionQuestion = Pick<UpdateQuestion, 'facts' | 'hops' | 'payloads' | 'missing'>;

/**
 * Steps that resolve findings. Every finding with an effect gets one before its hop: a special one where there is one,
 * else one from its own remediation. `isResolved` names findings that other steps resolve.
 */
export function conditionSteps(
  question: ConditionQuestion,
  isResolved: (finding: ResolvedFinding, hop: number) => boolean,
): StepDraft[] {
  const { facts, hops } = question;
  const waits = waitForUpdate(facts, hops);
  const now = hops[0]?.conditions ?? [];
  const isStuck = waits.length > 0 && now.some(stopsUpdate);
  const special = [
    ...waits,
    ...checkManagement(question),
    ...checkInside(question, asksForDocuments),
    ...collectDocuments(question),
    ...healthSteps(now, isStuck),
    ...migrateApis(hops),
    ...checkApis(hops),
    ...updateOperators(hops),
    ...gateSteps(hops),
    ...guardSteps(question, isResolved),
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

/** Reasons for which a running update does not complete. */
const STOPPING: ReadonlySet<string> = new Set([
  'EtcdUnavailable',
  'EtcdDegraded',
  'CoreOperatorUnavailable',
  'ClusterOperatorsUnavailable',
  'ClusterOperatorsDegraded',
]);

/** The running update cannot complete: it is failing, an operator is unhealthy, or the control plane pool is degraded. */
function stopsUpdate(condition: Condition): boolean {
  const { type, reason, objects = [] } = condition;
  const isDegraded = type === 'PoolsReady' && reason === 'PoolDegraded';
  return isFailing(condition) || STOPPING.has(reason) || (isDegraded && objects.some(isControlPlanePool));
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
    (a.phase === 'repair' || a.phase === 'unblock') &&
    b.phase === 'repair' &&
    command !== undefined &&
    command === b.commands?.[0] &&
    b.commands.length === 1
  );
}

const UPDATE_WAIT_MINUTES = 120;
/** First release whose `oc adm upgrade status` is generally available. */
const FIRST_WITH_STATUS = 20;

/** Another update has to complete before anything else is done, also for a minor that follows a patch. */
function waitForUpdate(facts: ClusterFacts, hops: readonly StepHop[]): StepDraft[] {
  const [first] = hops;
  if (!first) return [];
  const { from } = first.hop;
  const hosted = hostedClusterOf(facts);
  const follow = hosted
    ? getHosted(hosted)
    : ordinalOf(from) < FIRST_WITH_STATUS
      ? 'oc adm upgrade'
      : 'oc adm upgrade status';
  const waits = hosted
    ? hostedWait(hosted, null, UPDATE_WAIT_MINUTES)
    : [follow, stableCommand(from, UPDATE_WAIT_MINUTES)];
  return hops
    .flatMap(({ conditions }) => conditions)
    .filter(isInProgress)
    .map((condition): StepDraft => {
      const texts = (condition.remediation ?? []).filter((text) => !isCommand(text));
      const isRequested = hasRequest(condition);
      const isWaitedFor = !isRequested && condition.accepted !== true;
      return {
        phase: 'wait',
        kind: 'wait',
        hop: 0,
        text: (isRequested ? texts.at(-1) : texts[0]) ?? condition.message,
        // No command waits for a release that the cluster has not accepted: it is stable without it.
        commands: (isWaitedFor ? waits : [follow]).filter(
          (command) => !isHosted(facts) || worksOnHosted(command),
        ),
        resolves: [condition],
        blocking: isBlocking(condition),
        ...(isWaitedFor && { timeoutMinutes: UPDATE_WAIT_MINUTES }),
      };
    });
}

/** A release is requested that the cluster has not accepted. A person waits for it, or cancels it. */
function hasRequest({ objects = [] }: Condition): boolean {
  return objects.some(({ detail }) => detail?.['pending'] !== undefined);
}

/** One step for all missing documents, with every command, so that the next plan misses none. */
function collectDocuments({ facts, hops, missing: others = [] }: ConditionQuestion): StepDraft[] {
  const missing = hops
    .flatMap(({ conditions }) => conditions)
    .filter((condition) => asksForDocuments(condition) && !isInside(condition, facts));
  const commands = missing.flatMap(({ remediation = [] }) => remediation.filter(isCommand));
  if (missing.length === 0) return [];
  const isNeeded = missing.some(({ reason }) => reason !== NOT_CHECKED);
  const unasked = hostedClusterOf(facts) ? [] : others.filter(({ kind }) => kind !== BODIES);
  return [
    {
      // Repairs do not wait for optional documents.
      phase: isNeeded ? 'collect' : 'prepare',
      kind: 'check',
      hop: 0,
      text: isNeeded
        ? 'Collect the missing documents, and plan again with them; `cairn plan --oc` does both'
        : 'Collect optional documents for more checks, and plan again with them',
      commands: [...new Set([...commands, ...unasked.map(({ command }) => command)])],
      resolves: missing,
      blocking: missing.some(isBlocking),
    },
  ];
}

/** Its objects are large and can have credentials, so only a finding asks for them. */
const BODIES = 'MachineConfig';

function asksForDocuments(condition: Condition): boolean {
  const { reason, remediation = [] } = condition;
  const isOpen = isUndecided(condition) && isActedOn(condition) && remediation.some(isCommand);
  return isMissingInput(condition) || isOpen || reason === NOT_CHECKED;
}

/** Clients move before the first hop, because that needs other teams, or after the hop that brings the new API. */
function migrateApis(hops: readonly StepHop[]): StepDraft[] {
  const isRemoved = ({ type, status }: Condition) => type === 'APIRemovals' && status === 'False';
  return concerns(hops, isRemoved).map(({ object, evaluated: { hop }, blocking, resolves }): StepDraft => {
    const { replacement, replacementSince, replacementRemovedIn, replacementIsOff } = object.detail ?? {};
    const enable = replacementIsOff === true ? ', which an administrator has to enable' : '';
    const end = hops.find((each) => `1.${each.hop.kubeTo}` === replacementRemovedIn);
    const again = end ? `, which ${end.hop.to.raw} removes in turn` : '';
    const text =
      typeof replacement === 'string'
        ? `Move clients of ${object.name} to ${replacement}${enable}${again}: ${hop.to.raw} removes the old API`
        : `Stop all clients of ${object.name}: ${hop.to.raw} removes it`;
    const introduced = hops.findIndex((each) => `1.${each.hop.kubeTo}` === replacementSince);
    const isLater = introduced >= 0 && introduced < hop.index;
    return {
      phase: isLater ? 'migrate' : 'prepare',
      kind: 'migrate-api',
      hop: isLater ? introduced + 1 : hop.index,
      text,
      commands: [`oc get apirequestcounts ${shellWord(object.name)} -o yaml`],
      objects: [object],
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
          objects: condition.objects ?? [],
          resolves: [condition],
          blocking: false,
        };
      }),
  );
}

function updateOperators(hops: readonly StepHop[]): StepDraft[] {
  const isIncompatible = ({ reason }: Condition, { kind }: ConditionObject) =>
    reason === 'IncompatibleOperatorsInstalled' && kind !== 'ClusterOperator';
  return concerns(hops, isIncompatible).map(({ object, evaluated: { hop }, blocking, resolves }) => ({
    phase: 'operators',
    kind: 'update-operator',
    hop: hop.index,
    ...(object.kind === 'ClusterExtension' ? updateExtension(object, hop) : updateSubscription(object, hop)),
    objects: [object],
    resolves,
    blocking,
  }));
}

function updateSubscription({ namespace = '', name }: ConditionObject, { to }: Hop) {
  return {
    text: `Update or remove ${namespace}/${name}, which is not known to work with ${minorOf(to)}`,
    commands: [`oc -n ${shellWord(namespace)} get subscription,installplan`],
  };
}

function updateExtension({ name }: ConditionObject, { to }: Hop) {
  return {
    text: `Raise spec.source.catalog.version of ClusterExtension ${name} to a version that supports ${minorOf(to)}, or remove the extension`,
    commands: ['oc get clusterextensions -o wide'],
  };
}

function fromRemediation(condition: Condition, hop: number): StepDraft {
  const { type, reason, message, objects = [], remediation = [] } = condition;
  const [advice] = remediation.filter((text) => !isCommand(text));
  const [line = ''] = message.split('\n');
  const heading = line.endsWith(':') ? `${line} ${namesInWords(objects.map(({ name }) => name))}` : line;
  const text = advice ?? heading;
  const isRepair = hop === 0 && HEALTH_TYPES.has(type);
  return {
    phase: isRepair ? 'repair' : 'resolve',
    ...(type === 'AlertsQuiet' && { repair: 'alerts' as const }),
    kind: isBlocking(condition) ? 'fix' : 'check',
    hop,
    text: shortText(text),
    commands: remediation.filter(isCommand),
    objects,
    resolves: [{ type, reason }],
    blocking: isBlocking(condition),
  };
}

const HEALTH_TYPES: ReadonlySet<string> = new Set([
  'ClusterOperatorsUpgradeable',
  'ClusterOperatorsHealthy',
  'NodesHealthy',
  'EtcdHealthy',
  'PoolsReady',
  'MachineHealthChecks',
  'AlertsQuiet',
]);
