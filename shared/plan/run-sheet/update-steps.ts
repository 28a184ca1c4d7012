import type { ClusterCondition, ClusterFacts, ClusterVersionFacts } from '../../cluster/facts.ts';
import { isControlPlane } from '../../cluster/nodes.ts';
import { FIRST_SIGNED } from '../../path/mirror-list.ts';
import { labelledChannel } from '../../releases/channel.ts';
import type { Condition } from '../../safety/condition.ts';
import { hostedClusterOf, isHosted } from '../../safety/evidence/hosted.ts';
import { hasMirrors, SIGNATURES_NEEDED } from '../../safety/evidence/mirrors.ts';
import { waitMinutes } from '../../safety/evidence/pools.ts';
import type { Hop } from '../../safety/hop.ts';
import { shellWord } from '../../text/quote.ts';
import { ordinalOf } from '../../version/release-line.ts';
import type { ReleaseVersion } from '../../version/release-version.ts';
import type { UpdateServiceChoice } from '../values.ts';
import { getHosted, hostedChannelCommand, hostedObject, hostedUpdate, hostedWait } from './hosted-steps.ts';
import { isOverRisks } from './risk-steps.ts';
import {
  isBlocking,
  isFailing,
  isInProgress,
  type StepDraft,
  type StepHop,
  type UpdateQuestion,
} from './step.ts';

/** Backup, channel, update and verification of a hop. */
export function updateSteps(evaluated: StepHop, question: UpdateQuestion): StepDraft[] {
  const { hop } = evaluated;
  const service = updateServiceOf(question);
  return [
    ...freeDisk(hop, question),
    ...backup(hop, question),
    ...mirror(evaluated, service, question),
    ...(service === 'none' && !hostedClusterOf(question.facts) ? [] : channel(hop, question)),
    update(evaluated, service, question),
    verify(hop, question),
  ];
}

const BACKUP = '-- chroot /host /usr/local/bin/cluster-backup.sh /home/core/assets/backup';

/** A restore needs a backup of the release that runs, so every minor gets one. */
function backup({ index, updateType }: Hop, { facts, hops }: UpdateQuestion): StepDraft[] {
  const isNeeded = isMinor(updateType) || hops.length === 1;
  // A hosted control plane is backed up on its management cluster.
  if (!isNeeded || isHosted(facts)) return [];
  const { where, how, command, objects } = onControlPlane(facts, BACKUP);
  return [
    {
      phase: 'backup',
      kind: 'backup',
      hop: index,
      text: `Back up etcd on ${where}${how}, and copy the backup off the cluster. Skip this in the first 24 hours after the installation`,
      commands: [command],
      objects,
      blocking: false,
    },
  ];
}

const FREE_DISK = '-- chroot /host df -h /var';

/** Documents show only a disk that is full. An update pulls the images of a whole release. */
function freeDisk({ index }: Hop, { facts, hops }: UpdateQuestion): StepDraft[] {
  const isNeeded = index === 0 && hops.some(({ hop }) => isMinor(hop.updateType));
  if (!isNeeded || isHosted(facts)) return [];
  const { where, how, command, objects } = onControlPlane(facts, FREE_DISK);
  return [
    {
      phase: 'backup',
      kind: 'check',
      hop: 0,
      text: `Check that ${where} has space left for the images of a release${how}, and other nodes in the same way`,
      commands: [command],
      objects,
      blocking: false,
    },
  ];
}

function isMinor(updateType: Hop['updateType']): boolean {
  return updateType === 'minor' || updateType === 'major';
}

/** A command on the first ready control plane node. */
function onControlPlane({ nodes }: Pick<ClusterFacts, 'nodes'>, command: string) {
  const [name] = (nodes ?? [])
    .filter((node) => isControlPlane(node) && node.ready === 'True')
    .map((node) => node.name)
    .toSorted();
  return name === undefined
    ? {
        where: 'one control plane node',
        how: ` with oc debug node/NODE ${command}`,
        command: 'oc get nodes -l node-role.kubernetes.io/master',
        objects: [],
      }
    : {
        where: `control plane node ${name}`,
        how: '',
        command: `oc debug node/${shellWord(name)} ${command}`,
        objects: [{ kind: 'Node', name }],
      };
}

