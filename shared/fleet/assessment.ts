import { findEdge } from '../graph/edge-rows.ts';
import type { Risk } from '../graph/graph.ts';
import type { PathResult } from '../path/find-path.ts';
import type { PreparedGraph } from '../path/prepared-graph.ts';
import type { Applies } from '../path/question.ts';
import { allConditions } from '../plan/conditions.ts';
import type { UpgradePlan } from '../plan/plan.ts';
import { STOP_AT_UNSUPPORTED_MINOR } from '../safety/checks/compatibility/supported-target.ts';
import type { Effect } from '../safety/values.ts';
import type { Verdict } from '../safety/verdict.ts';
import { minorOf } from '../version/minor.ts';
import { mustParseVersion } from '../version/release-version.ts';

export interface PlannedHop {
  readonly from: string;
  readonly to: string;
  readonly risks: readonly string[];
}

/** Compact plan of a cluster, stored beside it and compared with the previous one. */
export interface AssessedUpgrade {
  readonly from: string;
  /** Requested target, and the version it resolves to; null if no release matches. */
  readonly question: string;
  readonly target: string | null;
  readonly verdict: Verdict;
  /** Empty at the target; null without a path. */
  readonly path: readonly PlannedHop[] | null;
  /** Reason code of the solver. */
  readonly noPath: string | null;
  readonly channels: readonly string[];
  readonly newerPatch: string | null;
  /** Condition types that block the next minor, or any hop. */
  readonly blockers: readonly string[];
  /** Condition types that will block a later hop; missing in assessments of earlier versions, like the stops. */
  readonly upcomingBlockers?: readonly string[];
  /** APIs in use that a hop to the target removes. */
  readonly removedApis: readonly string[];
  /** End-of-life minors that the path stops in. */
  readonly unsupportedStops?: readonly string[];
  /** Duration of the whole upgrade; null if unknown. */
  readonly minutes: { readonly expected: number; readonly max: number } | null;
}

/** Limits the stored size; real paths and clusters have fewer hops and removed APIs. */
const MOST = 20;

/** Covers the whole path: what blocks a later hop is known today. */
export function assessedUpgradeOf({
  question,
  plan,
  answer,
  newerPatch,
  removedAhead,
}: {
  readonly question: string;
  readonly plan: UpgradePlan;
  readonly answer: PathResult;
  readonly newerPatch: string | null;
  /** APIs in use that are removed before a minimum outlook, even if the path is shorter. */
  readonly removedAhead: readonly string[];
}): AssessedUpgrade {
  const conditions = allConditions(plan).filter(({ accepted }) => accepted !== true);
  const typesWith = (wanted: Effect): string[] =>
    conditions.filter(({ effect }) => effect === wanted).map(({ type }) => type);
  const apis = conditions
    .filter(({ type, status }) => type === 'APIRemovals' && status === 'False')
    .flatMap(({ objects = [] }) => objects.map(({ name }) => name));
  const stops = plan.hops
    .filter((hop) => hop.conditions.some(({ reason }) => reason === STOP_AT_UNSUPPORTED_MINOR))
    .map(({ to }) => minorOf(mustParseVersion(to)));
  const { total } = plan.duration;
  return {
    from: answer.from,
    question,
    target: answer.to,
    verdict: plan.verdict,
    path: answer.found ? plannedHops(answer).slice(0, MOST) : null,
    noPath: answer.found ? null : answer.explanation.code,
    channels: answer.channels,
    newerPatch,
    blockers: distinct(typesWith('block')),
    upcomingBlockers: distinct(typesWith('inform')),
    removedApis: distinct([...apis, ...removedAhead]),
    // In the order of the path: 4.9 comes before 4.10.
    unsupportedStops: [...new Set(stops)].slice(0, MOST),
    minutes: total && { expected: total.expected, max: total.max },
  };
}

function plannedHops({ from, upgrade }: Extract<PathResult, { readonly found: true }>): PlannedHop[] {
  const steps = upgrade.path.filter(({ hop }) => hop !== null);
  return steps.map(({ version, hop }, index) => ({
    from: steps[index - 1]?.version ?? from,
    to: version,
    risks: (hop?.risks ?? []).map(({ name }) => name).toSorted(),
  }));
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted().slice(0, MOST);
}

export const TROUBLES = ['conditional', 'withdrawn'] as const;

/** Planned update that became conditional or was withdrawn. */
export interface TroubledHop {
  readonly from: string;
  readonly to: string;
  readonly now: (typeof TROUBLES)[number];
  readonly risks: readonly string[];
}

/**
 * Null if the update is still recommended or none of its risks applies, if the channels lack its versions, or if the
 * configuration excludes it.
 */
export function troubleOf(
  graph: PreparedGraph,
  { from, to }: { readonly from: string; readonly to: string },
  applies: (risk: Risk) => Applies,
): TroubledHop | null {
  const [source, target] = [graph.index.get(from), graph.index.get(to)];
  if (source === undefined || target === undefined || graph.isExcluded[target] === 1) return null;
  const edge = findEdge(graph.leaving, source, target);
  if (edge < 0) return { from, to, now: 'withdrawn', risks: [] };
  const all = graph.riskSets[graph.leaving.risks[edge]!]!;
  const risks = all.filter((risk) => applies(risk) !== 'no');
  if (risks.length === 0) return null;
  return { from, to, now: 'conditional', risks: risks.map(({ name }) => name).toSorted() };
}
