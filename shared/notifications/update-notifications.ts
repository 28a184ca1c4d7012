import type { ClusterRecord } from '../cluster/record.ts';
import { cut, singleLine } from '../text/quote.ts';
import type { Insight } from '../update-status/answer.ts';
import type { StalledAfter } from '../update-status/answer.ts';
import type { FleetDurations } from '../update-status/forecast/fleet.ts';
import { mostTelling } from '../update-status/insights/most-telling.ts';
import {
  type ClusterUpdateStatus,
  clusterUpdateStatus,
  momentOf,
  type RunState,
} from '../update-status/runs/cluster-status.ts';
import { type RunIdentity, runOf, type UpdateRun } from '../update-status/runs/run.ts';
import { silentAfter } from '../update-status/runs/silence.ts';
import { isoTime } from '../update-status/times.ts';
import type { UpdateAlarm, UpdatedVersions, UpdateNotification } from './topics.ts';

/** `key` identifies it among those of its type and cluster. */
export type KeyedNotification = UpdateNotification & { readonly key: string };

/** Notifications of the current update of a cluster. */
export interface UpdateLog {
  /** Null before the first update. */
  readonly run: Pick<RunIdentity, 'startedAt' | 'image'> | null;
  readonly isStarted: boolean;
  readonly isCompleted: boolean;
  /** Last state of a cluster that reported. */
  readonly state: RunState;
  readonly alarm: Alarm | null;
  /** `NODE/PHASE`. */
  readonly stuck: readonly string[];
  /** How often each key was used. */
  readonly keys: Readonly<Record<string, number>>;
}

interface Alarm {
  readonly state: UpdateAlarm;
  /** Begin, also of the state before if there was no recovery in between. */
  readonly since: string;
  /** Last notification. */
  readonly at: string;
  /** `REASON/POOL`. */
  readonly reasons: readonly string[];
  /** False for a cluster that is new: its recovery is not notified. */
  readonly isTold: boolean;
}

const NOTHING_TOLD: UpdateLog = {
  run: null,
  isStarted: false,
  isCompleted: false,
  state: 'none',
  alarm: null,
  stuck: [],
  keys: {},
};

const MINUTE_MS = 60_000;
const AGAIN_MS = 24 * 3600_000;
/** A single node cannot report while it reboots. */
const SINGLE_NODE_SILENCE_MS = 60 * MINUTE_MS;
const MOST_NODES_TOLD = 10;
/** More nodes than this are in too much trouble for single notifications. */
const MOST_STUCK = 500;
const MOST_INSIGHTS = 20;
const LONGEST_TEXT = 600;

export interface UpdateNotifications {
  readonly log: UpdateLog;
  readonly news: readonly KeyedNotification[];
  /** When a notification is due without a further report; null if none will be. */
  readonly againAt: number | null;
}

/**
 * Notifications of the update of a cluster, each once. Without a log the cluster is new, so its state is only recorded.
 * The order of the reports does not matter: only what all of them show together counts.
 */
export function updateNotifications(
  log: UpdateLog | null,
  record: ClusterRecord,
  {
    now,
    stalledAfter,
    fleet = null,
  }: {
    readonly now: number;
    readonly stalledAfter: StalledAfter;
    readonly fleet?: FleetDurations | null;
  },
): UpdateNotifications {
  const before = log ?? NOTHING_TOLD;
  const run = runOf(record.runs, record.facts.clusterVersion?.history[0]);
  const result = clusterUpdateStatus(record, momentOf(record, now), stalledAfter, fleet);
  if (run === null || !result.ok) return { log: before, news: [], againAt: null };
  const look = { run, record, status: result.status, now };
  const isSame =
    before.run !== null && before.run.startedAt === run.startedAt && before.run.image === run.image;
  const told = isSame ? { log: before, news: [] } : afterFormerRun(before, look);
  const { log: after, news } = [started, stuck, alarmed, completed].reduce(
    (former, step) => joined(former, step(former.log, look), run),
    told,
  );
  const { state } = look.status;
  const noted = { ...after, state: state === 'silent' ? after.state : state };
  return {
    log:
      log === null ? { ...noted, alarm: noted.alarm && { ...noted.alarm, isTold: false }, keys: {} } : noted,
    news: log === null ? [] : news,
    againAt: againAt(noted, look),
  };
}

/** What the reports of a run show at a moment. */
interface Look {
  readonly run: UpdateRun;
  readonly record: ClusterRecord;
  readonly status: ClusterUpdateStatus;
  readonly now: number;
}

interface Told {
  readonly log: UpdateLog;
  readonly news: readonly KeyedNotification[];
}

