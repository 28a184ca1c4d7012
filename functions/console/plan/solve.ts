import { answerWarnings, findUpgrade } from '@cairn/shared/path/find-path';
import { settleQuestion } from '@cairn/shared/path/question';
import type { PageReleases } from '../data/releases.ts';
import type { UrlState } from '../state/url-state.ts';
import { questionOf } from './question.ts';
import { shownGraph } from './shown-graph.ts';
import type { Solved } from './solved.ts';

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
      import('./no-path-model.ts'),
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
