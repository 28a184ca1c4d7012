import type { Risk } from '@cairn/shared/graph/graph';
import type { Explanation } from '@cairn/shared/path/explain';
import type { OperatorContent } from '@cairn/shared/path/mirror-list';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { PathStep, UpgradePath } from '@cairn/shared/path/solver/solve';
import type { PlanFigures, PlanHop } from '@cairn/shared/plan/figures';
import type { PlanDetails, UpgradePlan } from '@cairn/shared/plan/plan';
import type { PoolHop, PoolPlan, WorkerRollout } from '@cairn/shared/plan/pools';
import type { Minutes, PathMinutes } from '@cairn/shared/plan/words';
import { type Condition, NOT_CHECKED } from '@cairn/shared/safety/condition';
import type { Strategy } from '@cairn/shared/safety/hop';
import type { HopVerdict } from '@cairn/shared/safety/verdict';
import { send } from '../data/api.ts';
import type { PlanAnswer } from '../data/responses.ts';
import type { Frontier, PathMark } from '../lanes/model.ts';
import type { UrlState } from '../state/url-state.ts';
import type { AssumedPlan, PlanData } from './assumed-plan.ts';
import type { ShownReason } from './fixes.ts';
import { clusterPlanAddress, pathAddress } from './question.ts';

export interface HopModel extends Pick<PlanHop, 'from' | 'to' | 'updateType' | 'kubeFrom' | 'kubeTo'> {
  readonly number: number;
  readonly risks: readonly Risk[];
  /** Whether each risk applies; null without a cluster. */
  readonly answers: PlanHop['risks'] | null;
  /** Skew of the worker pool nearest to its limit or furthest beyond it; null without workers. */
  readonly skew: { readonly lag: number; readonly limit: number; readonly isWithinLimit: boolean } | null;
  /** Null if the cluster size is unknown. */
  readonly minutes: Minutes | null;
  /** Reason to reboot paused workers before the hop; null if not required. */
  readonly rollout: string | null;
  readonly payload: string;
  readonly errata: string | null;
  /** Null without a cluster check. */
  readonly verdict: HopVerdict | null;
  readonly findings: readonly Condition[];
  /** APIs that the hop removes; for a cluster, findings list those in use. */
  readonly removals: readonly string[];
}

/** View of a plan for a stored cluster, or for versions only. */
export interface PlanModel extends PlanData, Pick<UpgradePath, 'path' | 'channelPlan'> {
  readonly from: string;
  readonly to: string;
  readonly hops: readonly HopModel[];
  /** Information below the level of warnings. */
  readonly notes: readonly string[];
  /** Control plane minutes; null if unknown. */
  readonly total: PathMinutes | null;
  /** Basis of the minutes, or the reason why they are unknown. */
  readonly assumptions: readonly string[];
  /** Per worker; null without workers. */
  readonly reboots: { readonly planned: number; readonly note: string } | null;
  readonly rollouts: readonly Pick<WorkerRollout, 'version' | 'beforeHop' | 'minutes'>[];
  /** True if workers wait while the control plane updates. */
  readonly isPaused: boolean;
  readonly details: () => Promise<PlanDetails>;
  readonly report: ClusterReport | null;
  /** Null without a cluster. */
  readonly mirrorOperators: OperatorContent | null;
}

export interface ClusterReport extends Pick<UpgradePlan, 'verdict' | 'nextStep'> {
  readonly id: string;
}

/** Alternative path. */
export interface NearbyPath {
  readonly channels: readonly string[];
  readonly to: string;
  readonly hops: number;
  readonly riskyHops: number;
  readonly path: readonly string[];
}

export interface NoPathModel extends Pick<Explanation, 'message' | 'suggestion' | 'nearestTarget'> {
  readonly from: string;
  /** Null if no release matches the question. */
  readonly to: string | null;
  readonly reason: ShownReason;
  readonly alternatives: readonly NearbyPath[];
  readonly warnings: readonly string[];
  readonly report: ClusterReport | null;
}

