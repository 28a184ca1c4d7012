import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import type { Notification } from '@cairn/shared/notifications/notification';
import { acceptanceNews } from '@cairn/shared/notifications/topics';
import { isActive } from '@cairn/shared/risk/acceptances';
import { markForReassessment } from '../clusters/reassessment-mark.ts';
import type { FleetState } from '../notifications/store.ts';
import { type ListedAcceptance, settleAcceptance } from '../risk-acceptances/store.ts';
import { CLUSTER_LIST } from '../store/keys.ts';
import { indexPage } from '../store/query.ts';
import { isOutOfTime, type ReassessmentRun } from './run.ts';

/**
 * Marks the clusters of changed and expired acceptances for reassessment. A run without time for all of them leaves the
 * acceptances as they are, and the next one starts again.
 */
export async function markAffectedClusters(run: ReassessmentRun): Promise<void> {
  const { table } = run.dependencies;
  const now = Date.parse(run.slot);
  const affected = run.acceptances.filter(
    (acceptance) => acceptance.stale.length > 0 || hasExpired(acceptance, now),
  );
  if (affected.length === 0) return;
  for await (const ids of affectedClusters(run, affected, now)) {
    const isMarked = await mapConcurrent(ids, run.limits.clustersAtOnce, async (id) => {
      if (isOutOfTime(run)) return false;
      await markForReassessment(table, id, { revision: '0', at: run.slot });
      return true;
    });
    if (isMarked.includes(false)) return;
  }
  for (const acceptance of affected) {
    await settleAcceptance(table, acceptance, acceptance.isCounted && !hasExpired(acceptance, now));
  }
}

/** Assessments still count it. */
function hasExpired(acceptance: ListedAcceptance, now: number): boolean {
  return acceptance.isCounted && !isActive(acceptance, now);
}

async function* affectedClusters(
  { dependencies: { table }, limits }: ReassessmentRun,
  affected: readonly ListedAcceptance[],
  now: number,
): AsyncGenerator<readonly string[]> {
  const lists = affected.flatMap((acceptance) => [
    acceptance.stale,
    ...(hasExpired(acceptance, now) ? [acceptance.clusters] : []),
  ]);
  if (!lists.includes('all')) {
    yield [...new Set(lists.flat())];
    return;
  }
  for (let after: string | null = null, more = true; more; more = after !== null) {
    const page = await indexPage(table, CLUSTER_LIST, { after, limit: limits.clustersPerPage });
    yield page.names;
    after = page.last;
  }
}

/** Remembers the end of each acceptance that a notification was sent for, until it is deleted. */
export function acceptanceNotifications(
  { acceptances, slot }: ReassessmentRun,
  former: FleetState['acceptances'],
): { readonly told: FleetState['acceptances']; readonly notifications: readonly Notification[] } {
  const now = Date.parse(slot);
  const told: Record<string, string> = {};
  const notifications: Notification[] = [];
  for (const acceptance of acceptances) {
    const { id, until, isDeleted } = acceptance;
    if (isDeleted) continue;
    const news = former[id] === until ? null : acceptanceNews(acceptance, now);
    if (news !== null) {
      notifications.push({ id: `acceptance/${id}/${news.type}/${until}`, at: slot, acceptance: id, ...news });
    }
    if (news !== null || former[id] === until) told[id] = until;
  }
  return { told, notifications };
}
