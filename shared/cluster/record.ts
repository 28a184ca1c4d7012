import {
  type ArchivedRemoval,
  type ArchiveLimit,
  archiveHistory,
  EMPTY_ARCHIVE,
  type HistoryArchive,
  lowerHistory,
  type RemovedHistory,
} from '../prune/history/archive.ts';
import { truncate } from '../text/quote.ts';
import { isInFuture } from '../time/future.ts';
import { NO_RUNS, runOf, type UpdateRuns } from '../update-status/runs/run.ts';
import {
  type ClusterFacts,
  type ClusterVersionFacts,
  type HistoryEntry,
  type ListedKind,
  NO_FACTS,
  type ReportedKind,
} from './facts.ts';

export interface ClusterRecord {
  /**
   * The latest of each kind; the history accumulates within its limit. `collectedAt` is the oldest time of the changing
   * kinds, else the newest of the others.
   */
  readonly facts: ClusterFacts;
  /** Last collection of each kind that was ever reported. */
  readonly collected: Readonly<Partial<Record<ReportedKind, string>>>;
  /** First time each paused pool was seen paused. */
  readonly pausedSince: readonly { readonly pool: string; readonly since: string }[];
  /** Last 100 collections of pools, oldest first; used to place a late report. */
  readonly poolsCollected: readonly string[];
  readonly removedHistory: RemovedHistory;
  /** Updates of the control plane of a hosted cluster; absent if its HostedCluster never showed them. */
  readonly controlPlaneHistory?: HistoryArchive;
  readonly runs: UpdateRuns;
  /** How far the clock of the cluster is ahead, by its newest report; 0 within the tolerance. */
  readonly clockSkewMs: number;
  readonly firstSeenAt: string;
  readonly updatedAt: string;
}

/** Kinds fixed at installation do not make a record old; answers to queries age alone. */
const LASTING: ReadonlySet<ReportedKind> = new Set([
  'configuredNetwork',
  'infrastructure',
  'installer',
  'installerManifests',
  'networkMigration',
  'networkType',
  'riskAnswers',
]);

const MOST_TIMES_OF_POOLS = 100;

/**
 * Merges a report. Missing kinds keep their data and time, since clusters report in parts. `forget` drops them, except
 * the history. A report of another cluster replaces everything. Collection time decides, not arrival: a late report
 * never replaces newer data.
 */
export function takeReport(
  former: ClusterRecord | null,
  facts: ClusterFacts,
  options: ReportOptions,
): ClusterRecord {
  const { now, historyLimit } = options;
  const collectedAt = facts.collectedAt ?? now;
  const isOther = former !== null && isOtherCluster(former, facts);
  if (isOther && isBefore(collectedAt, withoutFuture(former, collectedAt, now).collected.clusterVersion)) {
    return former;
  }
  const known = isOther || former === null ? null : withoutFuture(former, collectedAt, now);
  const { facts: kept, collected } = joinKinds(known, facts, collectedAt, options);
  const ages = Object.entries(collected).filter(([kind]) => !LASTING.has(kind as ReportedKind));
  const isKnown = facts.clusterVersion !== null || (options.unchanged ?? []).includes('clusterVersion');
  const isNewest = isKnown && collected.clusterVersion === collectedAt;
  const limit = { max: historyLimit, now };
  const history = historyAfter(known, facts.clusterVersion, limit);
  const controlPlane = options.controlPlaneHistory
    ? archiveHistory(known?.controlPlaneHistory ?? EMPTY_ARCHIVE, options.controlPlaneHistory, limit)
    : known?.controlPlaneHistory;
  return {
    facts: {
      ...kept,
      clusterVersion: kept.clusterVersion && { ...kept.clusterVersion, history: history.entries },
      collectedAt: inOrder(ages.map(([, at]) => at))[0] ?? latest(Object.values(collected)) ?? collectedAt,
    },
    collected,
    ...pausesAfter(known, facts, collectedAt),
    removedHistory: history.removed,
    ...(controlPlane && { controlPlaneHistory: controlPlane }),
    runs: known?.runs ?? NO_RUNS,
    clockSkewMs: isNewest ? (options.clockSkewMs ?? 0) : (known?.clockSkewMs ?? 0),
    firstSeenAt: known?.firstSeenAt ?? now,
    updatedAt: now,
  };
}