function channel({ index }: Hop, { facts, hops, channelPlan }: UpdateQuestion): StepDraft[] {
  const versions = hops.map(({ hop }) => hop.to.raw);
  const planned = channelPlan.find(({ untilVersion }) => versions.indexOf(untilVersion) >= index);
  if (!planned) return [];
  const previous = channelPlan[channelPlan.indexOf(planned) - 1]?.untilVersion;
  const isFirst = index === 0 || versions[index - 1] === previous;
  const isCurrent = index === 0 && planned.channel === facts.clusterVersion?.channel;
  if (!isFirst || isCurrent) return [];
  // oc rejects channels that the current release does not list; channels of later releases are unknown here.
  const offered = facts.clusterVersion?.desired.channels ?? [];
  const hosted = hostedClusterOf(facts);
  const isRefused = index === 0 && offered.length > 0 && !offered.includes(planned.channel);
  return [
    {
      phase: 'channel',
      kind: 'update',
      hop: index,
      text:
        isHosted(facts) && !hosted
          ? `Ask the administrator of the management cluster to switch to channel ${labelledChannel(planned.channel)}`
          : `Switch to channel ${labelledChannel(planned.channel)}`,
      commands: [
        isHosted(facts)
          ? hostedChannelCommand(facts, planned.channel)
          : `oc adm upgrade channel ${shellWord(planned.channel)}${isRefused ? ' --allow-explicit-channel' : ''}`,
      ],
      ...(hosted && { objects: [hostedObject(hosted)] }),
      blocking: true,
      ...(isHosted(facts) && { where: 'management' as const }),
    },
  ];
}

/**
 * A mirrored cluster needs the release by digest, from 4.21 on with its signature image. Without an update service it
 * also needs the signature file that an administrator applies.
 */
function mirror(
  { hop: { index, to }, conditions }: StepHop,
  service: UpdateService,
  { facts, payloads }: UpdateQuestion,
): StepDraft[] {
  const isMirrored = hasMirrors(facts).answer === 'yes';
  // HyperShift takes the release by digest, and verifies it without a signature in the hosted cluster.
  const needsFile = service === 'none' && !isHosted(facts);
  if (!isMirrored && !needsFile) return [];
  const digest = /@sha256:([0-9a-f]+)$/.exec(payloads.get(to.raw) ?? '')?.[1];
  const isSigned = isMirrored && ordinalOf(to) >= ordinalOf(FIRST_SIGNED);
  const parts = [
    `Mirror release ${to.raw} by digest${digest === undefined ? '' : ` (sha256:${digest})`}`,
    ...(isSigned ? [`with its signature image (tag sha256-${digest ?? '<digest>'}.sig)`] : []),
    ...(needsFile ? ['and apply the signature file that oc-mirror wrote under cluster-resources'] : []),
  ];
  return [
    {
      phase: 'mirror',
      kind: 'mirror',
      hop: index,
      text: parts.join(', '),
      resolves: conditions.filter(({ reason }) => reason === SIGNATURES_NEEDED),
      blocking: true,
    },
  ];
}

type UpdateService = Exclude<UpdateServiceChoice, 'auto'> | 'unknown';

/** Reasons for which a cluster cannot ask its update service. Source: cluster-version-operator. */
const NO_SERVICE: ReadonlySet<string> = new Set([
  'NoChannel',
  'NoUpstream',
  'InvalidURI',
  'RemoteFailed',
  'ResponseFailed',
  'ResponseInvalid',
  'VersionNotFound',
]);

function updateServiceOf({ facts, updateService = 'auto' }: UpdateQuestion): UpdateService {
  const { clusterVersion } = facts;
  if (updateService !== 'auto') return updateService;
  if (clusterVersion === null) return 'unknown';
  const retrieved = retrievedUpdates(clusterVersion);
  // Assumed clusters have no conditions.
  if (retrieved?.status === 'True' || clusterVersion.conditions.length === 0) return 'present';
  // Without a channel, a cluster asks for no updates.
  if ((clusterVersion.channel ?? '') === '') return 'none';
  if (retrieved === undefined) return 'present';
  // Without spec.upstream, a mirrored cluster asks the public service, which it cannot reach.
  const isOffline = hasMirrors(facts).answer === 'yes' && (clusterVersion.upstream ?? '') === '';
  const isNone = NO_SERVICE.has(retrieved.reason) || isOffline;
  return retrieved.status === 'False' && isNone ? 'none' : 'unknown';
}

