import { answerWarnings, findUpgrade } from '@cairn/shared/path/find-path';
import { settleQuestion } from '@cairn/shared/path/question';
import type { PageReleases } from '../data/releases.ts';
import type { UrlState } from '../state/url-state.ts';
import { questionOf } from './question.ts';
import { shownGraph } from './graph-area.tsx';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { UpgradePath } from '@cairn/shared/path/solver/solve';
import type { PlanAnswer } from '../data/responses.ts';
import type { Frontier } from '../lanes/model.ts';
import type { NoPathModel } from './no-path.tsx';
import type { FoundWay, PlanModel } from './plan-model.ts';

/** What a link asks for, answered. */
export async function solve(state: UrlState, releases: PageReleases, signal: AbortSignal): Promise<Solved> {
  if (state.cluster) {
    const { solveCluster } = await import('./solve-cluster.ts');
    return solveCluster(state, releases, signal);
  }
  if (!state.from) return { kind: 'start', graph: await shownGraph([state.channel], '', releases) };
  const question = questionOf(state);
  const answer = await findUpgrade(question, releases);
  const graph = await shownGraph(answer.channels, answer.from, releases);
  const freshness = releases.freshnessOf(answer.channels);
  const warnings = answerWarnings(answer, freshness).map(({ message }) => message);
  if (!answer.found) {
    const [{ noPathModel }, { frontierOf }] = await Promise.all([
      import('./no-path.tsx'),
      import('./frontier.ts'),
    ]);
    const { prerelease } = settleQuestion(question, releases.directory);
    const frontier = frontierOf(graph, { ...question, to: answer.to ?? '', prerelease });
    return { kind: 'none', graph, noPath: noPathModel(answer, warnings), frontier };
  }
  const { upgrade, sourceWithdrawn } = answer;
  return {
    kind: 'ways',
    graph,
    ways: [upgrade, ...upgrade.alternatives],
    found: { arch: releases.arch, warnings, syncedAt: freshness.syncedAt, sourceWithdrawn },
  };
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

/** What of a link `solve` looks at; the rest changes how it is shown. */
export function solveKey(state: UrlState): string {
  const { from, to, channel, arch, risks, cluster, pause } = state;
  return JSON.stringify([from, to, channel, arch, risks, cluster, cluster ? pause : null]);
}
