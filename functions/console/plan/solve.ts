import { newerPatch } from '@cairn/shared/path/channel-directory';
import { answerWarnings, findPath } from '@cairn/shared/path/find-path';
import { settleQuestion, type UpgradeQuestion } from '@cairn/shared/path/question';
import { alsoPossible, alsoPossibleInWords } from '@cairn/shared/plan/words';
import { type SupportCalendar, supportInWords } from '@cairn/shared/releases/lifecycle';
import { minorOf } from '@cairn/shared/version/minor';
import { minorReleaseOf } from '@cairn/shared/version/release-line';
import { mustParseVersion } from '@cairn/shared/version/release-version';
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
  const chosen = state.to === '' ? await defaultTarget(question, releases) : null;
  const answer = chosen?.answer ?? (await findPath(question, releases));
  const graph = await shownGraph(answer.channels, answer.from, releases);
  const freshness = releases.freshnessOf(answer.channels);
  const warnings = [
    ...answerWarnings(answer, freshness).map(({ message }) => message),
    ...endOfSupport(answer.to, releases.calendar),
  ];
  if (!answer.found) {
    const { noPathModel, frontierOf } = await import('./no-path.tsx');
    const { prerelease } = settleQuestion(question, releases.directory);
    const frontier = frontierOf(graph, { ...question, to: answer.to ?? '', prerelease });
    return { kind: 'none', graph, noPath: noPathModel(answer, warnings, null), frontier };
  }
  const { upgrade } = answer;
  const { assumedPlan } = await loading;
  const { calendar, directory } = releases;
  const patch = newerPatch(mustParseVersion(answer.from), question.channels?.[0] ?? null, directory);
  return {
    kind: 'paths',
    graph,
    paths: [upgrade, ...upgrade.alternatives],
    found: {
      arch: releases.arch,
      warnings,
      syncedAt: freshness.syncedAt,
      directory: releases.directory,
      targetNotes: [
        ...(chosen ? [chosen.reason] : []),
        ...alsoPossibleInWords(alsoPossible(patch, answer.to)),
      ],
      cluster: null,
    },
    resolved: chosen ? { to: answer.to, channel: answer.channels.join(',') } : {},
    strategy: chosen?.isControlPlaneOnly ? 'control-plane-only' : 'rolling',
    planOf: (path, nodes, strategy) =>
      assumedPlan(answer, path, {
        nodes,
        strategy,
        calendar,
        targetReason: chosen?.reason ?? null,
        newestPatch: patch,
      }),
  };
}

/** The checks of a cluster have a finding instead. */
function endOfSupport(target: string | null, calendar: SupportCalendar): string[] {
  const end = minorReleaseOf(target ?? '');
  if (end === null) return [];
  const support = calendar(minorOf(end));
  return support.phase === 'ended' ? [`${support.minor} is ${supportInWords(support)}`] : [];
}

/** The same rule as in the service. */
async function defaultTarget(question: UpgradeQuestion, releases: PageReleases) {
  const { findDefaultTarget } = await import('@cairn/shared/path/default-target');
  const { calendar } = releases;
  const current = mustParseVersion(question.from);
  return findDefaultTarget({ ...question, current, channel: null, calendar }, releases);
}

/** Parts of a link that change the result; the rest changes only the display. */
export function solveKey(state: UrlState): string {
  const { from, to, channel, arch, risks, cluster, pause } = state;
  return JSON.stringify([from, to, channel, arch, risks, cluster, pause]);
}