interface Step {
  readonly changes?: Partial<UpdateLog>;
  readonly news?: UpdateNotification & { readonly of?: string };
}

/** Adds a step, and makes its key one that was never used. */
function joined({ log, news }: Told, { changes, news: one }: Step, run: RunIdentity): Told {
  if (one === undefined) return { log: { ...log, ...changes }, news };
  const { of: part, ...notification } = one;
  const key = part === undefined ? run.startedAt : `${run.startedAt}/${part}`;
  const counted = `${one.type}/${key}`;
  const count = (log.keys[counted] ?? 0) + 1;
  return {
    log: { ...log, ...changes, keys: { ...log.keys, [counted]: count } },
    news: [...news, { ...(notification as UpdateNotification), key: count === 1 ? key : `${key}/${count}` }],
  };
}

/** Another update has begun: ends the notifications of the former one. */
function afterFormerRun(log: UpdateLog, { run, record, now }: Look): Told {
  const next = { ...NOTHING_TOLD, run: { startedAt: run.startedAt, image: run.image } };
  const former = log.run && runOf(record.runs, { startedTime: log.run.startedAt, image: log.run.image });
  if (!former) return { log: next, news: [] };
  const recovered = log.alarm?.isTold ? [recovery(former, log.alarm, now)] : [];
  const isEndMissing = former.completedAt !== null && !log.isCompleted;
  const ended = isEndMissing ? [completion(former, { heldNodes: 0, insights: [] })] : [];
  const { news } = [...recovered, ...ended].reduce<Told>((told, one) => joined(told, { news: one }, former), {
    log,
    news: [],
  });
  return { log: next, news };
}

function started(log: UpdateLog, { run, status }: Look): Step {
  if (log.isStarted) return {};
  return {
    changes: { isStarted: true },
    news: {
      type: 'UpdateStarted',
      ...versionsOf(run),
      kind: run.kind,
      nodes: status.pools.reduce((sum, { counts }) => sum + counts.total, 0),
      likelyAt: status.forecast?.whole?.likelyAt ?? null,
    },
  };
}

/** Each node once per phase. */
function stuck(log: UpdateLog, { run, status }: Look): Step {
  if (isOver(run)) return {};
  const known = new Set(log.stuck);
  const fresh = status.insights
    .filter(({ type }) => type === 'NodeStuck')
    .map((insight) => ({ insight, name: `${nameIn(insight)}/${insight.reason}` }))
    .filter(({ name }) => !known.has(name))
    .slice(0, Math.max(0, MOST_STUCK - known.size));
  const [first] = fresh;
  if (first === undefined) return {};
  return {
    changes: { stuck: [...log.stuck, ...fresh.map(({ name }) => name)] },
    news: {
      type: 'NodeStuck',
      ...versionsOf(run),
      of: first.name,
      nodes: fresh.slice(0, MOST_NODES_TOLD).map(({ insight }) => ({
        node: nameIn(insight),
        phase: insight.reason!,
        since: insight.since,
        message: textOf(insight.message),
        advice: textOf(insight.description),
      })),
      count: fresh.length,
    },
  };
}

function nameIn({ resources }: Insight): string {
  return resources[0]!.name;
}

function alarmed({ alarm, state: lastState }: UpdateLog, look: Look): Step {
  const { run, status, now } = look;
  if (!isOver(run) && status.state === 'silent') return silenced(alarm, lastState, look);
  if (!isOver(run) && status.state === 'stalled') return stalled(alarm, look);
  if (alarm === null) return {};
  return { changes: { alarm: null }, ...(alarm.isTold && { news: recovery(run, alarm, now) }) };
}

function silenced(alarm: Alarm | null, state: RunState, { run, record, now }: Look): Step {
  if (alarm?.state === 'silent' || now <= (silenceToldAt(run, record) ?? Infinity)) return {};
  const lastReportAt = isoTime(lastReceivedAt(run));
  return {
    changes: {
      alarm: {
        state: 'silent',
        since: alarm?.since ?? lastReportAt,
        at: isoTime(now),
        reasons: [],
        isTold: true,
      },
    },
    news: { type: 'UpdateSilent', ...versionsOf(run), state, lastReportAt },
  };
}

function lastReceivedAt({ points }: UpdateRun): number {
  return points.reduce((last, { receivedAt }) => Math.max(last, receivedAt), 0);
}

function silenceToldAt(run: UpdateRun, { facts }: ClusterRecord): number | null {
  const after = silentAfter(run, facts);
  const isSingle = facts.nodes?.length === 1;
  return after === null || !isSingle ? after : Math.max(after, lastReceivedAt(run) + SINGLE_NODE_SILENCE_MS);
}