export interface ReportOptions {
  readonly now: string;
  readonly forget: boolean;
  readonly historyLimit: number;
  /** Kinds not sent because they have not changed. */
  readonly unchanged?: readonly ReportedKind[];
  /** @default 0 */
  readonly clockSkewMs?: number;
  /** Of a hosted cluster, as its HostedCluster shows it. */
  readonly controlPlaneHistory?: readonly HistoryEntry[] | null;
}

/** Reports from before Cairn read these fields. */
const NO_RISKS = { acceptedRisks: null, knownRisks: null } as const;

/** Fills kinds and fields that a stored record predates. */
export function withEveryKind(stored: ClusterRecord): ClusterRecord {
  const facts = { ...NO_FACTS, ...stored.facts };
  const nodes = facts.nodes?.map((node) => ({ ...node, problems: node.problems ?? [] })) ?? null;
  const clusterVersion = facts.clusterVersion && { ...NO_RISKS, ...facts.clusterVersion };
  const { pools } = stored.collected;
  return {
    ...stored,
    facts: { ...facts, nodes, clusterVersion },
    poolsCollected: stored.poolsCollected ?? (pools ? [pools] : []),
    runs: stored.runs ?? NO_RUNS,
    clockSkewMs: stored.clockSkewMs ?? 0,
  };
}

/** Returns the same record if it is within the limit. */
export function withinHistoryLimit(
  record: ClusterRecord,
  limit: ArchiveLimit,
): { readonly record: ClusterRecord; readonly removed: readonly ArchivedRemoval[] } {
  const { clusterVersion } = record.facts;
  if (clusterVersion === null || clusterVersion.history.length <= limit.max) return { record, removed: [] };
  const { archive, removed } = lowerHistory(archiveOf(record), limit);
  const facts = { ...record.facts, clusterVersion: { ...clusterVersion, history: archive.entries } };
  return { record: { ...record, facts, removedHistory: archive.removed }, removed };
}

export function archiveOf({ facts, removedHistory }: ClusterRecord): HistoryArchive {
  // Older stored records have no archive.
  const removed = (removedHistory as RemovedHistory | undefined) ?? EMPTY_ARCHIVE.removed;
  return { entries: facts.clusterVersion?.history ?? [], removed };
}

export function isOtherCluster(former: ClusterRecord, { clusterVersion }: ClusterFacts): boolean {
  const known = former.facts.clusterVersion?.clusterId ?? null;
  const reported = clusterVersion?.clusterId ?? null;
  return known !== null && reported !== null && known !== reported;
}

function joinKinds(
  known: ClusterRecord | null,
  facts: ClusterFacts,
  at: string,
  { forget, unchanged = [] }: ReportOptions,
) {
  const joined: Record<string, unknown> = {};
  const collected: Partial<Record<ReportedKind, string>> = {};
  const { collectedAt: _collectedAt, completeLists: _completeLists, ...kinds } = facts;
  const completeLists: ListedKind[] = [];
  for (const kind of Object.keys(kinds) as ReportedKind[]) {
    const before = known?.collected[kind];
    const isLate = isBefore(at, before);
    const isReported = facts[kind] !== null && !isLate;
    const isKept = !isReported && before !== undefined && (!forget || isLate);
    const source = isReported ? facts : isKept ? known!.facts : NO_FACTS;
    completeLists.push(...source.completeLists.filter((each) => each === kind));
    joined[kind] = source[kind];
    const isConfirmed = isKept && !isLate && unchanged.includes(kind);
    const time = isReported || isConfirmed ? at : isKept ? before : undefined;
    if (time !== undefined) collected[kind] = time;
  }
  return {
    facts: { ...joined, completeLists } as unknown as Omit<ClusterFacts, 'collectedAt'>,
    collected,
  };
}

function historyAfter(
  known: ClusterRecord | null,
  clusterVersion: ClusterVersionFacts | null,
  limit: ArchiveLimit,
): HistoryArchive {
  const former = known ? archiveOf(known) : EMPTY_ARCHIVE;
  return clusterVersion === null ? former : archiveHistory(former, clusterVersion.history, limit);
}

/** A clock that was ahead leaves times that no report would exceed; replace them by the time of this report. */
function withoutFuture(record: ClusterRecord, at: string, now: string): ClusterRecord {
  const isFuture = (time: string): boolean => isInFuture(time, Date.parse(now));
  const past = (time: string): string => (isFuture(time) ? at : time);
  const collected = Object.entries(record.collected).map(([kind, time]) => [kind, past(time)]);
  return {
    ...record,
    collected: Object.fromEntries(collected) as ClusterRecord['collected'],
    pausedSince: record.pausedSince.map((pause) => ({ ...pause, since: past(pause.since) })),
    poolsCollected: record.poolsCollected.filter((time) => !isFuture(time)),
  };
}

