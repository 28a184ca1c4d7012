import type { TroubledHop } from '../fleet/assessment.ts';
import { singleLine } from '../text/quote.ts';
import { countInWords, listInWords } from '../text/words.ts';
import type { HopEnds } from './risk-topics.ts';
import type {
  AcceptanceNotification,
  ClusterNotification,
  PrunerNotification,
  UpdatedVersions,
  UpdateNotification,
} from './topics.ts';

export type Notification = {
  /** Stable across retries. */
  readonly id: string;
  readonly at: string;
} & (
  | ({ readonly cluster: string } & (ClusterNotification | UpdateNotification))
  | ({ readonly pruner: string } & PrunerNotification)
  | ({ readonly acceptance: string } & AcceptanceNotification)
);

/** In digest order, most urgent first. */
export const NOTIFICATION_TYPES = [
  'UpdateStalled',
  'NodeStuck',
  'UpdateSilent',
  'ClusterBlocked',
  'PathClosed',
  'UpdateAtRisk',
  'RiskAppliesToCluster',
  'RemovedApiInUse',
  'PrunerFailing',
  'PrunerOverdue',
  'AcceptanceEnds',
  'NewerPatch',
  'PathOpened',
  'ClusterFree',
  'RiskLifted',
  'UpdateStarted',
  'UpdateRecovered',
  'UpdateCompleted',
  'PrunerRecovered',
] as const satisfies readonly Notification['type'][];
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

type Of<Type extends NotificationType> = Extract<Notification, { readonly type: Type }>;

const SENTENCES: { readonly [Type in NotificationType]: (news: Of<Type>) => string } = {
  NewerPatch: ({ cluster, version, patch }) => `${cluster} runs ${version}, and ${patch} is out`,
  UpdateAtRisk: ({ cluster, target, hops }) =>
    `${cluster}, on its way to ${target}: ${hops.map(hopText).join('; ')}`,
  RiskAppliesToCluster: ({ cluster, risk, url, hops }) =>
    `the risk ${risk} applies to ${cluster}: ${hopsText(hops)} ${hops.length === 1 ? 'has' : 'have'} it (${url})`,
  RiskLifted: ({ cluster, risk, why }) =>
    why === 'withdrawn'
      ? `the updates of ${cluster} no longer have the risk ${risk}`
      : `the risk ${risk} no longer applies to ${cluster}`,
  PathOpened: ({ cluster, version, target, hops }) =>
    `${cluster} has a way from ${version} to ${target} now, ${countInWords(hops, 'hop')}`,
  PathClosed: ({ cluster, version, target, reason }) =>
    `${cluster} has no way from ${version} to ${target} any more (${reason})`,
  ClusterBlocked: ({ cluster, version, target, blockers, upcomingBlockers }) =>
    `${cluster} is blocked ${placeOf(version, target)}: ${listInWords(blockers)}${laterText(upcomingBlockers)}`,
  ClusterFree: ({ cluster, version, target }) =>
    `${cluster} is no longer blocked ${placeOf(version, target)}`,
  RemovedApiInUse: ({ cluster, version, target, apis }) =>
    `${cluster} uses ${listInWords(apis)}, which an update on its path from ${version} ${pathEnd(version, target)} removes`,
  PrunerFailing: ({ pruner, reason }) =>
    `the last run of the pruner ${pruner} failed${reason === null ? '' : ` (${reason})`}`,
  PrunerOverdue: ({ pruner }) =>
    `the pruner ${pruner} is overdue: two of its times have passed without a run`,
  PrunerRecovered: ({ pruner, from }) => `the pruner ${pruner} is no longer ${from}`,
  AcceptanceEnds: ({ acceptance, at, risk, reason, owner, until, clusters }) =>
    `the acceptance ${acceptance} of ${risk} for ${clusters === null ? 'all clusters' : countInWords(clusters, 'cluster')} ${Date.parse(until) > Date.parse(at) ? 'ends' : 'ended'} at ${until} (owner: ${owner}; reason: ${reason})`,
  UpdateStarted: ({ cluster, nodes, likelyAt, ...versions }) =>
    `${updateText(cluster, versions)} has started: ${countInWords(nodes, 'node')}${likelyAt === null ? '' : `, likely until ${likelyAt}`}`,
  UpdateStalled: ({ cluster, since, reason, reasons, ...versions }) =>
    `${updateText(cluster, versions)} is stalled: ${[reason, ...reasons.map(({ message }) => message)]
      .filter((text, index, all) => text !== '' && !all.slice(0, index).some((other) => other.includes(text)))
      .join('; ')}${since === null ? '' : `, since ${since}`}`,
  UpdateRecovered: ({ cluster, was, minutes, ...versions }) =>
    `${updateText(cluster, versions)} is no longer ${was}, after ${countInWords(minutes, 'minute')}`,
  NodeStuck: ({ cluster, nodes, count }) =>
    count === 1
      ? `${cluster}: ${nodes[0]!.message}. ${nodes[0]!.advice}`
      : `${cluster}: ${count} nodes are stuck: ${nodes.map(({ node, phase }) => `${node} (${phase})`).join(', ')}`,
  UpdateSilent: ({ cluster, state, lastReportAt, ...versions }) =>
    `${cluster} has not reported since ${lastReportAt}, during ${updateText(cluster, versions)} (last state: ${state})`,
  UpdateCompleted: ({ cluster, minutes, forecastMinutes, heldNodes, insights, ...versions }) =>
    `${updateText(cluster, versions)} is completed${minutesText(minutes, forecastMinutes)}${heldNodes === 0 ? '' : `; ${countInWords(heldNodes, 'node')} of paused pools left`}${insights.length === 0 ? '' : `; open: ${listInWords(insights)}`}`,
};

