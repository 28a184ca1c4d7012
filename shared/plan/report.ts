import { type MirrorEntry, PLATFORM_ONLY, signatureNote } from '../path/mirror-list.ts';
import { type Condition, NOT_CHECKED } from '../safety/condition.ts';
import type { Strategy } from '../safety/hop.ts';
import { subjectOf, titleOf } from '../safety/tables/titles.ts';
import type { NoteEffect } from '../safety/values.ts';
import { countWarnings } from '../safety/verdict.ts';
import type { Block } from '../text/blocks.ts';
import { countInWords, listInWords } from '../text/words.ts';
import { allConditions } from './conditions.ts';
import type { PlanHop } from './figures.ts';
import type { UpgradePlan } from './plan.ts';
import type { PoolPlan, WorkerRollout } from './pools.ts';
import { placeNote } from './run-sheet/step.ts';
import { weeklyInWords } from './windows/window-words.ts';
import {
  alsoPossibleInWords,
  countsInWords,
  effectInWords,
  HOP_VERDICT_WORDS,
  rangeInWords,
  shareInWords,
  totalInWords,
  VERDICT_WORDS,
  risksByExposure,
} from './words.ts';

const STRATEGY_WORDS: Readonly<Record<Strategy, string>> = {
  rolling: 'Update workers at every hop',
  'control-plane-only': 'Control Plane Only (workers paused)',
};

/** Orders blocks by importance. */
export function planReport(plan: UpgradePlan): readonly Block[] {
  const isWay = plan.hops.length > 0;
  return [
    ...summary(plan),
    ...(isWay ? hopTable(plan.hops) : []),
    ...(plan.basis === 'assumed' ? [] : section('Known risks', list(plan.hops.flatMap(risksInWords)))),
    ...findings(plan),
    ...section('Missing documents', missingDocuments(plan)),
    ...(isWay ? section('Maintenance windows', windows(plan)) : []),
    ...section('Steps', steps(plan)),
    ...(isWay ? section('Pools', [...poolTable(plan), ...rolls(plan)]) : []),
    ...(isWay ? section('Duration', duration(plan)) : []),
    ...(isWay ? section('Workloads', list(workloads(plan))) : []),
    ...section('Caveats', list(noted(plan.plan.caveats))),
  ];
}

export function mirrorReport(mirror: readonly MirrorEntry[]): readonly Block[] {
  if (mirror.length === 0) return [];
  const rows = mirror.map(({ version, arch, payload }) => [version, arch, payload]);
  const signatures = signatureNote(mirror);
  return section('To mirror', [
    { kind: 'table', header: ['Version', 'Architecture', 'Image'], rows },
    ...list([...PLATFORM_ONLY.notes, ...(signatures === null ? [] : [signatures])]),
  ]);
}

function section(text: string, blocks: readonly Block[]): Block[] {
  return blocks.length > 0 ? [{ kind: 'heading', text }, ...blocks] : [];
}

function list(items: readonly string[]): Block[] {
  return items.length > 0 ? [{ kind: 'list', items }] : [];
}

function summary(plan: UpgradePlan): Block[] {
  const { basis, verdict, current, target, policy, blockers, informs, lastCompleted } = plan;
  const start = current ?? 'an unknown version';
  const path = current === target ? `at ${start}` : `${start} to ${target ?? 'no known release'}`;
  const warnings = countWarnings(allConditions(plan));
  const isIncomplete = lastCompleted !== null && lastCompleted.version !== current;
  const isAssumed = basis === 'assumed';
  const next = isAssumed
    ? 'Made from versions alone. Check the cluster itself before the update'
    : `Next: ${plan.nextStep}`;
  return [
    { kind: 'title', text: `${isAssumed ? 'Upgrade plan' : VERDICT_WORDS[verdict]}: ${path}` },
    { kind: 'paragraph', text: next },
    {
      kind: 'list',
      items: [
        ...(isAssumed ? [] : [countsInWords(blockers, informs, warnings)]),
        ...targetInWords(plan),
        `Cluster: ${clusterInWords(plan)}`,
        ...(isIncomplete
          ? [`Last completed: ${lastCompleted.version}${lastCompleted.assumed ? ', as far as known' : ''}`]
          : []),
        `Kubelet skew policy: ${policy}`,
        `Strategy: ${strategyInWords(plan)}`,
        `Evaluated: ${plan.evaluatedAt}`,
      ],
    },
  ];
}

function strategyInWords({ strategy, cluster, policy }: UpgradePlan): string {
  if (cluster.hosted !== undefined || policy === 'hosted')
    return 'Node pools keep their release as long as skew allows';
  return STRATEGY_WORDS[strategy];
}

