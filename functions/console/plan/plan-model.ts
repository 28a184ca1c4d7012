import type { Risk } from '@cairn/shared/graph/graph';
import type { Explanation } from '@cairn/shared/path/explain';
import { mirrorOfReleases, neededReleases, type OperatorContent } from '@cairn/shared/path/mirror-list';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { PathStep, UpgradePath } from '@cairn/shared/path/solver/solve';
import { outlinePlan, type OutlineHop, type PlanOutline } from '@cairn/shared/plan/assumed-facts';
import type { Minutes, PathMinutes } from '@cairn/shared/plan/words';
import type { WorkerRollout } from '@cairn/shared/plan/worker-rollout';
import type { HopVerdict, Verdict } from '@cairn/shared/safety/verdict';
import type { Arch } from '@cairn/shared/version/arch';
import { send } from '../data/api.ts';
import type { Finding, PlanAnswer } from '../data/responses.ts';
import type { Frontier, PathMark } from '../lanes/model.ts';
import type { UrlState } from '../state/url-state.ts';
import type { ShownReason } from './fixes.ts';
import { clusterPlanAddress, strategyOf } from './question.ts';

export type Step = PlanAnswer['plan']['steps'][number];

/** An update of the way, from whichever source is known. */
export interface HopModel extends Pick<
  OutlineHop,
  'from' | 'to' | 'updateType' | 'kubeFrom' | 'kubeTo' | 'skew' | 'gates'
> {
  readonly number: number;
  readonly risks: readonly Risk[];
  /** Null when the size of the cluster is not known. */
  readonly minutes: Minutes | null;
  /** Why workers that are held back have to be rolled first; null where they need not. */
  readonly roll: string | null;
  readonly payload: string;
  readonly errata: string | null;
  /** What the checks of a stored cluster say; null when there is none. */
  readonly report: { readonly verdict: HopVerdict; readonly findings: readonly Finding[] } | null;
}

/** What the panel shows, be it known from versions alone or from a stored cluster. */
export interface PlanModel {
  readonly from: string;
  readonly to: string;
  readonly arch: Arch;
  /** The start first. */
  readonly path: readonly PathStep[];
  readonly channelPlan: UpgradePath['channelPlan'];
  readonly hops: readonly HopModel[];
  readonly warnings: readonly string[];
  /** Worth knowing, and no warning. */
  readonly notes: readonly string[];
  /** Of the control plane; null when it is not known. */
  readonly total: PathMinutes | null;
  /** Of each worker; null without workers. */
  readonly reboots: { readonly planned: number; readonly note: string } | null;
  readonly rollouts: readonly Pick<WorkerRollout, 'version' | 'beforeHop' | 'minutes'>[];
  /** Workers wait while the control plane goes ahead. */
  readonly isHeldBack: boolean;
  readonly workings: () => Promise<Workings>;
  readonly syncedAt: string | null;
  readonly report: ClusterReport | null;
  /** Of a cluster; null where there is none. */
  readonly mirrorOperators: OperatorContent | null;
}

/** What few look at, and is therefore asked for only then. */
export interface Workings {
  readonly steps: readonly Step[];
  /** Per hop the APIs that it takes away; of a cluster those in use are among its findings. */
  readonly removals: readonly (readonly string[])[];
  /** What the minutes rest on, or why there are none. */
  readonly assumptions: readonly string[];
}

export interface ClusterReport {
  readonly id: string;
  readonly verdict: Verdict;
  readonly nextStep: string;
}

/** A path that is there instead. */
export interface NearbyWay {
  readonly channels: readonly string[];
  readonly to: string;
  readonly hops: number;
  readonly riskyHops: number;
  readonly path: readonly string[];
}

/** Why there is no plan, from whichever source. */
export interface NoPathModel {
  readonly from: string;
  /** Null when no release fits what was asked for. */
  readonly to: string | null;
  readonly channels: readonly string[];
  readonly reason: ShownReason;
  readonly message: string;
  readonly suggestion: string | null;
  readonly nearestTarget: Explanation['nearestTarget'];
  readonly alternatives: readonly NearbyWay[];
  readonly warnings: readonly string[];
  readonly report: ClusterReport | null;
}

/** What both sources have in common. */
interface FoundWay {
  readonly upgrade: UpgradePath;
  readonly arch: Arch;
  readonly warnings: readonly string[];
  readonly syncedAt: string | null;
}

