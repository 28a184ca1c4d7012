import type { ClusterRecord } from '@cairn/shared/cluster/record';
import { truncate } from '@cairn/shared/text/quote';
import type { RUN_STATES, UpdateStatus } from '@cairn/shared/update-status/answer';
import type { ClusterUpdateStatus, TrackedPool } from '@cairn/shared/update-status/runs/cluster-status';
import { summarizeRun } from '@cairn/shared/update-status/runs/past';
import type { MadeForecast, PastRun } from '@cairn/shared/update-status/runs/run';
import { quantileOf } from '@cairn/shared/update-status/runs/samples';

/** A response is at most 5.5 MB; this leaves room for the insights. */
const MOST_NODE_BYTES = 4_000_000;

/** Of documents that were sent: one report shows no phases over time. */
export function statusView(status: UpdateStatus, mostNodeBytes = MOST_NODE_BYTES) {
  const pools = status.pools.map((pool) => ({
    ...pool,
    pausedSince: null,
    lastProgressAt: null,
    nodes: pool.nodes.map((node) => ({ ...node, phaseSince: null, stuck: false })),
  }));
  return bounded({ ...status, cluster: null, collectedAt: status.at, run: null, pools }, mostNodeBytes);
}

export function clusterStatusView(id: string, status: ClusterUpdateStatus) {
  return bounded({ ...status, cluster: id }, MOST_NODE_BYTES);
}

function bounded<Status extends Pick<ClusterUpdateStatus, 'pools'>>(status: Status, mostNodeBytes: number) {
  const kept = nodesThatFit(status.pools, mostNodeBytes);
  const total = status.pools.reduce((sum, { nodes }) => sum + nodes.length, 0);
  return {
    ...status,
    pools: status.pools.map((pool) => ({ ...pool, nodes: pool.nodes.filter((node) => kept.has(node)) })),
    nodesOmitted: total - kept.size,
  };
}

type Node = TrackedPool['nodes'][number];

/** Completed nodes are left out first. */
function nodesThatFit(pools: readonly TrackedPool[], most: number): ReadonlySet<Node> {
  const all = pools.flatMap(({ nodes }) => nodes);
  const isCompleted = ({ assessment }: Node) => assessment === 'Completed';
  const inOrder = [...all.filter((node) => !isCompleted(node)), ...all.filter(isCompleted)];
  let bytes = 0;
  const end = inOrder.findIndex((node) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(node)));
    return bytes > most;
  });
  return new Set(end === -1 ? inOrder : inOrder.slice(0, end));
}

const MINUTE_MS = 60_000;

/** Runs of a cluster, newest first. */
export function updatesView({ runs, facts }: ClusterRecord) {
  const [entry] = facts.clusterVersion?.history ?? [];
  const recent = runs.recent.filter(({ openedAt }) => openedAt !== null).map(summarizeRun);
  return [...recent, ...runs.past].map((run) => {
    const isNewest = run.startedAt === entry?.startedTime && run.image === entry.image;
    const { version, previous, kind, beganAt, reports } = run;
    const { controlPlaneCompletedAt, completedAt } = run;
    const state: (typeof RUN_STATES)[number] =
      completedAt !== null ? 'completed' : isNewest ? 'in-progress' : 'superseded';
    return {
      version: truncate(version, LONGEST_NAME),
      previous: previous === null ? null : truncate(previous, LONGEST_NAME),
      kind,
      state,
      startedAt: timeOf(beganAt),
      controlPlaneCompletedAt: timeOrNull(controlPlaneCompletedAt),
      completedAt: timeOrNull(completedAt),
      minutes: {
        controlPlane: minutesBetween(beganAt, controlPlaneCompletedAt),
        whole: minutesBetween(beganAt, completedAt),
      },
      pools: run.pools.map((pool) => ({
        name: pool.name,
        nodes: pool.nodes,
        startedAt: timeOrNull(pool.startedAt),
        completedAt: timeOrNull(pool.completedAt),
        minutes: pool.startedAt === null ? null : minutesBetween(pool.startedAt, pool.completedAt),
        minutesPerNode: pool.nodeMinutes.length === 0 ? null : tenths(quantileOf(pool.nodeMinutes, 0.5)),
      })),
      slowestOperators: run.slowestOperators.map(({ name, minutes }) => ({ name, minutes: tenths(minutes) })),
      slowestNodes: run.slowestNodes.map((node) => ({ ...node, minutes: tenths(node.minutes) })),
      stalls: run.stalls.map(({ reason, pool, since, until }) => ({
        reason,
        pool,
        since: timeOf(since),
        until: timeOf(until),
        minutes: minutesBetween(since, until)!,
      })),
      forecasts: {
        begin: forecastView(run, run.forecasts?.begin ?? null),
        half: forecastView(run, run.forecasts?.half ?? null),
      },
      reports,
    };
  });
}

/** What was forecast, and by how many minutes the end was later. */
function forecastView(
  { controlPlaneCompletedAt, completedAt }: Pick<PastRun, 'controlPlaneCompletedAt' | 'completedAt'>,
  made: MadeForecast | null,
) {
  if (made === null) return null;
  const late = (end: number | null, actual: number | null) =>
    end === null ? null : minutesBetween(end, actual);
  return {
    at: timeOf(made.at),
    controlPlaneAt: timeOrNull(made.controlPlane),
    wholeAt: timeOrNull(made.whole),
    minutesLate: {
      controlPlane: late(made.controlPlane, controlPlaneCompletedAt),
      whole: late(made.whole, completedAt),
    },
  };
}

const LONGEST_NAME = 253;

function minutesBetween(from: number, to: number | null): number | null {
  return to === null ? null : Math.round((to - from) / MINUTE_MS);
}

function tenths(minutes: number): number {
  return Math.round(minutes * 10) / 10;
}

function timeOf(moment: number): string {
  return new Date(moment).toISOString();
}

function timeOrNull(moment: number | null): string | null {
  return moment === null ? null : timeOf(moment);
}
