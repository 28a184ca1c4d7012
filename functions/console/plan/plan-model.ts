import type { Risk } from '@cairn/shared/graph/graph';
import type { OperatorContent } from '@cairn/shared/path/mirror-list';
import type { PathStep, UpgradePath } from '@cairn/shared/path/solver/solve';
import type { Minutes } from '@cairn/shared/plan/words';
import type { PathMinutes } from '@cairn/shared/plan/duration';
import type { OutlineHop, PlanOutline } from '@cairn/shared/plan/assumed-facts';
import type { WorkerRollout } from '@cairn/shared/plan/worker-rollout';
import type { HopVerdict, Verdict } from '@cairn/shared/safety/verdict';
import type { Arch } from '@cairn/shared/version/arch';
import type { Finding, PlanAnswer } from '../data/responses.ts';

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

/** What both sources have in common. */
export interface FoundWay {
  readonly upgrade: UpgradePath;
  readonly arch: Arch;
  readonly warnings: readonly string[];
  readonly syncedAt: string | null;
}

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
