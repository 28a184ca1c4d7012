import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import { isHostedCluster, ordinalOfVersion } from '../../cluster/release-reports.ts';
import { commandsOf, isUpdate } from '../plan-outlines.ts';

/**
 * Kinds of a hop, in the order in which they are done; a change of the channel is between `pause` and `accept`. A
 * `suspend` step comes before the first reboot, wherever that is.
 */
const ORDER_IN_HOP: readonly string[] = [
  'update-operator',
  'ack',
  'mirror',
  'backup',
  'pause',
  'channel',
  'accept',
  'update',
  'verify',
];

/** Places in which a run sheet breaks the order of its steps. */
export function misplaced(steps: readonly PlanStep[], plan: UpgradePlan, facts: ClusterFacts): string[] {
  return [
    ...beforeTheWait(steps),
    ...withoutWait(steps, plan),
    ...repairsInDisorder(steps),
    ...betweenHops(steps),
    ...withinHops(steps),
    ...withoutUpdate(steps, plan),
    ...resumedTooEarly(steps),
    ...(isHostedCluster(facts) ? standaloneSteps(steps) : withoutBackup(steps, plan)),
  ];
}

const placeOf = (step: PlanStep) => `${step.id} of hop ${step.hop ?? 'end'}`;

function waitForUpdate(steps: readonly PlanStep[]): number {
  return steps.findIndex(
    ({ kind, resolves = [] }) =>
      kind === 'wait' && resolves.some(({ type }) => type === 'NoUpdateInProgress'),
  );
}

/** Only checks, repairs that the update needs, and the protection of its reboots come before the wait for it. */
function beforeTheWait(steps: readonly PlanStep[]): string[] {
  return steps
    .slice(0, Math.max(waitForUpdate(steps), 0))
    .filter(({ kind, resolves = [] }) => !['check', 'suspend'].includes(kind) && !resolves.some(isFailing))
    .map((step) => `${placeOf(step)} is before the wait`);
}

/** An update in progress that blocks a minor is waited for before the first update, also before that of a patch. */
function withoutWait(steps: readonly PlanStep[], { hops }: UpgradePlan): string[] {
  const isBlocked = hops.some(({ conditions }) =>
    conditions.some(({ type, status }) => type === 'NoUpdateInProgress' && status === 'False'),
  );
  const wait = waitForUpdate(steps);
  return isBlocked && (wait === -1 || wait > steps.findIndex(isUpdate))
    ? ['the update in progress is not waited for']
    : [];
}

/** Repairs by urgency. A wait for a pool is none: it may depend on its nodes. */
const URGENCY: readonly (readonly string[])[] = [
  ['ControlPlaneMajorityNotReady', 'ControlPlaneNodeNotReady'],
  ['EtcdUnavailable', 'EtcdDegraded', 'EtcdMembersNotReady'],
  ['CoreOperatorUnavailable'],
  ['PoolDegraded'],
  ['NodeNotReady', 'NodePressure', 'NodeCordoned'],
  ['PendingNodeCertificates'],
  ['CriticalAlertsFiring', 'NodeAlertsFiring'],
  ['ClusterOperatorsUnavailable', 'ClusterOperatorsDegraded'],
];

/** A step for several findings counts as the most urgent. */
function urgencyOf({ resolves = [] }: PlanStep): number {
  return URGENCY.findIndex((reasons) => resolves.some(({ reason }) => reasons.includes(reason)));
}

function repairsInDisorder(steps: readonly PlanStep[]): string[] {
  const repairs = steps
    .filter(({ kind, hop }) => hop === 0 && kind !== 'wait')
    .filter((step) => urgencyOf(step) >= 0);
  const isUnblocking = (step: PlanStep) => steps.indexOf(step) < waitForUpdate(steps);
  return (
    repairs
      .filter((step, at) => at > 0 && urgencyOf(step) < urgencyOf(repairs[at - 1]!))
      // What a running update needs comes before the wait for it, and the rest after it.
      .filter((step) => isUnblocking(step) === isUnblocking(repairs[repairs.indexOf(step) - 1]!))
      .map((step) => `${placeOf(step)} is after a less urgent repair`)
  );
}