/** A requested target needs no reason. */
function targetInWords({ targetReason, alsoPossible }: UpgradePlan): string[] {
  return [
    ...(targetReason === null ? [] : [`Target: ${targetReason}`]),
    ...alsoPossibleInWords(alsoPossible),
  ];
}

function clusterInWords({ basis, cluster, plan: { pools } }: UpgradePlan): string {
  if (basis === 'assumed') {
    const sizes = pools.map(({ pool, nodes }) => `${countInWords(nodes ?? 0, 'node')} in pool ${pool}`);
    return `assumed to be healthy, with ${listInWords(sizes)}`;
  }
  const hosted = cluster.hosted === undefined ? '' : `hosted cluster ${cluster.hosted}, `;
  return `${hosted}${cluster.id ?? 'without an identifier'}, ${cluster.channel ? `channel ${cluster.channel}` : 'in no channel'}`;
}

function hopTable(hops: readonly PlanHop[]): Block[] {
  const rows = hops.map(({ index, from, to, updateType, kubeFrom, kubeTo, verdict, duration: minutes }) => [
    String(index + 1),
    from,
    to,
    updateType,
    kubeFrom === kubeTo ? kubeTo : `${kubeFrom} to ${kubeTo}`,
    HOP_VERDICT_WORDS[verdict],
    minutes === null ? 'unknown' : rangeInWords(minutes),
  ]);
  return section('Hops', [
    {
      kind: 'table',
      header: ['Hop', 'From', 'To', 'Update', 'Kubernetes', 'Verdict', 'Control plane'],
      rows,
    },
  ]);
}

/** `4.14.20 to 4.15.12: 2 of 5 risks unknown (A, B)`; nothing for a recommended update. */
function risksInWords({ from, to, risks }: PlanHop): string[] {
  if (risks.length === 0) return [];
  const all = countInWords(risks.length, 'risk');
  const parts = risksByExposure(risks).map(
    ([words, some]) => `${some.length} of ${all} ${words} (${some.map(({ name }) => name).join(', ')})`,
  );
  const none = `none of ${all} applies`;
  return [`${from} to ${to}: ${parts.length === 0 ? none : parts.join(', ')}`];
}

/** Skips conditions that are fine, and repeats no finding of an earlier hop. */
function findings({ hops, pathExists, conditions = [] }: UpgradePlan): Block[] {
  const told = new Set<string>();
  const ofCluster = pathExists.status === 'True' ? conditions : [pathExists];
  const blocks = ofCluster.toSorted((a, b) => weightOf(a) - weightOf(b)).map(findingBlock);
  for (const hop of hops) {
    const telling = hop.conditions.filter(({ effect, reason }) => effect !== 'ok' && reason !== NOT_CHECKED);
    const unchecked = hop.conditions.filter(({ reason }) => reason === NOT_CHECKED);
    if (telling.length === 0 && unchecked.length === 0) continue;
    const again = telling.filter((condition) => told.has(keyOf(condition)));
    const anew = telling.filter((condition) => !told.has(keyOf(condition)));
    for (const condition of anew) told.add(keyOf(condition));
    blocks.push(
      {
        kind: 'subheading',
        text: `Hop ${hop.index + 1}, ${hop.from} to ${hop.to}: ${HOP_VERDICT_WORDS[hop.verdict]}`,
      },
      ...anew.toSorted((a, b) => weightOf(a) - weightOf(b)).map(findingBlock),
      ...(again.length > 0 ? [asBefore(again)] : []),
      ...(unchecked.length > 0 ? [notSent(unchecked)] : []),
    );
  }
  return section('Findings', blocks);
}

/** The steps have their commands. */
function missingDocuments({ input }: UpgradePlan): Block[] {
  return list((input?.missing ?? []).map(({ kind, decides }) => `${kind}: decides ${listInWords(decides)}`));
}

function keyOf({ type, reason, message }: Condition): string {
  return JSON.stringify([type, reason, message]);
}

const WEIGHTS = ['block', 'inform', 'warn', 'info', 'ok'] as const;

/** Sorts accepted findings last. */
function weightOf({ effect, accepted }: Condition): number {
  return WEIGHTS.indexOf(effect) + (accepted ? WEIGHTS.length : 0);
}

function asBefore(conditions: readonly Condition[]): Block {
  return { kind: 'paragraph', text: `As before: ${[...new Set(conditions.map(titleOf))].join('; ')}` };
}

/** One line for all of them: they are no findings. */
function notSent(conditions: readonly Condition[]): Block {
  const subjects = conditions.map(({ type }) => subjectOf(type));
  return { kind: 'paragraph', text: `Not checked without their documents: ${subjects.join(', ')}` };
}