/** A pause lasts while every report of pools shows it. */
function pausesAfter(
  known: ClusterRecord | null,
  { pools }: ClusterFacts,
  at: string,
): Pick<ClusterRecord, 'pausedSince' | 'poolsCollected'> {
  const { pausedSince: former, poolsCollected: times } = known ?? { pausedSince: [], poolsCollected: [] };
  if (pools === null) return { pausedSince: former, poolsCollected: times };
  const paused = pools.filter((pool) => pool.paused).map(({ name }) => name);
  const since = new Map(former.map((pause) => [pause.pool, pause.since]));
  const pausedSince = isBefore(at, times.at(-1))
    ? former.map((pause) => ({ ...pause, since: sinceAfterLate(pause, paused, times, at) }))
    : paused.map((pool) => ({ pool, since: since.get(pool) ?? at }));
  const poolsCollected = inOrder(new Set([...times, at])).slice(-MOST_TIMES_OF_POOLS);
  return { pausedSince, poolsCollected };
}

/**
 * Start of a current pause after a late report. A late report with the pause moves the start back if no report is in
 * between; one without it moves the start to the next report.
 */
function sinceAfterLate(
  { pool, since }: ClusterRecord['pausedSince'][number],
  paused: readonly string[],
  times: readonly string[],
  at: string,
): string {
  if (!paused.includes(pool)) return isBefore(at, since) ? since : times.find((time) => isBefore(at, time))!;
  const areAllKnown = times.length < MOST_TIMES_OF_POOLS || !isBefore(at, times[0]);
  const isBetween = (time: string): boolean => isBefore(at, time) && isBefore(time, since);
  return isBefore(at, since) && areAllKnown && !times.some(isBetween) ? at : since;
}

/** Compares instants: times can have other offsets or fractions. Returns false without `other`. */
function isBefore(time: string, other: string | undefined): boolean {
  return other !== undefined && Date.parse(time) < Date.parse(other);
}

/** Oldest first. */
function inOrder(times: Iterable<string>): string[] {
  return [...times].toSorted((a, b) => Date.parse(a) - Date.parse(b));
}

function latest(times: readonly string[]): string | undefined {
  return times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
}

export interface ClusterSummary {
  readonly clusterId: string | null;
  /** Release being reconciled, which can differ from the last completed one. */
  readonly version: string | null;
  /** Until the last node is updated. */
  readonly updating: boolean;
  readonly channel: string | null;
  /** Null if nodes were never reported. */
  readonly nodes: number | null;
  readonly arches: readonly string[];
  readonly pausedPools: number;
  readonly historyEntries: number;
  readonly firstSeenAt: string;
  readonly updatedAt: string;
  readonly collectedAt: string | null;
}

/** Characters; no real identifier or version is longer. */
const LONGEST = 100;
/** There are five. */
const MOST_ARCHES = 10;

/** Bounded in size, whatever the documents contain. */
export function summarizeCluster(record: ClusterRecord): ClusterSummary {
  const { facts, pausedSince, firstSeenAt, updatedAt } = record;
  const { clusterVersion, nodes } = facts;
  const arches = new Set((nodes ?? []).map(({ architecture }) => truncate(architecture, LONGEST)));
  return {
    clusterId: truncateOrNull(clusterVersion?.clusterId),
    version: truncateOrNull(clusterVersion?.desired.version),
    updating: isUpdating(record),
    channel: truncateOrNull(clusterVersion?.channel),
    nodes: nodes?.length ?? null,
    arches: [...arches]
      .filter((arch) => arch !== '')
      .toSorted()
      .slice(0, MOST_ARCHES),
    pausedPools: pausedSince.length,
    historyEntries: clusterVersion?.history.length ?? 0,
    firstSeenAt,
    updatedAt,
    collectedAt: facts.collectedAt,
  };
}

/** After the control plane, its run shows whether nodes are left. Without MachineConfigs nothing shows it. */
export function isUpdating({ facts, runs }: ClusterRecord): boolean {
  const entry = facts.clusterVersion?.history[0];
  if (entry?.state === 'Partial') return true;
  const run = runOf(runs, entry);
  return run !== null && run.completedAt === null && facts.configReleases !== null;
}

function truncateOrNull(text: string | null | undefined): string | null {
  return text ? truncate(text, LONGEST) : null;
}
