import { outlinePlan } from '@cairn/shared/plan/assumed-facts';
import { mirrorOfReleases, neededReleases } from '@cairn/shared/path/mirror-list';
import { send } from '../data/api.ts';
import type { PathMark } from '../lanes/model.ts';
import type { UrlState } from '../state/url-state.ts';
import { outlineModel, type PlanModel } from './plan-model.ts';
import { clusterPlanAddress, strategyOf } from './question.ts';
import type { Solved } from './solved.ts';

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
  const workings = async () => (await import('@cairn/shared/plan/assumed-facts')).outlineWorkings(question);
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