/** News when it begins, when another reason joins, and again after a day. */
function stalled(alarm: Alarm | null, { run, status, now }: Look): Step {
  const reasons = (status.run?.stalled ?? []).map((reason) => ({
    ...reason,
    message: messageOf(reason, status),
  }));
  const nameOf = ({ reason, pool }: (typeof reasons)[number]) => `${reason}/${pool ?? ''}`;
  const former = alarm?.state === 'stalled' ? alarm : null;
  const fresh = reasons.filter((reason) => !former?.reasons.includes(nameOf(reason)));
  const isDue = former !== null && now - Date.parse(former.at) >= AGAIN_MS;
  if (fresh.length === 0 && !isDue) return {};
  const begins = reasons.flatMap(({ since }) => (since === null ? [] : [Date.parse(since)]));
  const since = alarm?.since ?? isoTime(Math.min(now, ...begins));
  const names = new Set([...(former?.reasons ?? []), ...reasons.map(nameOf)]);
  return {
    changes: { alarm: { state: 'stalled', since, at: isoTime(now), reasons: [...names], isTold: true } },
    news: {
      type: 'UpdateStalled',
      ...versionsOf(run),
      of: (fresh[0] ?? reasons[0]!).reason,
      since,
      reason: whatToKnow(mostTelling(status.insights)),
      reasons,
    },
  };
}

function messageOf(
  { reason, pool }: { readonly reason: string; readonly pool: string | null },
  { insights }: ClusterUpdateStatus,
): string {
  const found = insights.find(
    (insight) =>
      insight.type === 'UpdateStalled' &&
      insight.reason === reason &&
      (pool === null || insight.resources[0]?.name === pool),
  );
  return textOf(found?.message ?? reason);
}

function whatToKnow(insight: Insight | null): string {
  return insight === null ? '' : textOf(`${insight.message}. ${insight.description}`);
}

function recovery(run: UpdateRun, { state, since }: Alarm, now: number): UpdateNotification {
  return {
    type: 'UpdateRecovered',
    ...versionsOf(run),
    was: state,
    minutes: minutesBetween(Date.parse(since), now),
  };
}

/** The run has ended, or only nodes of paused pools are left. */
function completed(log: UpdateLog, { run, status }: Look): Step {
  const isHeld = status.state === 'held';
  if (log.isCompleted || (!isOver(run) && !isHeld)) return {};
  const types = status.insights.filter(({ level }) => level !== 'Info').map(({ type }) => type);
  return {
    changes: { isCompleted: true },
    news: completion(run, {
      heldNodes: isOver(run) ? 0 : (status.forecast?.heldNodes ?? 0),
      insights: [...new Set(types)].slice(0, MOST_INSIGHTS),
    }),
  };
}

function completion(
  run: UpdateRun,
  left: { readonly heldNodes: number; readonly insights: readonly string[] },
): UpdateNotification {
  const { beganAt, controlPlaneCompletedAt, completedAt, forecasts } = run;
  const { controlPlane = null, whole = null } = forecasts?.begin ?? {};
  const minutesTo = (end: number | null) => (end === null ? null : minutesBetween(beganAt, end));
  return {
    type: 'UpdateCompleted',
    ...versionsOf(run),
    minutes: { controlPlane: minutesTo(controlPlaneCompletedAt), whole: minutesTo(completedAt) },
    forecastMinutes: { controlPlane: minutesTo(controlPlane), whole: completedAt && minutesTo(whole) },
    ...left,
  };
}

/** Strictly later than now, so that each moment comes once. */
function againAt({ alarm }: UpdateLog, { run, record, status }: Look): number | null {
  if (isOver(run) || !status.updating) return null;
  const silence = alarm?.state === 'silent' ? null : silenceToldAt(run, record);
  const repeat = alarm?.state === 'stalled' ? Date.parse(alarm.at) + AGAIN_MS : null;
  const moments = [...(silence === null ? [] : [silence + 1]), ...(repeat === null ? [] : [repeat])];
  return moments.length === 0 ? null : Math.min(...moments);
}

function isOver({ completedAt }: UpdateRun): boolean {
  return completedAt !== null;
}

function versionsOf({ previous, version }: UpdateRun): UpdatedVersions {
  return { from: previous, to: version };
}

function minutesBetween(from: number, to: number): number {
  return Math.max(0, Math.round((to - from) / MINUTE_MS));
}

function textOf(text: string): string {
  return cut(singleLine(text), LONGEST_TEXT);
}