function retrievedUpdates({ conditions }: ClusterVersionFacts): ClusterCondition | undefined {
  return conditions.find(({ type }) => type === 'RetrievedUpdates');
}

/** Reads the release by digest because its update service does not know the version that runs. */
function serviceNote({ hop: { index, from } }: StepHop, { facts, updateService }: UpdateQuestion): string {
  const { status, reason } = (facts.clusterVersion && retrievedUpdates(facts.clusterVersion)) ?? {};
  const isUnknown = index === 0 && status === 'False' && reason === 'VersionNotFound';
  return isUnknown && updateService !== 'present'
    ? `. The update service does not know ${from.raw}; check that this update is supported`
    : '';
}

function update(evaluated: StepHop, service: UpdateService, question: UpdateQuestion): StepDraft {
  const { hop, conditions } = evaluated;
  const { facts, payloads } = question;
  if (isHosted(facts)) return hostedUpdate(hop, question);
  const { from, to } = hop;
  const flags = [
    ...(isOverAnother(hop, conditions, question) ? ['--allow-upgrade-with-warnings'] : []),
    ...(isOverRisks(evaluated, question) ? ['--allow-not-recommended'] : []),
  ];
  const payload = payloads.get(to.raw) ?? '';
  const byVersion = ['oc adm upgrade', ...flags, `--to=${to.raw}`].join(' ');
  const byDigest = payload.includes('@sha256:')
    ? [['oc adm upgrade', ...flags, '--allow-explicit-upgrade', `--to-image=${shellWord(payload)}`].join(' ')]
    : [];
  const commands = { present: [byVersion], none: byDigest, unknown: [byVersion, ...byDigest] }[service];
  const choice = commands.length > 1 ? '. Without an update service, use the second command' : '';
  return {
    phase: 'update',
    kind: 'update',
    hop: hop.index,
    text: `Update from ${from.raw} to ${to.raw}${choice}${serviceNote(evaluated, question)}`,
    commands: commands.length > 0 ? commands : [byVersion],
    blocking: true,
  };
}

/** `oc` refuses to update a cluster that is progressing or failing without a flag. Steps before a minor resolve both. */
function isOverAnother(
  { index, updateType }: Hop,
  conditions: readonly Condition[],
  { facts: { clusterVersion }, hops }: UpdateQuestion,
): boolean {
  if (index > 0) return false;
  const isWaitedFor = hops.some((each) =>
    each.conditions.some((condition) => isInProgress(condition) && isBlocking(condition)),
  );
  const isProgressing =
    !isWaitedFor &&
    clusterVersion?.conditions.some(({ type, status }) => type === 'Progressing' && status === 'True');
  return (
    (updateType === 'patch' && isProgressing === true) ||
    conditions.some(({ type, accepted }) => type === 'NoUpdateInProgress' && accepted === true) ||
    conditions.some((condition) => isFailing(condition) && !isBlocking(condition))
  );
}

const SHORTEST_UPDATE_MINUTES = 60;

function verify({ index, to }: Hop, { facts, hops, hopMinutes }: UpdateQuestion): StepDraft {
  const hosted = hostedClusterOf(facts);
  const minutes = Math.max(SHORTEST_UPDATE_MINUTES, waitMinutes(hopMinutes[index] ?? 0));
  const again = index < hops.length - 1 ? '. Then collect the documents again and renew the plan' : '';
  return {
    phase: 'verify',
    kind: 'verify',
    hop: index,
    text: `Wait for the update to ${to.raw} to complete, then re-check the ${hosted ? 'hosted cluster' : 'cluster operators'}${again}`,
    commands: hosted
      ? [...hostedWait(hosted, to.raw, minutes), getHosted(hosted)]
      : [
          stableCommand(to, minutes),
          `oc get clusterversion version -o jsonpath='{.status.history[0].state}{"\\n"}'`,
          'oc get clusteroperators',
        ],
    blocking: true,
    timeoutMinutes: minutes,
    ...(hosted && { where: 'management' as const, objects: [hostedObject(hosted)] }),
  };
}

/** First release whose `oc` has `wait-for-stable-cluster`. */
const FIRST_WITH_STABLE = 10;

export function stableCommand(version: ReleaseVersion, minutes: number): string {
  return ordinalOf(version) < FIRST_WITH_STABLE
    ? `oc wait clusterversion/version --for=condition=Progressing=False --timeout=${minutes}m`
    : `oc adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=${minutes}m`;
}