function updateText(cluster: string, { from, to }: UpdatedVersions): string {
  return from === null
    ? `the installation of ${cluster} with ${to}`
    : `the update of ${cluster} from ${from} to ${to}`;
}

function minutesText(
  { controlPlane, whole }: Of<'UpdateCompleted'>['minutes'],
  forecast: Of<'UpdateCompleted'>['forecastMinutes'],
): string {
  const expected = whole === null ? forecast?.controlPlane : forecast?.whole;
  const parts = [
    ...(whole === null ? [] : [countInWords(whole, 'minute')]),
    ...(controlPlane === null ? [] : [`control plane ${countInWords(controlPlane, 'minute')}`]),
    ...(expected === null || expected === undefined ? [] : [`forecast ${countInWords(expected, 'minute')}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** One sentence: `prod-1 runs 4.14.20, and 4.14.34 is out`. */
export function notificationText(news: Notification): string {
  return singleLine((SENTENCES[news.type] as (one: Notification) => string)(news));
}

/** Undelivered notifications of earlier versions have no later blockers. */
function laterText(upcoming: readonly string[] | undefined): string {
  return upcoming === undefined || upcoming.length === 0 ? '' : `; at later hops: ${listInWords(upcoming)}`;
}

/** A cluster at its target can be blocked too: it lost its control plane. */
function placeOf(version: string, target: string): string {
  return version === target ? `at ${version}` : `on its way from ${version} to ${target}`;
}

/** The outlook goes on to the next EUS minor if the target is a patch. Earlier versions sent no target. */
function pathEnd(version: string, target: string | undefined): string {
  const minorIn = (text: string): string => text.split('.', 2).join('.');
  return target === undefined || minorIn(target) === minorIn(version)
    ? 'to the next EUS minor'
    : `to ${target}`;
}

function hopText({ from, to, now, risks }: TroubledHop): string {
  const update = `the update ${from} → ${to}`;
  return now === 'withdrawn' ? `${update} was withdrawn` : `${update} has risks now: ${listInWords(risks)}`;
}

const MOST_HOPS = 3;

function hopsText(hops: readonly HopEnds[]): string {
  const shown = hops.slice(0, MOST_HOPS).map(({ from, to }) => `${from} → ${to}`);
  const more = hops.length - shown.length;
  const names = listInWords(more > 0 ? [...shown, `${more} more`] : shown);
  return `${hops.length === 1 ? 'the update' : 'the updates'} ${names}`;
}

/** Follows a count in a digest. */
export const HEADING: Readonly<Record<NotificationType, string>> = {
  ClusterBlocked: 'blocked',
  PathClosed: 'without a way to their target',
  UpdateAtRisk: 'with a planned update at risk',
  RiskAppliesToCluster: 'to which a risk applies now',
  RemovedApiInUse: 'using APIs that an update on their path removes',
  PrunerFailing: 'pruners failing',
  PrunerOverdue: 'pruners overdue',
  NewerPatch: 'with a newer patch',
  PathOpened: 'with a way to their target now',
  ClusterFree: 'no longer blocked',
  RiskLifted: 'to which a risk no longer applies',
  PrunerRecovered: 'pruners well again',
  AcceptanceEnds: 'acceptances of risks that end',
  UpdateStalled: 'with a stalled update',
  NodeStuck: 'with stuck nodes',
  UpdateSilent: 'silent during an update',
  UpdateStarted: 'that started an update',
  UpdateRecovered: 'that update again',
  UpdateCompleted: 'with a completed update',
};

export function subjectOf(news: Notification): string {
  if ('cluster' in news) return news.cluster;
  return 'pruner' in news ? news.pruner : news.acceptance;
}
