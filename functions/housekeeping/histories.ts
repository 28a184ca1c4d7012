import { withinHistoryLimit } from '@cairn/shared/cluster/record';
import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import type { ArchivedRemoval } from '@cairn/shared/prune/history/archive';
import { messageOf } from '@cairn/shared/text/quote';
import { listClusters, type ListedCluster, reviseCluster } from '../clusters/store.ts';
import type { HousekeepingRun } from './run.ts';

type Lowering =
  | { readonly kind: 'lowered'; readonly removed: readonly ArchivedRemoval[] }
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'out-of-time'; readonly id: string };

/**
 * Prunes all histories to the limit unless pruning is stopped. A failure does not stop the others. `stoppedBefore` is
 * the first cluster without time left: the next run reaches it, because pruned histories need no work.
 */
export async function pruneHistories(run: HousekeepingRun) {
  const { table, historyLimit } = run.dependencies;
  const lowerings: Lowering[] = [];
  let watched = 0;
  let stoppedBefore: string | null = null;
  let after: string | null = null;
  do {
    const page = await listClusters(table, { after, limit: run.limits.clustersPerPage });
    watched += page.clusters.length;
    after = page.last;
    const over = page.clusters.filter(
      (cluster) => isUncounted(cluster) || cluster.historyEntries > historyLimit,
    );
    const outcomes = await mapConcurrent(over, run.limits.clustersAtOnce, (cluster) =>
      lowerHistory(run, cluster),
    );
    lowerings.push(...outcomes);
    stoppedBefore = outcomes.find((outcome) => outcome.kind === 'out-of-time')?.id ?? null;
  } while (after !== null && stoppedBefore === null);
  const lowered = lowerings.filter((lowering) => lowering.kind === 'lowered');
  return {
    watched,
    pruned: lowered.length,
    removed: lowered.flatMap(({ removed }) => removed),
    failures: lowerings.filter((lowering) => lowering.kind === 'failed').map(({ failure }) => failure),
    stoppedBefore,
  };
}

/** Heads from before entries were counted have no number. */
function isUncounted({ historyEntries }: Partial<ListedCluster>): boolean {
  return historyEntries === undefined;
}

async function lowerHistory(run: HousekeepingRun, cluster: ListedCluster): Promise<Lowering> {
  const { dependencies, limits, startedAt, slot, switches } = run;
  const { table, log, clock, historyLimit } = dependencies;
  const { id } = cluster;
  if (clock() - startedAt > limits.beginClustersForMs) return { kind: 'out-of-time', id };
  const failed = (reason: string, fields: Readonly<Record<string, unknown>> = {}): Lowering => {
    log.warn('history pruning failed', { cluster: id, reason, ...fields });
    return { kind: 'failed', failure: `the history of ${id} was not lowered: ${reason}` };
  };
  let removed: readonly ArchivedRemoval[] = [];
  try {
    if ((await switches.get('prune')) !== null) return { kind: 'left' };
    const { outcome } = await reviseCluster(table, id, ({ record }) => {
      const lowered = withinHistoryLimit(record, { max: historyLimit, now: slot });
      ({ removed } = lowered);
      // Storing the record again counts its entries, so the next run need not read it.
      return lowered.record === record && !isUncounted(cluster) ? null : lowered.record;
    });
    if (outcome === 'contended') return failed('others keep changing the cluster, the next run tries again');
    if (outcome === 'too-large') return failed('the cluster is larger than what is stored of one');
    if (outcome === 'unknown') log.info('history skipped', { cluster: id, reason: 'cluster deleted' });
    if (outcome !== 'changed' || removed.length === 0) return { kind: 'left' };
  } catch (error) {
    return failed(messageOf(error), { error });
  }
  log.info('history pruned', {
    cluster: id,
    limit: historyLimit,
    removed: removed.length,
    reasons: tally(removed),
  });
  return { kind: 'lowered', removed };
}

function tally(removed: readonly ArchivedRemoval[]): Record<string, number> {
  const byReason = Map.groupBy(removed, ({ reason }) => reason);
  return Object.fromEntries(Array.from(byReason, ([reason, entries]) => [reason, entries.length]));
}
