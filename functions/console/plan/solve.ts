import { answerWarnings, findPath } from '@cairn/shared/path/find-path';
import { settleQuestion } from '@cairn/shared/path/question';
import type { PageReleases } from '../data/releases.ts';
import type { UrlState } from '../state/url-state.ts';
import { shownGraph } from './graph-area.tsx';
import type { Solved } from './plan-model.ts';
import { questionOf } from './question.ts';

export async function solve(state: UrlState, releases: PageReleases, signal: AbortSignal): Promise<Solved> {
  if (state.cluster) {
    const { solveCluster } = await import('./solve-cluster.ts');
    return solveCluster(state, releases, signal);
  }
  if (!state.from) return { kind: 'start', graph: await shownGraph([state.channel], '', releases) };
  const question = questionOf(state);
  // Loads in parallel with the graphs: the engine is as large as a view.
  const loading = import('./assumed-plan.ts');
  const answer = await findPath(question, releases);
  const graph = await shownGraph(answer.channels, answer.from, releases);
  const freshness = releases.freshnessOf(answer.channels);
  const warnings = answerWarnings(answer, freshness).map(({ message }) => message);
  if (!answer.found) {
    const { noPathModel, frontierOf } = await import('./no-path.tsx');
    const { prerelease } = settleQuestion(question, releases.directory);
    const frontier = frontierOf(graph, { ...question, to: answer.to ?? '', prerelease });
    return { kind: 'none', graph, noPath: noPathModel(answer, warnings, null), frontier };
  }
  const { upgrade } = answer;
  const { assumedPlan } = await loading;
  return {
    kind: 'paths',
    graph,
    paths: [upgrade, ...upgrade.alternatives],
    found: { arch: releases.arch, warnings, syncedAt: freshness.syncedAt, cluster: null },
    planOf: (path, nodes, strategy) => assumedPlan(answer, path, nodes, strategy),
  };
}

/** Parts of a link that change the result; the rest changes only the display. */
export function solveKey(state: UrlState): string {
  const { from, to, channel, arch, risks, cluster, pause } = state;
  return JSON.stringify([from, to, channel, arch, risks, cluster, cluster ? pause : null]);
}
