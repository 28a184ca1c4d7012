import type { ClusterFacts } from '../../cluster/facts.ts';
import type { Condition, ConditionObject } from '../../safety/condition.ts';
import { rolloutMinutes, waitCommand } from '../../safety/evidence/pools.ts';
import { entersMinor } from '../../safety/hop.ts';
import { shellWord } from '../../text/quote.ts';
import { namesInWords } from '../../text/words.ts';
import { minorOf } from '../../version/minor.ts';
import {
  type Concern,
  concerns,
  isActedOn,
  isBlocking,
  isCommand,
  rebootsPools,
  type ResolvedFinding,
  shortText,
  type StepDraft,
  type StepHop,
  type UpdateQuestion,
} from './step.ts';

const ACKS = 'AdminAcksCompleted';
const ACKNOWLEDGED: ReadonlySet<unknown> = new Set(['AdminAckRequired', 'AdminAckExpected']);

/** The work for a gate takes people and comes first; the acknowledgment comes directly before its hop. */
export function gateSteps(hops: readonly StepHop[]): StepDraft[] {
  const isOpen = ({ type, status }: Condition, { kind }: ConditionObject) =>
    type === ACKS && status !== 'True' && kind === 'AdminGate';
  const open = concerns(
    hops.filter(({ hop }) => entersMinor(hop)),
    isOpen,
  );
  return [
    ...hops.filter(({ hop }) => !entersMinor(hop)).flatMap(readGates),
    ...open.flatMap(prepare),
    ...open.filter(({ object }) => ACKNOWLEDGED.has(object.detail?.['reason'])).map(acknowledge),
  ];
}

/** A patch needs no acknowledgment: the gates are only read before it. */
function readGates({ hop, conditions }: StepHop): StepDraft[] {
  return conditions
    .filter((condition) => condition.type === ACKS && condition.status === 'False' && isActedOn(condition))
    .map((condition): StepDraft => {
      const gates = (condition.objects ?? []).filter(({ kind }) => kind === 'AdminGate');
      return {
        phase: 'prepare',
        kind: 'check',
        hop: hop.index,
        text: `Read the gates of ${minorOf(hop.from)}, which only its next minor requires: ${namesInWords(gates.map(({ name }) => name))}`,
        commands: [`oc -n openshift-config-managed get configmap admin-gates -o jsonpath='{.data}{"\\n"}'`],
        objects: gates,
        resolves: [condition],
        blocking: false,
      };
    });
}

/** Empty for gates of removed APIs, which have their own steps, and while documents can still decide about the gate. */
function prepare({ object, evaluated: { hop }, resolves }: Concern): StepDraft[] {
  const { preparation, commands = [], cannotTell = [] } = object.detail ?? {};
  if (typeof preparation !== 'string' || (cannotTell as readonly string[]).length > 0) return [];
  return [
    {
      phase: 'prepare',
      kind: 'check',
      hop: hop.index,
      text: `Before ${minorOf(hop.to)}: ${preparation}`,
      commands: commands as readonly string[],
      objects: [object],
      resolves,
      blocking: false,
    },
  ];
}

function acknowledge({ object, evaluated: { hop }, blocking, resolves }: Concern): StepDraft {
  const { url, reason } = object.detail ?? {};
  const patch = shellWord(JSON.stringify({ data: { [object.name]: 'true' } }));
  const read = typeof url === 'string' ? `Read ${url}, then acknowledge` : 'Acknowledge';
  return {
    phase: 'acknowledge',
    kind: 'ack',
    hop: hop.index,
    text: `${read} ${object.name}${reason === 'AdminAckExpected' ? ', if the cluster lists it' : ''}`,
    commands: [`oc -n openshift-config patch cm admin-acks --type=merge -p ${patch}`],
    objects: [object],
    resolves,
    blocking,
  };
}

/** Causes that end without work. */
const WAITS: ReadonlySet<string> = new Set(['ResourceDeletesInProgress', 'NetworkMigrationInProgress']);

/** Each target has its own credentials, so these are created before every minor. */
const CREDENTIALS = 'MissingUpgradeableAnnotation';

/** A paused pool does not roll out. */
function rolloutWaits({ pools }: Pick<ClusterFacts, 'pools'>): readonly string[] {
  return (pools ?? [])
    .filter(({ paused, machines }) => !paused && machines.total > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, machines, maxUnavailable }) =>
      waitCommand(name, rolloutMinutes(machines.total, maxUnavailable)),
    );
}

/** Work for later hops is prepared before the first one. Work for several hops, such as a patch and its minor, is one step. */
export function guardSteps(
  { facts, hops, payloads }: Pick<UpdateQuestion, 'facts' | 'hops' | 'payloads'>,
  isResolved: (finding: ResolvedFinding, hop: number) => boolean,
): StepDraft[] {
  const blocked = new Set(
    hops.flatMap(({ conditions }) => conditions.filter(isBlocking).map(({ reason }) => reason)),
  );
  return hops.flatMap(({ hop, conditions }) =>
    conditions
      .filter(
        (condition) =>
          condition.type === 'ForwardGuards' &&
          condition.status === 'False' &&
          isActedOn(condition) &&
          !isResolved(condition, hop.index),
      )
      .map((condition): StepDraft => {
        const { reason, message, remediation = [] } = condition;
        const isPrepared = hop.index > 0 && reason !== CREDENTIALS;
        const [advice = message] = remediation.filter((text) => !isCommand(text));
        return {
          phase: isPrepared ? 'prepare' : 'resolve',
          // Equal on all hops, so that equal work becomes one step.
          kind: WAITS.has(reason) ? 'wait' : blocked.has(reason) ? 'fix' : 'check',
          hop: hop.index,
          text: shortText(advice),
          commands: [
            ...(reason === CREDENTIALS ? extractRequests(minorOf(hop.to), payloads.get(hop.to.raw)) : []),
            ...remediation.filter(isCommand),
            ...(rebootsPools(condition) ? rolloutWaits(facts) : []),
          ],
          objects: condition.objects ?? [],
          resolves: [condition],
          blocking: isBlocking(condition),
        };
      }),
  );
}

/** Lists the credentials that a release requests. */
function extractRequests(minor: string, payload = ''): readonly string[] {
  return payload.includes('@sha256:')
    ? [
        `oc adm release extract --credentials-requests --to=credentials-requests-${minor} ${shellWord(payload)}`,
      ]
    : [];
}
