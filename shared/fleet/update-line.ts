import type { ClusterRecord } from '../cluster/record.ts';
import { cut, singleLine, truncate } from '../text/quote.ts';
import type { Forecast, Insight } from '../update-status/answer.ts';
import type { StalledAfter } from '../update-status/answer.ts';
import type { FleetDurations } from '../update-status/forecast/fleet.ts';
import { mostTelling } from '../update-status/insights/most-telling.ts';
import {
  type ClusterUpdateStatus,
  clusterUpdateStatus,
  momentOf,
  type TrackedPool,
} from '../update-status/runs/cluster-status.ts';
import { runOf, type UpdateRun } from '../update-status/runs/run.ts';
import { silentAfter } from '../update-status/runs/silence.ts';
import { isoTime } from '../update-status/times.ts';
import {
  type Attention,
  type FleetUpdateState,
  LISTED_MS,
  type StoredUpdateLine,
  type UpdateLine,
} from './update-list.ts';

const MOST_POOLS = 8;
const LONGEST_NAME = 100;
const LONGEST_TEXT = 300;

/** Null without an update under way or completed within 30 days, or if the reports do not show it. */
export function updateLine(
  record: ClusterRecord,
  now: number,
  stalledAfter: StalledAfter,
  fleet: FleetDurations | null = null,
): StoredUpdateLine | null {
  const run = runOf(record.runs, record.facts.clusterVersion?.history[0]);
  const result = clusterUpdateStatus(record, momentOf(record, now), stalledAfter, fleet);
  if (!result.ok) return null;
  const { status } = result;
  const target = status.target ?? run;
  if (target === null) return null;
  const completedAt = status.updating ? null : (run?.completedAt ?? null);
  if (!status.updating && (completedAt === null || now - completedAt > LISTED_MS)) return null;
  const { pools, insights } = status;
  const sumOf = (count: (pool: TrackedPool) => number): number =>
    pools.reduce((sum, pool) => sum + count(pool), 0);
  const silentAt = status.updating && run !== null ? silentAfter(run, record.facts) : null;
  return {
    state: status.updating ? (status.state as FleetUpdateState) : 'completed',
    from: target.previous === null ? null : truncate(target.previous, LONGEST_NAME),
    to: truncate(target.version, LONGEST_NAME),
    kind: target.kind,
    ...operatorsOf(status, run),
    nodes: {
      updated: sumOf(({ counts }) => counts.updated),
      total: sumOf(({ counts }) => counts.total),
    },
    pools: pools.slice(0, MOST_POOLS).map(poolLine),
    poolsOmitted: Math.max(0, pools.length - MOST_POOLS),
    draining: sumOf(({ counts }) => counts.draining),
    stuck: sumOf(stuckNodes),
    worstLevel: insights[0]?.level ?? null,
    attention: attentionOf(insights),
    startedAt: run === null ? status.startedAt! : isoTime(run.beganAt),
    lastProgressAt: status.run?.lastProgressAt ?? null,
    completedAt: completedAt === null ? null : isoTime(completedAt),
    forecast: forecastOf(status.forecast?.whole ?? null),
    lastReportAt: record.updatedAt,
    silentAt: silentAt === null ? null : isoTime(silentAt),
  };
}

function poolLine(pool: TrackedPool): UpdateLine['pools'][number] {
  const { name, role, paused, counts } = pool;
  const { updated, total, progressing, draining } = counts;
  const stuck = stuckNodes(pool);
  return { name: truncate(name, LONGEST_NAME), role, updated, total, progressing, draining, stuck, paused };
}

function stuckNodes({ nodes }: TrackedPool): number {
  return nodes.filter(({ stuck }) => stuck).length;
}

function operatorsOf({ controlPlane }: ClusterUpdateStatus, run: UpdateRun | null) {
  if (controlPlane !== null) {
    const { percent, updated, total } = controlPlane.completion;
    return { percent, operators: { updated, total } };
  }
  const last = run?.points.findLast(({ operators }) => operators !== null)?.operators;
  // It is completed, which the last report of operators may not show.
  const total = last?.total ?? 0;
  return { percent: 100, operators: { updated: total, total } };
}

function forecastOf(forecast: Forecast | null): UpdateLine['forecast'] {
  if (forecast === null) return null;
  const { likelyAt, earliestAt, latestAt, basis } = forecast;
  return { likelyAt, earliestAt, latestAt, basis };
}

function attentionOf(insights: readonly Insight[]): Attention | null {
  const insight = mostTelling(insights);
  if (insight === null) return null;
  const { message, description, since, resources, scope } = insight;
  const [resource] = resources;
  const text = singleLine(description);
  // Advice ends with its command.
  const begin = text.lastIndexOf(': oc ');
  return {
    subject: truncate(resource?.name ?? scope ?? 'cluster', LONGEST_NAME),
    what: shortened(singleLine(message)),
    since,
    detail: shortened(begin < 0 ? text : text.slice(0, begin)),
    command: begin < 0 ? null : cut(text.slice(begin + 2), LONGEST_TEXT),
  };
}

function shortened(text: string): string {
  return truncate(text, LONGEST_TEXT);
}
