import type { AssessedUpgrade, PlannedHop, TroubledHop } from '../fleet/assessment.ts';
import type { PrunerHealth } from '../prune/images/pruner/record.ts';
import { ENDS_SOON_MS, type RiskAcceptance } from '../risk/acceptances.ts';
import type { STALLED_REASONS, UPDATE_STATES } from '../update-status/answer.ts';
import type { RunIdentity } from '../update-status/runs/run.ts';
import { compareVersions, parseVersion } from '../version/release-version.ts';
import type { TopicState, NotificationLog } from './log.ts';
import type { RiskNotification } from './risk-topics.ts';

export type ClusterNotification =
  | RiskNotification
  | { readonly type: 'NewerPatch'; readonly version: string; readonly patch: string }
  | {
      readonly type: 'UpdateAtRisk';
      readonly version: string;
      readonly target: string;
      readonly hops: readonly TroubledHop[];
    }
  | { readonly type: 'PathOpened'; readonly version: string; readonly target: string; readonly hops: number }
  | {
      readonly type: 'PathClosed';
      readonly version: string;
      readonly target: string;
      readonly reason: string;
    }
  | {
      readonly type: 'ClusterBlocked';
      readonly version: string;
      readonly target: string;
      readonly blockers: readonly string[];
      /** Blockers of later hops, to fix in the same go. Earlier versions sent none. */
      readonly upcomingBlockers?: readonly string[];
    }
  | { readonly type: 'ClusterFree'; readonly version: string; readonly target: string }
  | {
      readonly type: 'RemovedApiInUse';
      readonly version: string;
      /** Earlier versions sent none. */
      readonly target?: string;
      readonly apis: readonly string[];
    };

/**
 * Compares topics with their last notified values. A new cluster is only recorded: a fleet that starts to report must
 * not raise alarms. `statusOf` returns the current state of a planned update.
 */
export function clusterStandings(
  told: NotificationLog,
  outlook: AssessedUpgrade,
  statusOf: (hop: PlannedHop) => TroubledHop | null,
): TopicState<ClusterNotification>[] {
  return [
    patchStanding(told, outlook),
    pathStanding(told, outlook),
    ...verdictStanding(told, outlook),
    apiStanding(told, outlook),
    planStanding(told, outlook, statusOf),
  ];
}

type ClusterStanding = TopicState<ClusterNotification>;

function patchStanding(told: NotificationLog, { from, newerPatch }: AssessedUpgrade): ClusterStanding {
  const topic = 'patch';
  const value = newerPatch ?? '';
  const former = told[topic]?.value;
  const isNews = newerPatch !== null && former !== undefined && isNewer(newerPatch, former);
  return {
    topic,
    value,
    news: isNews ? { type: 'NewerPatch', version: from, patch: newerPatch } : null,
  };
}

/** The newest patch can become older if upstream withdraws a release. */
function isNewer(version: string, former: string): boolean {
  const [newer, older] = [parseVersion(version), parseVersion(former)];
  return newer !== null && (older === null || compareVersions(newer, older) > 0);
}

/** Compares only equal targets. */
function pathStanding(told: NotificationLog, outlook: AssessedUpgrade): ClusterStanding {
  const { question, from, path, noPath, target } = outlook;
  const topic = 'path';
  const [open, closed] = [`${question} open`, `${question} closed`];
  const former = told[topic]?.value;
  if (path === null) {
    const reason = noPath ?? 'unknown';
    const news = { type: 'PathClosed', version: from, target: target ?? question, reason } as const;
    return { topic, value: closed, news: former === open ? news : null };
  }
  const news = { type: 'PathOpened', version: from, target: target ?? question, hops: path.length } as const;
  return { topic, value: open, news: former === closed ? news : null };
}

/**
 * Missing documents are no change; a missing path has its own topic. Blockers of later hops are no topic: they are part
 * of the verdict, and are sent with the blockers that stop the cluster now.
 */
function verdictStanding(told: NotificationLog, outlook: AssessedUpgrade): ClusterStanding[] {
  const { question, from, verdict, path, blockers, upcomingBlockers = [], target } = outlook;
  if (verdict === 'unknown' || path === null) return [];
  const topic = 'verdict';
  const [blocked, free] = [`${question} blocked`, `${question} free`];
  const former = told[topic]?.value;
  const common = { version: from, target: target ?? question };
  if (verdict === 'blocked') {
    const news = { type: 'ClusterBlocked', ...common, blockers, upcomingBlockers } as const;
    return [{ topic, value: blocked, news: former === free ? news : null }];
  }
  const news = { type: 'ClusterFree', ...common } as const;
  return [{ topic, value: free, news: former === blocked ? news : null }];
}

function apiStanding(
  told: NotificationLog,
  { from, removedApis, target, question }: AssessedUpgrade,
): ClusterStanding {
  const topic = 'apis';
  const said = told[topic];
  const former = said ? (JSON.parse(said.value) as string[]) : removedApis;
  const added = removedApis.filter((name) => !former.includes(name));
  const news = {
    type: 'RemovedApiInUse',
    version: from,
    target: target ?? question,
    apis: added,
  } as const;
  return { topic, value: JSON.stringify(removedApis), news: added.length > 0 ? news : null };
}