/** What there is to show for a link. */
export type Solved = { readonly graph: PreparedGraph } & (
  | { readonly kind: 'start' }
  | {
      readonly kind: 'ways';
      /** The best first. */
      readonly ways: readonly UpgradePath[];
      readonly found: Omit<FoundWay, 'upgrade'> & { readonly sourceWithdrawn: boolean };
    }
  | { readonly kind: 'cluster'; readonly model: PlanModel; readonly answer: PlanAnswer }
  | { readonly kind: 'none'; readonly noPath: NoPathModel; readonly frontier: Frontier | null }
);

/** A plan that is known from versions alone. */
export function outlineModel(
  way: FoundWay,
  outline: PlanOutline,
  workings: PlanModel['workings'],
  isHeldBack: boolean,
): PlanModel {
  const { planned, paused, rolling } = outline.reboots;
  return {
    ...endsOf(way),
    hops: outline.hops.map(({ index, duration, roll, ...hop }) => ({
      ...hop,
      ...hopOfStep(way.upgrade.path[index + 1]!, index),
      minutes: duration,
      roll: roll?.text ?? null,
      report: null,
    })),
    total: outline.duration.total,
    reboots:
      outline.nodes > outline.controlPlane
        ? { planned, note: isHeldBack ? `${rolling} without pausing` : `${paused} with pausing` }
        : null,
    rollouts: outline.rollouts,
    isHeldBack,
    notes: [],
    workings,
    report: null,
    mirrorOperators: null,
  };
}

/** The parts that come from the path itself. */
export function endsOf({ upgrade: { path, channelPlan }, arch, warnings, syncedAt }: FoundWay) {
  return {
    from: path[0]!.version,
    to: path.at(-1)!.version,
    arch,
    path,
    channelPlan,
    warnings,
    syncedAt,
  };
}

export function hopOfStep({ payload, node, hop }: PathStep, index: number) {
  return { number: index + 1, risks: hop?.risks ?? [], payload, errata: node.metadata['url'] ?? null };
}

/** `Path found with 2 conditional updates` */
export function verdictInWords({ hops }: Pick<PlanModel, 'hops'>): string {
  const conditional = hops.filter(({ risks }) => risks.length > 0).length;
  if (hops.length === 0) return 'Already there';
  if (conditional === 0) return 'Path found';
  return `Path found with ${conditional} conditional update${conditional === 1 ? '' : 's'}`;
}

/** A plan with what it is handed over as. */
export interface ShownPlan {
  readonly model: PlanModel;
  readonly markdown: () => Promise<string>;
  /** Which of the paths found it is. */
  readonly way: number;
}

/** The plan of what was found, for as many nodes and the path that are asked for; null when there is none. */
export function shownPlan(solved: Solved, state: UrlState): ShownPlan | null {
  if (solved.kind === 'cluster') {
    const headers = { accept: 'text/markdown' };
    const markdown = async (): Promise<string> =>
      (await send(clusterPlanAddress(state, 'markdown'), { headers })).text();
    return { model: solved.model, markdown, way: 0 };
  }
  if (solved.kind !== 'ways') return null;
  const { ways, found } = solved;
  const way = state.alt < ways.length ? state.alt : 0;
  const upgrade = ways[way]!;
  const { path, channelPlan } = upgrade;
  const strategy = strategyOf(state);
  const question = { path, channelPlan, nodes: state.nodes, strategy, policy: 'openshift' } as const;
  const outline = outlinePlan(question);
  const workings = async () =>
    (await import('@cairn/shared/plan/outline-markdown')).outlineWorkings(question);
  const model = outlineModel({ ...found, upgrade }, outline, workings, state.pause);
  const { from, to, arch, syncedAt } = model;
  const markdown = async (): Promise<string> =>
    (await import('@cairn/shared/plan/outline-markdown')).outlineMarkdown({
      answer: { from, to, upgrade, sourceWithdrawn: found.sourceWithdrawn },
      mirror: mirrorOfReleases(neededReleases(path, arch, false)),
      outline,
      workings: await workings(),
      arch,
      syncedAt,
    });
  return { model, markdown, way };
}

export function pathMarks(plan: ShownPlan | null): PathMark[] {
  return (plan?.model.path ?? []).map(({ version, hop }) => ({
    version,
    conditional: hop?.conditional ?? false,
  }));
}

/** `Path found: 2 hops, 4.15.64, 4.16.62`; null when there is nothing to say. */
export function resultInWords(solved: Solved, plan: ShownPlan | null): string | null {
  if (solved.kind === 'none') return `No path: ${solved.noPath.message}`;
  if (plan === null) return null;
  const { hops, to } = plan.model;
  if (hops.length === 0) return `Already at ${to}`;
  const releases = hops.map((hop) => hop.to).join(', ');
  return `Path found: ${hops.length} ${hops.length === 1 ? 'hop' : 'hops'}, ${releases}`;
}
