import { groupBy } from '../collection/group-by.ts';
import type { UpgradeAnswer } from '../path/find-path.ts';
import { type MirrorEntry, listedChannels, PLATFORM_ONLY } from '../path/mirror-list.ts';
import type { UpgradePath } from '../path/solver/solve.ts';
import { gateFinding } from '../safety/checks/admin-acks.ts';
import type { Hop } from '../safety/hop.ts';
import { gatesOfHop } from '../safety/tables/admin-gates.ts';
import { removalsOfHop } from '../safety/tables/api-removals.ts';
import type { Block } from '../text/blocks.ts';
import { asMarkdown } from '../text/markdown.ts';
import { countInWords, joinInWords } from '../text/words.ts';
import type { Arch } from '../version/arch.ts';
import { minorOf } from '../version/minor.ts';
import { type PlanOutline, type OutlineQuestion, assumedCluster, simulateAssumed } from './assumed-facts.ts';
import { UNCALIBRATED } from './calibration.ts';
import type { PlanStep } from './health-steps.ts';
import { assumptionsOf } from './path-duration.ts';
import { planSteps } from './steps.ts';
import { rangeInWords, totalInWords } from './words.ts';
import type { WorkerRollout } from './worker-rollout.ts';

type FoundAnswer = Extract<UpgradeAnswer, { readonly found: true }>;

/** What a plan known from versions comes to in detail. Few look at it, so that a page may load it when they do. */
export interface OutlineWorkings {
  readonly steps: readonly PlanStep[];
  /** Per hop the APIs that it takes away: `flowschemas.v1beta2.flowcontrol.apiserver.k8s.io`. */
  readonly removals: readonly (readonly string[])[];
  /** What the minutes rest on. */
  readonly assumptions: readonly string[];
}

/** For the same question as `outlinePlan`. */
export function outlineWorkings(question: OutlineQuestion): OutlineWorkings {
  const { path, channelPlan } = question;
  const { size, hops } = assumedCluster(question);
  return {
    steps: planSteps({
      hops: hops.map((hop) => ({ hop, conditions: gateConditions(hop) })),
      pools: simulateAssumed(question),
      channelPlan,
      channel: null,
      offeredChannels: path[0] ? listedChannels(path[0].node) : [],
    }),
    removals: hops.map((hop) => removalsOfHop(hop).map(({ name }) => name)),
    assumptions: assumptionsOf(size, UNCALIBRATED, null, hops),
  };
}

function gateConditions(hop: Hop) {
  const gates = gatesOfHop(hop);
  return gates.length > 0 ? [gateFinding(minorOf(hop.from), gates, 'block')] : [];
}

export interface OutlinedUpgrade {
  /** With the path that was outlined, be it the best or another. */
  readonly answer: Pick<FoundAnswer, 'from' | 'to' | 'sourceWithdrawn'> & { readonly upgrade: UpgradePath };
  readonly outline: PlanOutline;
  readonly workings: OutlineWorkings;
  readonly arch: Arch;
  readonly mirror: readonly MirrorEntry[];
  /** When the update data was last fetched, in ISO 8601; null when that is not known. */
  readonly syncedAt: string | null;
}

/** A plan known from versions alone as Markdown for tickets. */
export function outlineMarkdown(upgrade: OutlinedUpgrade): string {
  const { answer, outline, workings, mirror } = upgrade;
  return asMarkdown([
    ...summary(upgrade),
    ...section('Hops', hopTable(upgrade)),
    ...section('Known risks', risks(answer.upgrade)),
    ...section('APIs that go away', removedApis(outline, workings)),
    ...section('Steps', steps(workings)),
    ...section('Worker reboots', list(outline.rollouts.map(rolloutInWords))),
    ...section('To mirror', mirrorTable(mirror)),
  ]);
}

function section(text: string, blocks: readonly Block[]): Block[] {
  return blocks.length > 0 ? [{ kind: 'heading', text }, ...blocks] : [];
}

function list(items: readonly string[]): Block[] {
  return items.length > 0 ? [{ kind: 'list', items }] : [];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): Block[] {
  return rows.length > 0 ? [{ kind: 'table', header, rows }] : [];
}