/** Path with the data that a plan shows beside it. */
export interface PlannedPath extends PlanData {
  readonly upgrade: UpgradePath;
  readonly details: PlanModel['details'];
  /** Why this is the target, and other choices. */
  readonly targetNotes: readonly string[];
  /** Null for a plan from versions only. */
  readonly cluster: (ClusterReport & Pick<PlanAnswer, 'mirrorOperators'>) | null;
}

/** Result for a link. */
export type Solved = { readonly graph: PreparedGraph } & (
  | { readonly kind: 'start' }
  | {
      readonly kind: 'paths';
      /** Best first. */
      readonly paths: readonly UpgradePath[];
      readonly found: Omit<PlannedPath, 'upgrade' | 'details'>;
      /** Question of the same path for the API, which has no default target without a cluster. */
      readonly resolved: Partial<Pick<UrlState, 'to' | 'channel'>>;
      /** Unless the page pauses the workers. */
      readonly strategy: Strategy;
      readonly planOf: (upgrade: UpgradePath, nodes: number, strategy: Strategy) => AssumedPlan;
    }
  | { readonly kind: 'cluster'; readonly model: PlanModel }
  | { readonly kind: 'none'; readonly noPath: NoPathModel; readonly frontier: Frontier | null }
);

export function planModel(plan: PlanFigures, planned: PlannedPath): PlanModel {
  const { upgrade, arch, warnings, details, syncedAt, directory, cluster } = planned;
  const { path, channelPlan } = upgrade;
  const { pools, caveats, workerRollouts } = plan;
  const workers = rollingWorkers(plan);
  const reboots = rebootsOf(plan);
  const saved = Math.max(0, ...workers.map(({ rebootsSaved }) => rebootsSaved));
  const noted = (effect: 'warn' | 'info'): string[] =>
    caveats.filter((caveat) => caveat.effect === effect).map(({ text }) => text);
  return {
    from: path[0]!.version,
    to: path.at(-1)!.version,
    arch,
    path,
    channelPlan,
    hops: plan.hops.map((hop) => hopModel(hop, path[hop.index + 1]!, pools, cluster !== null)),
    warnings: [...warnings, ...noted('warn')],
    notes: [...planned.targetNotes, ...noted('info')],
    total: plan.duration.total,
    assumptions: plan.duration.total === null ? [plan.duration.reason] : plan.duration.assumptions,
    reboots:
      workers.length === 0
        ? null
        : { planned: reboots, note: saved > 0 ? `${reboots + saved} without pausing` : '' },
    rollouts: workerRollouts,
    isPaused: workers.some(({ staysBehind }) => staysBehind),
    details,
    syncedAt,
    directory,
    report: cluster,
    mirrorOperators: cluster && cluster.mirrorOperators,
  };
}

function rollingWorkers({ pools }: PlanFigures): readonly PoolPlan[] {
  return pools.filter(({ kind, nodes }) => kind === 'workers' && nodes !== 0);
}

/** Reboots per worker. */
function rebootsOf(plan: PlanFigures): number {
  return Math.max(0, ...rollingWorkers(plan).map(({ rolls }) => rolls.length));
}

function hopModel(
  hop: PlanHop,
  { payload, node, hop: update }: PathStep,
  pools: readonly PoolPlan[],
  isChecked: boolean,
): HopModel {
  const { index, from, to, updateType, kubeFrom, kubeTo } = hop;
  const behind = pools.filter(({ kind, nodes }) => kind !== 'control-plane' && nodes !== 0);
  const paused = behind.filter(({ kind, staysBehind }) => kind === 'workers' && staysBehind);
  const rollouts = paused.flatMap((pool) => pool.rolls.filter(({ beforeHop }) => beforeHop === index));
  const found = hop.conditions.filter(({ effect, reason }) => effect !== 'ok' && reason !== NOT_CHECKED);
  return {
    number: index + 1,
    from,
    to,
    updateType,
    kubeFrom,
    kubeTo,
    risks: update?.risks ?? [],
    answers: isChecked ? hop.risks : null,
    skew: worstSkew(behind.map((pool) => pool.hops[index]!)),
    minutes: hop.duration,
    rollout: rollouts[0]?.text ?? null,
    payload,
    errata: node.metadata['url'] ?? null,
    verdict: isChecked ? hop.verdict : null,
    // Without a checked cluster, the page shows risks and APIs separately.
    findings: isChecked
      ? found
      : found.filter(({ type }) => type !== 'PathRecommended' && type !== 'APIRemovals'),
    removals: isChecked
      ? []
      : found
          .filter(({ type }) => type === 'APIRemovals')
          .flatMap(({ objects = [] }) => objects.map(({ name }) => name)),
  };
}

