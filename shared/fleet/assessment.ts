import { findEdge } from '../graph/edge-rows.ts';
import type { UpgradeAnswer } from '../path/find-path.ts';
import type { PreparedGraph } from '../path/prepared-graph.ts';
import type { UpgradePlan } from '../plan/plan.ts';
import type { Verdict } from '../safety/verdict.ts';

/** An update on the way, and the names of the risks that upstream puts on it. */
export interface PlannedHop {
  readonly from: string;
  readonly to: string;
  readonly risks: readonly string[];
}

/** What lies ahead of a cluster, small enough to be kept beside it and compared with what lay ahead before. */
export interface Outlook {
  /** What the cluster runs. */
  readonly from: string;
  /** What was asked for, and what it came to; null when no release fits. */
  readonly question: string;
  readonly target: string | null;
  readonly verdict: Verdict;
  /** Empty when the cluster is there; null when there is no way. */
  readonly path: readonly PlannedHop[] | null;
  /** Why there is no way: a code of the solver. */
  readonly noPath: string | null;
  /** The channels that the path is of. */
  readonly channels: readonly string[];
  /** A newer release of the minor that it runs. */
  readonly newerPatch: string | null;
  /** Types of the conditions that stand in the way of the next minor. */
  readonly blockers: readonly string[];
  /** APIs in use that the next minor takes away. */
  readonly removedApis: readonly string[];
  /** Of the whole way; null when it can't be told. */
  readonly minutes: { readonly expected: number; readonly max: number } | null;
}

/** No way has as many hops, no cluster uses as many removed APIs; what is kept stays small whatever is reported. */
const MOST = 20;

export function outlookOf(
  question: string,
  plan: UpgradePlan,
  answer: UpgradeAnswer,
  newerPatch: string | null,
): Outlook {
  const next = plan.hops.filter(({ minorDistance }) => minorDistance <= 1);
  const conditions = next.flatMap((hop) => hop.conditions).filter(({ accepted }) => accepted !== true);
  const blockers = conditions.filter(({ effect }) => effect === 'block').map(({ type }) => type);
  const apis = conditions
    .filter(({ type, status }) => type === 'APIRemovals' && status === 'False')
    .flatMap(({ objects = [] }) => objects.map(({ name }) => name));
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
    blockers: distinct(blockers),
    removedApis: distinct(apis),
    minutes: total && { expected: total.expected, max: total.max },
  };
}

function plannedHops({ from, upgrade }: Extract<UpgradeAnswer, { readonly found: true }>): PlannedHop[] {
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

/** A planned update that is no longer what it was: it has risks now, or is gone. */
export interface TroubledHop {
  readonly from: string;
  readonly to: string;
  readonly now: (typeof TROUBLES)[number];
  readonly risks: readonly string[];
}

/** What became of an update that was plain; null when it still is, or when its ends are not in these channels. */
export function troubleOf(
  graph: PreparedGraph,
  { from, to }: { readonly from: string; readonly to: string },
): TroubledHop | null {
  const [source, target] = [graph.index.get(from), graph.index.get(to)];
  if (source === undefined || target === undefined) return null;
  const edge = findEdge(graph.leaving, source, target);
  if (edge < 0) return { from, to, now: 'withdrawn', risks: [] };
  const risks = graph.riskSets[graph.leaving.risks[edge]!]!;
  if (risks.length === 0) return null;
  return { from, to, now: 'conditional', risks: risks.map(({ name }) => name).toSorted() };
}
