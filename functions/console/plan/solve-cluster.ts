import type { Risk } from '@cairn/shared/graph/graph';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { settleQuestion } from '@cairn/shared/path/question';
import type { Hop, PathStep, UpgradePath } from '@cairn/shared/path/solver/solve';
import { getJson } from '../data/api.ts';
import type { PageReleases } from '../data/releases.ts';
import type { PlanAnswer } from '../data/responses.ts';
import type { UrlState } from '../state/url-state.ts';
import { shownGraph } from './graph-area.tsx';
import { clusterNoPathModel, frontierOf } from './no-path.tsx';
import { endsOf, hopOfStep, type HopModel, type PlanModel, type Solved } from './plan-model.ts';
import { clusterPlanAddress, questionOf } from './question.ts';

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

type ServedPath = Extract<PlanAnswer['path'], { readonly found: true }>;

/** The plan of a stored cluster, as the service made it; the graph gives what it leaves out of its releases. */
export function clusterModel(
  id: string,
  answer: PlanAnswer,
  path: ServedPath,
  graph: PreparedGraph,
): PlanModel {
  const { plan, duration } = answer;
  const workers = plan.pools.filter(({ kind }) => kind !== 'control-plane');
  const rolling = workers.filter(({ kind, nodes }) => kind === 'workers' && nodes !== 0);
  const planned = Math.max(0, ...rolling.map(({ rolls }) => rolls.length));
  const saved = Math.max(0, ...rolling.map(({ rebootsSaved }) => rebootsSaved));
  const caveats = (effect: 'warn' | 'info'): string[] =>
    plan.caveats.filter((caveat) => caveat.effect === effect).map(({ text }) => text);
  const way = {
    upgrade: readPath(path, graph),
    arch: path.arch,
    warnings: [...path.warnings.map(({ message }) => message), ...caveats('warn')],
    syncedAt: path.graphSyncedAt,
  };
  return {
    ...endsOf(way),
    hops: answer.hops.map(({ index, from, to, updateType, kubeFrom, kubeTo, ...hop }): HopModel => {
      const held = rolling.filter(({ staysBehind }) => staysBehind);
      const rolls = held.flatMap((pool) => pool.rolls.filter(({ beforeHop }) => beforeHop === index));
      return {
        ...hopOfStep(way.upgrade.path[index + 1]!, index),
        from,
        to,
        updateType,
        kubeFrom,
        kubeTo,
        skew: worstSkew(workers.flatMap((pool) => pool.hops.filter((each) => each.hop === index))),
        gates: [],
        minutes: hop.duration,
        roll: rolls[0]?.text ?? null,
        report: {
          verdict: hop.verdict,
          findings: hop.conditions.filter(({ effect }) => effect !== 'ok'),
        },
      };
    }),
    total: duration.total,
    reboots:
      rolling.length === 0 ? null : { planned, note: saved > 0 ? `${planned + saved} without pausing` : '' },
    notes: caveats('info'),
    rollouts: plan.workerRollouts,
    isHeldBack: rolling.some(({ staysBehind }) => staysBehind),
    workings: async () => ({
      steps: plan.steps,
      removals: [],
      assumptions: duration.total === null ? [duration.reason] : duration.assumptions,
    }),
    report: { id, verdict: answer.verdict, nextStep: answer.nextStep },
    mirrorOperators: answer.mirrorOperators,
  };
}

type PoolHop = PlanAnswer['plan']['pools'][number]['hops'][number];

/** Of the pool that comes nearest to its limit, or is furthest beyond it. */
function worstSkew(hops: readonly PoolHop[]): HopModel['skew'] {
  const known = hops.flatMap(({ lag, limit, isWithinLimit }) =>
    lag === null || limit === null || isWithinLimit === null ? [] : [{ lag, limit, isWithinLimit }],
  );
  return known.toSorted((a, b) => b.lag - b.limit - (a.lag - a.limit))[0] ?? null;
}

/** A step of a path as the service writes it. */
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