function worstSkew(hops: readonly PoolHop[]): HopModel['skew'] {
  const known = hops.flatMap(({ lag, limit, isWithinLimit }) =>
    lag === null || limit === null || isWithinLimit === null ? [] : [{ lag, limit, isWithinLimit }],
  );
  return known.toSorted((a, b) => b.lag - b.limit - (a.lag - a.limit))[0] ?? null;
}

/** `Path found with 2 conditional updates` */
export function verdictInWords({ hops }: Pick<PlanModel, 'hops'>): string {
  const conditional = hops.filter(({ risks }) => risks.length > 0).length;
  if (hops.length === 0) return 'Already there';
  if (conditional === 0) return 'Path found';
  return `Path found with ${conditional} conditional update${conditional === 1 ? '' : 's'}`;
}

/** Nothing to update, but something to repair or to wait for. An assumed cluster is healthy. */
export function isBrokenAtTarget({ hops, report }: Pick<PlanModel, 'hops' | 'report'>): boolean {
  return hops.length === 0 && report !== null && report.verdict !== 'ready';
}

/** Plan with its exports. */
export interface ShownPlan {
  readonly model: PlanModel;
  readonly markdown: () => Promise<string>;
  /** URL of the same plan in the API. */
  readonly jsonAddress: string;
  /** Index of the path. */
  readonly index: number;
}

/** Plan for the chosen path and node count; null if there is none. */
export function shownPlan(solved: Solved, state: UrlState): ShownPlan | null {
  if (solved.kind === 'cluster') {
    const headers = { accept: 'text/markdown' };
    const markdown = async (): Promise<string> =>
      (await send(clusterPlanAddress(state, 'markdown'), { headers })).text();
    return { model: solved.model, markdown, jsonAddress: clusterPlanAddress(state, 'json'), index: 0 };
  }
  if (solved.kind !== 'paths') return null;
  const { paths, found, planOf, strategy } = solved;
  const index = state.alt < paths.length ? state.alt : 0;
  const upgrade = paths[index]!;
  const { figures, whole, markdown } = planOf(
    upgrade,
    state.nodes,
    state.pause ? 'control-plane-only' : strategy,
  );
  const paused = state.pause ? figures : planOf(upgrade, state.nodes, 'control-plane-only').figures;
  const details = async (): Promise<PlanDetails> => (await whole()).plan;
  const model = withFewerReboots(planModel(figures, { ...found, upgrade, details }), rebootsOf(paused));
  return {
    model,
    markdown: () => markdown(found),
    jsonAddress: pathAddress({ ...state, ...solved.resolved }),
    index,
  };
}

/** Notes the minimum of reboots if the plan needs more. */
function withFewerReboots(model: PlanModel, fewest: number): PlanModel {
  const { reboots } = model;
  if (reboots === null || fewest >= reboots.planned) return model;
  return { ...model, reboots: { ...reboots, note: `${fewest} with pausing` } };
}

export function pathMarks(plan: ShownPlan | null): PathMark[] {
  return (plan?.model.path ?? []).map(({ version, hop }) => ({
    version,
    conditional: hop?.conditional ?? false,
  }));
}

/** `Path found: 2 hops, 4.15.64, 4.16.62`; null if there is nothing to announce. */
export function resultInWords(solved: Solved, plan: ShownPlan | null): string | null {
  if (solved.kind === 'none') return `No path: ${solved.noPath.message}`;
  if (plan === null) return null;
  const { hops, to } = plan.model;
  if (hops.length === 0) return `Already at ${to}`;
  const releases = hops.map((hop) => hop.to).join(', ');
  return `Path found: ${hops.length} ${hops.length === 1 ? 'hop' : 'hops'}, ${releases}`;
}