/** A failing update is repaired before it is waited for. */
function isFailing({ type, reason }: { readonly type: string; readonly reason: string }): boolean {
  return reason === 'UpdateFailing' || reason === 'Failing' || HEALTH.has(type);
}

const HEALTH: ReadonlySet<string> = new Set([
  'ClusterOperatorsHealthy',
  'ClusterOperatorsUpgradeable',
  'EtcdHealthy',
  'NodesHealthy',
  'PoolsReady',
]);

/** After the first update, hops follow one another, and steps without a hop come last. */
function betweenHops(steps: readonly PlanStep[]): string[] {
  const started = steps.slice(steps.findIndex(isUpdate));
  return started
    .filter((step, at) => at > 0 && (step.hop ?? Infinity) < (started[at - 1]!.hop ?? Infinity))
    .map((step) => `${placeOf(step)} is after a later hop`);
}

function withinHops(steps: readonly PlanStep[]): string[] {
  const hops = new Set(steps.map(({ hop }) => hop).filter((hop) => hop !== null));
  return [...hops].flatMap((hop) => {
    const own = steps.filter((step) => step.hop === hop && ORDER_IN_HOP.includes(kindOf(step)));
    return own
      .filter((step, at) => at > 0 && rankOf(step) < rankOf(own[at - 1]!))
      .map((step) => `${placeOf(step)} is after ${own[own.indexOf(step) - 1]!.id}`);
  });
}

function kindOf(step: PlanStep): string {
  return step.kind === 'update' && !isUpdate(step) ? 'channel' : step.kind;
}

function rankOf(step: PlanStep): number {
  return ORDER_IN_HOP.indexOf(kindOf(step));
}

/** Health checks stay suspended until the last node has rebooted. */
function resumedTooEarly(steps: readonly PlanStep[]): string[] {
  const resumed = steps.findIndex(({ kind }) => (kind as string) === 'resume');
  return steps
    .slice(resumed === -1 ? steps.length : resumed)
    .filter(
      (step) => isUpdate(step) || commandsOf(step).some((command) => command.startsWith('oc wait mcp/')),
    )
    .map((step) => `${placeOf(step)} is after the end of a suspension`);
}

/** Each hop has one update and one verification. */
function withoutUpdate(steps: readonly PlanStep[], { hops }: UpgradePlan): string[] {
  return hops.flatMap(({ index }) => {
    const own = steps.filter(({ hop }) => hop === index);
    const updates = own.filter(isUpdate).length;
    const isVerified = own.some(({ kind }) => kind === 'verify');
    return [
      ...(updates === 1 ? [] : [`hop ${index} has ${updates} updates`]),
      ...(isVerified ? [] : [`hop ${index} is not verified`]),
    ];
  });
}

/** Every minor has a backup of its own; of patches, only the one that is the whole path. */
function withoutBackup(steps: readonly PlanStep[], { hops }: UpgradePlan): string[] {
  return hops.flatMap(({ index, from, to }) => {
    const isNeeded = ordinalOfVersion(to) > ordinalOfVersion(from) || hops.length === 1;
    const count = steps.filter(({ kind, hop }) => kind === 'backup' && hop === index).length;
    return count === (isNeeded ? 1 : 0) ? [] : [`hop ${index} has ${count} backups`];
  });
}

/** Hosted clusters have no machine config pools, no etcd to back up and no `oc adm upgrade`. */
function standaloneSteps(steps: readonly PlanStep[]): string[] {
  const isStandalone = (step: PlanStep) =>
    ['backup', 'pause', 'unpause'].includes(step.kind) ||
    commandsOf(step).some((command) => /oc adm upgrade|machineconfigpool|\bmcp\b/.test(command));
  return steps.filter(isStandalone).map((step) => `${placeOf(step)} is for standalone clusters`);
}
