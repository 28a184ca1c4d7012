import { settleQuestion } from '@cairn/shared/path/question';
import type { PlanAnswer } from '../data/responses.ts';
import { getJson } from '../data/api.ts';
import type { PageReleases } from '../data/releases.ts';
import type { UrlState } from '../state/url-state.ts';
import { clusterModel } from './plan-model.ts';
import { frontierOf } from './frontier.ts';
import { clusterNoPathModel } from './no-path.tsx';
import { clusterPlanAddress, questionOf } from './question.ts';
import { shownGraph } from './graph-area.tsx';
import type { Solved } from './solve.ts';

/** The plan of a stored cluster, which the service makes: it has what the checks need. */
export async function solveCluster(
  state: UrlState,
  releases: PageReleases,
  signal: AbortSignal,
): Promise<Solved> {
  const answer = await getJson<PlanAnswer>(clusterPlanAddress(state), signal);
  const { path, verdict, nextStep } = answer;
  const graph = await shownGraph(path.channels, path.from, releases);
  if (path.found) {
    return { kind: 'cluster', graph, model: clusterModel(state.cluster, answer, path, graph), answer };
  }
  const question = { ...questionOf({ ...state, from: path.from }), to: path.to ?? '' };
  const { prerelease } = settleQuestion({ ...question, to: path.to ?? 'latest' }, releases.directory);
  return {
    kind: 'none',
    graph,
    noPath: clusterNoPathModel(path, { id: state.cluster, verdict, nextStep }),
    frontier: frontierOf(graph, { ...question, prerelease }),
  };
}
