import type { PrunerHealth } from '../prune/images/pruner/record.ts';
import type { Standing, Told } from './log.ts';

export const PRUNER_TROUBLES = ['failing', 'overdue'] as const;
type PrunerTrouble = (typeof PRUNER_TROUBLES)[number];

/** What there is to tell of a pruner. */
export type PrunerNews =
  | { readonly type: 'PrunerFailing'; readonly reason: string | null }
  | { readonly type: 'PrunerOverdue' }
  | { readonly type: 'PrunerRecovered'; readonly from: PrunerTrouble };

/** A pruner that was never looked at counts as well: that its first run failed is news. */
export function prunerStandings(
  told: Told,
  { hasFailed, isOverdue }: Pick<PrunerHealth, 'hasFailed' | 'isOverdue'>,
  reason: string | null,
): Standing<PrunerNews>[] {
  return [
    standing(told, 'failing', hasFailed, { type: 'PrunerFailing', reason }),
    standing(told, 'overdue', isOverdue, { type: 'PrunerOverdue' }),
  ];
}

function standing(told: Told, topic: PrunerTrouble, isSo: boolean, onset: PrunerNews): Standing<PrunerNews> {
  const value = isSo ? topic : '';
  const former = told[topic]?.value ?? '';
  const news: PrunerNews = isSo ? onset : { type: 'PrunerRecovered', from: topic };
  return { topic, value, news: former === value ? null : news };
}
