import { type MirrorEntry, PLATFORM_ONLY } from '../path/mirror-list.ts';
import type { Condition } from '../safety/condition.ts';
import type { NoteEffect } from '../safety/values.ts';
import { countEffect } from '../safety/verdict.ts';
import type { Block } from '../text/blocks.ts';
import { countInWords, listInWords } from '../text/words.ts';
import type { PlanHop } from './figures.ts';
import type { UpgradePlan } from './plan.ts';
import type { PoolPlan, WorkerRollout } from './pools.ts';
import { weeklyInWords } from './windows/window-words.ts';
import {
  countsInWords,
  effectInWords,
  HOP_VERDICT_WORDS,
  rangeInWords,
  shareInWords,
  totalInWords,
  VERDICT_WORDS,
} from './words.ts';

/** Orders blocks by importance. */
export function planReport(plan: UpgradePlan): readonly Block[] {
  const isWay = plan.hops.length > 0;
  return [
    ...summary(plan),
    ...(isWay ? hopTable(plan.hops) : []),
    ...findings(plan),
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
  return section('To mirror', [
    { kind: 'table', header: ['Version', 'Architecture', 'Image'], rows },
    ...list(PLATFORM_ONLY.notes),
  ]);
}

function section(text: string, blocks: readonly Block[]): Block[] {
  return blocks.length > 0 ? [{ kind: 'heading', text }, ...blocks] : [];
}

function list(items: readonly string[]): Block[] {
  return items.length > 0 ? [{ kind: 'list', items }] : [];
}

function summary(plan: UpgradePlan): Block[] {
  const { basis, verdict, current, target, policy, strategy, blockers, informs, lastCompleted } = plan;
  const start = current ?? 'a version that is not known';
  const way = current === target ? `at ${start}` : `${start} to ${target ?? 'no release that is known'}`;
  const warnings = countEffect(
    plan.hops.flatMap(({ conditions }) => conditions),
    'warn',
  );
  const isIncomplete = lastCompleted !== null && lastCompleted.version !== current;
  const isAssumed = basis === 'assumed';
  const next = isAssumed
    ? 'Made from versions alone. Check the cluster itself before the update'
    : `Next: ${plan.nextStep}`;
  return [
    { kind: 'title', text: `${isAssumed ? 'Upgrade plan' : VERDICT_WORDS[verdict]}: ${way}` },
    { kind: 'paragraph', text: next },
    {
      kind: 'list',
      items: [
        ...(isAssumed ? [] : [`In all: ${countsInWords(blockers, informs, warnings)}`]),
        `Cluster: ${clusterInWords(plan)}`,
        ...(isIncomplete
          ? [`Last completed: ${lastCompleted.version}${lastCompleted.assumed ? ', as far as known' : ''}`]
          : []),
        `Policy: ${policy} for kubelets; ${strategy === 'rolling' ? 'workers follow every hop' : 'workers are held back'}`,
        `Evaluated: ${plan.evaluatedAt}`,
      ],
    },
  ];
}

function clusterInWords({ basis, cluster, plan: { pools } }: UpgradePlan): string {
  if (basis === 'assumed') {
    const sizes = pools.map(({ pool, nodes }) => `${countInWords(nodes ?? 0, 'node')} in pool ${pool}`);
    return `assumed to be healthy, with ${listInWords(sizes)}`;
  }
  return `${cluster.id ?? 'without an identifier'}, ${cluster.channel ? `channel ${cluster.channel}` : 'in no channel'}`;
}

function hopTable(hops: readonly PlanHop[]): Block[] {
  const rows = hops.map(({ index, from, to, updateType, kubeFrom, kubeTo, verdict, duration: minutes }) => [
    String(index + 1),
    from,
    to,
    updateType,
    kubeFrom === kubeTo ? kubeTo : `${kubeFrom} to ${kubeTo}`,
    HOP_VERDICT_WORDS[verdict],
    minutes === null ? 'not known' : rangeInWords(minutes),
  ]);
  return section('Hops', [
    {
      kind: 'table',
      header: ['Hop', 'From', 'To', 'Update', 'Kubernetes', 'Verdict', 'Control plane'],
      rows,
    },
  ]);
}

/** Skips conditions that are fine, and repeats no finding of an earlier hop. */
function findings({ hops, pathExists }: UpgradePlan): Block[] {
  const told = new Set<string>();
  const blocks = pathExists.status === 'True' ? [] : [findingBlock(pathExists)];
  for (const hop of hops) {
    const telling = hop.conditions.filter(({ effect }) => effect !== 'ok');
    if (telling.length === 0) continue;
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
    );
  }
  return section('Findings', blocks);
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
  const names = conditions.map(({ type, reason }) => `${type} (${reason})`);
  return { kind: 'paragraph', text: `As before: ${[...new Set(names)].join(', ')}` };
}

function findingBlock(condition: Condition): Block {
  const { type, reason, message, remediation = [], url = null } = condition;
  return {
    kind: 'finding',
    effect: effectInWords(condition),
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
      steps: plan.steps.map(({ text, command, commands, blocking }) => ({
        // Required and advised steps are indistinguishable for an assumed cluster.
        text: blocking || basis === 'assumed' ? text : `Advised: ${text}`,
        commands: commands ?? (command === undefined ? [] : [command]),
      })),
    },
  ];
}

function poolTable({ plan }: UpgradePlan): Block[] {
  if (plan.pools.length === 0) return [];
  return [
    {
      kind: 'table',
      header: ['Pool', 'Nodes', 'Today', 'On the way', 'Rolled at', 'Reboots saved'],
      rows: plan.pools.map((pool) => [
        pool.pool ?? 'no pool',
        String(pool.nodes ?? 'not known'),
        pool.paused ? 'paused' : 'not paused',
        movesInWords(pool),
        rolledAt(pool),
        pool.kind === 'workers' ? String(pool.rebootsSaved) : '',
      ]),
    },
  ];
}

function movesInWords({ kind, staysBehind }: PoolPlan): string {
  if (kind === 'unmanaged') return 'updated by hand';
  return staysBehind ? 'held back' : 'follows every hop';
}

function rolledAt({ kind, rolls: points, hops }: PoolPlan): string {
  if (kind === 'control-plane') return hops.length === 1 ? 'the hop' : 'every hop';
  return points.map(({ version }) => version).join(', ') || 'never';
}

function rolls({ plan }: UpgradePlan): Block[] {
  return list(plan.workerRollouts.map((rollout) => rollInWords(rollout, plan.pools)));
}

/**
 * `Roll at 4.16.5, at the end: worker (3 nodes, 1 at a time), 30 min (15 to 60). Workers are brought to the target
 * last`
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
  const time = minutes === null ? 'duration not known' : rangeInWords(minutes);
  return `Roll at ${version}, ${when}: ${names.length > 0 ? `${listInWords(names)}, ` : ''}${time}. ${why}`;
}

function duration({ duration: known }: UpgradePlan): Block[] {
  if (known.total === null) return [{ kind: 'paragraph', text: `Not known: ${known.reason}` }];
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
    ? `; on the whole way that is ${wholeWay.optimum} pods, and ${wholeWay.observed} as usual`
    : '';
  return [
    `When all nodes are rolled, ${shareInWords(optimum)} of the pods have to move more than once; ` +
      `${shareInWords(observedBaseline)} is usual${counted}`,
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
