import type { ClusterFacts } from '../../cluster/facts.ts';
import { type ClusterRecord, type ReportOptions, takeReport } from '../../cluster/record.ts';
import type { FleetDurations } from '../forecast/fleet.ts';
import { runsAfter } from './merge.ts';
import { summarizeRun } from './past.ts';
import { readRunReport } from './report.ts';

/** Merges a report and adds it to the run of its update: no report is stored without its run. */
export function takeRunReport(
  former: ClusterRecord | null,
  facts: ClusterFacts,
  options: ReportOptions & { readonly fleet?: FleetDurations | null },
): ClusterRecord {
  const record = takeReport(former, facts, options);
  // A late report of another cluster changes nothing.
  if (record === former) return record;
  const { now, clockSkewMs = 0, unchanged = [], fleet = null } = options;
  const collectedAt = facts.collectedAt ?? now;
  const report = readRunReport(facts, record.facts, {
    at: Date.parse(collectedAt),
    receivedAt: Date.parse(now),
    skewMs: clockSkewMs,
    unchanged: unchanged.filter((kind) => record.collected[kind] === collectedAt),
    fleet,
  });
  return report === null ? record : { ...record, runs: runsAfter(record.runs, report, summarizeRun) };
}