/** Checks the remaining hops of the recorded path. */
function planStanding(
  told: NotificationLog,
  { from, path, target, question }: AssessedUpgrade,
  statusOf: (hop: PlannedHop) => TroubledHop | null,
): ClusterStanding {
  const topic = 'plan';
  const noted = readPlan(told[topic]?.value);
  const start = noted.findIndex((hop) => hop.from === from);
  const ahead = start < 0 ? [] : noted.slice(start);
  const hops = ahead.filter(({ risks }) => risks.length === 0).flatMap((hop) => statusOf(hop) ?? []);
  const news = { type: 'UpdateAtRisk', version: from, target: target ?? question, hops } as const;
  return { topic, value: writePlan(path ?? []), news: hops.length > 0 ? news : null };
}

/** `4.14.20 4.15.3,4.15.3 4.16.8!`: the mark means already conditional. */
function writePlan(path: readonly PlannedHop[]): string {
  return path.map(({ from, to, risks }) => `${from} ${to}${risks.length > 0 ? '!' : ''}`).join(',');
}

function readPlan(text: string | undefined): PlannedHop[] {
  if (!text) return [];
  return text.split(',').map((hop) => {
    const [from = '', to = ''] = hop.replace('!', '').split(' ');
    return { from, to, risks: hop.endsWith('!') ? ['known'] : [] };
  });
}

export const PRUNER_TROUBLES = ['failing', 'overdue'] as const;
type PrunerTrouble = (typeof PRUNER_TROUBLES)[number];

export type PrunerNotification =
  | { readonly type: 'PrunerFailing'; readonly reason: string | null }
  | { readonly type: 'PrunerOverdue' }
  | { readonly type: 'PrunerRecovered'; readonly from: PrunerTrouble };

/** Includes new pruners: a failed first run is a change. */
export function prunerStandings(
  told: NotificationLog,
  { hasFailed, isOverdue }: Pick<PrunerHealth, 'hasFailed' | 'isOverdue'>,
  reason: string | null,
): TopicState<PrunerNotification>[] {
  return [
    standing(told, 'failing', hasFailed, { type: 'PrunerFailing', reason }),
    standing(told, 'overdue', isOverdue, { type: 'PrunerOverdue' }),
  ];
}

function standing(
  told: NotificationLog,
  topic: PrunerTrouble,
  isSo: boolean,
  onset: PrunerNotification,
): TopicState<PrunerNotification> {
  const value = isSo ? topic : '';
  const former = told[topic]?.value ?? '';
  const news: PrunerNotification = isSo ? onset : { type: 'PrunerRecovered', from: topic };
  return { topic, value, news: former === value ? null : news };
}

export interface AcceptanceNotification {
  readonly type: 'AcceptanceEnds';
  readonly risk: string;
  readonly reason: string;
  readonly owner: string;
  readonly until: string;
  /** How many clusters it names; null for all. */
  readonly clusters: number | null;
}

/** A week before the end, and up to a week after it if nothing was sent before. */
export function acceptanceNews(
  { risk, reason, owner, until, clusters }: RiskAcceptance,
  now: number,
): AcceptanceNotification | null {
  if (Math.abs(Date.parse(until) - now) > ENDS_SOON_MS) return null;
  const count = clusters === 'all' ? null : clusters.length;
  return { type: 'AcceptanceEnds', risk, reason, owner, until, clusters: count };
}

export const UPDATE_ALARMS = ['stalled', 'silent'] as const;
export type UpdateAlarm = (typeof UPDATE_ALARMS)[number];
type UpdateState = (typeof UPDATE_STATES)[number];

export interface UpdatedVersions {
  /** Null for an installation. */
  readonly from: string | null;
  readonly to: string;
}

interface StuckNode {
  readonly node: string;
  readonly phase: string;
  readonly since: string | null;
  readonly message: string;
  readonly advice: string;
}

export type UpdateNotification = UpdatedVersions &
  (
    | {
        readonly type: 'UpdateStarted';
        readonly kind: RunIdentity['kind'];
        readonly nodes: number;
        readonly likelyAt: string | null;
      }
    | {
        readonly type: 'UpdateStalled';
        readonly since: string | null;
        /** What a person needs first: the node, its budgets, or the operator and its message. */
        readonly reason: string;
        readonly reasons: readonly {
          readonly reason: (typeof STALLED_REASONS)[number];
          readonly pool: string | null;
          readonly since: string | null;
          readonly message: string;
        }[];
      }
    | { readonly type: 'UpdateRecovered'; readonly was: UpdateAlarm; readonly minutes: number }
    | {
        readonly type: 'NodeStuck';
        /** At most 10. */
        readonly nodes: readonly StuckNode[];
        readonly count: number;
      }
    | { readonly type: 'UpdateSilent'; readonly state: UpdateState; readonly lastReportAt: string }
    | {
        readonly type: 'UpdateCompleted';
        /** `whole` is null while nodes of paused pools are left. */
        readonly minutes: { readonly controlPlane: number | null; readonly whole: number | null };
        /** As the first report of the update had it; undelivered notifications of earlier versions have none. */
        readonly forecastMinutes?: { readonly controlPlane: number | null; readonly whole: number | null };
        readonly heldNodes: number;
        readonly insights: readonly string[];
      }
  );
