import type { ClusterFacts, ClusterVersionFacts } from '../../cluster/facts.ts';
import { isControlPlane } from '../../cluster/nodes.ts';
import { isHosted } from '../../safety/evidence/hosted.ts';
import { waitMinutes } from '../../safety/evidence/pools.ts';
import type { Hop } from '../../safety/hop.ts';
import { shellWord } from '../../text/quote.ts';
import { ordinalOf } from '../../version/release-line.ts';
import type { ReleaseVersion } from '../../version/release-version.ts';
import type { StepDraft, StepHop } from './step.ts';

export interface UpdateQuestion {
  readonly facts: ClusterFacts;
  readonly hops: readonly StepHop[];
  readonly channelPlan: readonly { readonly channel: string; readonly untilVersion: string }[];
  /** Pull spec of each release on the path, by version. */
  readonly payloads: ReadonlyMap<string, string>;
  /** Expected minutes of each hop; null if the size of the cluster is unknown. */
  readonly hopMinutes: readonly (number | null)[];
}

/** Backup, channel, accepted risks, update and verification of a hop. */
export function updateSteps(evaluated: StepHop, question: UpdateQuestion): StepDraft[] {
  const { hop } = evaluated;
  const service = updateServiceOf(question.facts.clusterVersion);
  return [
    ...backup(hop, question),
    ...(service === 'none' ? signature(hop) : channel(hop, question)),
    ...acceptRisks(evaluated),
    update(evaluated, service, question),
    verify(hop, question),
  ];
}

const BACKUP = '-- chroot /host /usr/local/bin/cluster-backup.sh /home/core/assets/backup';

/** A restore needs a backup of the release that runs, so every minor gets one. */
function backup({ index, updateType }: Hop, { facts, hops }: UpdateQuestion): StepDraft[] {
  const isNeeded = updateType === 'minor' || updateType === 'major' || hops.length === 1;
  // A hosted control plane is backed up on its management cluster.
  if (!isNeeded || isHosted(facts)) return [];
  const [name] = (facts.nodes ?? [])
    .filter((node) => isControlPlane(node) && node.ready === 'True')
    .map((node) => node.name)
    .toSorted();
  const where = name === undefined ? 'one control plane node' : `control plane node ${name}`;
  const how = name === undefined ? ` with oc debug node/NODE ${BACKUP}` : '';
  return [
    {
      phase: 'backup',
      kind: 'backup',
      hop: index,
      text: `Back up etcd on ${where}${how}, and copy the backup off the cluster. Skip this in the first 24 hours after the installation`,
      commands: [
        name === undefined
          ? 'oc get nodes -l node-role.kubernetes.io/master'
          : `oc debug node/${shellWord(name)} ${BACKUP}`,
      ],
      blocking: false,
    },
  ];
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
  const isRefused = index === 0 && offered.length > 0 && !offered.includes(planned.channel);
  return [
    {
      phase: 'channel',
      kind: 'update',
      hop: index,
      text: `Switch to channel ${planned.channel}`,
      commands: [
        isHosted(facts)
          ? patchHosted('hostedcluster NAME', { channel: planned.channel })
          : `oc adm upgrade channel ${shellWord(planned.channel)}${isRefused ? ' --allow-explicit-channel' : ''}`,
      ],
      blocking: true,
      ...(isHosted(facts) && { where: 'management' as const }),
    },
  ];
}

/** Without an update service the cluster verifies a release by a signature that an administrator applies. */
function signature({ index, to }: Hop): StepDraft[] {
  return [
    {
      phase: 'mirror',
      kind: 'mirror',
      hop: index,
      text: `Mirror release ${to.raw} by digest, and apply the signature file that oc-mirror wrote under cluster-resources`,
      blocking: true,
    },
  ];
}

function acceptRisks({ hop, conditions }: StepHop): StepDraft[] {
  const found = conditions.filter(({ type, effect }) => type === 'PathRecommended' && effect === 'warn');
  const risks = hop.update?.conditional === true ? hop.update.risks : [];
  if (risks.length === 0) return [];
  const read = risks.map(({ name, url }) => (url === '' ? name : `${name} (${url})`));
  return [
    {
      phase: 'accept',
      kind: 'accept',
      hop: hop.index,
      text: `Read the known risks of ${hop.to.raw}, and accept them if you can: ${read.join(', ')}`,
      resolves: found,
      blocking: found.some(({ accepted }) => accepted !== true),
    },
  ];
}

type UpdateService = 'present' | 'none' | 'unknown';

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

function updateServiceOf(clusterVersion: ClusterVersionFacts | null): UpdateService {
  if (clusterVersion === null) return 'unknown';
  const retrieved = clusterVersion.conditions.find(({ type }) => type === 'RetrievedUpdates');
  if (retrieved?.status === 'False' && NO_SERVICE.has(retrieved.reason)) return 'none';
  return 'present';
}

/** Names of the hosted cluster and its node pools are on the management cluster. */
export function patchHosted(object: string, spec: object): string {
  return `oc -n NAMESPACE patch ${object} --type=merge -p ${shellWord(JSON.stringify({ spec }))}`;
}

function hostedUpdate({ index, from, to }: Hop, { payloads }: UpdateQuestion): StepDraft {
  return {
    phase: 'update',
    kind: 'update',
    hop: index,
    text: `Ask the administrator of the management cluster to update the hosted control plane from ${from.raw} to ${to.raw}`,
    commands: [patchHosted('hostedcluster NAME', { release: { image: payloads.get(to.raw) ?? to.raw } })],
    blocking: true,
    where: 'management',
  };
}

function update({ hop, conditions }: StepHop, service: UpdateService, question: UpdateQuestion): StepDraft {
  const { facts, payloads } = question;
  if (isHosted(facts)) return hostedUpdate(hop, question);
  const { from, to } = hop;
  const isConditional = hop.update?.conditional === true;
  // oc refuses to start an update over another one without this flag.
  const isOverAnother = conditions.some(
    ({ type, accepted }) => type === 'NoUpdateInProgress' && accepted === true,
  );
  const flags = [
    ...(isOverAnother ? ['--allow-upgrade-with-warnings'] : []),
    ...(isConditional ? ['--allow-not-recommended'] : []),
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
    text: `Update from ${from.raw} to ${to.raw}${choice}`,
    commands: commands.length > 0 ? commands : [byVersion],
    blocking: true,
  };
}

const SHORTEST_UPDATE_MINUTES = 60;

function verify({ index, to }: Hop, { hops, hopMinutes }: UpdateQuestion): StepDraft {
  const minutes = Math.max(SHORTEST_UPDATE_MINUTES, waitMinutes(hopMinutes[index] ?? 0));
  const again = index < hops.length - 1 ? '. Then collect the documents again and renew the plan' : '';
  return {
    phase: 'verify',
    kind: 'verify',
    hop: index,
    text: `Wait for the update to ${to.raw} to complete, then re-check the cluster operators${again}`,
    commands: [
      stableCommand(to, minutes),
      `oc get clusterversion version -o jsonpath='{.status.history[0].state}{"\\n"}'`,
      'oc get clusteroperators',
    ],
    blocking: true,
    timeoutMinutes: minutes,
  };
}

/** First release whose `oc` has `wait-for-stable-cluster`. */
const FIRST_WITH_STABLE = 10;

export function stableCommand(version: ReleaseVersion, minutes: number): string {
  return ordinalOf(version) < FIRST_WITH_STABLE
    ? `oc wait clusterversion/version --for=condition=Progressing=False --timeout=${minutes}m`
    : `oc adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=${minutes}m`;
}
