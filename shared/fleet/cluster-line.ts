import type { ClusterSummary } from '../cluster/record.ts';
import { SUPPORT_ENDS } from '../releases/support.ts';
import type { Verdict } from '../safety/verdict.ts';
import { type Minor, minorOf } from '../version/minor.ts';
import { parseVersion } from '../version/release-version.ts';
import type { Outlook, PlannedHop } from './assessment.ts';

/** A cluster in the list of the fleet: what it runs, whether it may go on, and how far what is known of it can be trusted. */
export interface ClusterLine extends ClusterSummary {
  readonly id: string;
  readonly minor: Minor | null;
  /** Null, as all that follows up to `outlookSince`, while it was not looked at yet. */
  readonly verdict: Verdict | null;
  readonly target: string | null;
  readonly nextHop: PlannedHop | null;
  /** How many updates lead to the target; null when none do. */
  readonly hops: number | null;
  readonly newerPatch: string | null;
  readonly blockers: readonly string[];
  readonly removedApis: readonly string[];
  readonly expectedMinutes: number | null;
  readonly outlookSince: string | null;
  readonly supportEnds: string | null;
  readonly extendedSupportEnds: string | null;
  readonly reportAgeSeconds: number;
  readonly overdue: boolean;
}

export function clusterLine(
  id: string,
  summary: ClusterSummary,
  ahead: { readonly outlook: Outlook; readonly since: string } | null,
  { now, overdueAfterMs }: { readonly now: number; readonly overdueAfterMs: number },
): ClusterLine {
  const version = parseVersion(summary.version ?? '');
  const minor = version && minorOf(version);
  const ends = minor === null ? undefined : SUPPORT_ENDS[minor];
  const outlook = ahead?.outlook;
  const age = Math.max(0, now - Date.parse(summary.updatedAt));
  return {
    id,
    ...summary,
    minor,
    verdict: outlook?.verdict ?? null,
    target: outlook?.target ?? null,
    nextHop: outlook?.path?.[0] ?? null,
    hops: outlook?.path?.length ?? null,
    newerPatch: outlook?.newerPatch ?? null,
    blockers: outlook?.blockers ?? [],
    removedApis: outlook?.removedApis ?? [],
    expectedMinutes: outlook?.minutes?.expected ?? null,
    outlookSince: ahead?.since ?? null,
    supportEnds: ends?.maintenance ?? null,
    extendedSupportEnds: ends?.extended ?? null,
    reportAgeSeconds: Math.floor(age / 1000),
    overdue: age > overdueAfterMs,
  };
}

/** Which clusters are wanted; what is not given does not count. */
export interface ClusterFilter {
  readonly minors?: readonly string[];
  readonly channels?: readonly string[];
  readonly verdicts?: readonly string[];
  readonly blocker?: string;
  readonly overdue?: boolean;
  /** A part of the identifier, whatever its case. */
  readonly name?: string;
}

export function isWanted(line: ClusterLine, filter: ClusterFilter): boolean {
  const { minors, channels, verdicts, blocker, overdue, name } = filter;
  return (
    (minors === undefined || minors.includes(line.minor ?? '')) &&
    (channels === undefined || channels.includes(line.channel ?? '')) &&
    (verdicts === undefined || verdicts.includes(line.verdict ?? 'pending')) &&
    (blocker === undefined || line.blockers.includes(blocker)) &&
    (overdue === undefined || line.overdue === overdue) &&
    (name === undefined || line.id.toLowerCase().includes(name.toLowerCase()))
  );
}