function findingBlock(condition: Condition): Block {
  const { type, reason, message, remediation = [], url = null } = condition;
  return {
    kind: 'finding',
    // Upper case, to stand out in a list.
    effect: effectInWords(condition).toUpperCase(),
    title: titleOf(condition),
    type,
    reason,
    message,
    advice: remediation.filter((text) => !isCommand(text)),
    commands: remediation.filter(isCommand),
    url,
  };
}

function isCommand(text: string): boolean {
  return text.startsWith('oc ');
}

function windows({ windows: known }: UpgradePlan): Block[] {
  if (!known) return [];
  const { timeZone, weekly, summary: told } = known;
  return [
    { kind: 'paragraph', text: `Every week, in ${timeZone}: ${weeklyInWords(weekly)}. ${told}.` },
    ...list(known.hops.map(({ text }) => text)),
  ];
}

function steps({ basis, plan }: UpgradePlan): Block[] {
  if (plan.steps.length === 0) return [];
  return [
    {
      kind: 'steps',
      steps: plan.steps.map(({ text, command, commands, blocking, where }) => ({
        // Required and advised steps are indistinguishable for an assumed cluster.
        text: `${blocking || basis === 'assumed' ? text : `Advised: ${text}`}${placeNote(where)}`,
        commands: commands ?? (command === undefined ? [] : [command]),
      })),
    },
  ];
}

function poolTable({ plan, cluster }: UpgradePlan): Block[] {
  if (plan.pools.length === 0) return [];
  return [
    {
      kind: 'table',
      header: ['Pool', 'Nodes', 'Today', 'During the upgrade', 'Updated at', 'Reboots saved'],
      rows: plan.pools.map((pool) => [
        pool.pool ?? 'no pool',
        String(pool.nodes ?? 'unknown'),
        pool.paused ? 'paused' : 'not paused',
        cluster.hosted === undefined ? movesInWords(pool) : 'keeps its release',
        rolledAt(pool),
        pool.kind === 'workers' ? String(pool.rebootsSaved) : '',
      ]),
    },
  ];
}

function movesInWords({ kind, staysBehind }: PoolPlan): string {
  if (kind === 'unmanaged') return 'updated manually';
  return staysBehind ? 'paused' : 'updates at every hop';
}

function rolledAt({ kind, rolls: points, hops }: PoolPlan): string {
  if (kind === 'control-plane') return hops.length === 1 ? 'the hop' : 'every hop';
  return points.map(({ version }) => version).join(', ') || 'never';
}

function rolls({ plan }: UpgradePlan): Block[] {
  return list(plan.workerRollouts.map((rollout) => rollInWords(rollout, plan.pools)));
}

/**
 * `Rollout to 4.16.5, at the end: worker (3 nodes, 1 at a time), 30 min (15 to 60). Workers update to the target last`
 */
function rollInWords(rollout: WorkerRollout, pools: readonly PoolPlan[]): string {
  const { version, beforeHop, pools: rolling, minutes } = rollout;
  const when = beforeHop === null ? 'at the end' : `before hop ${beforeHop + 1}`;
  const points = pools.flatMap((pool) => pool.rolls.filter((point) => point.beforeHop === beforeHop));
  const why = [...new Set(points.map(({ text }) => text))].join('; ');
  const names = rolling.map(
    ({ pool, nodes, maxUnavailable }) =>
      `${pool} (${countInWords(nodes, 'node')}, ${maxUnavailable} at a time)`,
  );
  const time = minutes === null ? 'unknown duration' : rangeInWords(minutes);
  return `Rollout to ${version}, ${when}: ${names.length > 0 ? `${listInWords(names)}, ` : ''}${time}. ${why}`;
}

function duration({ duration: known }: UpgradePlan): Block[] {
  if (known.total === null) return [{ kind: 'paragraph', text: `Unknown: ${known.reason}` }];
  return [
    {
      kind: 'paragraph',
      text: `Control plane: ${totalInWords(known.total)}. Not counted: ${listInWords(known.excludes)}.`,
    },
    { kind: 'list', items: known.assumptions },
  ];
}

function workloads({ rescheduling: moves }: UpgradePlan): string[] {
  if (moves.optimum === null) return [];
  const { optimum, observedBaseline, wholeWay, advice } = moves;
  const counted = wholeWay
    ? `; over the whole upgrade, that is ${wholeWay.optimum} pods at best, and ${wholeWay.observed} typically`
    : '';
  return [
    `When all nodes reboot, at least ${shareInWords(optimum)} of the pods move more than once; ` +
      `${shareInWords(observedBaseline)} is typical${counted}`,
    ...noted(advice),
  ];
}

/** Returns warnings first. */
function noted(notes: readonly { readonly effect: NoteEffect; readonly text: string }[]): string[] {
  return [
    ...notes.filter(({ effect }) => effect === 'warn').map(({ text }) => `Warning: ${text}`),
    ...notes.filter(({ effect }) => effect === 'info').map(({ text }) => text),
  ];
}
