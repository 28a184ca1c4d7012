import type { Risk } from '@cairn/shared/graph/graph';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { settleQuestion } from '@cairn/shared/path/question';
import type { Hop, PathStep, UpgradePath } from '@cairn/shared/path/solver/solve';
import { alsoPossibleInWords } from '@cairn/shared/plan/words';
import { getJson } from '../data/api.ts';
import type { PageReleases } from '../data/releases.ts';
import type { PlanAnswer } from '../data/responses.ts';
import type { UrlState } from '../state/url-state.ts';
import type { PlanData } from './assumed-plan.ts';
import { shownGraph } from './graph-area.tsx';
import { frontierOf, noPathModel } from './no-path.tsx';
import { planModel, type PlanModel, type Solved } from './plan-model.ts';
import { clusterPlanAddress, questionOf } from './question.ts';

/** The service plans stored clusters: it has the input for the checks. */
export async function solveCluster(
  state: UrlState,
  releases: PageReleases,
  signal: AbortSignal,
): Promise<Solved> {
  const answer = await getJson<PlanAnswer>(clusterPlanAddress(state), signal);
  const { path, verdict, nextStep } = answer;
  const graph = await shownGraph(path.channels, path.from, releases);
  if (path.found) {
    const known = { graph, directory: releases.directory };
    return { kind: 'cluster', graph, model: clusterModel(state.cluster, answer, path, known) };
  }
  const warnings = path.warnings.map(({ message }) => message);
  const question = { ...questionOf({ ...state, from: path.from }), to: path.to ?? '' };
  const { prerelease } = settleQuestion({ ...question, to: path.to ?? 'latest' }, releases.directory);
  return {
    kind: 'none',
    graph,
    noPath: noPathModel(path, warnings, { id: state.cluster, verdict, nextStep }),
    frontier: frontierOf(graph, { ...question, prerelease }),
  };
}

type ServedPath = Extract<PlanAnswer['path'], { readonly found: true }>;

/** Fills release details that the service omits from the graph. */
export function clusterModel(
  id: string,
  answer: PlanAnswer,
  path: ServedPath,
  { graph, directory }: Pick<PlanData, 'directory'> & { readonly graph: PreparedGraph },
): PlanModel {
  const { verdict, nextStep, mirrorOperators, hops, plan, duration } = answer;
  return planModel(
    { ...plan, hops, duration },
    {
      upgrade: readPath(path, graph),
      arch: path.arch,
      warnings: path.warnings.map(({ message }) => message),
      syncedAt: path.graphSyncedAt,
      directory,
      details: async () => plan,
      targetNotes: [
        ...(answer.targetReason === null ? [] : [answer.targetReason]),
        ...alsoPossibleInWords(answer.alsoPossible),
      ],
      cluster: { id, verdict, nextStep, mirrorOperators },
    },
  );
}

/** Step of a path in the API. */
interface ServedStep {
  readonly version: string;
  readonly payload: string;
  readonly errata?: string;
  readonly hop?: Omit<Hop, 'risks'> & { readonly risks: readonly Risk[] };
}

function readPath({ path, stats, channelPlan }: ServedPath, graph: PreparedGraph): UpgradePath {
  const steps = (path as readonly ServedStep[]).map(({ version, payload, errata, hop }): PathStep => {
    const known = graph.nodes[graph.index.get(version) ?? -1];
    const node = known ?? { version, payload, metadata: { ...(errata !== undefined && { url: errata }) } };
    return { version, payload, node, hop: hop ?? null };
  });
  return { path: steps, stats, channelPlan };
}
