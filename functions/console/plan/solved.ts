import { preferredChannel } from '@cairn/shared/graph/version-holders';
import { answerWarnings } from '@cairn/shared/path/answer-warnings';
import { findUpgrade } from '@cairn/shared/path/find-upgrade';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { UpgradePath } from '@cairn/shared/path/solve';
import { settleQuestion } from '@cairn/shared/path/upgrade-question';
import { minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { PlanAnswer } from '../data/answers.ts';
import { getJson } from '../data/api.ts';
import type { PageReleases } from '../data/releases.ts';
import type { Frontier } from '../lanes/lanes-props.ts';
import type { UrlState } from '../state/url-state.ts';
import { defaultChannel } from './default-channel.ts';
import { frontierOf } from './frontier.ts';
import { clusterNoPathModel, noPathModel, type NoPathModel } from './no-path-model.ts';
import type { FoundWay, PlanModel } from './plan-model.ts';
import { clusterPlanAddress, questionOf } from './question.ts';

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

/** What of a link {@link solve} looks at; the rest changes how it is shown. */
export function solveKey(state: UrlState): string {
  const { from, to, channel, arch, risks, cluster, pause } = state;
  return JSON.stringify([from, to, channel, arch, risks, cluster, cluster ? pause : null]);
}

export async function solve(state: UrlState, releases: PageReleases, signal: AbortSignal): Promise<Solved> {
  if (state.cluster) return solveCluster(state, releases, signal);
  if (!state.from) return { kind: 'start', graph: await shownGraph([state.channel], '', releases) };
  const question = questionOf(state);
  const answer = await findUpgrade(question, releases);
  const graph = await shownGraph(answer.channels, answer.from, releases);
  const freshness = releases.freshnessOf(answer.channels);
  const warnings = answerWarnings(answer, freshness).map(({ message }) => message);
  if (!answer.found) {
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

async function solveCluster(state: UrlState, releases: PageReleases, signal: AbortSignal): Promise<Solved> {
  const answer = await getJson<PlanAnswer>(clusterPlanAddress(state), signal);
  const { path, verdict, nextStep } = answer;
  const graph = await shownGraph(path.channels, path.from, releases);
  if (path.found) {
    const { clusterModel } = await import('./cluster-model.ts');
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

/** Of the channels that were searched; else of one that has the start, then one of its minor, then what everybody sees. */
async function shownGraph(
  channels: readonly string[],
  from: string,
  { directory, prepare }: PageReleases,
): Promise<PreparedGraph> {
  const holding = channels.filter((name) => (directory.get(name)?.versions.length ?? 0) > 0);
  if (holding.length > 0) return prepare(holding);
  const version = parseVersion(from);
  const holders = directory.holders(from).map((channel) => ({ channel, withdrawn: false }));
  const sibling = directory.channels.find(
    ({ minor, versions }) => version && minor === minorOf(version) && versions.length > 0,
  );
  const other =
    (version && preferredChannel(minorOf(version), holders)) ?? sibling?.name ?? defaultChannel(directory);
  return prepare(other === null ? [] : [other]);
}