function summary({ answer, outline, arch, mirror, syncedAt }: OutlinedUpgrade): Block[] {
  const { from, to, sourceWithdrawn, upgrade } = answer;
  const { hops, nodes, controlPlane, duration, reboots } = outline;
  const risky = upgrade.path.filter(({ hop }) => hop?.conditional === true).length;
  const isWay = hops.length > 0;
  const way = [
    `Path: ${countInWords(hops.length, 'hop')}, ${risky === 0 ? 'no known risks' : `${risky} with known risks`}`,
    `Channel: ${channelsInWords(upgrade.channelPlan)}`,
    `Control plane: about ${totalInWords(duration.total)}`,
    nodes > controlPlane
      ? `Reboots of each worker: ${reboots.planned} (${reboots.paused} with workers paused, ${reboots.rolling} without)`
      : 'Workers: none',
    `To mirror: ${countInWords(mirror.length, 'image')}`,
  ];
  return [
    { kind: 'title', text: isWay ? `Upgrade plan: ${from} to ${to}` : `Nothing to do: at ${to}` },
    {
      kind: 'list',
      items: [
        ...(sourceWithdrawn ? [`Warning: ${from} was withdrawn`] : []),
        ...(isWay ? way : []),
        `Cluster: ${nodes === 1 ? 'a single node' : `${nodes} nodes, ${controlPlane} of them control plane`}, ${arch}`,
        ...(syncedAt === null ? [] : [`Update data: ${syncedAt}`]),
        'Made from versions alone. Check the cluster itself before the update',
      ],
    },
  ];
}

/** `stable-4.15 up to 4.15.3, then eus-4.16` */
function channelsInWords(plan: UpgradePath['channelPlan']): string {
  return plan
    .map(({ channel, untilVersion }, at) =>
      at === plan.length - 1 ? channel : `${channel} up to ${untilVersion}`,
    )
    .join(', then ');
}

function hopTable({ answer, outline }: OutlinedUpgrade): Block[] {
  const rows = outline.hops.map(({ index, from, to, updateType, kubeFrom, kubeTo, skew, duration }) => {
    const names = answer.upgrade.path[index + 1]?.hop?.risks.map(({ name }) => name) ?? [];
    return [
      String(index + 1),
      from,
      to,
      updateType,
      kubeFrom === kubeTo ? kubeTo : `${kubeFrom} to ${kubeTo}`,
      skew === null ? '' : `${skew.lag}, allowed ${skew.limit}`,
      names.length === 0 ? 'none' : names.join(', '),
      rangeInWords(duration),
    ];
  });
  return table(
    ['Hop', 'From', 'To', 'Update', 'Kubernetes', 'Workers behind', 'Known risks', 'Control plane'],
    rows,
  );
}

/** Each once, with the hops that have it. */
function risks({ path }: UpgradePath): Block[] {
  const all = path.flatMap(({ hop }, at) => (hop?.risks ?? []).map((risk) => ({ risk, hop: at })));
  return [...groupBy(all, ({ risk }) => risk.name).values()].map((same): Block => {
    const { name, message, url } = same[0]!.risk;
    const numbers = [...new Set(same.map(({ hop }) => String(hop)))];
    const reason = `${numbers.length === 1 ? 'hop' : 'hops'} ${joinInWords(numbers)}`;
    return { kind: 'finding', effect: 'RISK', type: name, reason, message, advice: [], commands: [], url };
  });
}

function removedApis({ hops }: PlanOutline, { removals }: OutlineWorkings): Block[] {
  return list(
    hops
      .filter(({ index }) => removals[index]!.length > 0)
      .map(({ index, to }) => `Hop ${index + 1}, ${to}: ${joinInWords(removals[index]!)}`),
  );
}

function steps({ steps: all }: OutlineWorkings): Block[] {
  if (all.length === 0) return [];
  return [{ kind: 'steps', steps: all.map(({ text, command }) => ({ text, command: command ?? null })) }];
}

/** `At 4.16.5, at the end: 30 min (15 to 60)` */
function rolloutInWords({ version, beforeHop, minutes }: WorkerRollout): string {
  const when = beforeHop === null ? 'at the end' : `before hop ${beforeHop + 1}`;
  return `At ${version}, ${when}: ${minutes === null ? 'duration not known' : rangeInWords(minutes)}`;
}

function mirrorTable(mirror: readonly MirrorEntry[]): Block[] {
  if (mirror.length === 0) return [];
  return [
    ...table(
      ['Version', 'Architecture', 'Image'],
      mirror.map(({ version, arch, payload }) => [version, arch, payload]),
    ),
    ...list(PLATFORM_ONLY.notes),
  ];
}
