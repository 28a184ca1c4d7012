import type { ClusterNews } from './topics.ts';
import type { PrunerNews } from './pruner-news.ts';

/** Something that changed for a cluster or a pruner. */
export type FleetNews = {
  /** The same when it is told again. */
  readonly id: string;
  readonly at: string;
} & (({ readonly cluster: string } & ClusterNews) | ({ readonly pruner: string } & PrunerNews));

/** Every kind of news, in the order in which a digest tells them: what stops somebody first. */
export const NEWS_TYPES = [
  'ClusterBlocked',
  'PathClosed',
  'UpdateAtRisk',
  'RemovedApiInUse',
  'PrunerFailing',
  'PrunerOverdue',
  'NewerPatch',
  'PathOpened',
  'ClusterFree',
  'PrunerRecovered',
] as const satisfies readonly FleetNews['type'][];
export type NewsType = (typeof NEWS_TYPES)[number];

/** What the news is of. */
export function subjectOf(news: FleetNews): string {
  return 'cluster' in news ? news.cluster : news.pruner;
}
