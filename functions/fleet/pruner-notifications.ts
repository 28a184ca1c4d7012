import { selectNotifications, type NotificationLog } from '@cairn/shared/notifications/log';
import type { Notification } from '@cairn/shared/notifications/notification';
import { prunerStandings } from '@cairn/shared/notifications/topics';
import { prunerHealth } from '@cairn/shared/prune/images/pruner/record';
import type { FleetState } from '../notifications/state.ts';
import { listPruners, type StoredPruner } from '../pruners/store.ts';
import type { ReassessmentRun } from './run.ts';

interface PrunerTelling {
  readonly pruners: FleetState['pruners'];
  readonly news: readonly Notification[];
}

const PRUNERS_PER_PAGE = 100;

/** Every run reads all pruners: there are only as many as registries. */
export async function prunerNotifications(
  run: ReassessmentRun,
  told: FleetState['pruners'],
): Promise<PrunerTelling> {
  const pruners: Record<string, NotificationLog> = {};
  const news: Notification[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listPruners>> = await listPruners(run.dependencies.table, {
      after,
      limit: PRUNERS_PER_PAGE,
    });
    for (const pruner of page.pruners) {
      const telling = tellOfPruner(run, pruner, told[pruner.name] ?? {});
      pruners[pruner.name] = telling.told;
      news.push(...telling.news);
    }
    after = page.last;
  } while (after !== null);
  return { pruners, news };
}

function tellOfPruner(
  { slot, limits }: ReassessmentRun,
  { name, record }: StoredPruner,
  told: NotificationLog,
) {
  const now = Date.parse(slot);
  const standings = prunerStandings(told, prunerHealth(record, now), record.lastRun?.reason ?? null);
  const telling = selectNotifications(told, standings, { now, windowMs: limits.windowMs });
  const news = telling.news.map((one): Notification => ({
    id: `pruner/${name}/${one.type}/${slot}`,
    at: slot,
    pruner: name,
    ...one,
  }));
  return { told: telling.told, news };
}
