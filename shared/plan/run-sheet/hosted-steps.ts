import type { ClusterFacts } from '../../cluster/facts.ts';
import type { HostedClusterFacts } from '../../cluster/hosted/facts.ts';
import { PLAN_INSIDE } from '../../safety/checks/compatibility/hosted-cluster.ts';
import { type Condition, NOT_CHECKED } from '../../safety/condition.ts';
import { hostedClusterOf, hostedCommand, hostedName } from '../../safety/evidence/hosted.ts';
import { rolloutMinutes, waitMinutes } from '../../safety/evidence/pools.ts';
import type { Hop } from '../../safety/hop.ts';
import { shellWord } from '../../text/quote.ts';
import type { PoolPlan, WorkerRollout } from '../pools.ts';
import { isBlocking, isCommand, type StepDraft, type StepHop, type StepObject } from './step.ts';

interface HostedQuestion {
  readonly facts: ClusterFacts;
  readonly hops: readonly StepHop[];
  readonly payloads: ReadonlyMap<string, string>;
}

const MANAGEMENT = { where: 'management' } as const;
/** Findings that are resolved on the management cluster. */
const MANAGEMENT_TYPES: ReadonlySet<string> = new Set([
  'HostedSkew',
  'HostedClusterReady',
  'NoUpdateInProgress',
  'PathRecommended',
]);

/** Steps of a plan from the management cluster name the cluster that they are for. */
export function placed(draft: StepDraft, facts: ClusterFacts): StepDraft {
  const { where, commands = [], resolves = [] } = draft;
  if (where !== undefined || commands.length === 0 || hostedClusterOf(facts) === null) return draft;
  const isManagement = resolves.some(({ type }) => MANAGEMENT_TYPES.has(type));
  return { ...draft, where: isManagement ? 'management' : 'hosted' };
}

/** Seen from inside, the names are not known. */
function patchCluster(hosted: HostedClusterFacts | null, spec: object): string {
  return patch(hosted, `hostedcluster ${hosted ? shellWord(hosted.name) : 'NAME'}`, spec);
}

function patch(hosted: HostedClusterFacts | null, object: string, spec: object): string {
  return hostedCommand(hosted, `patch ${object} --type=merge -p ${shellWord(JSON.stringify({ spec }))}`);
}

export function hostedChannelCommand(facts: ClusterFacts, channel: string): string {
  return patchCluster(hostedClusterOf(facts), { channel });
}

export function hostedUpdate({ index, from, to }: Hop, { facts, payloads }: HostedQuestion): StepDraft {
  const hosted = hostedClusterOf(facts);
  const control = hosted ? `the control plane of ${hostedName(hosted)}` : 'the hosted control plane';
  const update = `${control} from ${from.raw} to ${to.raw}`;
  const release = { image: payloads.get(to.raw) ?? to.raw };
  // Where it is set, the control plane ignores the other field.
  const hasOwnRelease = (hosted?.controlPlaneImage ?? '') !== '';
  return {
    ...MANAGEMENT,
    phase: 'update',
    kind: 'update',
    hop: index,
    text: hosted ? `Update ${update}` : `Ask the administrator of the management cluster to update ${update}`,
    commands: [patchCluster(hosted, { release, ...(hasOwnRelease && { controlPlaneRelease: release }) })],
    ...(hosted && { objects: [hostedObject(hosted)] }),
    blocking: true,
  };
}

export function hostedObject({ namespace, name }: HostedClusterFacts): StepObject {
  return { kind: 'HostedCluster', namespace, name };
}

/** Waits for the new version first: right after the change, the history still begins with the old one. */
export function hostedWait(hosted: HostedClusterFacts, version: string | null, minutes: number): string[] {
  const history = hosted.controlPlaneHistory ? 'controlPlaneVersion' : 'version';
  const waitFor = (field: string, value: string) =>
    hostedCommand(
      hosted,
      `wait hostedcluster/${shellWord(hosted.name)} --for=jsonpath='{.status.${history}.history[0].${field}}'=${shellWord(value)} --timeout=${minutes}m`,
    );
  return [...(version === null ? [] : [waitFor('version', version)]), waitFor('state', 'Completed')];
}

export function getHosted(hosted: HostedClusterFacts): string {
  return hostedCommand(hosted, `get hostedcluster ${shellWord(hosted.name)}`);
}

/** The management cluster and its operators have to support the target before a hosted cluster is updated. */
export function checkManagement({ facts, hops }: HostedQuestion): StepDraft[] {
  const found = (hops[0]?.conditions ?? []).filter(({ type }) => type === 'HostedClusterReady');
  if (found.length === 0 || hostedClusterOf(facts) === null) return [];
  const main = found.filter(({ effect }) => effect === 'ok' || effect === 'info');
  return [
    {
      ...MANAGEMENT,
      phase: 'collect',
      kind: 'check',
      hop: 0,
      text: 'Update the management cluster and multicluster engine first, and check that they are healthy',
      commands: ['oc get clusterversion,clusteroperators', 'oc get multiclusterengines'],
      resolves: main.length > 0 ? main : found.slice(0, 1),
      blocking: false,
    },
  ];
}

