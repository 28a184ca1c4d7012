import { clusterStandings, troubleOf } from '@cairn/shared/notifications/topics';
import type { FleetNews } from '@cairn/shared/notifications/notification';
import { tell } from '@cairn/shared/notifications/log';
import { clusterOutlook } from './cluster-outlook.ts';
import type { StoredCluster } from '../clusters/store.ts';
import type { Ahead, FleetEntry } from './store.ts';
import type { FleetRun } from './job.ts';

export interface Sight {
  readonly ahead: Ahead;
  /** The channels that concern the cluster. */
  readonly pairs: readonly string[];
}

/** What lies ahead of a cluster now, and what there is to tell of it; null when it does not say which version it runs. */
export async function lookAhead(
  { reader, slot, limits }: Pick<FleetRun, 'reader' | 'slot' | 'limits'>,
  { id, record }: StoredCluster,
  entry: FleetEntry,
): Promise<Sight | null> {
  const now = Date.parse(slot);
  const found = await clusterOutlook(record, entry.settings?.settings ?? {}, reader, now);
  if (found === null) return null;
  const { outlook, pairs, releases } = found;
  const former = entry.ahead?.firstSeenAt === record.firstSeenAt ? entry.ahead : null;
  const told = former?.told ?? {};
  const planned = await releases.prepare(former?.outlook.channels ?? []);
  const standings = clusterStandings(told, outlook, (hop) => troubleOf(planned, hop));
  const telling = tell(told, standings, { now, windowMs: limits.windowMs });
  const news = telling.news.map((one): FleetNews => ({
    id: `cluster/${id}/${one.type}/${slot}`,
    at: slot,
    cluster: id,
    ...one,
  }));
  const pending = [...(former?.pending ?? []), ...news];
  const isSame = former !== null && JSON.stringify(former.outlook) === JSON.stringify(outlook);
  return {
    ahead: {
      firstSeenAt: record.firstSeenAt,
      outlook,
      since: isSame ? former.since : slot,
      told: telling.told,
      pending,
      heldUntil: telling.againAt === null ? null : new Date(telling.againAt).toISOString(),
    },
    pairs,
  };
}
