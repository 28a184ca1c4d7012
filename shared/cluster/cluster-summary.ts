import type { ClusterRecord } from './record.ts';

/** A cluster in a line. */
export interface ClusterSummary {
  readonly clusterId: string | null;
  /** What is being reconciled, which is not always what was last completed. */
  readonly version: string | null;
  /** Whether the update to that version is under way. */
  readonly updating: boolean;
  readonly channel: string | null;
  /** Null when nodes were never reported. */
  readonly nodes: number | null;
  readonly arches: readonly string[];
  readonly pausedPools: number;
  /** How many updates of its history are kept. */
  readonly historyEntries: number;
  readonly firstSeenAt: string;
  readonly updatedAt: string;
  readonly collectedAt: string | null;
}

/** No identifier or version is as long; a longer text would not stay in a line. */
const LONGEST = 100;
/** There are five. */
const MOST_ARCHES = 10;

/** The record in a line, however much the documents that it was made from hold. */
export function summarizeCluster(record: ClusterRecord): ClusterSummary {
  const { facts, pausedSince, firstSeenAt, updatedAt } = record;
  const { clusterVersion, nodes } = facts;
  const arches = new Set((nodes ?? []).map(({ architecture }) => shorten(architecture)));
  return {
    clusterId: shortenOrNull(clusterVersion?.clusterId),
    version: shortenOrNull(clusterVersion?.desired.version),
    updating: clusterVersion?.history[0]?.state === 'Partial',
    channel: shortenOrNull(clusterVersion?.channel),
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

function shortenOrNull(text: string | null | undefined): string | null {
  return text ? shorten(text) : null;
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
