import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { ClusterRecord } from '@cairn/shared/cluster/record';
import {
  clusterUpdateStatus,
  type ClusterUpdateStatus,
} from '@cairn/shared/update-status/runs/cluster-status';
import { takeRunReport } from '@cairn/shared/update-status/runs/take-report';
import type { SimulatedUpdate } from './simulator.ts';

/** A report as it arrives. */
export interface Arrival {
  readonly facts: ClusterFacts;
  /** By the clock of the service. */
  readonly receivedAt: string;
  readonly clockSkewMs?: number;
}

export function takeReports(
  arrivals: readonly Arrival[],
  former: ClusterRecord | null = null,
): ClusterRecord | null {
  return arrivals.reduce<ClusterRecord | null>(
    (record, { facts, receivedAt, clockSkewMs = 0 }) =>
      takeRunReport(record, facts, { now: receivedAt, forget: false, historyLimit: 100, clockSkewMs }),
    former,
  );
}

/** Reports of an update at these minutes, each received when it was collected. */
export function reportsAt(update: SimulatedUpdate, minutes: readonly number[]): Arrival[] {
  return minutes.map((minute) => ({ facts: update.facts(minute), receivedAt: update.time(minute) }));
}

/** Minutes from the first to the last, five apart unless another step is given. */
export function everyFive(first: number, last: number, step = 5): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
}

/** Status at a minute, of everything that was reported up to then. */
export function statusAfter(
  update: SimulatedUpdate,
  minutes: readonly number[],
  at: number = minutes.at(-1)!,
): ClusterUpdateStatus {
  return statusOfRecord(takeReports(reportsAt(update, minutes))!, Date.parse(update.time(at)));
}

export function statusOfRecord(record: ClusterRecord, at: number, now: number = at): ClusterUpdateStatus {
  const result = clusterUpdateStatus(record, { at, now });
  if (!result.ok) throw new Error(result.problem);
  return result.status;
}