/** Only the hosted cluster has the documents that the finding asks for. A plan of its management cluster ignores them. */
export function isInside({ type, reason }: Condition, facts: ClusterFacts): boolean {
  if (hostedClusterOf(facts) === null) return false;
  return type === 'HostedClusterReady' ? reason === NOT_CHECKED : !MANAGEMENT_TYPES.has(type);
}

/** Documents of the hosted cluster need its own kubeconfig, and a plan of their own. */
export function checkInside(
  { facts, hops }: HostedQuestion,
  asksForDocuments: (condition: Condition) => boolean,
): StepDraft[] {
  const found = hops
    .flatMap(({ conditions }) => conditions)
    .filter((condition) => asksForDocuments(condition) && isInside(condition, facts));
  if (found.length === 0) return [];
  const commands = found.flatMap(({ remediation = [] }) => remediation.filter(isCommand));
  return [
    {
      phase: 'collect',
      kind: 'check',
      hop: 0,
      text: PLAN_INSIDE,
      commands: [...new Set(commands)],
      resolves: found,
      blocking: found.some(isBlocking),
      where: 'hosted',
    },
  ];
}

interface PoolQuestion extends HostedQuestion {
  readonly pools: readonly PoolPlan[];
  readonly rollouts: readonly WorkerRollout[];
}

/** Node pools of a hosted cluster keep their release until it is changed, so nothing is paused. */
export function nodePoolSteps(question: PoolQuestion): StepDraft[] {
  const hosted = hostedClusterOf(question.facts);
  if (hosted === null) return question.rollouts.map((rollout) => unnamedPools(rollout, question));
  return question.pools.flatMap((plan) =>
    plan.rolls.map(({ version, beforeHop, text }) => {
      const rollout = question.rollouts
        .filter((each) => each.beforeHop === beforeHop)
        .flatMap(({ pools }) => pools)
        .find(({ pool }) => pool === plan.pool);
      const expected = rollout?.expected ?? rolloutMinutes(plan.nodes ?? 1, 1);
      const waitFor = `jsonpath='{.status.version}'=${shellWord(version)}`;
      return rollPool(plan.pool ?? '', { version, beforeHop, expected, waitFor, text }, question);
    }),
  );
}

function unnamedPools({ version, beforeHop, minutes }: WorkerRollout, question: PoolQuestion): StepDraft {
  return rollPool(null, { version, beforeHop, expected: minutes?.expected ?? 0 }, question);
}

interface Roll {
  readonly version: string;
  readonly beforeHop: number | null;
  readonly expected: number;
  readonly waitFor?: string;
  readonly text?: string;
}

function rollPool(
  pool: string | null,
  { version, beforeHop, expected, waitFor, text }: Roll,
  { facts, hops, payloads }: PoolQuestion,
): StepDraft {
  const hosted = hostedClusterOf(facts);
  const name = pool === null ? 'NODEPOOL' : shellWord(pool);
  const minutes = waitMinutes(expected);
  const wait = (condition: string) =>
    hostedCommand(hosted, `wait nodepool/${name} --for=${condition} --timeout=${minutes}m`);
  const skew = beforeHop === null ? [] : hops[beforeHop]!.conditions.filter((each) => isSkew(each, pool));
  return {
    ...MANAGEMENT,
    phase: 'rollout',
    kind: 'roll-pool',
    hop: beforeHop,
    text:
      pool === null
        ? `Update the node pools to ${version} on the management cluster`
        : `Update node pool ${pool} to ${version}: ${text}`,
    commands: [
      patch(hosted, `nodepool ${name}`, { release: { image: payloads.get(version) ?? version } }),
      // Right after the change, the pool may not report the update yet.
      ...(waitFor === undefined ? [] : [wait(waitFor)]),
      wait('condition=UpdatingVersion=False'),
    ],
    ...(hosted &&
      pool !== null && { objects: [{ kind: 'NodePool', namespace: hosted.namespace, name: pool }] }),
    resolves: skew,
    blocking: true,
    timeoutMinutes: minutes,
  };
}

const TOO_OLD: ReadonlySet<string> = new Set(['NodePoolTooOld', 'NodePoolTooOldAfterHop']);

function isSkew({ type, status, reason, objects = [] }: Condition, pool: string | null): boolean {
  if (type === 'KubeletMinorVersionUpgradeable') return status === 'False';
  return type === 'HostedSkew' && TOO_OLD.has(reason) && objects.some(({ name }) => name === pool);
}
